"""What a user passes as X and Y where one of them is an array on a device: checked, and moved."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from ..._arrays import Array, FloatArray, array_namespace
from ..._devices import beside, in_dtype, is_foreign, numpy_dtype, to_host
from ..._linalg import median_pair_distance, typical_distance
from ..._rows import (
    DeviceRows,
    Summary,
    batches,
    check_takes_no_gradients,
    in_words,
    name_of_dtype,
    place_of,
)
from ..._weights import draw_weighted
from ...kernels import AbstractKernel
from ..side import AbstractSide, ClassSide
from .kernel_side import DeviceKernelSide
from .sides import DeviceClassSide, DeviceDistanceSide, DeviceMatrixSide, DeviceSide

_NUMBERS = ("float32", "float64")
_REACH = 30.0  # bandwidths: beyond, squared distances in single precision are off by 1e-4
_SMALLEST, _LARGEST = 1e-9, 1e9  # lengths whose fourth powers single precision holds
_SAMPLE, _LOOKED_AT = 1000, 50_000  # rows whose distances are measured
_ENTRIES = 2**24  # of a matrix at a time


class Device(NamedTuple):
    """Where both sides are to be: beside an array, in its precision where that will do."""

    like: Array

    @property
    def is_single(self) -> bool:
        """Whether the array is of single precision."""
        return numpy_dtype(self.like) == np.float32

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of kernel values that no rounding of rows is in."""
        return np.dtype(np.float32 if self.is_single else np.float64)


def device_of(X: Any, Y: Any) -> Device | None:
    """The device that both sides are to be on; None where neither is on one."""
    found = {name: values for name, values in (("X", X), ("Y", Y)) if is_foreign(values)}
    if not found:
        return None
    for name, values in found.items():
        _check(name, values)
    if len(found) == 2:
        _check_together(X, Y)
    floats = [values for values in found.values() if numpy_dtype(values).kind == "f"]
    return Device((floats or list(found.values()))[0])


def _check(name: str, values: Array) -> None:
    """Raise unless numbers of an array can be taken as they are."""
    check_takes_no_gradients(values, name)
    dtype = name_of_dtype(values)
    if "float" in dtype and dtype not in _NUMBERS:
        raise ValueError(
            f"{name} on a device must be of single or double precision. Got dtype {dtype}: pass it "
            "as float32."
        )
    if "complex" in dtype:
        raise ValueError(
            f"{name} must hold real numbers or labels. Got dtype {dtype}: take real and imaginary "
            "parts apart."
        )


def _check_together(X: Array, Y: Array) -> None:
    """Raise unless two arrays are of one library and on one device."""
    if place_of(X) != place_of(Y):
        raise ValueError(
            f"X and Y must be on one device. Got X of {in_words(X)} and Y of {in_words(Y)}: move "
            "one of them to the other, or pass it as a numpy array, which is moved."
        )


