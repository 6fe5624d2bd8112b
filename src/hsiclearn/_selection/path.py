"""``hsic_path``: how much is explained at every bandwidth and dimension, for a look or a plot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.utils.validation import check_array

from .._arrays import FLOATS, Array, FloatArray
from .._devices import is_foreign
from .._linalg import Basis, fix_signs
from .._paradigms import TARGETS, read_target, supervised_gamma
from .._rows import as_rows, check_table, is_row_source, summarise, varying_columns
from .._solvers import as_generator
from ..kernels import kernel_from_name, kernel_names, takes_bandwidth
from .candidates import Candidate
from .problem import FEWEST_ROWS, SCALES, Family, SupervisedData
from .search import Search


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

        From 2000 rows on, an estimator judges by fresh rows instead; with as many columns as rows
        to fit on, by HO alone.
        """
        columns = np.argmin(self.criterion, axis=1)
        row = int(np.argmin(self.held_out[np.arange(columns.size), columns]))
        return row, int(columns[row])


def checked_data(
    X: Any,
    y: Any,
    kernel: Family,
    *,
    target: str,
    cv: Any,
    max_rows: int,
    rng: np.random.Generator,
    keep_columns: bool = False,
) -> tuple[SupervisedData, Basis]:
    """X and y, checked, with some rows drawn to compare fits on; and the columns that vary."""
    if target not in ("auto", *TARGETS):
        raise ValueError(f"`target` must be one of {['auto', *TARGETS]}. Got {target!r}.")
    if is_foreign(X):
        check_table(X, least=FEWEST_ROWS)
    elif not is_row_source(X):
        X = check_array(X, dtype=FLOATS, accept_sparse="csr", input_name="X")
    rows, shape = as_rows(X), np.shape(y)
    n = rows.n_samples
    if shape[:1] != (n,):
        raise ValueError(f"y must have an entry for each of the {n} rows of X. Got shape {shape}.")
    if not isinstance(max_rows, Integral) or min(n, max_rows) < FEWEST_ROWS:
        raise ValueError(
            f"Rows are held out: need {FEWEST_ROWS} of them or more, and max_rows an integer that "
            f"leaves as many. Got {n} rows and max_rows={max_rows}."
        )
    basis = Basis.of_columns(varying_columns(summarise(rows), n))
    read = read_target(y, target)
    data = SupervisedData(
        rows=basis.lower(rows),
        target=read,
        gamma=supervised_gamma(read, rng),
        kernel=kernel,
        rng=rng,
        cv=cv,
        most_rows=max_rows,
        may_be_fresh=False,
        keep_columns=keep_columns,
    )
    return data, basis


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
    rng, family = as_generator(random_state), partial(kernel_from_name, kernel)
    data, basis = checked_data(X, y, family, target=target, cv=cv, max_rows=max_rows, rng=rng)
    dimensions = _checked_dimensions(n_components, data)
    kernels = {q: data.kernels(q, factors.tolist()) for q in dimensions.tolist()}
    search = Search(data.sample, lambda q, _: kernels[q], data.splits)
    cells = [_best_starts(search.all(q), factors.size) for q in dimensions.tolist()]
    return HsicPath(
        n_components=dimensions,
        scales=factors,
        bandwidths=np.array([[c.bandwidth for c in row] for row in cells]),
        leave_one_out=np.array([[c.leave_one_out for c in row] for row in cells]),
        held_out=np.array([[c.held_out for c in row] for row in cells]),
        starts=tuple(tuple(c.start for c in row) for row in cells),
        components=tuple(tuple(_components(data, basis, c) for c in row) for row in cells),
    )


def _check_kernel(kernel: str) -> None:
    scaled = filter(takes_bandwidth, kernel_names())
    known = [name for name in scaled if not kernel_from_name(name).grows_with_distance]
    if kernel not in known:
        raise ValueError(
            "`kernel` must be the name of one that has a bandwidth and falls with distance, of "
            f"{known}. Got {kernel!r}."
        )


def _checked_dimensions(n_components: Any, data: SupervisedData) -> Array:
    q = np.atleast_1d(np.asarray(n_components))
    if q.ndim != 1 or q.dtype.kind not in "iu" or q.min() < 1 or q.max() > data.largest_q:
        raise ValueError(
            f"`n_components` must be integers in 1 .. {data.largest_q}, as many directions as "
            f"{data.sample.n_samples} rows and {data.rows.n_features} columns that vary have. "
            f"Got {n_components!r}."
        )
    return q


def _best_starts(candidates: list[Candidate], n_kernels: int) -> list[Candidate]:
    """Of each kernel the start of lowest J; candidates come kernel by kernel."""
    per_kernel = len(candidates) // n_kernels
    groups = [candidates[i : i + per_kernel] for i in range(0, len(candidates), per_kernel)]
    return [min(group, key=lambda c: c.criterion) for group in groups]


def _components(data: SupervisedData, basis: Basis, candidate: Candidate) -> FloatArray:
    assert candidate.W is not None
    return basis.lift(fix_signs(data.sample.lift(candidate.W))).T
