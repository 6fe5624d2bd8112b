"""
Which handwritten digits look alike?
====================================

Digits of 8 x 8 pixels are rows of 64 columns. Four directions are asked for, four weighted sums of
pixels that tell as much as possible about the digit. Digits that lie apart in one of the
pictures below are easy to tell; those that overlap in all of them look alike to such sums. The
directions are images themselves: they show where ink counts for a direction, and where against it.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.metrics import confusion_matrix
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier

from hsiclearn import SupervisedHSIC
from hsiclearn.plotting import ProjectionDisplay

digits = load_digits()
X, y = digits.data / 16.0, digits.target  # all columns are ink: one unit, nothing to standardise
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)

model = SupervisedHSIC(n_components=4, bandwidth="median").fit(X_train, y_train)
print(model.certificate_.verdict)
display = ProjectionDisplay.from_estimator(model, X_test, y_test, components="pairs", s=8)

# %%
# The four directions as images. Blue counts for, red against.

figure, axes = plt.subplots(1, 4, figsize=(9, 2.5), layout="constrained")
for k, (ax, direction) in enumerate(zip(axes, model.components_, strict=True)):
    limit = np.abs(direction).max()
    ax.imshow(direction.reshape(8, 8), cmap="RdBu", vmin=-limit, vmax=limit)
    ax.set(title=f"component {k + 1}", xticks=[], yticks=[])

# %%
# Who is taken for whom by five nearest neighbours in the four directions, on digits held out:

neighbours = KNeighborsClassifier().fit(model.transform(X_train), y_train)
predicted = neighbours.predict(model.transform(X_test))
print(f"right: {np.mean(predicted == y_test):.1%}")
counts = confusion_matrix(y_test, predicted)
np.fill_diagonal(counts, 0)
for place in np.argsort(-counts, axis=None, kind="stable")[:5]:
    true, taken = np.unravel_index(place, counts.shape)
    print(f"{true} taken for {taken}: {counts[true, taken]} times")
