"""
Is there a second way to group these rows?
==========================================

Rows are known to fall into two groups. Often that is the least interesting thing about them: the
groups are old news, and what is wanted is another way to group the same rows. Cluster them again,
and most methods return the known groups, because these are what shows most.

``AlternativeHSIC`` is given the known labels and looks for clusters, and a plane that shows them,
in which the known labels are mixed. Here the rows have two clusterings of the same shape, each in a
plane of its own, and the planes are hidden in six columns, mixed with noise. One clustering is
given; the other is used for nothing but to check the answer.
"""

import matplotlib.pyplot as plt
from sklearn.metrics import normalized_mutual_info_score

from hsiclearn import AlternativeHSIC, SupervisedHSIC
from hsiclearn.datasets import make_two_views
from hsiclearn.plotting import ClusteringDisplay

GIVEN = {"given 1": ("#0072B2", "o"), "given 2": ("#E69F00", "^")}
FOUND = {"found 1": ("#CC79A7", "D"), "found 2": ("#009E73", "s")}

X, given, hidden = make_two_views("moons", 400, n_noise=2, random_state=1)
model = AlternativeHSIC(n_clusters=2, n_components=2).fit(X, given)
for name, labels in {"hidden": hidden, "given": given}.items():
    score = normalized_mutual_info_score(labels, model.labels_)
    print(f"agreement (NMI) of the clusters found with the {name} ones: {score:.2f}")
print(f"what the plane shows of the given labels: {model.assortativity_[0]:.3f} (0 is chance)")

# %%
# For the first panel ``SupervisedHSIC`` finds the plane of the given labels.

known = SupervisedHSIC(n_components=2, bandwidth=0.5, n_init=3).fit(X, given)
panels = {
    "Given labels,\ntheir own plane": (known, given, GIVEN),
    "Given labels,\nthe plane found": (model, given, GIVEN),
    "Clusters found,\nthe plane found": (model, model.labels_, FOUND),
}
figure, axes = plt.subplots(1, 3, figsize=(8.2, 4.2), layout="constrained")
for ax, (title, (estimator, labels, styles)) in zip(axes, panels.items(), strict=True):
    Z = estimator.transform(X)
    for code, (name, (colour, marker)) in enumerate(styles.items()):
        rows = Z[labels == code]
        ax.scatter(*rows.T, s=14, color=colour, marker=marker, linewidths=0, label=name)
    ax.set(title=title, xlabel="component 1", aspect="equal")
    ax.title.set_fontsize(11)
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.15), ncols=2, frameon=False)
axes[0].set_ylabel("component 2")

# %%
# Rows counted by both labellings. Where the two have nothing to do with each other, all cells of a
# row of the table are about alike.

ClusteringDisplay.from_labels(given, model.labels_)
