"""``hsic_path``: how much is explained at every bandwidth and dimension, for a look or a plot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .._arrays import Array, FloatArray
from ..kernels import kernel_from_name, takes_bandwidth
from ..linalg import fix_signs
from ..paradigms import supervised_gamma
from ..rows import AbstractRows, as_rows, is_row_source
from ..solvers import as_generator
from .bandwidth import median_distance
from .grid import SCALES, bandwidth_grid
from .sample import Sample, draw_sample
from .search import Candidate, Search
from .splits import make_splits

__all__ = ["HsicPath", "as_sample", "hsic_path"]


@dataclass(frozen=True)
class HsicPath:
    """Losses on a grid: one row per dimension, one column per scale.

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
        """The cell that ``n_components="auto"`` chooses: in each row by J, between rows by HO."""
        columns = np.argmin(self.criterion, axis=1)
        row = int(np.argmin(self.held_out[np.arange(columns.size), columns]))
        return row, int(columns[row])


def as_sample(
    X: Any, y: Any, target: str, max_rows: int, rng: np.random.Generator
) -> tuple[Sample, AbstractRows]:
    """Rows to compare fits on, with Gamma for y; and all the rows."""
    rows = as_rows(X if is_row_source(X) else np.asarray(X, dtype=np.float64))
    if len(y) != rows.n_samples:
        raise ValueError(
            f"X and y must have as many rows as each other. Got {rows.n_samples} and {len(y)}."
        )
    supervised = supervised_gamma(y, target, None, rng)
    return draw_sample(rows, supervised.gamma, max_rows, rng, supervised.labels), rows


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
    """What a subspace explains on rows left and held out, for every bandwidth and dimension.

    It is the comparison behind ``bandwidth="auto"`` and ``n_components="auto"`` with nothing left
    out: for each dimension the fit is followed from the smoothest kernel to the finest, and
    started anew from second moments at each.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Not scaled here: standardise columns that differ in unit.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs)
    n_components : sequence of int
        The dimensions.
    scales : sequence of float
        Bandwidths as multiples of ``median sqrt(q / d)``.
    kernel : str
        The name of a kernel that has a bandwidth.
    target : str
        What y is, as for :class:`hsiclearn.SupervisedHSIC`.
    cv : int, splitter or iterable
        Rows to hold out.
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
    if not takes_bandwidth(kernel):
        raise ValueError(
            f"`kernel` must have a bandwidth, like 'gaussian' or 'cauchy'. Got {kernel!r}."
        )
    if not scales or min(scales) <= 0.0:
        raise ValueError(f"`scales` must be positive numbers, at least one. Got {list(scales)}.")
    rng = as_generator(random_state)
    sample, rows = as_sample(X, y, target, max_rows, rng)
    d = rows.n_features
    if not n_components or not all(1 <= q <= d for q in n_components):
        raise ValueError(
            f"`n_components` must lie in 1 .. n_features = {d}. Got {list(n_components)}."
        )
    median = median_distance(rows, rng)

    def grid(q: int) -> tuple[float, ...]:
        return bandwidth_grid(median, q, d, scales)

    search = Search(
        sample,
        lambda q: [kernel_from_name(kernel, b) for b in grid(q)],
        make_splits(cv, sample.n_samples, rng, sample.labels),
    )
    cells = [_best_starts(search.all(q), len(scales)) for q in n_components]
    return HsicPath(
        n_components=np.asarray(n_components),
        scales=np.sort(np.asarray(scales, dtype=np.float64))[::-1],
        bandwidths=np.array([grid(q) for q in n_components]),
        leave_one_out=np.array([[c.leave_one_out for c in row] for row in cells]),
        held_out=np.array([[c.held_out for c in row] for row in cells]),
        starts=tuple(tuple(c.start for c in row) for row in cells),
        components=tuple(tuple(_components(sample, c) for c in row) for row in cells),
    )


def _best_starts(candidates: list[Candidate], n_kernels: int) -> list[Candidate]:
    """Of each kernel the start of lowest J; candidates come kernel by kernel."""
    per_kernel = len(candidates) // n_kernels
    groups = [candidates[i : i + per_kernel] for i in range(0, len(candidates), per_kernel)]
    return [min(group, key=lambda c: c.criterion) for group in groups]


def _components(sample: Sample, candidate: Candidate) -> FloatArray:
    assert candidate.W is not None
    return fix_signs(sample.lift(candidate.W)).T
