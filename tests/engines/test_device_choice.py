"""Which engine rows on a device get, how rows of the host come there, and what if it is full."""

import sys

import numpy as np
import pytest
from scipy import sparse

from foreign_arrays import make
from hsiclearn import SupervisedHSIC, solve
from hsiclearn._devices import is_out_of_memory, within_memory
from hsiclearn._engines import (
    DenseEngine,
    DevicePairs,
    FusedPairs,
    choose_engine,
    exact_on_device,
    moved_to_torch,
)
from hsiclearn._engines.device import choice
from hsiclearn._objective import Objective
from hsiclearn._rows import DeviceRows, StreamRows, as_rows
from hsiclearn.exceptions import DeviceMemoryError, InvalidKernelError, MissingExtraError
from hsiclearn.gamma import ClassTable, Dense, GaussianColumn
from hsiclearn.kernels import Custom, Gaussian, Linear, RelativeGaussian

pytestmark = pytest.mark.usefixtures("tensors_stay")

_rng = np.random.default_rng(0)
X = _rng.standard_normal((200, 4))
CODES = _rng.integers(0, 3, 200)
GAMMA = ClassTable.centered(CODES)


class Many(DeviceRows):
    """Rows that say they are more than they are."""

    def __init__(self, n_samples, library="strict"):
        super().__init__(make(library, X), budget=2**34)
        self.n_samples = n_samples

    def take(self, index):
        return X[index % 200]


@pytest.fixture
def gpu(monkeypatch):
    """A GPU on which the fused kernel would run."""
    monkeypatch.setattr(choice, "_is_gpu", lambda rows: True)
    monkeypatch.setattr(choice, "why_not", lambda rows, kernel: "")


@pytest.mark.parametrize(
    ("n_samples", "gamma", "rtol", "name"),
    [
        (1000, GAMMA, 1e-5, "tiled"),
        (10_000, GAMMA, 1e-5, "fused"),
        (100_000, GAMMA, 1e-5, "fused"),
        (1_000_000, GAMMA, 1e-5, "nystrom"),
        (10_000, GAMMA, 1e-9, "tiled"),
        (100_000, GAMMA, 1e-9, "nystrom"),
        (1_000_000, Dense(np.eye(200)), 1e-5, "tiled"),
        (10_000, GaussianColumn(X[:, 0], 1.0), 1e-5, "fused"),
        (10_000, Dense(np.eye(200)), 1e-5, "tiled"),
        (10_000, ClassTable.centered(np.arange(1200) % 600), 1e-5, "tiled"),
    ],
)
def test_on_a_gpu(gpu, n_samples, gamma, rtol, name):
    found = choose_engine(Many(n_samples), gamma, Gaussian(1.0), 2, rtol)
    assert found.name == name
    assert "device1" in found.reason


def test_reasons_name_the_hindrance(gpu):
    few = Many(10_000)
    assert "is asked for" in choose_engine(few, GAMMA, Gaussian(1.0), 2, 1e-9).reason
    assert "room for 80" in choose_engine(few, GAMMA, Gaussian(1.0), 90, 1e-5).reason
    assert "no digits" in choose_engine(few, GAMMA, Gaussian(0.01), 2, 1e-5).reason
    assert "no room" in choose_engine(few, Dense(np.eye(200)), Gaussian(1.0), 2, 1e-5).reason


def test_without_a_gpu():
    """Also where the kernel is imitated, as here: that is for tests."""
    few, many = Many(5000, "torch"), Many(5001, "torch")
    assert choose_engine(few, GAMMA, Gaussian(1.0)).name == "tiled"
    assert choose_engine(many, GAMMA, Gaussian(1.0)).name == "nystrom"
    assert choose_engine(many, GAMMA, Linear()).name == "features"


def test_the_exact_engine_a_fall_back_has_time_for(gpu, monkeypatch):
    given = GAMMA, Gaussian(1.0), 2
    assert exact_on_device(Many(2**20), *given, patience=60.0) == "fused"
    assert exact_on_device(Many(2**24), *given, patience=60.0) is None
    monkeypatch.setattr(choice, "_is_gpu", lambda rows: False)
    assert exact_on_device(Many(20_000), *given, patience=60.0) == "tiled"
    assert exact_on_device(Many(200_000), *given, patience=60.0) is None


@pytest.mark.parametrize("library", ["torch", "strict"])
def test_landmarks_that_do_not_suffice_give_way_to_pairs(library):
    """A bandwidth so narrow that every row would have to be a landmark."""
    host, there = (
        solve(rows, GAMMA, Gaussian(0.05), 1, engine="nystrom", tol=1e-6)
        for rows in (X, make(library, X))
    )
    assert host.engine == there.engine
    np.testing.assert_allclose(there.W, host.W, atol=1e-6)


@pytest.mark.parametrize("engine", ["dense", "fused"])
def test_engines_that_are_not_for_them_say_so(engine):
    with pytest.raises(ValueError, match=r"Use 'tiled'|Use engine='tiled'"):
        Objective(make("strict", X), GAMMA, Gaussian(1.0), engine)


def test_scales_of_rows_are_for_few_of_them():
    with pytest.raises(ValueError, match="at most 5000 rows of a device come there"):
        DevicePairs(Many(6000), GAMMA, RelativeGaussian(7))


def test_pairs_need_rows_on_a_device():
    with pytest.raises(ValueError, match="must be an array on a device"):
        DevicePairs(as_rows(X), GAMMA, Gaussian(1.0))


