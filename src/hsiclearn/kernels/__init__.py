"""Kernels: f, f', f'' and a pair type. ``2*k1 + k2`` and ``-k`` are kernels too."""

from __future__ import annotations

from ._base import AbstractKernel, Scaled
from ._pairs import DIFFERENCE, INNER, Pair
from .cauchy import Cauchy
from .combination import Combination
from .custom import Custom, check_derivatives
from .gaussian import Gaussian
from .inverse_multiquadratic import InverseMultiquadratic
from .linear import Linear
from .multiquadratic import Multiquadratic
from .polynomial import Polynomial
from .rational_quadratic import RationalQuadratic
from .relative_gaussian import NeighbourScales, RelativeGaussian
from .squared import Squared

__all__ = [
    "DIFFERENCE",
    "INNER",
    "AbstractKernel",
    "Cauchy",
    "Combination",
    "Custom",
    "Gaussian",
    "InverseMultiquadratic",
    "Linear",
    "Multiquadratic",
    "NeighbourScales",
    "Pair",
    "Polynomial",
    "RationalQuadratic",
    "RelativeGaussian",
    "Scaled",
    "Squared",
    "check_derivatives",
    "is_built_in",
    "kernel_from_name",
    "kernel_names",
    "takes_bandwidth",
]

# Every kernel that can be asked for by name; the second entry is the parameter that takes the
# bandwidth, where there is one.
_NAMED: dict[str, tuple[type[AbstractKernel], str | None]] = {
    "cauchy": (Cauchy, "bandwidth"),
    "gaussian": (Gaussian, "bandwidth"),
    "inverse_multiquadratic": (InverseMultiquadratic, "c"),
    "linear": (Linear, None),
    "multiquadratic": (Multiquadratic, "c"),
    "polynomial": (Polynomial, None),
    "rational_quadratic": (RationalQuadratic, "bandwidth"),
    "relative_gaussian": (RelativeGaussian, None),
    "squared": (Squared, None),
}
_BUILT_IN = frozenset(cls for cls, _ in _NAMED.values())


def kernel_names() -> tuple[str, ...]:
    """The names a kernel can be asked for by."""
    return tuple(_NAMED)


def takes_bandwidth(name: str) -> bool:
    """Whether the named kernel has a bandwidth to set."""
    return _NAMED[name][1] is not None


def is_built_in(kernel: AbstractKernel) -> bool:
    """Whether the kernel is one of the package's own, whose derivatives are tested."""
    return type(kernel) in _BUILT_IN


def kernel_from_name(name: str, bandwidth: float | None = None) -> AbstractKernel:
    """Build a kernel by name, at ``bandwidth`` if it takes one and at its defaults otherwise."""
    if name not in _NAMED:
        raise ValueError(f"`kernel` must be one of {list(_NAMED)} or an object. Got {name!r}.")
    cls, parameter = _NAMED[name]
    return cls() if parameter is None or bandwidth is None else cls(**{parameter: bandwidth})
