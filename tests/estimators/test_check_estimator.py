"""scikit-learn's own contract, with no exemption."""

import pytest
from sklearn.utils.estimator_checks import estimator_checks_generator

from hsiclearn import SupervisedHSIC
from hsiclearn.kernels import Polynomial

ESTIMATORS = [SupervisedHSIC(), SupervisedHSIC(n_components=1, kernel=Polynomial(2))]
CHECKS = [
    pytest.param(estimator, check, id=f"{i}-{check.func.__name__}")
    for i, instance in enumerate(ESTIMATORS)
    for estimator, check in estimator_checks_generator(instance)
    # It compares array libraries, for estimators that declare support for them; this one does
    # not, and scikit-learn itself skips the check then.
    if check.func.__name__ != "check_array_api_input"
]


@pytest.mark.parametrize(("estimator", "check"), CHECKS)
@pytest.mark.filterwarnings("default")
def test_scikit_learn_check(estimator, check):
    check(estimator)
