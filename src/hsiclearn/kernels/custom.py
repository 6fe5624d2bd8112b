"""A kernel from three functions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

from .._arrays import Array
from ._base import AbstractKernel
from ._pairs import DIFFERENCE, Pair, as_pair

Scalar = Callable[[Array], Array]


@final
@dataclass(frozen=True, init=False)
class Custom(AbstractKernel):
    """A kernel of your own: ``Custom(f, df, d2f, pair="difference")``.

    The derivatives are compared with finite differences when an objective is built, so a slip
    is an error and not a wrong answer.

    Parameters
    ----------
    f, df, d2f : callable
        The function of beta and its two derivatives, elementwise on arrays. Functions defined
        at module level keep the kernel picklable.
    pair : {"difference", "inner"}, default="difference"
        Whether beta is a squared distance or an inner product.

    Examples
    --------
    >>> import numpy as np
    >>> from hsiclearn.kernels import Custom
    >>> kernel = Custom(lambda b: np.exp(-b), lambda b: -np.exp(-b), lambda b: np.exp(-b))
    >>> float(kernel.f(np.zeros(1))[0])
    1.0
    """

    functions: tuple[Scalar, Scalar, Scalar]
    pair: Pair = DIFFERENCE

    def __init__(self, f: Scalar, df: Scalar, d2f: Scalar, pair: str | Pair = "difference") -> None:
        object.__setattr__(self, "functions", (f, df, d2f))
        object.__setattr__(self, "pair", as_pair(pair))

    def f(self, beta: Array) -> Array:
        """The user's f."""
        return self.functions[0](beta)

    def df(self, beta: Array) -> Array:
        """The user's f'."""
        return self.functions[1](beta)

    def d2f(self, beta: Array) -> Array:
        """The user's f''."""
        return self.functions[2](beta)
