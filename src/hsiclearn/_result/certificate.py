"""The proof that an answer is one, what it proves in words, and how exact the sums were."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

_SETTLED = ("kink", "creep")
_NOTHING = 1e-6  # of the cost
_CELL = "text-align: left; vertical-align: top; padding: 0.1em 0.8em 0.1em 0"


@dataclass(frozen=True, slots=True)
class EngineError:
    """How far an engine's Phi may be from the exact one.

    Attributes
    ----------
    relative : float
        ``|Phi_engine - Phi| <= relative |Phi|_F``; for exact engines 0, or the rounding.
    guaranteed : bool
        Whether that is a proven bound. If not, it is an estimate.
    angle : float
        What that means for the answer, to first order: the sine of the largest angle to the
        optimum of the exact engine is at most ``2 relative |Phi|_F / curvature``.
    n_features : int
        Number of landmarks or other features of a kernel; 0 for exact engines.
    rounding : float
        The part of ``relative`` that no engine can remove in double precision; 0 where the rows
        are centred, so that it is a few units of the last digit.
    """

    relative: float = 0.0
    guaranteed: bool = True
    angle: float = 0.0
    n_features: int = 0
    rounding: float = 0.0

    @property
    def approximation(self) -> float:
        """The part of ``relative`` that a finer engine would remove."""
        return self.relative - self.rounding


@dataclass(frozen=True, slots=True)
class Certificate:
    """First- and second-order optimality of a subspace, verified numerically.

    Every figure is scale free, so that one ``tol`` suits all data. In plain words: if
    ``stationarity <= tol`` and ``second_order`` holds, no small turn of the subspace lowers
    the cost to second order, up to ``tol`` of ``|Phi|``. That yardstick is set by the largest
    columns of X: where one dwarfs the others, the verdicts say little about these. Standardise
    the columns first.

    Attributes
    ----------
    orthogonality : float
        ``|W'W - I|_F``.
    stationarity : float
        ``|(I - WW')Phi W|_F / |Phi|_F``: zero where the gradient on the manifold vanishes. (All
        figures are beside a small part of the curvature where Phi itself vanishes at the optimum,
        as it may with collinear columns.)
    curvature : float
        Smallest eigenvalue of the Riemannian Hessian over ``2 |Phi|_F``; infinite when q = d.
    second_order : bool or None
        ``curvature >= -tol``; None where there is nothing to judge: Phi vanishes (the figures
        are NaN then), the objective has no Hessian, or somebody ended the solver.
    curvature_rows : int or None
        Where rows are very many and the curvature is clearly positive: that so many of them told
        along which direction it is smallest, and that it is no smaller along others, which is
        likely where no row stands out, not proven. The figure itself is of all rows along that
        direction. None where all rows told everything.
    eigengap : float
        ``(lambda_{q+1} - lambda_q) / |Phi|_F``; infinite when q = d.
    is_lowest : bool
        Whether W spans the lowest q eigenvectors of Phi(W), i.e. is a fixed point of Algorithm 1.
    theorem1 : bool or None
        Whether the paper's own sufficient condition holds:
        ``lambda_{q+1} - lambda_q >= -min_Z Tr(Z' Phidot[Z] W)`` over unit horizontal Z.
    full_rank : bool or None
        Whether Phi has full rank, which Theorem 1 assumes as well. None where there are too many
        features to tell.
    tol : float
        The tolerance behind the three verdicts.
    engine : str
        The engine that computed the sums.
    rounding : float
        How far rounding may have moved Phi, as a share of ``|Phi|_F``, where rows could not be
        centred: by an inner-product kernel of higher degree, or a Gamma that is not centred. Above
        ``tol`` nothing is verified. 0 where they were, so that it is a few units of the last digit.
    ended : str or None
        Of a clustering, whose objective has kinks and no second derivative: how the descent
        ended. ``"kink"`` and ``"creep"`` where it settled, else the name of the status; None where
        the second order was judged.
    last_gain : float or None
        What its last ten steps gained together, as a share of the cost.
    most_gain : float or None
        No subspace at all, near or far, has a cost lower by more than this share of it; None where
        no bound is proven. The normalised cut of k clusters is at least -k.
    n_columns : int or None
        Of a fit on columns that were selected, how many: all figures are of directions made of
        these, and say nothing of others. None where there was no selection.
    yardstick : str
        What the gradient is measured by; of a fit that is made to predict, and of its last gain as
        well, the variance of the target.
    """

    orthogonality: float
    stationarity: float
    curvature: float
    second_order: bool | None
    eigengap: float
    is_lowest: bool
    theorem1: bool | None
    full_rank: bool | None
    tol: float
    engine: str
    rounding: float = 0.0
    ended: str | None = None
    last_gain: float | None = None
    most_gain: float | None = None
    yardstick: str = "|Phi|"
    curvature_rows: int | None = None
    n_columns: int | None = None

    @property
    def lost_in_rounding(self) -> bool:
        """Whether the sums are too inexact, in double precision, for any verdict at ``tol``."""
        return self.rounding > self.tol

    @property
    def verified(self) -> bool:
        """Whether this is a local optimum to second order, up to ``tol``.

        Never of a clustering, which has no second derivative: read ``settled`` there.
        """
        settled = self.stationarity <= self.tol and bool(self.second_order)
        return settled and not self.lost_in_rounding

    @property
    def settled(self) -> bool:
        """Whether the descent of a clustering is over: further steps gain nothing worth them."""
        return self.ended in _SETTLED or (self.ended is not None and self.stationarity <= self.tol)

    @property
    def _no_verdict(self) -> str | None:
        """Why the figures prove nothing, where they do not."""
        if math.isnan(self.stationarity):
            return (
                "Nothing can be verified: at this bandwidth the objective is flat to rounding, and "
                "every subspace is as good as this one."
            )
        if self.lost_in_rounding:
            return (
                f"NOT verified: rounding may have moved Phi by {self.rounding:.1e} of its size, "
                f"tolerance {self.tol:.0e}. The columns are far from 0, which this kernel sees: "
                "centre them (StandardScaler)."
            )
        if math.isinf(self.curvature) or math.isinf(self.eigengap):
            what = "that vary" if self.n_columns is None else "they may be made of"
            return f"There was nothing to choose: these directions span all columns {what}."
        return None

    @property
    def verdict(self) -> str:
        """What the figures prove, in a sentence or two."""
        if self.n_columns is None:
            return self._verdict
        noun = "column" if self.n_columns == 1 else "columns"
        return (
            f"{self._verdict} That is of directions made of the {self.n_columns} {noun} selected."
        )

    @property
    def _verdict(self) -> str:
        if (reason := self._no_verdict) is not None:
            return reason
        size, unit = f"{self.stationarity:.1e}", self.yardstick
        gradient = f"the gradient is {size} of {unit}, tolerance {self.tol:.0e}"
        if self.ended is not None:
            return f"{self._end_in_words(gradient)} {self._gain_in_words()}"
        return self._order_in_words(gradient)

    def _order_in_words(self, gradient: str) -> str:
        """Where there is a second derivative to judge by, or where it was not asked."""
        if self.second_order is False:
            return (
                f"NOT a local optimum: a small turn of the subspace lowers the cost (smallest "
                f"curvature {self.curvature:.2g} of |Phi|; {gradient})."
            )
        if self.stationarity > self.tol:
            return f"NOT verified as a local optimum: {gradient}."
        if self.second_order is None:
            return (
                f"Stationary: {gradient}. Whether every small turn raises the cost was not judged: "
                "there is no second derivative to judge by."
            )
        if self.curvature_rows is not None:
            return (
                f"This is a stationary point of all rows, and a local optimum as far as "
                f"{self.curvature_rows} of them tell: no small turn of the subspace lowers the "
                f"cost ({gradient}; curvature {self.curvature:.2g} of |Phi| along the direction "
                "where it is smallest for these)."
            )
        return (
            f"This is a verified local optimum: no small turn of the subspace lowers the cost "
            f"({gradient}; smallest curvature {self.curvature:.2g} of |Phi|)."
        )

    def _end_in_words(self, gradient: str) -> str:
        """Where the descent of a clustering ended."""
        if self.stationarity <= self.tol:
            return f"Settled at a stationary subspace: {gradient}."
        if self.ended == "kink":
            return (
                "Settled: no step lowers the cost any further, as at a kink of the objective, "
                "where two neighbours or two eigenvalues change places. There the gradient need "
                f"not vanish ({gradient})."
            )
        if self.ended == "creep":
            gain = "hardly anything" if self.yardstick == "|Phi|" else "too little to be seen"
            return f"Settled where the descent creeps: steps gain {gain} ({gradient})."
        return f"NOT settled: steps still lower the cost ({gradient})."

    def _gain_in_words(self) -> str:
        """What that leaves to gain."""
        if self.most_gain is not None and self.most_gain < _NOTHING:
            return "The cost is the lowest that any subspace can have: the clusters are separated."
        unit = "the cost" if self.yardstick == "|Phi|" else self.yardstick
        gain = f"The last steps, ten at most, together gained {self.last_gain:.1g} of {unit}"
        if self.most_gain is None:
            return f"{gain}."
        return f"{gain}; no subspace at all can lower it by more than {100 * self.most_gain:.2g} %."

    def _repr_html_(self) -> str:
        """For notebooks: the verdict, then every figure."""
        names = [name for name in self.__slots__ if (name, self.n_columns) != ("n_columns", None)]
        return table(self.verdict, {name: getattr(self, name) for name in names})


def table(caption: str, figures: Mapping[str, object]) -> str:
    """For notebooks: a line of text above names and values, all of it escaped."""
    rows = "".join(
        f'<tr><th scope="row" style="{_CELL}">{escape(name)}</th>'
        f'<td style="{_CELL}">{escape(_shown(value))}</td></tr>'
        for name, value in figures.items()
    )
    return f"<p><b>{escape(caption)}</b></p><table><tbody>{rows}</tbody></table>"


def _shown(value: object) -> str:
    """A float in six digits; None is what was not judged."""
    if isinstance(value, float):
        return f"{value:.6g}"
    return "not judged" if value is None else str(value)
