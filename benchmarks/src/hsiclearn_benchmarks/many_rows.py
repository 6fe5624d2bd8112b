"""Tables of many rows: seconds beside LDA's, memory beyond X, and what was proven.

Every fit runs in a process of its own, LDA before and after it in the same process, so that a busy
machine slows both. LDA of a real target is that of five classes, its quantiles.

    python -m hsiclearn_benchmarks.many_rows [--before SRC] [--cases NAME ...] [--scale 0.1]

``--before`` measures another source tree, the folder that holds ``hsiclearn``, beside this one;
``--scale`` shrinks the number of rows. The figures with ``cpu`` are ratios of processor time, which
other work on the machine disturbs less. Cases ``rank-r`` have a bandwidth of y at which its
kernel has about that rank, at a relative accuracy of 1e-6.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from hsiclearn import Result, SupervisedHSIC, solve
from hsiclearn.gamma import GaussianColumn
from hsiclearn.kernels import Gaussian

from ._types import Array, Figures
from .alone import Limits, Meter, run_alone
from .copies import figures_of

_HEAD = ("case", "source", "seconds", "x LDA", "cpu x LDA", "MB", "status", "2nd order", "gradient")
_LIMITS = Limits(seconds=600.0, bytes=6e9)

Maker = Callable[[np.random.Generator, Array], Array]


def linear_classes(rng: np.random.Generator, X: Array) -> Array:
    """Five classes of different means in all columns, which X is given."""
    y: Array = rng.integers(0, 5, (X.shape[0],))
    means = 0.7 * rng.standard_normal((5, X.shape[1]))
    X += means[y]
    return y


def tied_classes(rng: np.random.Generator, X: Array) -> Array:
    """Five classes all as far from each other: no two directions are better than others."""
    y: Array = rng.integers(0, 5, (X.shape[0],))
    X[:, :5] += 1.5 * np.eye(5)[y]
    return y


def sine_classes(rng: np.random.Generator, X: Array) -> Array:
    """Two classes by one direction: the second one is free."""
    noise = 0.5 * rng.standard_normal(X.shape[0])
    return (np.sin(2.0 * X[:, 0]) + noise > 0).astype(int)


def planted(X: Array) -> Array:
    """A curve along one direction and a slope along another."""
    return np.sin(1.5 * X[:, 0]) + 0.5 * X[:, 1]


def real(degrees: float) -> Maker:
    """A real target with Student noise of so many degrees of freedom."""

    def make(rng: np.random.Generator, X: Array) -> Array:
        return planted(X) + 0.5 * rng.standard_t(degrees, X.shape[0])

    return make


def sloped(degrees: float) -> Maker:
    """A real target that rises along one direction and bends along another, with Student noise."""

    def make(rng: np.random.Generator, X: Array) -> Array:
        return X[:, 0] + 0.5 * X[:, 1] ** 2 + 0.3 * rng.standard_t(degrees, X.shape[0])

    return make


def real_columns(rng: np.random.Generator, X: Array) -> Array:
    """Three real columns."""
    signals = [planted(X), X[:, 2], X[:, 0] * X[:, 1]]
    return np.column_stack(signals) + 0.5 * rng.standard_normal((X.shape[0], 3))


def labels(rng: np.random.Generator, X: Array) -> Array:
    """Four labels, several of which a row may have."""
    noise = 0.5 * rng.standard_normal((X.shape[0], 4))
    return (X[:, [0, 1, 2, 0]] + X[:, [1, 2, 3, 3]] + noise > 0).astype(int)


def scattered(rng: np.random.Generator, X: Array) -> Array:
    """Rows nearly all of which are many bandwidths from any other."""
    return np.exp(4.0 * (0.5 * planted(X) + 0.8 * rng.standard_normal(X.shape[0])))


def bounded(rng: np.random.Generator, X: Array) -> Array:
    """A real target between 0 and 1."""
    y = planted(X) + 0.5 * rng.standard_normal(X.shape[0])
    return np.asarray(y.argsort().argsort() / y.size)


@dataclass(frozen=True)
class Case:
    """A table, a target, and how it is fitted."""

    n: int
    d: int
    target: Maker
    parameters: dict[str, Any] = field(default_factory=dict)
    target_bandwidth: float | None = None

    def fit(self, X: Array, y: Array) -> Result:
        """The fit of two directions; with a bandwidth of y given, by the solver alone."""
        if self.target_bandwidth is None:
            return SupervisedHSIC(n_components=2, **self.parameters).fit(X, y).result_
        kernel = Gaussian(np.sqrt(2.0 * X.shape[1]))  # about the median distance
        return solve(X, GaussianColumn(y, self.target_bandwidth), kernel, n_components=2)


_MEDIAN = {"bandwidth": "median"}
_SIZES = {"100k": 100_000, "300k": 300_000, "1M": 1_000_000}
_RANKS = {5: 0.6, 50: 0.035, 150: 0.0115, 500: 0.0034}
_TARGETS: dict[str, Maker] = {
    "classes": linear_classes,
    "real": real(30.0),
    "columns": real_columns,
    "labels": labels,
}

CASES: dict[str, Case] = {
    "classes-median": Case(1_000_000, 50, linear_classes, _MEDIAN),
    "classes": Case(1_000_000, 50, linear_classes),
    "ties": Case(1_000_000, 50, tied_classes, _MEDIAN),
    "heavy-tails": Case(1_000_000, 50, sloped(2.0)),
    "heavy-tails-narrow": Case(1_000_000, 50, real(2.0)),
    "flat-100k": Case(100_000, 50, sine_classes, _MEDIAN),
    "flat": Case(300_000, 50, sine_classes, _MEDIAN),
    "wide-heavy-tails": Case(327_346, 131, real(2.0)),
    "scattered": Case(100_000, 50, scattered),
    **{f"tails-{t}": Case(200_000, 20, real(t), _MEDIAN) for t in (30.0, 3.0, 2.0, 1.5, 1.2)},
    **{
        f"rank-{rank}": Case(200_000, 20, bounded, target_bandwidth=bandwidth)
        for rank, bandwidth in _RANKS.items()
    },
    **{
        f"growth-{kind}-{size}": Case(n, 20, make, _MEDIAN)
        for kind, make in _TARGETS.items()
        for size, n in _SIZES.items()
    },
}


def fit(meter: Meter, name: str, scale: float) -> Figures:
    """One case: the fit, and LDA before and after it."""
    case, rng = CASES[name], np.random.default_rng(0)
    X = rng.standard_normal((int(scale * case.n), case.d))
    y = case.target(rng, X)
    before = _lda(X, y)
    with meter.running():
        result = case.fit(X, y)
    lda = np.minimum(before, _lda(X, y))
    return {
        "lda": float(lda[0]),
        "lda_cpu": float(lda[1]),
        "status": result.status.name.lower(),
        "second_order": str(result.certificate.second_order),
        "gradient": float(result.certificate.stationarity),
        "cost": float(result.cost),
    }


def _lda(X: Array, y: Array) -> tuple[float, float]:
    """Seconds and processor seconds of LDA, for a real target on its quantiles."""
    y = y if y.ndim == 1 else y[:, 0]
    if y.dtype.kind == "f":
        y = np.searchsorted(np.quantile(y, [0.2, 0.4, 0.6, 0.8]), y)
    seconds, cpu = time.perf_counter(), time.process_time()
    LinearDiscriminantAnalysis().fit(X, y)
    return time.perf_counter() - seconds, time.process_time() - cpu


def row_of(name: str, source: str, scale: float) -> tuple[str, ...]:
    """A line of the table, measured."""
    out = run_alone(fit, _LIMITS, name=name, scale=scale)
    if not out.finished:
        return (name, source, out.status, "", "", "", out.problem, "", "")
    assert out.seconds is not None
    assert out.cpu is not None
    assert out.peak is not None
    f: dict[str, Any] = dict(out.figures)
    ratios = out.seconds / f["lda"], out.cpu / f["lda_cpu"]
    return (
        name,
        source,
        f"{out.seconds:.2f}",
        f"{ratios[0]:.2f}",
        f"{ratios[1]:.2f}",
        f"{out.peak / 1e6:.0f}",
        f["status"],
        f["second_order"],
        f"{f['gradient']:.0e}",
    )


def row_with(folder: Path, name: str, source: str, scale: float) -> tuple[str, ...]:
    """The same line with the package of another folder."""
    words = ["--one", name, source, "--scale", str(scale)]
    return tuple(figures_of("hsiclearn_benchmarks.many_rows", words, folder))


def _line(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Print the table, line by line as it is measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", type=Path, help="folder of another package to measure")
    parser.add_argument("--cases", nargs="+", default=list(CASES), help="names, or how they begin")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--one", nargs=2, metavar=("CASE", "SOURCE"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        print(json.dumps(row_of(given.one[0], given.one[1], given.scale)))
        return
    print(_line(_HEAD), _line(("---",) * len(_HEAD)), sep="\n", flush=True)
    for name in CASES:
        if not any(name.startswith(start) for start in given.cases):
            continue
        if given.before is not None:
            print(_line(row_with(given.before, name, "before", given.scale)), flush=True)
        print(_line(row_of(name, "now", given.scale)), flush=True)


if __name__ == "__main__":
    main()
