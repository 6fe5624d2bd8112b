"""Seconds of a default fit on tables people have, beside a rival's and those of another copy.

    python -m hsiclearn_benchmarks.seconds [--before SRC] [--cases NAME ...] [--repeat 3]

The rival is NCA, of a real target PLS with the number of components chosen by 5-fold
cross-validation, both as scikit-learn has them; a sparse table is dense for it. Every fit has a
process of its own, after a small one that loads what there is to load; ours, the copy ``--before``
names and the rival take turns, and of each the fastest counts.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.cross_decomposition import PLSRegression
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import NeighborhoodComponentsAnalysis

from hsiclearn import SupervisedHSIC

from .._types import Figures
from ..copies import figures_of
from ..parts import markdown
from .tables import CASES, load

_SOON = 0.5  # seconds, within which nobody waits
_HEAD = (
    *("table", "rows", "columns", "rival", "rival, s", "before, s", "now, s", "CPU s before"),
    *("CPU s now", "now / rival", "before / now", "held out, before", "held out, now", "met"),
)


def rival(is_real: bool, d: int) -> Any:
    """NCA in two dimensions, or PLS in as many as cross-validation prefers."""
    if not is_real:
        return NeighborhoodComponentsAnalysis(n_components=2, random_state=0)
    return GridSearchCV(PLSRegression(), {"n_components": range(1, min(d, 10) + 1)}, cv=5)


def fit_one(name: str, method: str) -> Figures:
    """One fit in this process: seconds, CPU seconds, and what rows held out say."""
    warnings.simplefilter("ignore")
    X, y = load(name)
    is_real = CASES[name].is_real
    if method == "rival" and sparse.issparse(X):
        X = X.toarray()
    make: Callable[[], Any] = SupervisedHSIC
    if method == "rival":

        def make() -> Any:
            return rival(is_real, X.shape[1])

    some = np.random.default_rng(0).permutation(X.shape[0])[:80]
    make().fit(X[some][:, :12], y[some])
    model = make()
    wall, cpu = time.perf_counter(), time.process_time()
    model.fit(X, y)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    share = float("nan") if method == "rival" else model.selection_.explained_share
    return {"wall": wall, "cpu": cpu, "share": share, "shape": X.shape}


def measured(name: str, before: Path | None, repeat: int) -> dict[str, Figures]:
    """Of each method the fastest fit; methods take turns."""
    sources: dict[str, tuple[str, Path | None]] = {"rival": ("rival", None), "now": ("ours", None)}
    if before is not None:
        sources["before"] = "ours", before
    best: dict[str, Figures] = {}
    module = __package__ or ""
    for _ in range(repeat):
        for side, (method, source) in sources.items():
            found = figures_of(module, ["--fit", json.dumps([name, method])], source)
            best[side] = min(best.get(side, found), found, key=lambda f: f["wall"])
    return best


def row_of(name: str, found: dict[str, Figures]) -> list[str]:
    """A line of the table; the goal is the rival's time, or half a second where that is more."""
    theirs, now = found["rival"], found["now"]
    before = found.get("before", dict.fromkeys(("wall", "cpu", "share"), float("nan")))
    is_met = now["wall"] <= max(theirs["wall"], _SOON)
    cells = [name, *map(str, now["shape"]), "PLS" if CASES[name].is_real else "NCA"]
    cells += [f"{value:.2f}" for value in (theirs["wall"], before["wall"], now["wall"])]
    cells += [f"{value:.2f}" for value in (before["cpu"], now["cpu"])]
    cells += [f"{now['wall'] / theirs['wall']:.2f}", f"{before['wall'] / now['wall']:.1f}"]
    cells += [f"{100.0 * value:.1f} %" for value in (before["share"], now["share"])]
    return [*cells, "yes" if is_met else "no"]


def main() -> None:
    """Print the table, and how much faster fits are on the whole."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--before", type=Path, metavar="SRC", help="src folder to compare with")
    parser.add_argument("--cases", nargs="+", choices=list(CASES), default=list(CASES))
    parser.add_argument("--repeat", type=int, default=3, help="fits of each method")
    parser.add_argument("--fit", type=json.loads, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.fit is not None:
        print(json.dumps(fit_one(*args.fit)))
        return
    found = {}
    for name in args.cases:
        found[name] = measured(name, args.before, args.repeat)
        print(" | ".join(row_of(name, found[name])), flush=True)
    print("\n" + markdown(_HEAD, [row_of(name, sides) for name, sides in found.items()]))
    for what in ("wall", "cpu") if args.before else ():
        gains = [sides["before"][what] / sides["now"][what] for sides in found.values()]
        print(f"- {what}: {np.exp(np.mean(np.log(gains))):.2f} times as fast (geometric mean)")


if __name__ == "__main__":
    main()
