"""Small fits: at a fixed bandwidth as ratios to LDA, and default fits in processor seconds.

    python -m hsiclearn_benchmarks.small_fits [--before SRC] [--repeat 60]

Inside a grid search they are made by the hundred, and the choice of a bandwidth makes dozens of
them. Both sides of a ratio take turns in one process with one thread, and the median of the turns
is printed; ``--before`` measures another source tree, the folder that holds ``hsiclearn``, in turns
with this one.
"""

from __future__ import annotations

import argparse
import json
import os
import time
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.preprocessing import StandardScaler

from hsiclearn import SupervisedHSIC
from hsiclearn.datasets import load_cancer, load_car

from ._types import Array, Figures
from .copies import figures_of
from .parts import markdown

__all__ = ["DEFAULT", "FIXED", "measured", "table_of"]

_HEAD = ("table", "rows", "columns", "fit", "LDA, ms", "before", "now")
_DEFAULT_FITS = 4  # the fastest counts
_MODULE = "hsiclearn_benchmarks.small_fits"
_ROUNDS = 3  # processes of each copy, in turns

FIXED: dict[str, Callable[..., tuple[Array, Array]]] = {
    "wine": load_wine,
    "cancer": load_cancer,
    "car": load_car,
}
"""At the median bandwidth, beside LDA."""

DEFAULT: dict[str, Callable[..., tuple[Array, Array]]] = {
    "wine": load_wine,
    "iris": load_iris,
    "diabetes": load_diabetes,
    "breast cancer": load_breast_cancer,
}
"""All defaults."""


def _cpu(call: Callable[[], object]) -> float:
    began = time.process_time()
    call()
    return time.process_time() - began


def measured(kind: str, name: str, repeat: int) -> Figures:
    """In this process: the ratio to LDA and LDA's seconds, or the seconds of a default fit."""
    warnings.simplefilter("ignore")
    X, y = {"fixed": FIXED, "default": DEFAULT}[kind][name](return_X_y=True)
    X = StandardScaler().fit_transform(X)
    if kind == "default":
        seconds = [_cpu(partial(SupervisedHSIC().fit, X, y)) for _ in range(_DEFAULT_FITS)]
        return {"shape": X.shape, "figure": min(seconds), "lda": float("nan")}
    q = min(2, np.unique(y).size - 1)

    def ours() -> object:
        return SupervisedHSIC(bandwidth="median").fit(X, y)

    def lda() -> object:
        return LinearDiscriminantAnalysis(n_components=q).fit(X, y)

    turns = np.array([(_cpu(ours), _cpu(lda)) for _ in range(repeat + 1)])[1:]
    middle = np.median(turns, axis=0)
    return {"shape": X.shape, "figure": float(middle[0] / middle[1]), "lda": float(middle[1])}


def table_of(repeat: int, before: Path | None) -> str:
    """The table in Markdown; copies take turns, and of each the median counts."""
    rows = []
    for kind, names in (("fixed", FIXED), ("default", DEFAULT)):
        for name in names:
            sides: dict[str, list[Figures]] = {"before": [], "now": []}
            arguments = ["--one", json.dumps([kind, name, repeat])]
            for _ in range(_ROUNDS):
                if before is not None:
                    sides["before"].append(figures_of(_MODULE, arguments, before))
                sides["now"].append(figures_of(_MODULE, arguments))
            rows.append(_row_of(kind, name, sides))
            print(" | ".join(rows[-1]), flush=True)
    return markdown(_HEAD, rows)


def _row_of(kind: str, name: str, sides: dict[str, list[Figures]]) -> list[str]:
    shown = "{:.1f} x LDA" if kind == "fixed" else "{:.3f} s"
    now = sides["now"]
    lda = f"{1e3 * float(np.median([one['lda'] for one in now])):.2f}" if kind == "fixed" else ""
    figures = [
        shown.format(np.median([one["figure"] for one in some])) if some else ""
        for some in sides.values()
    ]
    label = "median bandwidth" if kind == "fixed" else "default"
    return [name, *map(str, now[0]["shape"]), label, lda, *figures]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--before", type=Path, metavar="SRC", help="src folder to compare with")
    parser.add_argument("--repeat", type=int, default=60, help="turns of a fit with LDA")
    parser.add_argument("--one", type=json.loads, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one is not None:
        print(json.dumps(measured(*args.one)))
        return
    os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    print("\n" + table_of(args.repeat, args.before))


if __name__ == "__main__":
    main()
