"""The kernel of a GPU, imitated on the host by Triton's own interpreter: the sums of naive.py.

What the imitation leaves out is how matrix units round; on a GPU that is measured by
``python -m hsiclearn_benchmarks.gpu angles phi``.
"""

import numpy as np
import pytest

import naive
from foreign_arrays import make
from hsiclearn import SupervisedHSIC
from hsiclearn._engines import FusedPairs
from hsiclearn._engines.device import fused as fused_module
from hsiclearn._engines.device import layout, one_pass
from hsiclearn._engines.device.layout import can_lay_out
from hsiclearn._engines.device.splits import dot_products, exponents
from hsiclearn._objective import Objective
from hsiclearn._rows import DeviceRows
from hsiclearn.gamma import ClassTable, Dense, GaussianColumn, GaussianColumns, LowRank, Weighted
from hsiclearn.kernels import (
    Cauchy,
    Gaussian,
    InverseMultiquadratic,
    Linear,
    Multiquadratic,
    RationalQuadratic,
    RelativeGaussian,
)

pytestmark = pytest.mark.usefixtures("tensors_stay")

torch = pytest.importorskip("torch", reason="torch is an optional extra")
pytest.importorskip("triton", reason="Triton comes with torch for NVIDIA GPUs")

N, D, Q = 300, 5, 2
_rng = np.random.default_rng(0)
X = _rng.standard_normal((N, D)) + np.arange(D)
CODES = _rng.integers(0, 2, N)
X[:, 0] += CODES
W = np.linalg.qr(_rng.standard_normal((D, Q)))[0]
Z = _rng.standard_normal((D, Q))
_U = _rng.standard_normal((N, 4))
_v = np.arange(N) % 4 + 0.5
GAMMAS = {
    "classes": ClassTable.centered(CODES),
    "five classes": ClassTable.centered(np.arange(N) % 5),
    "low rank": LowRank(_U - _U.mean(axis=0), np.array([1.0, -0.5, 2.0, 0.3])),
    "a real column": GaussianColumn(X[:, 0], 1.1),
    "real columns": GaussianColumns(X[:, :2], 1.5),
}
KERNELS = {
    "gaussian": Gaussian(1.3),
    "cauchy": Cauchy(1.2),
    "rational quadratic": RationalQuadratic(1.2, 0.7),
    "inverse multiquadratic": InverseMultiquadratic(0.8),
    "multiquadratic": -Multiquadratic(0.5),
    "sum": 2.0 * Gaussian(1.0) - Cauchy(1.3),
}
CASES = [(g, "gaussian") for g in GAMMAS] + [("classes", k) for k in KERNELS if k != "gaussian"]
GAMMAS["weighted"] = Weighted(ClassTable.centered(np.arange(N) % 5, row_weights=_v), _v)
RTOL = 5e-6  # of a few hundred rows; rounding of single pairs averages out over more


def fused(gamma, kernel, rows=X):
    return FusedPairs(DeviceRows(make("torch", rows)), gamma, kernel)


