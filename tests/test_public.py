"""The names of the package, loaded when they are asked for."""

import subprocess
import sys
from typing import get_type_hints

import pytest

import hsiclearn


def test_every_public_name_is_there():
    for name in hsiclearn.__all__:
        assert getattr(hsiclearn, name) is not None
    assert dir(hsiclearn) == sorted(hsiclearn.__all__)
    assert hsiclearn._certificate.certify is hsiclearn.certify  # a part that nobody imported


@pytest.mark.parametrize("name", [name for name in hsiclearn.__all__ if name.endswith("HSIC")])
def test_parameters_of_an_estimator_have_types_and_mistakes_its_name(name):
    """Its constructor is generated, in part from fields of a class that is private."""
    estimator = getattr(hsiclearn, name)
    assert get_type_hints(estimator.__init__).keys() >= estimator().get_params().keys()
    with pytest.raises(TypeError, match=rf"{name}\.__init__\(\) got an unexpected"):
        estimator(nothing=1)


def test_a_name_that_is_not_there_is_an_error_as_of_any_module():
    for name in ("nothing", "__bool__", "__wrapped__"):
        with pytest.raises(AttributeError, match=f"module 'hsiclearn' has no attribute '{name}'"):
            getattr(hsiclearn, name)


def test_nothing_is_loaded_before_it_is_asked_for():
    loaded = "print('numpy' in sys.modules)"
    code = f"import sys, hsiclearn; {loaded}; hsiclearn.kernels; {loaded}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]
