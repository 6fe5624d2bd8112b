"""The solver of this library, to its own tolerance."""

from __future__ import annotations

from dataclasses import dataclass

from ..._arrays import FloatArray
from ...estimators import UnsupervisedHSIC
from ._base import Clustered, Report, k_means_labels, paper_kernel
from ._solver import SolverMethod

__all__ = ["METHODS"]


@dataclass(frozen=True)
class _Ours(SolverMethod):
    def cluster(self, X: FloatArray, k: int, q: int, report: Report) -> Clustered:
        """One objective, descended from W = I; no alternation."""
        model = UnsupervisedHSIC(
            k, q, normalize="none", kernel=paper_kernel(X), init="identity"
        ).fit(X)
        for record in model.result_.history:
            report(record)
        cost = model.cost_ + k  # The paper's K has a zero diagonal: Tr(HYY'H) = k less.
        status = model.result_.status.name
        return Clustered(k_means_labels(model.embedding_, k), cost, model.n_iter_, status)


METHODS = (_Ours("spectral", "spectral (ours)", solver="spectral", order=1, tol=1e-6),)
