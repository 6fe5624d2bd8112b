"""Which criterion should choose bandwidth and start? The comparison behind ``bandwidth="auto"``.

    python benchmarks/selection_study.py [wine glass diabetes digits planted]

Fits are made for every scale and start with all criteria, then each rule picks one of them: so the
rules differ in the choice alone. Only planted tables of seeds that the quality suite does not
use and four named sets are looked at. The tables in docs/design/choosing.md are from here.
``HSICLEARN_DATA`` must name the folder with glass.csv.gz.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np
from sklearn.preprocessing import StandardScaler

from hsiclearn.bench.quality.errors import losses, outer_folds
from hsiclearn.bench.quality.sets import SETS, load_rows
from hsiclearn.datasets import make_planted
from hsiclearn.kernels import Gaussian
from hsiclearn.linalg import sine_of_largest_angle
from hsiclearn.paradigms import supervised_gamma
from hsiclearn.rows import as_rows
from hsiclearn.selection import (
    SCALES,
    Candidate,
    Search,
    bandwidth_grid,
    draw_sample,
    make_splits,
    median_distance,
)

NAMES = ("wine", "glass", "diabetes", "digits")
RULES: dict[str, Callable[[Candidate], float]] = {
    "LOO": lambda c: c.leave_one_out,
    "HO": lambda c: c.held_out,
    "J = (LOO + HO) / 2": lambda c: c.criterion,
}


def candidates(X: np.ndarray, y: np.ndarray, q: int) -> list[Candidate]:
    """Every scale and start, all criteria computed."""
    rng = np.random.default_rng(0)
    supervised = supervised_gamma(y, "auto", None, rng)
    sample = draw_sample(as_rows(X), supervised.gamma, len(X), rng, supervised.labels)
    grid = bandwidth_grid(median_distance(X, rng), q, X.shape[1])
    splits = make_splits(3, len(X), rng, sample.labels)
    return Search(sample, lambda q: [Gaussian(b) for b in grid], splits).all(q)


def choices(found: list[Candidate]) -> dict[str, Candidate]:
    """What each rule takes; a fixed scale takes the start of lower J."""
    chosen = {name: min(found, key=rule) for name, rule in RULES.items()}
    per_scale = len(found) // len(SCALES)
    for i, scale in enumerate(SCALES):
        some = found[i * per_scale : (i + 1) * per_scale]
        chosen[f"always s = {scale:g}"] = min(some, key=lambda c: c.criterion)
    return chosen


def on_a_set(name: str) -> dict[str, float]:
    """Mean error of SVM and neighbours, in %, over five folds."""
    settings, (X, y) = SETS[name], load_rows(name)
    unit = 1.0 if settings.has_classes else float(np.var(y))
    errors: dict[str, list[float]] = {}
    for train, test in outer_folds(settings, X, y, seed=0):
        scaler = StandardScaler().fit(X[train])
        rows, new = scaler.transform(X[train]), scaler.transform(X[test])
        for rule, chosen in choices(candidates(rows, y[train], settings.q)).items():
            found = losses(settings, rows @ chosen.W, new @ chosen.W, y[train], y[test])
            errors.setdefault(rule, []).append(100.0 * float(np.mean(list(found))) / unit)
    return {rule: float(np.mean(values)) for rule, values in errors.items()}


def on_planted() -> dict[str, str]:
    """Mean of the largest angle in degrees, and how many of 32 are above 30."""
    angles: dict[str, list[float]] = {}
    for kind in ("xor", "ring", "sine", "product"):
        for n, d in ((200, 10), (300, 20)):
            for seed in range(100, 104):
                X, y, W = make_planted(kind, n, d, random_state=seed)
                found = candidates(StandardScaler().fit_transform(X), y, W.shape[1])
                for rule, chosen in choices(found).items():
                    sine = sine_of_largest_angle(W, chosen.W)
                    angles.setdefault(rule, []).append(float(np.degrees(np.arcsin(sine))))
    return {
        rule: f"{np.mean(values):.1f} ({sum(a > 30 for a in values)})"
        for rule, values in angles.items()
    }


def main() -> None:
    names = sys.argv[1:] or [*NAMES, "planted"]
    columns = {}
    for name in names:
        columns[name] = on_planted() if name == "planted" else on_a_set(name)
        print(name, columns[name], file=sys.stderr)
    rules = next(iter(columns.values()))
    print("| rule | " + " | ".join(columns) + " |")
    print("|---|" + "---|" * len(columns))
    for rule in rules:
        cells = (columns[name][rule] for name in columns)
        texts = (cell if isinstance(cell, str) else f"{cell:.2f}" for cell in cells)
        print(f"| {rule} | " + " | ".join(texts) + " |")


if __name__ == "__main__":
    main()
