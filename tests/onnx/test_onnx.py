"""Models in ONNX answer as they do in Python."""

import importlib
import sys

import numpy as np
import onnxruntime
import pytest
from skl2onnx import to_onnx
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline, make_union
from sklearn.preprocessing import StandardScaler

import hsiclearn.onnx
from hsiclearn import AlternativeHSIC, SemiSupervisedHSIC, SupervisedHSIC, UnsupervisedHSIC
from hsiclearn.datasets import make_planted, make_two_views
from hsiclearn.exceptions import MissingExtraError
from hsiclearn.kernels import (
    Cauchy,
    Custom,
    Gaussian,
    InverseMultiquadratic,
    Linear,
    Polynomial,
    RationalQuadratic,
    RelativeGaussian,
)

N = 60
PLANTED, TARGET, _ = make_planted("ring", N, 12)
VIEWS, GIVEN, _ = make_two_views("blobs", N)
KNOWN = np.where(np.arange(N) < 20, np.array(["left", "right"])[GIVEN], "-1")
FEW = {"init": "identity", "tol": 0.1}


def answers(model, X, options=None):
    """What the model gives outside of Python, by name."""
    proto = to_onnx(model, X[:1], options=options)
    session = onnxruntime.InferenceSession(
        proto.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(None, {"X": X}), strict=True))


def rows_like(X, dtype):
    """Rows of the fit and others, near and far."""
    rng = np.random.default_rng(0)
    other = [X + scale * rng.standard_normal(X.shape) for scale in (0.3, 3.0)]
    return np.concatenate([X, *other]).astype(dtype)


def assert_same(answer, expected):
    """In type, and in value to a few roundings of that type."""
    assert answer.dtype == expected.dtype
    assert answer.shape == expected.shape
    within = 16 * np.finfo(expected.dtype).eps * np.abs(expected).max()
    assert np.abs(answer - expected).max() <= within


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64, np.int32])
def test_transform_is_the_same_product(dtype):
    model = SupervisedHSIC(2, bandwidth=2.0).fit(PLANTED, TARGET)
    X = (100 * rows_like(PLANTED, np.float64)).astype(dtype)
    assert_same(answers(model, X)["variable"], model.transform(X))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    "pipeline",
    [
        make_pipeline(StandardScaler(), SupervisedHSIC(3, bandwidth=2.0), PCA(2)),
        make_pipeline(PCA(5), make_union(SupervisedHSIC(1, bandwidth=2.0), PCA(1))),
    ],
    ids=["scaler", "union"],
)
def test_pipelines(pipeline, dtype):
    X = rows_like(PLANTED, dtype)
    expected = pipeline.fit(PLANTED, TARGET).transform(X)
    (answer,) = answers(pipeline, X).values()
    assert answer.dtype == dtype
    np.testing.assert_allclose(answer, expected, rtol=0, atol=30 * np.finfo(dtype).eps * 20)


CLUSTERINGS = {
    "relative": (UnsupervisedHSIC(2, **FEW), None),
    "words": (SemiSupervisedHSIC(2, 2, **FEW), KNOWN),
    "numbers": (SemiSupervisedHSIC(2, 2, **FEW), np.where(KNOWN == "-1", -1, 7 + GIVEN)),
    "alternative": (AlternativeHSIC(2, **FEW), GIVEN),
    "one cluster": (UnsupervisedHSIC(1, **FEW), None),
    "sum": (UnsupervisedHSIC(2, kernel=RelativeGaussian(5) + 2 * Gaussian(3.0), **FEW), None),
    **{
        repr(kernel): (UnsupervisedHSIC(2, kernel=kernel, normalize="none", **FEW), None)
        for kernel in (
            *(Gaussian(2.0), Cauchy(2.0), RationalQuadratic(2.0, 0.5), InverseMultiquadratic(2.0)),
            *(Linear(), Polynomial(3, coef0=1.0)),
        )
    },
}


@pytest.mark.parametrize("name", CLUSTERINGS)
@pytest.mark.filterwarnings("ignore::UserWarning")  # of fits that are stopped at once
def test_clusterings_give_labels_and_scores(name):
    model, y = CLUSTERINGS[name]
    model.fit(VIEWS, y)
    for dtype in (np.float32, np.float64):
        X = rows_like(VIEWS, dtype)
        found, labels = answers(model, X), model.predict(X)
        assert list(found) == ["label", "scores"]
        assert_same(found["scores"], model.transform(X))
        assert found["label"].dtype.kind == ("O" if name == "words" else "i")
        assert found["label"].tolist() == labels.tolist()
        if name != "one cluster":
            assert np.unique(labels).size > 1


def test_a_clustering_in_a_pipeline():
    model = make_pipeline(StandardScaler(), UnsupervisedHSIC(2, **FEW)).fit(VIEWS)
    X = rows_like(VIEWS, np.float64)
    assert answers(model, X)["label"].tolist() == model.predict(X).tolist()


def test_before_another_step_a_clustering_gives_what_transform_gives():
    step = UnsupervisedHSIC(2, **FEW)
    model = make_pipeline(step, LogisticRegression()).fit(VIEWS, GIVEN)
    with pytest.raises(ValueError, match=r"those of `transform`.*\{\"labels\": False\}"):
        to_onnx(model, VIEWS[:1])
    X = rows_like(VIEWS, np.float32)
    labels, *_ = answers(model, X, {id(model.steps[0][1]): {"labels": False}}).values()
    assert np.mean(labels == model.predict(X)) > 0.99  # its line may run through a row
    with pytest.raises(ValueError, match="those of `transform`"):
        to_onnx(make_pipeline(step, KMeans(2, n_init=1)).fit(VIEWS), VIEWS[:1])


def test_a_kernel_that_is_code_is_named_with_a_remedy():
    kernel = Custom(
        lambda b: np.exp(-b), lambda b: -np.exp(-b), lambda b: np.exp(-b), pair="difference"
    )
    model = UnsupervisedHSIC(2, kernel=kernel, **FEW).fit(VIEWS)
    with pytest.raises(TypeError, match=r"Got Custom.*options=\{id\(step\)"):
        to_onnx(model, VIEWS[:1])
    proto = to_onnx(model, VIEWS[:1], options={id(model): {"labels": False}})
    assert [output.name for output in proto.graph.output] == ["variable"]


def test_labels_that_onnx_has_not_are_named():
    model = SemiSupervisedHSIC(2, 2, **FEW).fit(VIEWS, KNOWN)
    model._label_names = np.array([0.5, 1.5])
    with pytest.raises(TypeError, match=r"Labels must be integers or text.*Got float64"):
        to_onnx(model, VIEWS[:1])


def test_columns_apart_are_no_table():
    import pandas as pd

    table = pd.DataFrame(PLANTED, columns=[f"c{j}" for j in range(12)])
    model = SupervisedHSIC(1, bandwidth=2.0).fit(table, TARGET)
    with pytest.raises(ValueError, match=r"one table as its input.*12 inputs"):
        to_onnx(model, table[:1])


def test_what_is_missing_is_named(monkeypatch):
    for name in [name for name in sys.modules if name.startswith("hsiclearn.onnx")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "skl2onnx", None)
    with pytest.raises(MissingExtraError, match=r"needs skl2onnx.*hsic-learn\[onnx\]"):
        importlib.import_module("hsiclearn.onnx")


def test_a_second_import_changes_nothing():
    importlib.reload(hsiclearn.onnx)
    model = SupervisedHSIC(1, bandwidth=2.0).fit(PLANTED, TARGET)
    assert_same(answers(model, PLANTED)["variable"], model.transform(PLANTED))
