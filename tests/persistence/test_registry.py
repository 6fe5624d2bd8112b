"""No class of the library that a model may hold is missing from the registry."""

from hsiclearn import _estimators as estimators
from hsiclearn import kernels
from hsiclearn._estimators import BaseHSIC
from hsiclearn._persistence.registry import CLASSES
from hsiclearn.kernels import AbstractKernel


def test_every_estimator_and_every_kernel_but_custom_can_be_saved():
    public = [getattr(m, name) for m in (estimators, kernels) for name in m.__all__]
    classes = {
        c for c in public if isinstance(c, type) and issubclass(c, BaseHSIC | AbstractKernel)
    }
    missing = {c.__name__ for c in classes} - set(CLASSES)
    assert missing == {"AbstractKernel", "BaseHSIC", "Custom"}