@dataclass(frozen=True, eq=False)
class DeviceNumbers:
    """A table of numbers on a device, ``is_given`` unless it was moved there."""

    array: Array
    device: Device
    is_given: bool

    @classmethod
    def of(cls, values: Any, device: Device) -> DeviceNumbers:
        """As they are; integers, and what is on the host, in double precision."""
        is_given = is_foreign(values)
        moved = values if is_given else beside(values, device.like, np.float64)
        if numpy_dtype(moved).kind != "f":
            moved, is_given = in_dtype(moved, np.float64), False
        return cls(moved[:, None] if moved.ndim == 1 else moved, device, is_given)

    def __mul__(self, factor: float) -> DeviceNumbers:
        """In another unit."""
        return replace(self, array=self.array * factor)

    @property
    def rows(self) -> DeviceRows:
        """The same as a table."""
        return DeviceRows(self.array)

    def with_distance(self, seen: Summary, exponent: int) -> DeviceDistanceSide:
        """The rows under ``-|x - z|``, from their mean."""
        X = self._seen_from(seen.mean, _is_moderate(self.longest(seen.mean)))
        return DeviceDistanceSide(X, _is_constant(seen), exponent)

    def with_kernel(self, seen: Summary, kernel: AbstractKernel, exponent: int) -> DeviceKernelSide:
        """The rows under a kernel of the package, from their mean where it does not mind."""
        moves = not kernel.ignores_shifts(centered=True)
        origin = np.zeros_like(seen.mean) if moves else seen.mean
        longest = self.longest(origin)
        scales = [t.scale for _, t in kernel.terms if t.pair.is_difference and t.scale is not None]
        is_resolved = longest <= _REACH * min(scales, default=np.inf)
        X = self._seen_from(origin, _is_moderate(longest) and is_resolved)
        return DeviceKernelSide(X, kernel, _is_constant(seen), exponent)

    def as_matrix(self, seen: Summary, exponent: int) -> DeviceMatrixSide:
        """A kernel matrix that is given."""
        is_constant = bool(seen.highest.max() == seen.lowest.min())
        return DeviceMatrixSide(in_dtype(self.array, self._dtype(True)), is_constant, exponent)

    def longest(self, origin: FloatArray | None = None) -> float:
        """The largest ``|x - origin|``."""
        rows = self.rows if origin is None else self.rows.centered(origin)

        def task(_: slice, block: Array) -> float:
            x = in_dtype(block, np.float64)
            xp = array_namespace(x)
            return float(to_host(xp.max(xp.sum(x * x, axis=1))))

        return float(np.sqrt(rows.fold(task, max)))

    def typical_distance(
        self, rng: np.random.Generator, weights: FloatArray | None = None
    ) -> float:
        """Median distance of two rows, as on the host: of 1000 rows, which come here."""
        if weights is not None:
            return self._weighted_distance(rng, weights)
        rows, n = self.rows, self.rows.n_samples
        index = np.arange(n) if n <= _SAMPLE else np.sort(rng.choice(n, _SAMPLE, replace=False))
        if median := median_pair_distance(rows.take(index), rng):
            return median
        some = np.arange(n)
        if n > _LOOKED_AT:
            some = np.sort(rng.choice(n, _LOOKED_AT, replace=False))
        return typical_distance(rows.take(some), rng)

    def _weighted_distance(self, rng: np.random.Generator, weights: FloatArray) -> float:
        index, v = draw_weighted(weights, _SAMPLE, rng)
        if median := median_pair_distance(self.rows.take(index), rng, weights=v):
            return median
        index, v = draw_weighted(weights, _LOOKED_AT, rng)
        return typical_distance(self.rows.take(index), rng, v)

    def check_symmetric(self, name: str, rtol: float) -> None:
        """Raise unless it is a symmetric matrix."""
        K = self.array
        xp, n = array_namespace(K), int(K.shape[0])
        allowed = rtol * float(to_host(xp.max(xp.abs(K))))
        for rows in batches(n, max(1, _ENTRIES // n)):
            some = K[rows, :] - K[:, rows].T
            largest = float(to_host(xp.max(xp.abs(some))))
            if largest > allowed:
                raise ValueError(
                    f"`{name}` must be symmetric. It differs from its transpose by {largest:.3g}. "
                    f"If both halves mean the same, pass ({name} + {name}.T) / 2."
                )

    def _dtype(self, is_fine: bool) -> np.dtype[Any]:
        """Single precision where rows are given in it, or others are, and it is enough."""
        is_double = self.is_given and numpy_dtype(self.array) == np.float64
        is_single = self.device.is_single and is_fine and not is_double
        return np.dtype(np.float32 if is_single else np.float64)

    def _seen_from(self, origin: FloatArray, is_fine: bool) -> Array:
        """``X - origin``, a copy; subtracted before digits are lost."""
        dtype = self._dtype(is_fine)
        X = self.array if dtype == np.float32 else in_dtype(self.array, dtype)
        return in_dtype(X - beside(origin, X), dtype)


def _is_moderate(length: float) -> bool:
    return _SMALLEST <= length <= _LARGEST


def _is_constant(seen: Summary) -> bool:
    return not np.any(seen.lowest < seen.highest)


def label_side(labels: ClassSide, device: Device) -> DeviceClassSide:
    """Labels that were read on the host."""
    return DeviceClassSide(labels, device.like, device.dtype)


def with_labels_alike(x: AbstractSide, y: AbstractSide) -> None:
    """Give the kernel of labels, which has no rounding, the precision of the other side."""
    for side, other in ((x, y), (y, x)):
        if isinstance(side, DeviceClassSide) and isinstance(other, DeviceSide):
            side.dtype = other.dtype
