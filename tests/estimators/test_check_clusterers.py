"""scikit-learn's own contract for the clustering estimators, with no exemption.

From one start: with the search the same checks pass, and take a minute and a half.
"""

import pytest
from sklearn.utils.estimator_checks import estimator_checks_generator

from clusterings import ESTIMATORS

CHECKS = [
    pytest.param(estimator, check, id=f"{name}-{check.func.__name__}")
    for name, estimator_class in ESTIMATORS.items()
    for estimator, check in estimator_checks_generator(estimator_class(init="identity"))
    # scikit-learn itself skips this one for estimators that do not declare array API support.
    if check.func.__name__ != "check_array_api_input"
]


@pytest.mark.parametrize(("estimator", "check"), CHECKS)
@pytest.mark.filterwarnings("default")
def test_scikit_learn_check(estimator, check):
    check(estimator)