def test_rows_of_the_host_are_moved_once_and_attributes_are_of_numpy(monkeypatch):
    torch = pytest.importorskip("torch", reason="torch is an optional extra")
    host = SupervisedHSIC(1, bandwidth=1.0).fit(X, CODES)
    moved, tensor = [], torch.tensor
    monkeypatch.setattr(torch, "tensor", lambda *a, **k: moved.append(1) or tensor(*a, **k))
    model = SupervisedHSIC(1, bandwidth=1.0, engine="torch").fit(X, CODES)
    assert len(moved) == 1
    assert isinstance(model.components_, np.ndarray)
    assert model.engine_ == "tiled"
    assert "X is on cpu" in model.result_.engine_reason
    np.testing.assert_allclose(model.components_, host.components_, atol=1e-9)
    result = solve(X, GAMMA, Gaussian(1.0), 1, engine="torch")
    assert result.engine == "tiled"


def test_what_cannot_be_moved_says_so(monkeypatch):
    for rows in (as_rows(sparse.csr_array(X)), StreamRows(lambda: iter([X]))):
        with pytest.raises(ValueError, match="moves a dense table"):
            moved_to_torch(rows)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtraError, match=r"hsic-learn\[gpu\]"):
        moved_to_torch(as_rows(X))


def test_a_kernel_of_ones_own_must_run_there():
    def f(b):
        return np.exp(-b)

    by_numpy = Custom(f, lambda b: -np.exp(-b), f)
    with pytest.raises(InvalidKernelError, match="not of numpy"):
        solve(make("strict", X), GAMMA, by_numpy, 1)
    by_operators = Custom(
        lambda b: 1.0 / (1.0 + b), lambda b: -1.0 / (1.0 + b) ** 2, lambda b: 2.0 / (1.0 + b) ** 3
    )
    host, there = (solve(rows, GAMMA, by_operators, 1) for rows in (X, make("strict", X)))
    np.testing.assert_allclose(there.W, host.W, atol=1e-6)


def test_of_all_pairs_nothing_with_a_number_for_each_row_comes_to_the_host(crossed):
    rows = np.tile(X, (5, 1))
    gamma, W = ClassTable.centered(np.tile(CODES, 5)), np.eye(4)[:, :2]
    pairs = DevicePairs(DeviceRows(make("strict", rows)), gamma, Gaussian(1.0))
    pairs.contract(W)
    pairs.multiply(W, W, W)
    pairs.at_zero(0)
    assert max(crossed) == 4 * 4
    pairs.hessian_blocks(W)
    assert max(crossed) <= (2 * 4) ** 2


class OutOfMemoryError(RuntimeError):
    """As torch calls it."""


def test_half_the_rows_where_there_is_no_memory_for_all():
    asked = []

    def run(size):
        asked.append(size)
        if size > 300:
            raise OutOfMemoryError("CUDA out of memory")
        return size

    assert within_memory(run, 1000, 100) == 250
    assert asked == [1000, 500, 250]
    with pytest.raises(DeviceMemoryError, match="no memory for sums over 400 rows"):
        within_memory(run, 1000, 400)
    assert not is_out_of_memory(ValueError("something else"))
    with pytest.raises(ZeroDivisionError):
        within_memory(lambda _: 1 / 0, 1000, 100)


def test_tiles_shrink_where_there_is_no_memory_for_them(monkeypatch):
    """The answer is that of whole tiles, and an estimator is as it was where nothing helps."""
    original, sizes = DevicePairs.contract.__globals__["PairSums"], []

    def tight(rows, gamma, groups, size, like):
        sizes.append(size)
        if size > 64:
            raise OutOfMemoryError("out of memory")
        return original(rows, gamma, groups, size, like)

    monkeypatch.setitem(DevicePairs.contract.__globals__, "PairSums", tight)
    W = np.linalg.qr(_rng.standard_normal((4, 2)))[0]
    pairs = DevicePairs(DeviceRows(make("strict", X)), GAMMA, Gaussian(1.0), tile_size=200)
    right = DenseEngine(X, GAMMA, Gaussian(1.0)).contract(W)[1]
    np.testing.assert_allclose(pairs.contract(W)[1], right, atol=1e-10)
    assert sizes == [200, 100, 64]

    def full(*_):
        raise OutOfMemoryError("out of memory")

    monkeypatch.setitem(DevicePairs.contract.__globals__, "PairSums", full)
    model = SupervisedHSIC(1, bandwidth=1.0, engine="tiled")
    with pytest.raises(DeviceMemoryError):
        model.fit(make("strict", X), CODES)
    assert not hasattr(model, "components_")


def test_what_does_not_fit_beside_the_rows_is_said_before(gpu, monkeypatch):
    tight = Many(10_000)
    tight.budget = 1000
    assert "more memory than is free" in choose_engine(tight, GAMMA, Gaussian(1.0)).reason
    monkeypatch.undo()
    torch = pytest.importorskip("torch", reason="torch is an optional extra")
    pytest.importorskip("triton", reason="Triton comes with torch for NVIDIA GPUs")
    rows = DeviceRows(torch.from_numpy(X), budget=1000)
    with pytest.raises(DeviceMemoryError, match="keeps 0 MiB beside 384 rows of 4 columns"):
        FusedPairs(rows, GAMMA, Gaussian(1.0))


def test_any_allocation_that_fails_in_a_fit_is_put_in_words(monkeypatch):
    def full(*_, **__):
        raise OutOfMemoryError("CUDA out of memory")

    monkeypatch.setattr("hsiclearn._estimators.supervised.supervised_gamma", full)
    model = SupervisedHSIC(1, bandwidth=1.0)
    with pytest.raises(DeviceMemoryError, match="beside what it holds already"):
        model.fit(make("strict", X), CODES)
    assert not hasattr(model, "components_")
