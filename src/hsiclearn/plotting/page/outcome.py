"""Figures about how an answer was found and how firm it is; not yet fit for JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from ...inspection import Stability

__all__ = ["certificate_figures", "selection_figures", "solver_figures", "stability_figures"]


def certificate_figures(certificate: Any) -> dict[str, Any]:
    """All its attributes, and what they prove."""
    judged = {"verified": certificate.verified, "verdict": certificate.verdict}
    return asdict(certificate) | judged


def solver_figures(result: Any) -> dict[str, Any]:
    """Without seconds: the same fit must give the same figures."""
    return {
        "status": result.status.name.lower(),
        "sentence": result.status.value,
        "converged": result.converged,
        "cost": result.cost,
        "n_iter": result.n_iter,
        "start": result.start,
        "engine": result.engine,
        "engine_reason": result.engine_reason,
        "engine_error": asdict(result.engine_error),
        "eigenvalues": result.eigenvalues,
        "history": [
            {"step": r.step, "cost": r.cost, "gradient": r.gradient, "angle": r.angle}
            for r in result.history
        ],
    }


def selection_figures(selection: Any) -> dict[str, Any] | None:
    """What was compared and chosen, and what rows held out say of it."""
    if selection is None:
        return None
    candidates = [
        {
            "bandwidth": candidate.bandwidth,
            "n_components": candidate.n_components,
            "start": candidate.start,
            "leave_one_out": candidate.leave_one_out,
            "held_out": candidate.held_out,
            "chosen": candidate == selection.chosen,
        }
        for candidate in selection.candidates
    ]
    neighbours = getattr(selection, "neighbours", None)
    return {
        "explained_share": selection.explained_share,
        "found_dependence": selection.found_dependence,
        "n_rows": selection.n_samples,
        "caution": selection.caution,
        "neighbours": None if neighbours is None else asdict(neighbours),
        "candidates": candidates,
    }


def stability_figures(stability: Stability) -> dict[str, Any]:
    """Angles and loadings over resamples."""
    return {
        "n_resamples": stability.angles.shape[0],
        "typical_angle": stability.typical_angle,
        "angles": stability.angles,
        "loading_spread": stability.loading_spread,
    }
