"""skops keeps our models, too, if it is told to trust what is ours."""

import pickle
from functools import cache
from importlib import import_module

import numpy as np
import pytest
import skops.io
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from skops.io.exceptions import UntrustedTypesFoundException

import hsiclearn
from hsiclearn import (
    AlternativeHSIC,
    SemiSupervisedHSIC,
    Status,
    SupervisedHSIC,
    UnsupervisedHSIC,
)
from hsiclearn.datasets import make_planted, make_two_views
from hsiclearn.kernels import Custom, Gaussian, RelativeGaussian

X, Y, _ = make_planted("ring", 40, 3)
VIEWS, GIVEN, _ = make_two_views("blobs", 40)
KNOWN = np.where(np.arange(40) < 9, np.array(["left", "right"])[GIVEN], "-1")
FEW = {"init": "identity", "tol": 0.1}
MODELS = {
    "supervised": (SupervisedHSIC(2), X, Y),
    "rule": (SupervisedHSIC("auto", bandwidth="median"), X, Y),
    "pipeline": (make_pipeline(StandardScaler(), SupervisedHSIC(1, bandwidth=1.0)), X, Y),
    "unsupervised": (UnsupervisedHSIC(2, **FEW), VIEWS, None),
    "sum": (
        UnsupervisedHSIC(2, kernel=RelativeGaussian(5) + Gaussian(2.0), **FEW),
        VIEWS,
        None,
    ),
    "semi-supervised": (SemiSupervisedHSIC(2, 2, **FEW), VIEWS, KNOWN),
    "alternative": (AlternativeHSIC(2, **FEW), VIEWS, GIVEN),
}


@cache
def trusted():
    return hsiclearn.trusted_types()


@pytest.mark.parametrize("name", MODELS)
def test_models_go_through_skops(name):
    model, rows, y = MODELS[name]
    model.fit(rows, y)
    content = skops.io.dumps(model)
    untrusted = skops.io.get_untrusted_types(data=content)
    assert untrusted
    assert set(untrusted) <= set(trusted())
    again = skops.io.loads(content, trusted=trusted())
    for method in ("transform", "predict"):
        if hasattr(model, method):
            np.testing.assert_array_equal(
                getattr(again, method)(rows), getattr(model, method)(rows)
            )
    ours = (again[-1] if name == "pipeline" else again).result_
    assert ours.status is (model[-1] if name == "pipeline" else model).result_.status
    assert repr(again) == repr(model)


def test_what_is_trusted_is_what_files_of_ours_may_name():
    """Classes of this library, none with functions of its user, none that runs code as it is read.

    skops makes objects by ``__new__`` and their state, or by their class and its arguments.
    """
    assert trusted() == sorted(set(trusted()))
    for name in trusted():
        module, _, cls = name.rpartition(".")
        kind = getattr(import_module(module), cls)
        assert isinstance(kind, type)
        assert module.partition(".")[0] == "hsiclearn"
        assert not issubclass(kind, Custom | type | Exception)
        state = getattr(kind, "__setstate__", None)
        assert getattr(state, "__module__", None) in (None, "dataclasses", "sklearn.base")
    assert "hsiclearn._cli.tables.encoder.TableEncoder" in trusted()


def test_functions_of_a_user_are_not_trusted():
    kernel = Custom(np.cos, np.sin, np.cos, pair="difference")
    content = skops.io.dumps(SupervisedHSIC(1, kernel=kernel))
    with pytest.raises(UntrustedTypesFoundException, match=r"kernels\.custom\.Custom"):
        skops.io.loads(content, trusted=trusted())


@pytest.mark.parametrize("status", Status)
def test_a_status_is_itself_by_its_name(status):
    assert Status(status.name) is status
    assert pickle.loads(pickle.dumps(status)) is status
    cls, (name,) = status.__reduce__()
    assert cls(name) is status


def test_no_other_name_is_a_status():
    for wrong in ("mro", "converged", "", 3, None, []):
        with pytest.raises(ValueError, match="is not a valid Status"):
            Status(wrong)
