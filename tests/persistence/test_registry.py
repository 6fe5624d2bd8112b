"""No class of the library that a model may hold is missing from the registry."""

from hsiclearn import estimators, kernels
from hsiclearn.estimators._base import BaseHSIC
from hsiclearn.kernels import AbstractKernel
from hsiclearn.persistence.registry import CLASSES


def test_every_estimator_and_every_kernel_but_custom_can_be_saved():
    public = [getattr(m, name) for m in (estimators, kernels) for name in m.__all__]
    classes = {
        c for c in public if isinstance(c, type) and issubclass(c, BaseHSIC | AbstractKernel)
    }
    missing = {c.__name__ for c in classes} - set(CLASSES)
    assert missing == {"AbstractKernel", "Custom"}
