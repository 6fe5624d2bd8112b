"""scikit-learn's own contract, with no exemption."""

import pytest
from sklearn.utils.estimator_checks import check_estimator, estimator_checks_generator

from hsiclearn import SupervisedHSIC
from hsiclearn.kernels import Polynomial

ESTIMATORS = [
    SupervisedHSIC(bandwidth="median"),  # at its defaults in the last test
    SupervisedHSIC(n_components=1, kernel=Polynomial(2)),
]
CHECKS = [
    pytest.param(estimator, check, id=f"{i}-{check.func.__name__}")
    for i, instance in enumerate(ESTIMATORS)
    for estimator, check in estimator_checks_generator(instance)
    # Skipped unless scipy is told of them: they are in ``test_array_api_tools.py``.
    if not check.func.__name__.startswith("check_array_api")
]


@pytest.mark.parametrize(("estimator", "check"), CHECKS)
@pytest.mark.filterwarnings("default")
def test_scikit_learn_check(estimator, check):
    check(estimator)


@pytest.mark.long
@pytest.mark.filterwarnings("default")
def test_check_estimator_as_scikit_learn_runs_it():
    results = check_estimator(SupervisedHSIC(), on_skip=None)
    assert {result["status"] for result in results} <= {"passed", "skipped"}
    skipped = {r["check_name"] for r in results if r["status"] == "skipped"}
    assert all(name.startswith("check_array_api") for name in skipped)
