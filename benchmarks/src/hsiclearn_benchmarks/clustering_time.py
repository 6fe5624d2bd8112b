"""What a default fit of each clusterer takes, by rows and columns, and what comes out of it.

    python -m hsiclearn_benchmarks.clustering_time [--before SRC] [--json FILE --resume]

Planted groups in two planes of a table, the rest noise. Every fit has a process of its own. With
``--before``, the ``src`` folder of another copy of hsiclearn, each case is fitted by either copy in
turn, so that both meet the same load of the machine; ``--repeat`` takes the fastest of several.
Growth is the exponent p of CPU seconds ~ rows^p between neighbouring numbers of rows.

*Unsupervised* may find either plane; *semi-supervised* is told five rows of each group of the first
and is to find the others; *alternative* is given the first and is to find the second. NMI is that
with the plane to be found.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np

from ._types import Figures
from .copies import figures_of

__all__ = ["fit_one", "main"]

_KNOWN = 5  # rows of a group
_SIDES = ("before", "after")


def fit_one(estimator: str, kind: str, rows: int, columns: int, seed: int = 0) -> Figures:
    """Seconds, cost and NMI of one fit, in this process; figures of the fit, not of imports."""
    from sklearn.metrics import normalized_mutual_info_score as nmi

    from hsiclearn import AlternativeHSIC, SemiSupervisedHSIC, UnsupervisedHSIC
    from hsiclearn.datasets import make_two_views

    X, first, second = make_two_views(kind, rows, n_noise=columns - 4, random_state=seed)
    known = np.full(rows, -1)
    for group in np.unique(first):
        known[np.flatnonzero(first == group)[:_KNOWN]] = group
    fits: dict[str, tuple[Callable[[], Any], list[Any]]] = {
        "unsupervised": (partial(UnsupervisedHSIC().fit, X), [first, second]),
        "semi-supervised": (partial(SemiSupervisedHSIC().fit, X, known), [first]),
        "alternative": (partial(AlternativeHSIC().fit, X, first), [second]),
    }
    fit, truths = fits[estimator]
    cpu, wall = time.process_time(), time.perf_counter()
    model = fit()
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    found = max(float(nmi(truth, model.labels_)) for truth in truths)
    return {"cpu": cpu, "wall": wall, "cost": float(model.cost_), "nmi": found}


def _fit_alone(source: Path | None, case: Sequence[Any]) -> Figures:
    """The same in a fresh process, with another copy of hsiclearn if one is named."""
    words = ["--case", json.dumps(list(case))]
    return dict(figures_of("hsiclearn_benchmarks.clustering_time", words, source))


def _measured(case: Sequence[Any], before: Path | None, repeat: int) -> dict[str, Figures]:
    """Of each side, the fastest fit; sides take turns."""
    sources: dict[str, Path | None] = {"after": None}
    if before is not None:
        sources = {"before": before, **sources}
    runs: dict[str, list[Figures]] = {side: [] for side in sources}
    for _ in range(repeat):
        for side, source in sources.items():
            runs[side].append(_fit_alone(source, case))
    return {side: min(found, key=lambda f: f["cpu"]) for side, found in runs.items()}


def _row(case: Sequence[Any], found: dict[str, Figures]) -> str:
    cells = [str(part) for part in case[:4]]
    sides = [found[side] for side in _SIDES if side in found]
    for name, digits in (("cpu", ".2f"), ("wall", ".2f"), ("cost", ".7f"), ("nmi", ".3f")):
        cells += [format(side[name], digits) for side in sides]
    if len(sides) == 2:
        cells.append(f"{sides[0]['cpu'] / sides[1]['cpu']:.1f}")
    return f"| {' | '.join(cells)} |"


def _header(both: bool) -> str:
    sides = [" before", " after"] if both else [""]
    names = ["CPU s", "wall s", "cost F", "NMI"]
    cells = ["estimator", "groups", "rows", "columns", *(n + s for n in names for s in sides)]
    cells += ["CPU ratio"] if both else []
    return f"| {' | '.join(cells)} |\n|{'---|' * len(cells)}"


def _growth(figures: dict[tuple[Any, ...], dict[str, Figures]]) -> Iterator[str]:
    """Exponents in the number of rows, a line for each estimator, kind and number of columns."""
    for estimator, kind, columns in dict.fromkeys((e, k, d) for e, k, _, d, _ in figures):
        of_rows = sorted(
            (case[2], found)
            for case, found in figures.items()
            if (case[0], case[1], case[3]) == (estimator, kind, columns)
        )
        for side in (side for side in _SIDES if side in of_rows[0][1]):
            exponents = [
                f"{np.log(g[side]['cpu'] / f[side]['cpu']) / np.log(m / n):.2f} ({n} to {m})"
                for (n, f), (m, g) in pairwise(of_rows)
            ]
            if exponents:
                yield f"{estimator}, {kind}, {columns} columns, {side}: {', '.join(exponents)}"


class _Known:
    """Figures by case, kept in a file if there is one: a run that was cut goes on."""

    def __init__(self, path: Path | None, resume: bool) -> None:
        self._path = path
        self._found: dict[str, dict[str, Figures]] = {}
        if resume and path is not None and path.is_file():
            self._found = dict(json.loads(path.read_text()))

    def find(
        self, case: Sequence[Any], measure: Callable[[], dict[str, Figures]]
    ) -> dict[str, Figures]:
        name = json.dumps(list(case))
        if name not in self._found:
            self._found[name] = measure()
            if self._path is not None:
                self._path.write_text(json.dumps(self._found, indent=1) + "\n")
        return self._found[name]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    names = ["unsupervised", "semi-supervised", "alternative"]
    parser.add_argument("--estimators", nargs="+", choices=names, default=names)
    parser.add_argument("--kinds", nargs="+", choices=["blobs", "moons", "rings"])
    parser.add_argument("--rows", nargs="+", type=int, default=[200, 1000, 4000])
    parser.add_argument("--columns", nargs="+", type=int, default=[5, 20, 100], help="at least 4")
    parser.add_argument("--seeds", nargs="+", type=int, default=[0])
    parser.add_argument("--before", type=Path, metavar="SRC", help="src folder to compare with")
    parser.add_argument("--repeat", type=int, default=1, help="fits of a case and side")
    parser.add_argument("--json", type=Path, help="file for the figures")
    parser.add_argument("--resume", action="store_true", help="keep the cases --json has already")
    parser.add_argument("--case", type=json.loads, help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> None:
    args = _arguments()
    if args.case is not None:
        warnings.simplefilter("ignore")
        print(json.dumps(fit_one(*args.case)))
        return
    known, figures = _Known(args.json, args.resume), dict[tuple[Any, ...], dict[str, Figures]]()
    print(_header(args.before is not None))
    kinds = args.kinds or ["blobs"]
    for case in product(args.estimators, kinds, args.rows, args.columns, args.seeds):
        figures[case] = known.find(case, partial(_measured, case, args.before, args.repeat))
        print(_row(case, figures[case]), flush=True)
    if len(args.seeds) == 1:
        print("\nGrowth of CPU seconds with the rows:\n")
        print("\n".join(f"- {line}" for line in _growth(figures)))


if __name__ == "__main__":
    main()
