"""
A few labels are known: do they help?
=====================================

178 wines, thirteen measurements each, and only six bottles have a label: two of each grower.
``SemiSupervisedHSIC`` is told the growers of these six, -1 for the others. It answers with a grower
for every wine and with the plane in which they fall apart.

Label spreading, which knows the same six and sees all columns, is printed for comparison. The
growers of the other wines are used for nothing but to count the mistakes. Which six are named
matters: try other seeds. :doc:`/clustering` has the mean over many draws, on three tables.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler
from sklearn.semi_supervised import LabelSpreading

from hsiclearn import SemiSupervisedHSIC
from hsiclearn.plotting import ProjectionDisplay

GROWERS = ("grower 1", "grower 2", "grower 3")
LEGEND = {"ncols": 4, "frameon": False, "columnspacing": 0.8, "handletextpad": 0.1}

wine = load_wine()
X = StandardScaler().fit_transform(wine.data)
rng = np.random.default_rng(0)
named = np.concatenate([rng.choice(np.flatnonzero(wine.target == c), 2, False) for c in range(3)])
partial = np.full(wine.target.size, -1)
partial[named] = wine.target[named]

model = SemiSupervisedHSIC(n_clusters=3, n_components=2).fit(X, partial)
spreading = LabelSpreading(kernel="knn", n_neighbors=7, max_iter=1000).fit(X, partial)
rest = partial < 0
wrong = model.labels_ != wine.target
right_ones = {
    "SemiSupervisedHSIC": ~wrong,
    "LabelSpreading": spreading.transduction_ == wine.target,
}
for name, is_right in right_ones.items():
    print(f"{name}: {np.sum(is_right[rest])} of {np.sum(rest)} unnamed wines are right")

# %%
# Left, what the method was told. Right, what it says, with its mistakes circled.

figure, (left, right) = plt.subplots(
    1, 2, figsize=(9, 4.2), sharex=True, sharey=True, layout="constrained"
)
draw = ProjectionDisplay.from_estimator
draw(model, X, partial, class_names=GROWERS, ax=left, s=50)
left.set(title="What was known")
draw(model, X, model.labels_, class_names=GROWERS, ax=right)
mistakes = model.transform(X[wrong]).T
right.scatter(*mistakes, s=110, facecolors="none", edgecolors="black", label="wrong")
right.set(title=f"What was found: {np.mean(~wrong[rest]):.0%} right", ylabel="")
for ax in (left, right):
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), **LEGEND)
