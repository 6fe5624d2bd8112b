"""
Which measurements tell three growers' wines apart?
===================================================

A table of 178 wines has thirteen measurements a bottle, and the name of one of three growers. Two
questions come at once: can the growers be told apart, and by what? ``SupervisedHSIC`` answers
both. It finds a plane in which the growers separate, and because the plane is linear, its two
axes are weighted sums of measurements that can be read off.

The measurements have different units, so they are standardised first.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from hsiclearn import SupervisedHSIC
from hsiclearn.inspection import describe_components
from hsiclearn.plotting import LoadingsDisplay, ProjectionDisplay

wine = load_wine(as_frame=True)
X = wine.data.rename(columns={"od280/od315_of_diluted_wines": "od280/od315"})
y = wine.target.map({0: "grower 1", 1: "grower 2", 2: "grower 3"})
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)

model = make_pipeline(StandardScaler(), SupervisedHSIC(n_components=2)).fit(X_train, y_train)
print(model[-1].certificate_.verdict)
print(model[-1].selection_.in_words())

# %%
# Left, wines that the model has not seen. Right, what the two directions are made of.

figure, (left, right) = plt.subplots(
    1, 2, figsize=(10, 4.2), width_ratios=(1.0, 1.2), layout="constrained"
)
ProjectionDisplay.from_estimator(model, X_test, y_test, ax=left)
left.set_title("Wines held out")
LoadingsDisplay.from_estimator(model, X_train, ax=right)

# %%
# For each direction: how strongly it goes with the grower on the held-out wines (CKA, at most 1),
# whether that could be chance (p), and the three measurements that have most part in it.

print(describe_components(model, X_test, y_test))

# %%
# A loading is large when its measurement helps *in company with the others*. Two measurements
# that say the same share their weight between them, so a small loading does not mean that a
# measurement is unrelated to the grower.
