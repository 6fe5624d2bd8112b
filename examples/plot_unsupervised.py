"""
Do groups show in a few directions?
===================================

178 wines, thirteen measurements each, and no labels at all. ``UnsupervisedHSIC`` is told that there
are three groups and nothing else. It looks for a plane in which the wines fall into three, and
answers with a group for every wine and with two directions whose loadings can be read.

The growers are known but not used: they say afterwards how good the groups are.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import linear_sum_assignment
from sklearn.datasets import load_wine
from sklearn.metrics import confusion_matrix
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from hsiclearn import UnsupervisedHSIC
from hsiclearn.plotting import (
    ClusteringDisplay,
    LoadingsDisplay,
    ProjectionDisplay,
    SpectrumDisplay,
)

LEGEND = {"ncols": 4, "frameon": False, "columnspacing": 0.8, "handletextpad": 0.1}

wine = load_wine(as_frame=True)
X = wine.data.rename(columns={"od280/od315_of_diluted_wines": "od280/od315"})
pipeline = make_pipeline(StandardScaler(), UnsupervisedHSIC(n_clusters=3, n_components=2)).fit(X)
model = pipeline[-1]

# %%
# Name each group after the grower most of its wines come from.

counts = confusion_matrix(wine.target, model.labels_)
growers, groups = linear_sum_assignment(-counts)
grower_of = growers[np.argsort(groups)][model.labels_]
differs = (grower_of != wine.target).to_numpy()
print(f"{np.sum(~differs)} of {differs.size} wines are in the group of their grower")
print(model.result_.status.value)
print(model.certificate_.verdict)

figure, (left, right) = plt.subplots(
    1, 2, figsize=(10, 4.2), width_ratios=(1.0, 1.2), layout="constrained"
)
Z = pipeline.transform(X)
ProjectionDisplay(Z, y=model.labels_, class_names=("group 1", "group 2", "group 3")).plot(left)
left.scatter(*Z[differs].T, s=110, facecolors="none", edgecolors="black", label="another grower's")
left.set_title("Groups found")
left.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), **LEGEND)
LoadingsDisplay.from_estimator(pipeline, X, ax=right)

# %%
# The objective has kinks, where eigenvalues or neighbours change places. A fit that ends at one has
# a gradient that is not small, and the certificate says so: no step lowers the cost, but that this
# is an optimum was not verified.
#
# Two more pictures. Do as many eigenvalues of the graph as groups stand near 1, with a step to the
# next one? And how do the groups go with the growers?

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.9), layout="constrained")
SpectrumDisplay.from_estimator(pipeline, kind="graph", ax=left)
names = np.array(["grower 1", "grower 2", "grower 3"])[wine.target]
ClusteringDisplay.from_labels(names, model.labels_, ax=right)
