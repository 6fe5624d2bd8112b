"""Rows are known to fall into two groups: whether there is another way to group them.

The rows have two clusterings, each seen in a plane of its own, and the planes are hidden in six
columns, mixed with noise. One clustering is known. ``AlternativeHSIC`` is given it and finds the
other, with the plane that shows it. For the first panel ``SupervisedHSIC`` finds the plane of the
given labels.

Writes ``docs/images/alternative.png``.
"""

from pathlib import Path

import matplotlib.pyplot as plt
from sklearn.metrics import normalized_mutual_info_score

from hsiclearn import AlternativeHSIC, SupervisedHSIC
from hsiclearn.datasets import make_two_views

PICTURE = Path(__file__).parents[1] / "docs" / "images" / "alternative.png"
GIVEN = {"given 1": ("#0072B2", "o"), "given 2": ("#E69F00", "^")}
FOUND = {"found 1": ("#CC79A7", "D"), "found 2": ("#009E73", "s")}

X, given, alternative = make_two_views("moons", 400, n_noise=2, random_state=1)
model = AlternativeHSIC(n_clusters=2, n_components=2).fit(X, given)
known = SupervisedHSIC(n_components=2, bandwidth=0.5, n_init=3).fit(X, given)
for name, labels in {"hidden": alternative, "given": given}.items():
    score = normalized_mutual_info_score(labels, model.labels_)
    print(f"NMI of the clustering found and the {name} one: {score:.2f}")
print(f"what the plane shows of the given labels: {model.assortativity_[0]:.3f} (0 is chance)")

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
figure.savefig(PICTURE, dpi=100)
print(f"wrote {PICTURE.name}")
