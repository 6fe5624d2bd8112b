"""Which criterion should choose bandwidth and start? The comparison behind ``bandwidth="auto"``.

    python -m hsiclearn_benchmarks.selection_study [NAME ...]

Names are wine, glass, diabetes, digits, planted, permuted and gaussian; all by default.

Fits are made for every scale and start with all criteria, then each rule picks one of them: so the
rules differ in the choice alone. Only planted tables of seeds that the quality suite does not
use and four named sets are looked at. The tables in docs/design/choosing.md are from here.
*permuted*: what is "explained" where nothing is to be, and what a bandwidth passed as a number
misses; *gaussian*: the scales beside LDA, on
classes that LDA was made for. ``HSICLEARN_DATA`` must name the folder with glass.csv.gz.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.linalg import subspace_angles
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.preprocessing import StandardScaler

from hsiclearn import SupervisedHSIC
from hsiclearn._paradigms import read_target, supervised_gamma
from hsiclearn._rows import as_rows
from hsiclearn._selection import Candidate, median_distance
from hsiclearn._selection.problem import SCALES, bandwidth_grid
from hsiclearn._selection.sample import draw_sample, make_splits
from hsiclearn._selection.search import Search
from hsiclearn._selection.selection import NOTHING_FOUND
from hsiclearn.datasets import make_planted
from hsiclearn.kernels import Gaussian

from ._types import Array
from .quality.errors import losses, outer_folds
from .quality.sets import SETS, load_rows

NAMES = ("wine", "glass", "diabetes", "digits")
RULES: dict[str, Callable[[Candidate], float]] = {
    "LOO": lambda c: c.leave_one_out,
    "HO": lambda c: c.held_out,
    "J = (LOO + HO) / 2": lambda c: c.criterion,
}


def candidates(X: Array, y: Array, q: int) -> list[Candidate]:
    """Every scale and start, all criteria computed."""
    rng = np.random.default_rng(0)
    target = read_target(y)
    gamma = supervised_gamma(target, rng)
    sample = draw_sample(as_rows(X), gamma, len(X), rng, target.labels)
    grid = bandwidth_grid(median_distance(X, rng), q, X.shape[1])
    splits = make_splits(3, len(X), rng, sample.labels)
    return Search(sample, lambda q, _: [Gaussian(b) for b in grid], splits).all(q)


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


def degrees(W: Array, V: Any) -> float:
    """The largest principal angle."""
    return float(np.degrees(subspace_angles(W, V)[0]))


def on_planted() -> dict[str, str]:
    """Mean of the largest angle in degrees, and how many of 32 are above 30."""
    angles: dict[str, list[float]] = {}
    for kind in ("xor", "ring", "sine", "product"):
        for n, d in ((200, 10), (300, 20)):
            for seed in range(100, 104):
                X, y, W = make_planted(kind, n, d, random_state=seed)
                found = candidates(StandardScaler().fit_transform(X), y, W.shape[1])
                for rule, chosen in choices(found).items():
                    angles.setdefault(rule, []).append(degrees(W, chosen.W))
    return {
        rule: f"{np.mean(values):.1f} ({sum(a > 30 for a in values)})"
        for rule, values in angles.items()
    }


def on_permuted() -> str:
    """Losses of the default where the target was permuted: five tables, eight times each."""
    found = []
    for name in ("wine", "glass", "diabetes", "xor", "product"):
        for seed in range(8):
            planted = name in ("xor", "product")
            X, y = (
                make_planted(name, 300, 10, random_state=200 + seed)[:2]
                if planted
                else load_rows(name)
            )
            y = np.random.default_rng(seed).permutation(y)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                model = SupervisedHSIC(2).fit(StandardScaler().fit_transform(X), y)
            found.append(model.selection_.chosen)
    held_out = [c.held_out for c in found]
    lowest = min(c.leave_one_out for c in found)
    return (
        f"permuted targets, {len(found)} fits: held-out loss {min(held_out):.3f} to "
        f"{max(held_out):.3f}, lowest leave-one-out loss {lowest:.3f}"
    )


def on_noise() -> str:
    """How often noise in few rows gets past the warning, with the dimension chosen as well."""
    shares = []
    for n, d, count in ((30, 5, 20), (50, 10, 12)):
        for seed in range(count):
            rng = np.random.default_rng(seed)
            X, y = rng.standard_normal((n, d)), rng.integers(0, 2, n)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                shares.append(SupervisedHSIC("auto").fit(X, y).selection_.explained_share)
    unnoticed = sum(share > 1.0 - NOTHING_FOUND for share in shares)
    return (
        f"noise, 30 x 5 and 50 x 10, q chosen: {unnoticed} of {len(shares)} without a warning, "
        f"{max(shares):.0%} explained at most"
    )


def on_fixed() -> str:
    """XOR with the bandwidth that was chosen passed as a number: degrees from the true plane."""
    angles: dict[str, list[float]] = {}
    for seed in range(3):
        X, y, W = make_planted("xor", 300, 10, random_state=seed)
        auto = SupervisedHSIC(2).fit(X, y)
        fits = {
            "auto": auto,
            "the number": SupervisedHSIC(2, bandwidth=auto.bandwidth_).fit(X, y),
            "with n_init=2": SupervisedHSIC(2, bandwidth=auto.bandwidth_, n_init=2).fit(X, y),
        }
        for name, model in fits.items():
            angles.setdefault(name, []).append(degrees(W, model.components_.T))
    lists = (f"{name} {np.round(values, 1).tolist()}" for name, values in angles.items())
    return f"xor 300 x 10, degrees: {'; '.join(lists)}"


def gaussian_classes(n: int, d: int, n_classes: int, seed: int) -> tuple[Array, Array]:
    """Classes of one covariance (AR(1), 0.6) whose means differ in half of the columns."""
    rng = np.random.default_rng(seed)
    L = np.linalg.cholesky(0.6 ** np.abs(np.subtract.outer(np.arange(d), np.arange(d))))
    y = rng.integers(0, n_classes, n)
    means = rng.standard_normal((n_classes, d))
    means[:, d // 2 :] = 0.0
    means -= means.mean(axis=0)
    apart = np.sqrt(np.square(means @ np.linalg.inv(L).T).sum(axis=1).mean())
    means *= (1.0 if n_classes == 2 else 2.5) / apart
    return rng.standard_normal((n, d)) @ L.T + means[y], y


def on_gaussian(n: int, d: int, n_classes: int) -> str:
    """Mean error in % of LDA, of every scale and of the rule; q = 2."""
    errors: dict[str, list[float]] = {}
    settings = SETS["wine"]  # classes: how errors are counted
    for seed in range(6):
        X, y = gaussian_classes(n, d, n_classes, seed)
        for train, test in outer_folds(settings, X, y, seed):
            scaler = StandardScaler().fit(X[train])
            rows, new = scaler.transform(X[train]), scaler.transform(X[test])
            lda = LinearDiscriminantAnalysis(n_components=min(2, n_classes - 1))
            reduced = {"LDA": (lda.fit_transform(rows, y[train]), lda.transform(new))}
            for rule, chosen in choices(candidates(rows, y[train], 2)).items():
                reduced[rule] = rows @ chosen.W, new @ chosen.W
            for name, (seen, unseen) in reduced.items():
                found = losses(settings, seen, unseen, y[train], y[test])
                errors.setdefault(name, []).append(100.0 * float(np.mean(list(found))))
    figures = ", ".join(f"{name} {np.mean(values):.2f}" for name, values in errors.items())
    return f"{n} x {d}, {n_classes} Gaussian classes: {figures}"


def main() -> None:
    names = sys.argv[1:] or [*NAMES, "planted", "permuted", "gaussian"]
    columns = {}
    if "permuted" in names:
        for part in (on_fixed, on_noise, on_permuted):
            print(part(), flush=True)
    if "gaussian" in names:
        for size in ((300, 13, 2), (250, 30, 2), (500, 15, 4)):
            print(on_gaussian(*size), flush=True)
    names = [name for name in names if name not in ("permuted", "gaussian")]
    if not names:
        return
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