def close(found, right, rtol=RTOL):
    assert np.linalg.norm(found - right) <= rtol * np.linalg.norm(right)


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
@pytest.mark.parametrize(("gamma_name", "kernel_name"), CASES)
def test_equals_the_written_out_sums(gamma_name, kernel_name):
    gamma, kernel = GAMMAS[gamma_name], KERNELS[kernel_name]
    engine, dense = fused(gamma, kernel), gamma.to_dense()
    if gamma_name in ("a real column", "real columns"):
        dense = gamma.tile(slice(0, N), slice(0, N))
    total, matrix = engine.contract(W)
    close(matrix, naive.contract(X, dense, kernel, W))
    size = naive.size_of_total(X, dense, kernel, W)
    assert abs(total - naive.total(X, dense, kernel, W)) <= 1e-6 * size
    close(engine.multiply(W, W, Z), X.T @ naive.apply(X, dense, kernel, W, X @ W, Z), 5e-5)


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
def test_second_derivatives():
    gamma, kernel = GAMMAS["classes"], KERNELS["cauchy"]
    right = naive.hessian_blocks(X, gamma.to_dense(), kernel, W)
    close(fused(gamma, kernel).hessian_blocks(W), right, 5e-5)


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
def test_same_input_same_bytes_and_an_error_that_was_measured():
    engine = fused(GAMMAS["classes"], KERNELS["gaussian"])
    first, again = (engine.contract(W)[1].tobytes() for _ in range(2))
    assert first == again
    assert 0.0 < engine.error(W, 1.0).relative < RTOL
    assert not engine.error(W, 1.0).guaranteed
    rough = engine.in_single().contract(W)[1]
    close(rough, engine.contract(W)[1], 1e-2)
    assert rough.tobytes() != first


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
def test_rows_far_out_stay_numbers():
    """A Gaussian of them is nothing; other kernels get a unit in which they are near enough."""
    far = X.copy()
    far[7] *= 1e6
    for kernel in (Gaussian(1.0), Multiquadratic(1.0)):
        found = fused(GAMMAS["classes"], kernel, far).contract(W)[1]
        assert np.all(np.isfinite(found))
        close(found, naive.contract(far, GAMMAS["classes"].to_dense(), kernel, W), 1e-3)


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
@pytest.mark.parametrize("factor", [1e3, 1e6])
def test_a_row_far_out_leaves_the_others_their_digits(factor):
    """In second derivatives, too, where it would set the scale of what is multiplied."""
    far, dense = X.copy(), GAMMAS["classes"].to_dense()
    far[5] *= factor
    engine = fused(GAMMAS["classes"], Gaussian(1.0), far)
    found = engine.apply(W, X @ W, Z)
    right = naive.apply(far, dense, Gaussian(1.0), W, X @ W, Z)
    others = np.arange(N) != 5
    close(found[others], right[others], 1e-4)


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
def test_samples_in_which_no_class_fills_a_tile(monkeypatch):
    """An error is measured all the same, on rows of some classes; parts are of another engine."""
    monkeypatch.setattr(layout, "_FEW", 0)
    monkeypatch.setattr(layout, "MOST_FACTORS", 2)
    monkeypatch.setattr(fused_module, "_SAMPLE", 200)
    rows, gamma = _rng.standard_normal((900, 3)), ClassTable.centered(np.arange(900) % 4)
    assert not can_lay_out(gamma.take(np.arange(100)))
    assert fused(gamma, Gaussian(1.0), rows).error(np.eye(3)[:, :1], 1.0).relative < 1e-4
    objective = Objective(make("torch", rows), gamma, Gaussian(1.0), "fused", n_components=1)
    assert objective.subset(np.arange(100)).engine == "tiled"
    assert objective.subset(np.arange(900)).engine == "fused"
    assert objective.subset(np.arange(100)).n_components == 1


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
def test_no_memory_in_the_middle_of_a_product(monkeypatch):
    """The pass begins anew, with nothing of the one before."""
    engine = fused(GAMMAS["classes"], KERNELS["gaussian"])
    monkeypatch.setattr(fused_module, "_FEWEST", 128)
    right, launch, failed = engine.multiply(W, W, Z), one_pass.PairsPass._launch, []

    def once(self, places, *sums):
        if places.start > 0 and not failed:
            failed.append(places)
            raise torch.OutOfMemoryError("CUDA out of memory")
        if places.stop - places.start > 256 and not failed:
            return launch(self, slice(0, 256), *sums)
        return launch(self, places, *sums)

    monkeypatch.setattr(one_pass.PairsPass, "_launch", once)
    monkeypatch.setattr(FusedPairs, "_rows_at_once", lambda self, width: 256)
    np.testing.assert_allclose(engine.multiply(W, W, Z), right, rtol=1e-6)
    assert failed


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
def test_the_default_dtype_of_torch_has_no_part():
    engine = fused(GAMMAS["classes"], KERNELS["gaussian"])
    right = engine.contract(W)[1]
    torch.set_default_dtype(torch.bfloat16)
    try:
        found = fused(GAMMAS["classes"], KERNELS["gaussian"]).contract(W)[1]
    finally:
        torch.set_default_dtype(torch.float32)
    assert found.tobytes() == right.tobytes()


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
def test_a_fit_by_it_is_that_of_the_host():
    settings = {"bandwidth": 1.5, "tol": 1e-5, "objective": "dependence", "metric": "identity"}
    host = SupervisedHSIC(1, **settings).fit(X, CODES)
    model = SupervisedHSIC(1, engine="fused", **settings).fit(make("torch", X), CODES)
    assert model.engine_ == "fused"
    assert model.converged_
    np.testing.assert_allclose(model.components_.numpy(), host.components_, atol=1e-4)


