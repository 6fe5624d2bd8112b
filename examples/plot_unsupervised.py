"""Whether wines fall into groups by themselves, and which measurements tell the groups apart.

178 wines, 13 measurements each. ``UnsupervisedHSIC`` is told that there are three groups and
nothing else. It answers with a group per wine and with two directions whose loadings can be read.
The growers, known but not used, say how good the groups are.

Writes ``docs/images/unsupervised.png``.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import linear_sum_assignment
from sklearn.datasets import load_wine
from sklearn.metrics import confusion_matrix
from sklearn.preprocessing import StandardScaler

from hsiclearn import UnsupervisedHSIC
from hsiclearn.plotting import ProjectionDisplay

PICTURE = Path(__file__).parents[1] / "docs" / "images" / "unsupervised.png"
LEGEND = {"ncols": 4, "frameon": False, "columnspacing": 0.8, "handletextpad": 0.1}

wine = load_wine()
X = StandardScaler().fit_transform(wine.data)
model = UnsupervisedHSIC(n_clusters=3, n_components=2).fit(X)

# Name each group after the grower most of its wines come from.
counts = confusion_matrix(wine.target, model.labels_)
growers, groups = linear_sum_assignment(-counts)
grower_of = growers[np.argsort(groups)][model.labels_]
differs = grower_of != wine.target
print(f"{np.sum(~differs)} of {differs.size} wines are in the group of their grower")

figure, (left, right) = plt.subplots(
    1, 2, figsize=(10, 4.2), width_ratios=(1.0, 1.0), layout="constrained"
)
Z = model.transform(X)
ProjectionDisplay(Z, y=model.labels_, class_names=("group 1", "group 2", "group 3")).plot(left)
left.scatter(*Z[differs].T, s=110, facecolors="none", edgecolors="black", label="another grower's")
left.set_title("Groups found")
left.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), **LEGEND)

order = np.argsort(np.abs(model.components_).max(axis=0))
names = [name.replace("od280/od315_of_diluted_wines", "od280/od315") for name in wine.feature_names]
places = np.arange(order.size)
for component, (shift, colour) in enumerate([(0.2, "#0072B2"), (-0.2, "#E69F00")]):
    loadings = model.components_[component, order]
    right.barh(places + shift, loadings, 0.4, color=colour, label=f"component {component + 1}")
right.set_yticks(places, [names[i].replace("_", " ") for i in order])
right.axvline(0.0, color="black", linewidth=0.8)
right.set_title("Loadings")
right.legend(loc="lower right", frameon=False)
right.spines[["top", "right"]].set_visible(False)
figure.savefig(PICTURE, dpi=100)
print(f"wrote {PICTURE.name}")
