"""The rules for bandwidth and dimension, by the parameter that asks for them and by name.

A new rule is one file here and one line in :data:`RULES`.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from ...kernels import AbstractKernel, kernel_from_name, takes_bandwidth
from ..candidates import PREDICTION
from ..metric import RELEVANCE, basis_of
from ..predictive import predictive_fit
from ..problem import AbstractRule, Family, Fitted, SupervisedProblem
from .eigengap import Eigengap
from .fixed import Fixed
from .held_out import HeldOut
from .median import Median
from .projected import Projected

RULES: dict[str, dict[str, Any]] = {
    "bandwidth": {"auto": HeldOut, "median": Median, "median-projected": Projected},
    "n_components": {"auto": HeldOut, "eigengap": Eigengap},
}
"""A rule for the bandwidth is made of nothing, one for the dimension of one for the bandwidth."""


def fit_by(rule: AbstractRule, problem: SupervisedProblem) -> Fitted:
    """The fit by a rule in the metric that it chooses, or in the first that may be."""
    data = problem.data
    is_free = len(data.metrics) > 1 or rule.metrics(problem) == data.metrics
    is_free = is_free or (data.metrics == (RELEVANCE,) and rule.holds_rows_out)
    fitted = rule.fit(problem) if is_free else rule.fit_in_metric(problem)
    is_wanted = data.objectives == (PREDICTION,) and fitted.objective != PREDICTION
    if not is_wanted or fitted.result.status.is_cut_short:
        return fitted
    # Rows held out were asked of the start, if at all: they say nothing of what is made of it.
    W, settings = fitted.basis.lift(fitted.result.W), problem.settings
    basis_on = partial(basis_of, fitted.metric)
    most, callback = settings.max_iter, settings.callback
    return predictive_fit(data, W, fitted.result.start, basis_on, most, callback)


def rule_for(
    n_components: int | str, kernel: str | AbstractKernel, bandwidth: float | str
) -> tuple[AbstractRule, Family]:
    """The rule that the parameters of an estimator stand for, and the kernels it chooses from.

    A kernel that is an object, or has no bandwidth, is fixed whatever ``bandwidth`` says.
    """
    family: Family
    if isinstance(kernel, str) and takes_bandwidth(kernel):
        is_rule = isinstance(bandwidth, str)
        rule = RULES["bandwidth"][str(bandwidth)]() if is_rule else Fixed(float(bandwidth))
        family = partial(kernel_from_name, kernel)
    else:
        only = kernel_from_name(kernel) if isinstance(kernel, str) else kernel
        rule, family = Fixed(), lambda _: only
    if isinstance(n_components, str):
        rule = RULES["n_components"][n_components](rule)
    return rule, family