def test_what_it_does_not_take_is_said():
    for kernel in (Linear(), RelativeGaussian(7)):
        with pytest.raises(ValueError, match="elementwise kernels of differences"):
            fused(GAMMAS["classes"], kernel)
    with pytest.raises(ValueError, match="needs a Gamma of classes"):
        fused(Dense(np.eye(N)), Gaussian(1.0))
    with pytest.raises(ValueError, match="needs X as a tensor"):
        FusedPairs(DeviceRows(make("strict", X)), GAMMAS["classes"], Gaussian(1.0))


def test_without_a_gpu_it_says_so(monkeypatch):
    monkeypatch.delenv("TRITON_INTERPRET")
    with pytest.raises(ValueError, match="needs an NVIDIA GPU"):
        fused(GAMMAS["classes"], Gaussian(1.0))


@pytest.mark.parametrize("gamma_name", GAMMAS)
def test_every_gamma_but_a_dense_one_has_a_layout(gamma_name):
    assert can_lay_out(GAMMAS[gamma_name])
    assert not can_lay_out(Dense(np.eye(N)))
    assert not can_lay_out(ClassTable.centered(np.arange(1200) % 600))  # a class fills no tile


def test_splits_are_exact_to_22_bits():
    z = make("torch", 3.0 * _rng.standard_normal((50, 4)))
    there = torch.ones(50, dtype=torch.bool)
    a, b = exponents(z, there, lift=3.0)
    right = 3.0 - 0.5 * torch.cdist(z, z) ** 2
    assert float((a.double() @ b.double().T - right).abs().max()) < 1e-4
    left, other = dot_products(z, z.flip(0))
    error = left.double() @ other.double().T - z @ z.flip(0).T
    assert float(error.abs().max()) < 1e-4


@pytest.mark.parametrize("gamma_name", ["low rank", "a real column"])
@pytest.mark.parametrize("kernel_name", ["gaussian", "cauchy"])
def test_nothing_is_made_on_another_device(monkeypatch, gamma_name, kernel_name):
    """On a device without data, where tensors of two devices that meet are an error."""
    devices = set()

    def launch(self, places, *sums):
        used = (*self.pairs[:2], *self.columns[:2], *(self.dots or ()), *self.layout.factors)
        devices.update(str(tensor.device) for tensor in (*used, *sums))
        shape = places.stop - places.start, self.columns.high.shape[1]
        return torch.empty(shape, dtype=torch.float32, device="meta")

    def to_host(tensor):
        return np.ones(tuple(tensor.shape))

    monkeypatch.setattr(one_pass.PairsPass, "_launch", launch)
    monkeypatch.setattr(fused_module, "to_host", to_host)
    monkeypatch.setattr(torch.Tensor, "__float__", lambda _: 1.0)
    rows = DeviceRows(torch.empty((N, D), device="meta"), budget=2**30)
    engine = FusedPairs(rows, GAMMAS[gamma_name], KERNELS[kernel_name])
    assert engine.contract(W)[1].shape == (D, D)
    assert engine.multiply(W, W, Z).shape == (D, Q)
    assert engine.hessian_blocks(W).shape == (Q, Q, D, D)
    assert devices == {"meta"}
