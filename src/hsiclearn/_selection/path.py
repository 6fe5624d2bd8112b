"""``hsic_path``: how much is explained at every bandwidth and dimension, for a look or a plot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import check_array

from .._arrays import Array, FloatArray
from .._linalg import fix_signs
from .._paradigms import TARGETS, read_target, supervised_gamma
from .._rows import AbstractRows, as_rows, is_row_source, summarise, varying_columns
from .._solvers import as_generator
from ..kernels import kernel_from_name, kernel_names, takes_bandwidth
from .bandwidth import median_distance
from .candidate import Candidate
from .grid import SCALES, bandwidth_grid
from .sample import Sample, draw_sample
from .search import Search
from .splits import Split, make_splits

__all__ = ["HsicPath", "Table", "as_table", "hsic_path"]

_FLOATS = (np.float64, np.float32)  # other types become the first
_FEWEST_ROWS = 10  # with fewer there is nothing to hold out


@dataclass(frozen=True)
class HsicPath:
    """Losses on a grid: one row per dimension as given, one column per scale from the largest.

    Every cell stands for the start of lowest J there. ``components[i][j]`` has shape (q, d).
    """

    n_components: Array
    scales: FloatArray
    bandwidths: FloatArray = field(repr=False)
    leave_one_out: FloatArray = field(repr=False)
    held_out: FloatArray
    starts: tuple[tuple[str, ...], ...] = field(repr=False)
    components: tuple[tuple[FloatArray, ...], ...] = field(repr=False)

    @property
    def criterion(self) -> FloatArray:
        """``J = (LOO + HO) / 2``."""
        return 0.5 * (self.leave_one_out + self.held_out)

    @property
    def explained_share(self) -> FloatArray:
        """``1 - HO``."""
        return 1.0 - self.held_out

    @property
    def best(self) -> tuple[int, int]:
        """The cell that ``n_components="auto"`` chooses: in each row by J, between rows by HO.

        From 20,000 rows on, an estimator judges by fresh rows instead.
        """
        columns = np.argmin(self.criterion, axis=1)
        row = int(np.argmin(self.held_out[np.arange(columns.size), columns]))
        return row, int(columns[row])


class Table(NamedTuple):
    """What the rules look at: X and y, checked, and some rows of them to compare fits on.

    Columns that do not vary are left out, as in a fit; ``varying`` says where the others stand.
    """

    rows: AbstractRows
    sample: Sample
    varying: Array

    @property
    def largest(self) -> int:
        """The largest dimension there is: columns that vary, or what few rows of many span."""
        return self.sample.X.shape[1]

    def splits(self, cv: Any, rng: np.random.Generator) -> list[Split]:
        """Rows of the sample to fit on, and to hold out."""
        n, labels = self.rows.n_samples, self.sample.labels
        return make_splits(cv, self.sample.n_samples, rng, labels, n_rows=n)


def as_table(X: Any, y: Any, target: str, max_rows: int, rng: np.random.Generator) -> Table:
    """Check X, y and what goes with them, and draw the rows to compare fits on."""
    if target not in ("auto", *TARGETS):
        raise ValueError(f"`target` must be one of {['auto', *TARGETS]}. Got {target!r}.")
    if not is_row_source(X):
        X = check_array(X, dtype=_FLOATS, accept_sparse="csr", input_name="X")
    rows, shape = as_rows(X), np.shape(y)
    n = rows.n_samples
    if shape[:1] != (n,):
        raise ValueError(f"y must have an entry for each of the {n} rows of X. Got shape {shape}.")
    if not isinstance(max_rows, Integral) or min(n, max_rows) < _FEWEST_ROWS:
        raise ValueError(
            f"Rows are held out: need {_FEWEST_ROWS} of them or more, and max_rows an integer that "
            f"leaves as many. Got {n} rows and max_rows={max_rows}."
        )
    summary = summarise(rows)
    varying = varying_columns(summary, n)
    rows = rows if varying.all() else rows.keep_columns(varying)
    read = read_target(y, target)
    sample = draw_sample(rows, supervised_gamma(read, rng), max_rows, rng, read.labels)
    return Table(rows, sample, varying)


def hsic_path(
    X: Array,
    y: Array,
    *,
    n_components: Sequence[int] = (1, 2, 3),
    scales: Sequence[float] = SCALES,
    kernel: str = "gaussian",
    target: str = "auto",
    cv: Any = 3,
    max_rows: int = 1000,
    random_state: int | np.random.Generator | None = 0,
) -> HsicPath:
    """What a subspace explains on rows left out, for every bandwidth and dimension.

    It is the comparison behind ``bandwidth="auto"`` and ``n_components="auto"`` with nothing left
    out: for each dimension the fit is followed from the smoothest kernel to the finest, and
    started anew from second moments at each.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features), or a row source
        At least 10 rows. Not scaled here: standardise columns that differ in unit.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs)
    n_components : sequence of int
        The dimensions.
    scales : sequence of float
        Bandwidths as multiples of ``median sqrt(q / d)``.
    kernel : str
        The name of a kernel that has a bandwidth and falls with distance.
    target : str
        What y is, as for :class:`hsiclearn.SupervisedHSIC`.
    cv : int, splitter or iterable of pairs of indices
        Rows to hold out, of those that are looked at.
    max_rows : int
        Of more rows, so many are drawn.
    random_state : int, Generator or None

    Returns
    -------
    HsicPath

    Examples
    --------
    >>> from hsiclearn import hsic_path
    >>> from hsiclearn.datasets import make_planted
    >>> X, y, _ = make_planted("ring", 150, 4)
    >>> path = hsic_path(X, y, n_components=(1, 2), scales=(1.5, 0.5))
    >>> path.explained_share.shape
    (2, 2)
    >>> row, column = path.best
    >>> int(path.n_components[row])
    2
    """
    _check_kernel(kernel)
    factors = np.sort(np.atleast_1d(np.asarray(scales, dtype=np.float64)))[::-1]
    if factors.size == 0 or not np.all((factors > 0.0) & np.isfinite(factors)):
        raise ValueError(f"`scales` must be positive numbers, at least one. Got {scales}.")
    rng = as_generator(random_state)
    table = as_table(X, y, target, max_rows, rng)
    rows, sample, d = table.rows, table.sample, table.largest
    dimensions = _checked_dimensions(n_components, table)
    median = median_distance(rows, rng)

    def grid(q: int) -> tuple[float, ...]:
        return bandwidth_grid(median, q, d, factors.tolist())

    search = Search(
        sample,
        lambda q: [kernel_from_name(kernel, b) for b in grid(q)],
        table.splits(cv, rng),
    )
    cells = [_best_starts(search.all(q), factors.size) for q in dimensions.tolist()]
    return HsicPath(
        n_components=dimensions,
        scales=factors,
        bandwidths=np.array([grid(q) for q in dimensions.tolist()]),
        leave_one_out=np.array([[c.leave_one_out for c in row] for row in cells]),
        held_out=np.array([[c.held_out for c in row] for row in cells]),
        starts=tuple(tuple(c.start for c in row) for row in cells),
        components=tuple(tuple(_components(table, c) for c in row) for row in cells),
    )


def _check_kernel(kernel: str) -> None:
    known = [
        name
        for name in kernel_names()
        if takes_bandwidth(name) and not kernel_from_name(name).grows_with_distance
    ]
    if kernel not in known:
        raise ValueError(
            "`kernel` must be the name of one that has a bandwidth and falls with distance, of "
            f"{known}. Got {kernel!r}."
        )


def _checked_dimensions(n_components: Any, table: Table) -> Array:
    q = np.atleast_1d(np.asarray(n_components))
    if q.ndim != 1 or q.dtype.kind not in "iu" or q.min() < 1 or q.max() > table.largest:
        raise ValueError(
            f"`n_components` must be integers in 1 .. {table.largest}, as many directions as "
            f"{table.sample.n_samples} rows and {table.rows.n_features} columns that vary have. "
            f"Got {n_components!r}."
        )
    return q


def _best_starts(candidates: list[Candidate], n_kernels: int) -> list[Candidate]:
    """Of each kernel the start of lowest J; candidates come kernel by kernel."""
    per_kernel = len(candidates) // n_kernels
    groups = [candidates[i : i + per_kernel] for i in range(0, len(candidates), per_kernel)]
    return [min(group, key=lambda c: c.criterion) for group in groups]


def _components(table: Table, candidate: Candidate) -> FloatArray:
    assert candidate.W is not None
    components = np.zeros((candidate.n_components, table.varying.size))
    components[:, table.varying] = fix_signs(table.sample.lift(candidate.W)).T
    return components
