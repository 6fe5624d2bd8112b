r"""Many rows: solve on landmarks, and carry the answer to all others by the kernel.

The search, the descent and the eigenvectors work on all pairs of rows, at a cost that grows with
their square. Scales set by neighbours shrink as rows are added, so that a kernel matrix of many
rows has no low rank to use either. What spectral clustering does instead, since Fowlkes, Belongie,
Chung and Malik (2004), is ::

    m landmark rows, a sample       the objective, its descent, its certificate and the labels
    all other rows                  y(x) = (1/lambda) sum_j a(x, x_j) y_j,  as for new rows

Nothing but the projected rows and their embedding, ``n (q + k)`` numbers, is ever made for all
rows: X is read in blocks and may be a file that is mapped.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from scipy.sparse import issparse

from .._arrays import Array, FloatArray
from .._engines import CLUSTERING, LANDMARK_ROWS, single_threaded_blas
from .._objective import SPECTRAL_TERMS, ClusterObjective, Guidance
from .._progress import tell
from .._result import EngineError, Result
from .blocks import project_rows, take_rows
from .clustering import ClusterFit
from .extension import Extension

__all__ = [
    "AbstractSample",
    "AllRows",
    "Landmarks",
    "check_dense_size",
    "choose_landmarks",
    "takes_landmarks",
]

_ALL_PAIRS_UP_TO, _LANDMARKS = CLUSTERING.pairs, LANDMARK_ROWS
_ACCURACY = 1e-3  # of the other sample's eigenvectors; of its cost, the square of that
_MOST_NUMBERS = 2**27  # of the rows to solve on, dense: 1 GiB
_LABELLED = 0.5  # of the landmarks, at most: the others show where the rows are


class AbstractSample(ABC):
    """The rows that an objective is solved on, and the way from there to all rows.

    ``engine`` is who computes kernel products on them.
    """

    engine: str

    @abstractmethod
    def rows(self, X: Array) -> FloatArray:
        """The rows to solve on, in double precision."""

    @abstractmethod
    def codes(self, codes: Array) -> Array:
        """Their labels."""

    @abstractmethod
    def guidance(self, terms: Sequence[Guidance]) -> Sequence[Guidance]:
        """What guides them, from what guides all rows."""

    @abstractmethod
    def carry(
        self, fit: ClusterFit, X: Array, columns: Array, terms: Sequence[Guidance]
    ) -> ClusterFit:
        """A fit on these rows, made one of all rows.

        ``columns`` is the mask of those it looked at. ``terms`` is the guidance of all rows, as
        far as it is known of them.
        """


def takes_landmarks(engine: str, n_samples: int) -> bool:
    """Whether so many rows are solved on landmarks."""
    return engine == "nystrom" or (engine == "auto" and n_samples > _ALL_PAIRS_UP_TO)


def check_dense_size(X: Array, on_landmarks: bool) -> None:
    """Refuse a sparse table of which the rows to solve on are too large to be made dense.

    That is all rows, or the landmarks; they are centred, and the search turns them about, which
    leaves no zeros.
    """
    n, d = X.shape
    rows = min(n, _LANDMARKS) if on_landmarks else n
    if rows * d > _MOST_NUMBERS:
        raise ValueError(
            f"A clustering makes the rows that it solves on dense: {rows} rows by {d} columns are "
            f"{rows * d / 2**27:.1f} GiB, and at most 1 GiB is allowed. Reduce the columns first, "
            "for instance by make_pipeline(TruncatedSVD(100), ...)."
        )


def choose_landmarks(
    engine: str, n_samples: int, labellings: Sequence[Array], rng: np.random.Generator
) -> Landmarks:
    """A sample; ``labellings`` are codes of all rows, -1 where unknown.

    Every class of every labelling has a landmark, or it would be lost to the fit. Of partial
    labels all rows that have one are landmarks, as long as they take no more than half of them.
    """
    m = min(n_samples, _LANDMARKS)
    order = _in_order_of_need(rng.permutation(n_samples), labellings, int(_LABELLED * m))
    why = "It was asked for" if engine == "nystrom" else f"More than {_ALL_PAIRS_UP_TO} rows"
    return Landmarks(np.sort(order[:m]), np.sort(order[-m:]), n_samples, why)


def _in_order_of_need(order: Array, labellings: Sequence[Array], most: int) -> Array:
    """All rows: one of every class, then labelled ones up to a number, then as they come."""
    known = [order[codes[order] >= 0] for codes in labellings]
    one_of_each = [
        rows[np.unique(codes[rows], return_index=True)[1]]
        for rows, codes in zip(known, labellings, strict=True)
    ]
    rows = np.concatenate([*one_of_each, *(rows[:most] for rows in known), order])
    return rows[np.sort(np.unique(rows, return_index=True)[1])]


@dataclass(frozen=True)
class AllRows(AbstractSample):
    """Everything as it is."""

    engine: str
    n_samples: int

    def rows(self, X: Array) -> FloatArray:
        """X itself, dense."""
        return np.asarray(X.toarray(), dtype=np.float64) if issparse(X) else X

    def codes(self, codes: Array) -> Array:
        """As they are."""
        return codes

    def guidance(self, terms: Sequence[Guidance]) -> Sequence[Guidance]:
        """As it is."""
        return terms

    def carry(
        self, fit: ClusterFit, X: Array, columns: Array, terms: Sequence[Guidance]
    ) -> ClusterFit:
        """The fit, with the reason why nobody had to be left out."""
        few = f"{self.n_samples} rows are few enough for all pairs."
        reason = few if self.engine == "auto" else "It was asked for."
        return replace(fit, result=replace(fit.result, engine_reason=reason))


@dataclass(frozen=True, eq=False)
class Landmarks(AbstractSample):
    """A sample of rows, and another one to see what the first may have missed.

    The two are disjoint where there are rows enough.
    """

    index: Array = field(repr=False)
    others: Array = field(repr=False)
    n_samples: int
    why: str
    engine = "auto"

    def rows(self, X: Array) -> FloatArray:
        """The landmarks."""
        return take_rows(X, self.index)

    def codes(self, codes: Array) -> Array:
        """Those of the landmarks."""
        return codes[self.index]

    def guidance(self, terms: Sequence[Guidance]) -> Sequence[Guidance]:
        """Restricted to the landmarks, centred there anew."""
        return [term.take(self.index) for term in terms]

    def carry(
        self, fit: ClusterFit, X: Array, columns: Array, terms: Sequence[Guidance]
    ) -> ClusterFit:
        """Embedding and labels of all rows; the landmarks keep their own labels.

        Columns of the embedding have about unit length, as those of an exact fit.
        """
        tell(f"labelling all {self.n_samples} rows")
        W = np.zeros((X.shape[1], fit.result.W.shape[1]))
        W[columns] = fit.result.W
        w = project_rows(X, W) - fit.offset
        labels, embedding = fit.labelling.with_embedding(w, Extension.of(fit.point))
        labels[self.index] = fit.labels
        embedding *= np.sqrt(self.index.size / self.n_samples)
        result = replace(
            fit.result,
            engine="nystrom",
            certificate=replace(fit.result.certificate, engine="nystrom"),
            engine_reason=(
                f"{self.why}: solved on {self.index.size} landmarks of {self.n_samples} rows, and "
                "carried to the others by the kernel."
            ),
            engine_error=self._error(fit, w, terms),
        )
        factor = self._growth(fit)
        return replace(
            fit,
            result=_scaled(result, factor),
            embedding=embedding,
            graph_eigenvalues=factor * fit.graph_eigenvalues,
            labels=labels,
        )

    def _growth(self, fit: ClusterFit) -> float:
        """How much larger the objective is on all rows: n/m where it is a sum over them."""
        objective = fit.point.objective
        unit, k = SPECTRAL_TERMS[objective.normalize].unit, objective.n_clusters
        return unit(self.n_samples, k) / unit(self.index.size, k)

    def _error(self, fit: ClusterFit, w: FloatArray, terms: Sequence[Guidance]) -> EngineError:
        """The cost at the same subspace on the other sample, beside that on the landmarks.

        Two samples differ from each other by more than either from all rows, so this is no
        understatement, but it is one draw. Guidance that only the landmarks have is left out.
        What it says of the angle would take the curvature, which is not known: NaN.
        """
        ours, k = fit.point, fit.point.objective.n_clusters
        here = sum(g.value for g in ours.guided[: len(terms)])
        here -= float(ours.spectrum_of_graph.values[:k].sum())
        with single_threaded_blas():
            there = ClusterObjective(
                w[self.others],
                fit.kernel,
                k,
                [term.take(self.others) for term in terms],
                ours.objective.normalize,
                accuracy=_ACCURACY,
            ).point(np.eye(w.shape[1]))
        relative = abs(there.cost - here) / max(abs(here), np.finfo(float).tiny)
        return EngineError(relative, guaranteed=False, angle=np.nan, n_features=self.index.size)


def _scaled(result: Result, factor: float) -> Result:
    """Everything that is in the unit of the cost."""
    return replace(
        result,
        cost=factor * result.cost,
        eigenvalues=factor * result.eigenvalues,
        history=tuple(replace(one, cost=factor * one.cost) for one in result.history),
    )
