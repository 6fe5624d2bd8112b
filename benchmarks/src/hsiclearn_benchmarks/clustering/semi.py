"""Accuracy with a few known labels, beside label spreading."""

from __future__ import annotations

import argparse

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import pdist
from sklearn.datasets import load_digits, load_wine
from sklearn.metrics import confusion_matrix, normalized_mutual_info_score
from sklearn.preprocessing import StandardScaler
from sklearn.semi_supervised import LabelSpreading

from hsiclearn import SemiSupervisedHSIC, UnsupervisedHSIC

from .._types import Array, Figures
from ..parts import markdown
from ..units import Unit
from .runs import mean_of, number, read, timed

SETS = {"wine": 2, "cancer": 2, "digits": 9}  # components
LABELS = (1, 2, 5, 10)  # known per class
METHODS = ("ours", "knn 7", "knn 10", "rbf")


def runs(args: argparse.Namespace) -> list[Unit]:
    found = []
    for name in SETS:
        found.append(Unit(f"{name} labels=0", unsupervised, {"name": name}))
        for m in LABELS:
            found += [
                Unit(f"{name} labels={m} draw={i}", one, {"name": name, "m": m, "draw": i})
                for i in range(args.draws)
            ]
    return found


def load(name: str) -> tuple[Array, Array]:
    """Standardised columns, classes 0, 1, ..."""
    if name == "cancer":
        frame = read("cancer")
        raw, y = frame.drop(columns="label").to_numpy(float), frame["label"].to_numpy()
    else:
        raw, y = {"wine": load_wine, "digits": load_digits}[name](return_X_y=True)
    return StandardScaler().fit_transform(raw), np.unique(y, return_inverse=True)[1]


def unsupervised(name: str) -> Figures:
    """No label known: NMI, and the accuracy of the best naming of the clusters."""
    X, y = load(name)
    k = int(y.max()) + 1
    model, seconds = timed(lambda: UnsupervisedHSIC(k, SETS[name]).fit(X))
    counts = confusion_matrix(y, model.labels_)
    named = counts[linear_sum_assignment(-counts)].sum() / y.size
    score = normalized_mutual_info_score(y, model.labels_)
    return {"set": name, "labels": 0, "nmi": score, "ours": named, "seconds": seconds}


def one(name: str, m: int, draw: int) -> Figures:
    """One draw of m known labels per class; accuracy on the other rows."""
    X, y = load(name)
    rng = np.random.default_rng(draw)
    partial = np.full(y.size, -1)
    for c in np.unique(y):
        partial[rng.choice(np.flatnonzero(y == c), m, replace=False)] = c
    rest = partial < 0
    k = int(y.max()) + 1
    model, seconds = timed(lambda: SemiSupervisedHSIC(k, SETS[name]).fit(X, partial))
    record: Figures = {"set": name, "labels": m, "seconds": seconds}
    record |= scores("ours", y[rest], model.labels_[rest])
    gamma = 0.5 / np.median(pdist(X)) ** 2
    rivals = {
        "knn 7": LabelSpreading(kernel="knn", n_neighbors=7),
        "knn 10": LabelSpreading(kernel="knn", n_neighbors=10),
        "rbf": LabelSpreading(kernel="rbf", gamma=gamma),
    }
    for method, rival in rivals.items():
        rival.set_params(max_iter=1000).fit(X, partial)
        record |= scores(method, y[rest], rival.transduction_[rest])
    return record


def scores(method: str, y: Array, found: Array) -> Figures:
    nmi = normalized_mutual_info_score(y, found)
    return {method: np.mean(found == y), f"{method} nmi": nmi}


def table(records: list[Figures]) -> str:
    head = ["data", "labels per class", "draws", "SemiSupervisedHSIC"]
    head += ["LabelSpreading knn 7", "knn 10", "rbf", "seconds"]
    rows, lines = [], []
    for name in SETS:
        for m in LABELS:
            some = [r for r in records if r["set"] == name and r["labels"] == m]
            if some:
                both = [
                    f"{number(100 * mean_of(some, method), 1)} / "
                    f"{number(mean_of(some, f'{method} nmi'), 3)}"
                    for method in METHODS
                ]
                seconds = number(mean_of(some, "seconds"), 1)
                rows.append([name, m, len(some), *both, seconds])
        lines += [
            f"- {name} without labels (UnsupervisedHSIC): NMI {r['nmi']:.3f}, accuracy "
            f"{100 * r['ours']:.1f} % under the best naming of the clusters, "
            f"{r['seconds']:.1f} seconds."
            for r in records
            if r["set"] == name and r["labels"] == 0
        ]
    return "\n".join([PREFACE, "", markdown(head, rows), "", *lines])


PREFACE = """Accuracy in per cent / NMI on the rows whose label was not given, mean over random
draws of the known rows; columns standardised; components: wine 2, cancer 2, digits 9.
LabelSpreading (scikit-learn) sees all columns; its rbf has gamma = 1 / (2 median distance^2)."""
