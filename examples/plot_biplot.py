"""
Which measurement pulls which way?
==================================

A scatter plot of projected rows shows groups, a chart of loadings shows weights. A biplot puts both
into one picture: rows are points, and a measurement is an arrow that shows which way a row moves if
that measurement rises by a standard deviation while the others stay as they are. Arrows are
shortened by one factor, the same for all, so that they fit. Two that point the same way do the same
job.

150 irises of three species, and four lengths of each flower.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_iris
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from hsiclearn import SupervisedHSIC
from hsiclearn.inspection import describe_components, feature_importances
from hsiclearn.plotting import BiplotDisplay

iris = load_iris(as_frame=True)
X = iris.data.rename(columns=lambda name: name.removesuffix(" (cm)"))
y = iris.target.map(dict(enumerate(iris.target_names)))
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)

model = make_pipeline(StandardScaler(), SupervisedHSIC(n_components=2)).fit(X_train, y_train)
figure, ax = plt.subplots(figsize=(7, 4.8), layout="constrained")
BiplotDisplay.from_estimator(model, X_test, y_test, ax=ax)
ax.set_title("Flowers held out")

# %%
# The part that each measurement has in the plane, whatever basis of it was chosen, and how much
# each of the two directions tells by itself. Mind the scales of the axes: the second direction is
# the narrower one and is drawn larger, rows and arrows alike, so that an arrow along it looks
# longer than it is.

importances = feature_importances(model, X_train)
for j in np.argsort(-importances):
    print(f"{X.columns[j]:13} {importances[j]:.0%}")
print(describe_components(model, X_test, y_test))
