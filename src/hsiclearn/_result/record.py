"""One line of a solver's history."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Record"]


@dataclass(frozen=True, slots=True)
class Record:
    """One line of a solver's history.

    Attributes
    ----------
    step : str
        What led here: ``"start"``, ``"spectral"``, ``"newton"``, ``"escape"`` or ``"lbfgs"``; of
        the rivals ``"column"``, ``"cayley"`` or ``"pymanopt"``; ``"round"`` of an alternation.
    cost : float
        ``-Tr(Gamma K_XW)`` at the iterate.
    gradient : float
        Stationarity, ``|(I - WW')Phi W|_F / |Phi|_F``.
    angle : float
        Sine of the largest principal angle to the previous iterate.
    eigengap : float
        What the step that led here saw: ``lambda_{q+1} - lambda_q`` of Phi (spectral), or the
        lowest eigenvalue outside W less the highest inside (Newton), which is negative while W
        is not lowest; NaN where neither was needed.
    seconds : float
        Time since the solver started; NaN in a model that was loaded from a file.
    evaluations : int
        Evaluations of Phi so far.
    hessian_products : int
        Hessian products so far.
    iterations : int
        Iterations so far, as the method counts them.
    """

    step: str
    cost: float
    gradient: float
    angle: float
    eigengap: float
    seconds: float
    evaluations: int
    hessian_products: int
    iterations: int = 0
