r"""Many rows: solve on landmarks, and carry the answer to all others by the kernel.

The search, the descent and the eigenvectors work on all pairs of rows, at a cost that grows with
their square. Scales set by neighbours shrink as rows are added, so that a kernel matrix of many
rows has no low rank to use either. What spectral clustering does instead, since Fowlkes, Belongie,
Chung and Malik (2004), is ::

    m landmark rows, a sample       the objective, its descent, its certificate and the labels
    all other rows                  y(x) = (1/lambda) sum_j a(x, x_j) y_j,  as for new rows

Nothing but the projected rows and their embedding, ``n (q + k)`` numbers, is ever made for all
rows: X is read in blocks and may be a file that is mapped.

Rows that count v_i times are drawn by that, and the landmarks count for the rows that were not
drawn: see :func:`.._weights.draw_weighted`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np
from scipy.sparse import issparse

from .._arrays import Array, FloatArray
from .._columns import Column
from .._counts import Counts
from .._devices import beside, to_host
from .._engines import CLUSTERING, LANDMARK_ROWS, single_threaded_blas
from .._objective import ClusterObjective, Guidance
from .._progress import tell
from .._result import EngineError, Result
from .._rows import AbstractRows, DeviceRows, as_rows, in_words
from .._weights import total_weight
from .labelling import Extension
from .problem import AbstractStrategy, ClusterFit, ClusterProblem
from .sampling import two_samples, two_weighted_samples

_ALL_PAIRS_UP_TO, _LANDMARKS = CLUSTERING.pairs, LANDMARK_ROWS
_ACCURACY = 1e-3  # of the other sample's eigenvectors; of its cost, the square of that
_MOST_NUMBERS = 2**27  # of the rows to solve on, dense: 1 GiB


def takes_landmarks(objective: str, engine: str, n_samples: int) -> bool:
    """Whether so many rows are solved on landmarks; the form as printed sees all pairs."""
    if objective == "paper":
        if engine == "landmarks":
            raise ValueError(
                "objective='paper' runs on all pairs of rows, as printed. Got engine='landmarks': "
                "use engine='tiled', or objective='exact'."
            )
        return False
    return engine == "landmarks" or (engine == "auto" and n_samples > _ALL_PAIRS_UP_TO)


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


def project_rows(X: Array | AbstractRows, W: FloatArray) -> FloatArray:
    """``X W`` in double precision, block by block, on the host.

    X may be in single precision, or mapped, or on a device, where it is projected.
    """
    if issparse(X):
        return np.asarray(X @ W)

    def task(_: slice, block: Array) -> FloatArray:
        return np.asarray(to_host(block @ beside(W, block)))

    return as_rows(X).rowwise(task, np.empty((0, W.shape[1])))


@final
@dataclass(frozen=True)
class OnLandmarks(AbstractStrategy):
    """Another strategy on a sample of rows, and the way from there to all rows."""

    inner: AbstractStrategy

    def fit(self, problem: ClusterProblem, rng: np.random.Generator) -> ClusterFit:
        """Embedding and labels of all rows; the landmarks keep their own labels.

        Columns of the embedding have about unit length, as those of an exact fit.
        """
        rows, weights = as_rows(problem.X), problem.row_weights
        n = rows.n_samples
        if weights is None:
            index, others = choose_landmarks(n, problem.labellings, rng)
            ours, theirs = Counts(index.size), Counts(others.size)
        else:
            (index, ours), (others, theirs) = two_weighted_samples(
                weights, problem.labellings, _LANDMARKS, rng
            )
        sample = problem.take(index, ours)
        sample = replace(sample, settings=replace(problem.settings, engine="auto"))
        fit = self.inner.fit(sample, rng)
        tell(f"labelling all {n} rows")
        size = n if weights is None else total_weight(weights)
        labels, embedding = _carried(rows, fit, index, ours.total / size)
        asked = problem.settings.engine == "landmarks"
        why = "It was asked for" if asked else f"More than {_ALL_PAIRS_UP_TO} rows"
        reason = (
            f"{why}: solved on {index.size} landmarks of {n} rows, and carried to the others "
            f"by the kernel.{_whence(rows)}"
        )
        terms = problem.guidance_for(fit.point.objective.n_clusters)
        w = rows.take(others) @ fit.result.W - fit.offset
        error = _error(fit, w, [term.take(others, theirs) for term in terms], theirs)
        # How much larger the objective is on all rows, where it is a sum over them.
        growth = 1.0 if fit.point.objective.saturates else size / ours.total
        return replace(
            fit,
            result=_of_all_rows(fit.result, growth, engine_reason=reason, engine_error=error),
            embedding=embedding,
            graph_eigenvalues=growth * fit.graph_eigenvalues,
            labels=labels,
            share=ours.total / size,
        )


def _whence(rows: AbstractRows) -> str:
    """Where rows stay that are on a device."""
    if not isinstance(rows, DeviceRows):
        return ""
    place = in_words(rows.like)
    return f" All rows are projected where they are, {place}; the landmarks came to the host."


def _carried(
    rows: AbstractRows, fit: ClusterFit, index: Array, share: float
) -> tuple[Column, Column]:
    """Labels and embedding of all rows, of which those of this index have their own labels.

    ``share`` is that of landmarks among all rows, as often as they count. Of rows that are
    elsewhere both are made when they are asked for.
    """
    W, offset, k = fit.result.W, fit.offset, fit.embedding.shape[1]
    labelling, extension, ours = fit.labelling, Extension.of(fit.point), fit.labels
    scale = np.sqrt(share)

    def own(place: slice, labels: Array) -> Array:
        inside = slice(*np.searchsorted(index, (place.start, place.stop)))
        labels[index[inside] - place.start] = ours[inside]
        return labels

    no_labels = np.empty(0, dtype=ours.dtype)
    if rows.elsewhere is not None:
        labels = rows.rowwise(lambda p, x: own(p, labelling(x @ W - offset)), no_labels)
        parts = rows.rowwise(lambda _, x: scale * extension(x @ W - offset), np.empty((0, k)))
        return labels, parts
    w = project_rows(rows, W) - offset
    labels, embedding = labelling.with_embedding(w, extension)
    return own(slice(0, rows.n_samples), labels), scale * embedding


def choose_landmarks(
    n_samples: int, labellings: Sequence[Column], rng: np.random.Generator
) -> tuple[Array, Array]:
    """A sample, and another one to see what the first may have missed: see :mod:`.sampling`."""
    return two_samples(n_samples, labellings, _LANDMARKS, rng)


def _error(
    fit: ClusterFit, w: FloatArray, terms: Sequence[Guidance], counts: Counts
) -> EngineError:
    """The cost at the same subspace on another sample, beside that on the landmarks.

    Two samples differ from each other by more than either from all rows, so this is no
    understatement, but it is one draw. Guidance that only the landmarks have is left out.
    What it says of the angle would take the curvature, which is not known: NaN.
    """
    point = fit.point
    ours = point.objective
    here = sum(g.value for g in point.guided[: len(terms)])
    here -= float(point.spectrum_of_graph.values[: ours.n_clusters].sum())
    with single_threaded_blas():
        there = ClusterObjective(
            w,
            ours.kernel,
            ours.n_clusters,
            terms,
            ours.normalize,
            accuracy=_ACCURACY,
            weights=counts.v,
        ).point(np.eye(w.shape[1]))
    cost, size = there.cost, counts.total
    if not ours.saturates and size != ours.counts.total:
        cost *= ours.counts.total / size
    relative = abs(cost - here) / max(abs(here), np.finfo(float).tiny)
    return EngineError(relative, guaranteed=False, angle=np.nan, n_features=ours.n_samples)


def _of_all_rows(result: Result, growth: float, **more: Any) -> Result:
    """Everything that is in the unit of the cost, and the name of the engine."""
    return replace(
        result,
        cost=growth * result.cost,
        eigenvalues=growth * result.eigenvalues,
        history=tuple(replace(one, cost=growth * one.cost) for one in result.history),
        engine="landmarks",
        certificate=replace(result.certificate, engine="landmarks"),
        **more,
    )
