"""Rows from which features are chosen, as they are projected at one W, and how exact these are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..._arrays import Array, FloatArray, array_namespace
from ..._devices import beside, in_dtype, to_host
from ..._rows import AbstractRows, Block, DeviceRows
from ...kernels import AbstractKernel
from ._base import Features
from .landmarks import Candidates, NystromFeatures
from .monomials import TaylorFeatures

_GROUP = 512  # rows of which the farthest one is looked at first

_FEW = 700  # rows that tell, in milliseconds, about how many landmarks would be needed


@dataclass(frozen=True)
class Accuracy:
    """How exact features have to be, and how many there may be.

    Curvature is asked for its sign and for a Newton step: f'' may be a hundred times less exact
    than f and f', at a third of the landmarks.
    """

    rtol: float
    max_landmarks: int

    def of(self, order: int) -> float:
        """The tolerance of f, f' or f''."""
        return self.rtol if order < 2 else max(self.rtol, min(1e-4, 100.0 * self.rtol))


class CandidateRows:
    """Rows from which features are chosen: the same sample at every W, and the farthest there.

    The farthest rows cost a pass over all rows, and are looked for only where landmarks are.
    """

    def __init__(
        self, sample: Candidates, farthest: Callable[[], Candidates] | None = None
    ) -> None:
        self._sample, self._farthest = sample, farthest

    @cached_property
    def _all(self) -> Candidates:
        """Rows with scales have no farthest ones."""
        sample = self._sample
        if self._farthest is None:
            return sample
        far = self._farthest()
        places = None
        if sample.places is not None and far.places is not None:
            places = np.concatenate([sample.places, far.places])
        return Candidates(np.concatenate([sample.w, far.w]), None, places)

    def features(
        self, kernel: AbstractKernel, order: int, rtol: float, limit: int, n_columns: int
    ) -> Features:
        """A Taylor series where a short one does, else landmarks.

        A feature costs a product (1 ns) or an exponential (10 ns) in each of two passes, and
        0.07 ns for each of the columns it is multiplied with: measured on one core.
        """
        if self._sample.scales is None:
            series = TaylorFeatures.fitting(kernel, self._sample.w, rtol)
            if series is not None:
                few = self._sample.take(slice(0, _FEW))
                m = NystromFeatures(kernel, order, few, rtol, limit).size
                work = 0.07 * n_columns
                if series.size * (2.0 + work) <= m * (20.0 + work):
                    return series
        return NystromFeatures(kernel, order, self._all, rtol, limit)


def farthest_rows(rows: AbstractRows, W: FloatArray, count: int) -> Candidates:
    """The projected rows farthest from the origin, and the ends of every axis: one pass."""

    def pick(some: Candidates) -> Candidates:
        w = some.w
        if w.shape[0] <= count:
            return some
        ends = np.concatenate([w.argmin(axis=0), w.argmax(axis=0)])
        far = np.argpartition(np.einsum("ij,ij->i", w, w), -count)[-count:]
        return some.take(np.unique(np.concatenate([ends, far])))

    if rows.on_device is not None:
        return pick(_far_on_device(rows, rows.on_device, W, count))

    def task(place: slice, block: Block) -> Candidates:
        w = np.asarray(rows.project(block, W), dtype=np.float64)
        return pick(Candidates(w, None, np.arange(place.start, place.stop)))

    def both(a: Candidates, b: Candidates) -> Candidates:
        w, places = (np.concatenate([getattr(f, k) for f in (a, b)]) for k in ("w", "places"))
        return pick(Candidates(w, None, places))

    return rows.fold(task, both, name="farthest")


def _far_on_device(rows: AbstractRows, there: DeviceRows, W: FloatArray, count: int) -> Candidates:
    """The same of rows on a device, with some more; all chunks come to the host at once."""
    frame = beside(W, there.array, rows.dtype)
    Found = tuple[list[Array], list[Array]]

    def task(place: slice, block: Block) -> Found:
        w = in_dtype(rows.project(block, frame), np.float64)
        xp = array_namespace(w)
        ends = xp.concat([xp.argmin(w, axis=0), xp.argmax(w, axis=0)])
        chosen = xp.concat([ends, _largest(xp.sum(w * w, axis=1), count)])
        return [xp.take(w, chosen, axis=0)], [chosen + place.start]

    found = rows.fold(task, lambda a, b: (a[0] + b[0], a[1] + b[1]), name="farthest")
    xp = array_namespace(frame)
    w, places = (to_host(xp.concat(parts)) for parts in found)
    first = np.unique(places, return_index=True)[1]
    return Candidates(w[first], None, places[first])


def _largest(values: Array, count: int) -> Array:
    """Where the largest are: groups of rows first, of which few are sorted."""
    xp, n = array_namespace(values), values.shape[0]
    if n > 4 * _GROUP * count:
        whole = n - n % _GROUP
        groups = xp.reshape(values[:whole], (-1, _GROUP))
        tops = xp.argsort(xp.max(groups, axis=1), descending=True)[:count]
        within = xp.arange(_GROUP, dtype=tops.dtype, device=values.device)
        inside = xp.reshape(tops[:, None] * _GROUP + within[None, :], (-1,))
        rest = xp.arange(whole, n, dtype=tops.dtype, device=values.device)
        some = xp.concat([inside, rest])
        return xp.take(some, _largest(xp.take(values, some), count))
    return xp.argsort(values, descending=True)[: min(count, n)]
