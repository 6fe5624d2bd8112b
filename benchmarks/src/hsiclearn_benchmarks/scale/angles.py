"""How far the answer of the engine in linear time is from the one of all pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import subspace_angles

from ..alone import Outcome
from ..bench import Bench, end_of, seconds
from ..parts import Goal, Part, markdown
from .tasks import fit_engine, phi_error

__all__ = ["measure_angles"]

_N, _D, _Q = 2e4, 50, 4
_NOISES = {"normal": "normal", "tails": "Student t, 2.5 dof"}
_SHARES = (1.0, 0.35)  # bandwidth over the median distance
_FEWEST = 6000  # rows; fewer are tiled in any case
_GOALS = {1e-6: 1e-3, 1e-8: 1e-6}  # tol: the largest angle asked for


@dataclass(frozen=True)
class _Case:
    noise: str
    share: float
    tol: float
    auto: Outcome
    tiled: Outcome
    phi: Outcome | None

    @property
    def angle(self) -> float | None:
        if not (self.auto.finished and self.tiled.finished):
            return None
        ours, exact = (o.figures["components"].T for o in (self.auto, self.tiled))
        return float(np.sin(subspace_angles(exact, ours)[0]))

    def row(self) -> list[str]:
        head = [_NOISES[self.noise], f"{self.share:g}", f"{self.tol:g}"]
        if self.angle is None:
            return [*head, end_of(self.auto), *[""] * 5, seconds(self.auto), seconds(self.tiled)]
        f = self.auto.figures
        phi = self.phi.figures if self.phi is not None else {}
        return [
            *(*head, f["engine"], f"{self.angle:.1e}", f"{f['angle']:.1e}", f"{f['relative']:.1e}"),
            *(_text(phi.get("bound")), _text(phi.get("error"))),
            *(seconds(self.auto), seconds(self.tiled)),
        ]


def measure_angles(bench: Bench) -> Part:
    """Both engines at the same bandwidth, and the error of Phi at the answer."""
    n = max(bench.size(_N), _FEWEST)
    cases = [
        _measured(bench, noise, share, tol, n)
        for share in bench.some(_SHARES)
        for noise in bench.some(list(_NOISES))
        for tol in bench.some(list(_GOALS))
    ]
    head = ["noise", "bandwidth / median", "tol", "engine", "largest angle", "angle, bound"]
    head += ["Phi, bound in the fit", "Phi, bound", "Phi, error", "seconds", "tiled, seconds"]
    return Part(
        f"Angles to the answer of all pairs: {n:,} rows, {_D} columns, 5 classes, q = {_Q}",
        markdown(head, [case.row() for case in cases]),
        _goals(cases),
        notes=[
            "Angles are sines. Phi's error is relative, at the returned W, at the accuracy the "
            "fit begins with, and so is the bound beside it; the bound in the fit is that of the "
            "engine it ended with, which may have more landmarks.",
        ],
    )


def _measured(bench: Bench, noise: str, share: float, tol: float, n: int) -> _Case:
    problem: dict[str, Any] = {"noise": noise, "share": share, "tol": tol, "n": n, "d": _D}
    name = f"{noise}, {share:g} of the median, tol {tol:g}"
    auto, tiled = (
        bench.run(f"{name}, {engine}", fit_engine, engine=engine, q=_Q, **problem)
        for engine in ("auto", "tiled")
    )
    phi = None
    if auto.finished and auto.figures["engine"] != "tiled":
        components, engine = auto.figures["components"], auto.figures["engine"]
        phi = bench.run(f"{name}, Phi", phi_error, components=components, engine=engine, **problem)
    return _Case(noise, share, tol, auto, tiled, phi)


def _goals(cases: list[_Case]) -> list[Goal]:
    found = []
    for tol, bound in _GOALS.items():
        angles = [case.angle for case in cases if case.tol == tol]
        if not angles:
            continue
        known = [angle for angle in angles if angle is not None]
        worst = max(known) if len(known) == len(angles) else None
        found.append(Goal(f"largest angle at tol {tol:g}", worst, bound))
    ratios = [
        case.phi.figures["error"] / case.phi.figures["bound"]
        for case in cases
        if case.phi is not None and case.phi.finished and case.phi.figures["bound"] > 0.0
    ]
    return [*found, Goal("error of Phi over its bound", max(ratios, default=None), 1.0)]


def _text(value: float | None) -> str:
    return "" if value is None else f"{value:.1e}"
