"""scikit-learn's own contract for the clustering estimators, with no exemption.

From one start: with the search the same checks pass, and take a minute and a half. The two that
differ from the first by their guidance alone take a quick kernel, few steps, and no
refits. No more does the first in checks of how rows are handed over, which refits never see.

That weights are repeated rows is checked on rows in another order, and clusters are numbered by
their first row: there they are named by the rows that are predicted.
"""

from functools import partial

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import estimator_checks_generator

from clusterings import ESTIMATORS
from hsiclearn import UnsupervisedHSIC

HANDED_OVER = {
    "check_dtype_object",
    "check_estimator_sparse_matrix",  # with refits as a sparse array
    "check_fit_score_takes_y",
    "check_transformer_data_not_an_array",
}
QUICK = {"kernel": "gaussian", "max_iter": 20}
CHECKS = [
    pytest.param(estimator, check, id=f"{name}-{check.func.__name__}")
    for name, estimator_class in ESTIMATORS.items()
    for estimator, check in estimator_checks_generator(
        estimator_class(init="identity", **({} if name == "unsupervised" else QUICK))
    )
    # Skipped unless scipy is told of them: they are in ``test_array_api_tools.py``.
    if not check.func.__name__.startswith("check_array_api")
]


def by_first_row(predict, X):
    """Clusters numbered in the order in which these rows have them."""
    _, first, codes = np.unique(predict(X), return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[codes]


class Renumbered:
    """An estimator whose predictions do not depend on which row of the fit came first."""

    def __init__(self, estimator):
        self.estimator = estimator

    def __sklearn_clone__(self):
        return Renumbered(clone(self.estimator))

    def __getattr__(self, name):
        found = getattr(self.estimator, name)
        return partial(by_first_row, found) if name == "predict" else found


@pytest.mark.parametrize(("estimator", "check"), CHECKS)
@pytest.mark.filterwarnings("default")
def test_scikit_learn_check(estimator, check, request):
    if check.func.__name__.startswith("check_sample_weight_equivalence"):
        estimator = Renumbered(estimator)
    if not isinstance(estimator, UnsupervisedHSIC) or check.func.__name__ in HANDED_OVER:
        request.getfixturevalue("without_refits")
    check(estimator)
