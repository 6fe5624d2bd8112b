"""Arrays of other libraries: the values of the host, made where the rows are."""

import array_api_strict as strict
import numpy as np
import pytest
from scipy import sparse

from hsiclearn import _devices, cka, hsic, hsic_estimate, hsic_test
from hsiclearn._measure._device import choice, orders, products, sides, thin, tiles
from hsiclearn.exceptions import DegenerateDataError, DeviceMemoryError
from measure.direct import KERNELS, related

pytestmark = pytest.mark.usefixtures("tensors_stay")

X, Y = related(90, 3)
LABELS = np.repeat([4, 7, 9], 30)[np.argsort(X[:, 0] + 0.5 * Y[:, 1])]
NAMED = ("distance", "linear", "squared", "multiquadratic", "relative_gaussian")
TARGETS = {"classes": LABELS, "one column": Y[:, :1], "a vector": Y[:, 1], "columns": Y}


def of_torch(values):
    torch = pytest.importorskip("torch", reason="torch is an optional extra")
    return torch.asarray(np.array(values))


def of_strict(values):
    return strict.asarray(np.array(values), device=strict.Device("device1"))


LIBRARIES = {"torch": of_torch, "strict": of_strict}


@pytest.fixture(params=LIBRARIES)
def there(request):
    """Moves an array to a device."""
    return LIBRARIES[request.param]


@pytest.fixture
def crossed(monkeypatch):
    """The sizes of what comes to the host, whoever asks for it."""
    sizes, original = [], _devices.to_host

    def counting(array):
        sizes.append(int(np.prod(array.shape)))
        return original(array)

    for module in _modules_with("to_host"):
        monkeypatch.setattr(module, "to_host", counting)
    return sizes


def _modules_with(name):
    import sys

    return [
        module
        for key, module in list(sys.modules.items())
        if key.startswith("hsiclearn") and hasattr(module, name)
    ]


@pytest.mark.parametrize("estimator", ["biased", "unbiased"])
@pytest.mark.parametrize("kernel", [*KERNELS, *NAMED])
@pytest.mark.filterwarnings("ignore::hsiclearn.exceptions.DependenceWarning")
def test_values_are_those_of_the_host(there, kernel, estimator):
    settings = {"kernel_x": KERNELS.get(kernel, kernel), "estimator": estimator}
    for measure in (hsic, cka):
        expected = measure(X, Y, engine="dense", **settings)
        assert measure(there(X), there(Y), **settings) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("target", TARGETS)
def test_any_kind_of_the_other_side_may_be_here_or_there(there, target):
    y = TARGETS[target]
    expected = hsic(X, y)
    for a, b in ((there(X), there(y)), (there(X), y), (X, there(y))):
        found = hsic_estimate(a, b)
        assert found.value == pytest.approx(expected, rel=1e-10)
        assert found.engine == "tiled"
        assert found.device == _devices.name_of_device(there(X))
        assert found.kernel_y == hsic_estimate(X, y).kernel_y
    assert hsic_estimate(X, y).device is None


def test_labels_of_any_kind_are_read_on_the_host(there):
    expected = hsic(X, LABELS)
    for y in (LABELS.astype(str), list(LABELS), LABELS.reshape(-1, 1)):
        assert hsic(there(X), y) == pytest.approx(expected, rel=1e-10)


def test_a_matrix_of_kernel_values_stays_there(there, crossed):
    K = np.exp(-np.abs(X[:, :1] - X[:, 0]))
    expected = hsic(K, Y, kernel_x="precomputed")
    crossed.clear()
    assert hsic(there(K), there(Y), kernel_x="precomputed") == pytest.approx(expected, rel=1e-10)
    settings = {"kernel_x": "precomputed", "method": "permutation", "n_permutations": 20}
    np.testing.assert_allclose(
        hsic_test(there(K), there(Y), **settings).null, hsic_test(K, Y, **settings).null, rtol=1e-8
    )
    K[0, 1] += 1.0
    with pytest.raises(ValueError, match="must be symmetric"):
        hsic(there(K), there(Y), kernel_x="precomputed")
    with pytest.raises(ValueError, match="shape"):
        hsic(there(K[:, :4]), there(Y), kernel_x="precomputed")


@pytest.mark.parametrize("library", LIBRARIES)
def test_tiles_are_of_one_sum(library, monkeypatch):
    there = LIBRARIES[library]
    expected = [hsic(X, Y, estimator="unbiased"), hsic(X, LABELS, kernel_x="distance")]
    monkeypatch.setattr(tiles, "tile_rows", lambda side: 17)
    found = [
        hsic(there(X), there(Y), estimator="unbiased"),
        hsic(there(X), LABELS, kernel_x="distance"),
    ]
    assert found == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("estimator", ["biased", "unbiased"])
@pytest.mark.parametrize(
    ("x", "y", "kernel_x", "way"),
    [
        (X, LABELS, "gaussian", "QuadraticForms"),
        (X, Y[:, 1], "distance", "QuadraticForms"),
        (Y[:, 1], X, "gaussian", "QuadraticForms"),
        (Y[:, 1], LABELS, "gaussian", "CrossProducts"),
        (X, Y, "linear", "QuadraticForms"),
        (X, Y, "distance", "TilePairs"),
    ],
)
def test_permuted_values_are_those_of_the_host(there, x, y, kernel_x, way, estimator, monkeypatch):
    monkeypatch.setattr(thin, "_MOST", 40)
    monkeypatch.setattr(tiles, "tile_rows", lambda side: 40)
    monkeypatch.setattr(products, "tile_rows", lambda side: 40)
    monkeypatch.setattr(products, "_COLUMNS", 60)
    used = []
    original = products.exact_products
    monkeypatch.setattr(orders, "exact_products", lambda *a: used.append(original(*a)) or used[-1])
    settings = {
        "method": "permutation",
        "n_permutations": 30,
        "kernel_x": kernel_x,
        "estimator": estimator,
        "random_state": 5,
    }
    expected, found = hsic_test(x, y, **settings), hsic_test(there(x), there(y), **settings)
    assert type(used[0]).__name__ == way
    assert found.pvalue == expected.pvalue
    assert found.statistic == pytest.approx(expected.statistic, rel=1e-9)
    np.testing.assert_allclose(found.null, expected.null, rtol=0, atol=1e-9 * expected.null.std())
    assert isinstance(found.null, np.ndarray)
    assert (found.engine, found.method) == ("tiled", "permutation")


def test_two_labellings_are_compared_on_the_host(there):
    other = np.roll(LABELS, 20) // 2
    for settings in (
        {},
        {"method": "permutation", "n_permutations": 50},
    ):
        expected = hsic_test(LABELS, other, **settings)
        found = hsic_test(there(LABELS), there(other), **settings)
        assert found.pvalue == pytest.approx(expected.pvalue, rel=1e-10)
        assert found.statistic == pytest.approx(expected.statistic, rel=1e-10)


@pytest.mark.parametrize("estimator", ["biased", "unbiased"])
def test_the_null_of_moments_is_that_of_the_host(there, estimator):
    expected = hsic_test(X, LABELS, estimator=estimator)
    found = hsic_test(there(X), LABELS, estimator=estimator)
    assert found.pvalue == pytest.approx(expected.pvalue, rel=1e-8)
    assert tuple(found.null) == pytest.approx(tuple(expected.null), rel=1e-8)
    assert (found.method, found.device) == ("gamma", _devices.name_of_device(there(X)))


def test_blocks_are_those_of_the_host(there):
    settings = {"engine": "block", "block_size": 15, "estimator": "unbiased", "random_state": 2}
    expected, found = hsic_estimate(X, Y, **settings), hsic_estimate(there(X), there(Y), **settings)
    assert found.value == pytest.approx(expected.value, rel=1e-9)
    assert found.error == pytest.approx(expected.error, rel=1e-9)


@pytest.mark.parametrize(
    "kernel", ["gaussian", "cauchy", "linear", "distance", "minus squared", "minus multiquadratic"]
)
def test_features_bound_their_error(there, kernel):
    kernel = KERNELS.get(kernel, kernel)
    for estimator in ("biased", "unbiased"):
        settings = {"kernel_x": kernel, "estimator": estimator}
        exact = hsic(X, Y, **settings)
        found = hsic_estimate(
            there(X), there(Y), engine="nystrom", max_landmarks=60, random_state=1, **settings
        )
        assert found.guaranteed
        assert abs(found.value - exact) <= found.error + 1e-12 * abs(exact)
        assert found.error <= 2.0 * max(exact, hsic(X, Y, kernel_x=kernel))
        assert found.n_features_x <= 60
        drawn = hsic_test(
            there(X),
            there(Y),
            method="permutation",
            engine="nystrom",
            n_permutations=20,
            **settings,
        )
        plain = hsic_test(X, Y, method="permutation", n_permutations=20, **settings)
        np.testing.assert_allclose(drawn.null, plain.null, atol=0.01 * plain.null.std())
        assert drawn.pvalue == plain.pvalue


def test_what_has_no_features_is_an_error(there):
    with pytest.raises(ValueError, match="needs a definite kernel on a device"):
        hsic(there(X), there(Y), kernel_x="relative_gaussian", engine="nystrom")


def test_more_rows_than_are_worth_pairs_are_seen_by_features(there, monkeypatch):
    rng = np.random.default_rng(0)
    x = rng.standard_normal((1300, 2))
    y = np.sin(x[:, 0]) + 0.1 * rng.standard_normal(1300)
    settings = {"method": "permutation", "n_permutations": 19}
    found = hsic_test(there(x), there(y), **settings)
    assert (found.engine, found.pvalue) == ("nystrom", 0.05)
    assert found.statistic == pytest.approx(hsic_test(x, y, **settings).statistic, rel=1e-3)
    monkeypatch.setattr(choice, "is_accelerator", lambda array: True)
    found = hsic_test(there(x), there(y), **settings)
    assert found.engine == "tiled"
    assert found.estimate.reason.startswith(f"On {found.device}, float64. 1300 rows")
    assert found.statistic == pytest.approx(hsic(x, y, estimator="unbiased"), rel=1e-10)


def test_single_precision_stays_single_and_comes_close(there):
    x, y = X.astype(np.float32), Y.astype(np.float32)
    settings = {"method": "permutation", "n_permutations": 40}
    for target in (y, y[:, 1], LABELS):
        for kernel in ("gaussian", "distance", "linear"):
            exact = hsic_test(x, target, kernel_x=kernel, **settings)
            found = hsic_test(there(x), target, kernel_x=kernel, **settings)
            spread = exact.null.std()
            np.testing.assert_allclose(found.null, exact.null, rtol=0, atol=1e-4 * spread)
            assert found.statistic == pytest.approx(exact.statistic, rel=1e-5)
            assert "float32" in found.estimate.reason
    # Far rows, beside which a bandwidth is small, need double precision; so do years.
    far = np.vstack([x, 1e4 + x[:2]])
    expected = hsic(far, np.r_[LABELS, 4, 7], bandwidth_x=1.0)
    estimate = hsic_estimate(there(far), np.r_[LABELS, 4, 7], bandwidth_x=1.0)
    assert estimate.value == pytest.approx(expected, rel=1e-8)
    assert hsic(there(x), 2020 + 1e-3 * Y[:, 0]) == pytest.approx(hsic(x, Y[:, 0]), rel=1e-5)


def test_little_comes_to_the_host(there, crossed):
    rng = np.random.default_rng(1)
    x = rng.standard_normal((3000, 5))
    y = x[:, 0] ** 2 + rng.standard_normal(3000)
    a, b = there(x), there(y)
    hsic_test(a, b, method="gamma")
    cka(a, b, kernel_x="distance")
    hsic_test(a, b, method="permutation", engine="tiled", n_permutations=9)
    # A thousand rows tell the bandwidth; the rest are sums, and a factor of some landmarks.
    samples = [size for size in crossed if size >= 1000]
    assert set(samples) <= {5000, 1000} | {m**2 for m in range(60)}
    assert max(crossed) < x.size


def test_a_tile_for_which_there_is_no_memory_is_made_smaller(monkeypatch):
    there, seen = of_strict, []
    original = sides.DeviceSide.tile

    def small(side, rows, cols, memory=None):
        seen.append(rows.stop - rows.start)
        if seen[-1] > 300:
            raise MemoryError("out of memory")
        return original(side, rows, cols)

    monkeypatch.setattr(sides.DeviceSide, "tile", small)
    rng = np.random.default_rng(1)
    x, y = rng.standard_normal((500, 2)), rng.standard_normal(500)
    assert hsic(there(x), there(y)) == pytest.approx(hsic(x, y), rel=1e-9)
    assert max(seen) == 500
    monkeypatch.setattr(tiles, "_FEWEST", 600)
    with pytest.raises(DeviceMemoryError, match="pass float32"):
        hsic(there(x), there(y))


def test_both_sides_are_on_one_device():
    x, y = of_strict(X), of_torch(Y)
    with pytest.raises(ValueError, match=r"X of .*device1.*Y of torch on cpu"):
        hsic(x, y)
    y = strict.asarray(Y, device=strict.Device("device2"))
    with pytest.raises(ValueError, match="on one device"):
        hsic(x, y)


def test_what_cannot_be_taken_is_an_error(there):
    with pytest.raises(ValueError, match="Got a sparse matrix"):
        hsic(there(X), sparse.csr_array(X))
    with pytest.raises(ValueError, match="real numbers or labels"):
        hsic(there(X + 0j), Y)
    with pytest.raises(ValueError, match="Y must be finite"):
        hsic(there(X), there(np.where(Y > 1.5, np.nan, Y)))
    with pytest.raises(ValueError, match="a row each per sample"):
        hsic(there(X), Y[:-1])
    with pytest.raises(ValueError, match="not empty"):
        hsic(there(X[:, :0]), Y)
    with pytest.raises(ValueError, match="must hold numbers"):
        hsic(there(X), np.array([list("ab")] * 90), kernel_y="gaussian")


def test_tensors_of_half_precision_or_with_gradients_are_errors():
    torch = pytest.importorskip("torch", reason="torch is an optional extra")
    x = torch.asarray(X)
    with pytest.raises(ValueError, match="Got dtype bfloat16"):
        hsic(x.to(torch.bfloat16), Y)
    with pytest.raises(ValueError, match=r"Pass Y.detach\(\)"):
        hsic(X, torch.asarray(Y, requires_grad=True))


def test_a_constant_side_depends_on_nothing(there):
    flat = there(np.full(90, 2.5))
    assert hsic(there(X), flat) == cka(there(X), flat) == 0.0
    result = hsic_test(there(X), flat, method="permutation")
    assert (result.statistic, result.pvalue, result.null) == (0.0, 1.0, None)


def test_rows_that_are_very_large_or_small_have_a_unit_there(there):
    for s in (1e-60, 1e60):
        for kernel in ("distance", "linear"):
            expected = cka(X, Y, kernel_x=kernel, kernel_y=kernel)
            found = cka(there(s * X), there(s * Y), kernel_x=kernel, kernel_y=kernel)
            assert found == pytest.approx(expected, rel=1e-9)


def test_equal_rows_have_the_bandwidth_of_the_host(there):
    many = np.repeat(X[:2], [60, 1], axis=0)[np.arange(90) % 61]
    assert hsic_estimate(there(many), Y).kernel_x == hsic_estimate(many, Y).kernel_x
    with pytest.raises(DegenerateDataError, match="duplicates"):
        hsic(there(many), Y, kernel_x="relative_gaussian")


@pytest.mark.parametrize(
    ("kernel", "engine"),
    [
        ("gaussian", "tiled"),
        ("distance", "nystrom"),
        ("linear", "nystrom"),
        ("linear", "block"),
        ("relative_gaussian", "tiled"),
    ],
)
def test_rows_with_weights_are_repeated_rows(there, kernel, engine, monkeypatch):
    monkeypatch.setattr(tiles, "tile_rows", lambda side: 17)
    counts = np.random.default_rng(0).integers(0, 4, 90)
    rows = np.repeat(np.arange(90), counts)
    settings = {"kernel_x": kernel, "engine": engine, "block_size": 20}
    for y in (Y[:, 0], LABELS):
        expected = hsic_test(X[rows], y[rows], **settings)
        alike = hsic_test(there(X[rows]), there(y[rows]), **settings)
        found = hsic_test(there(X), there(y), sample_weight=there(counts), **settings)
        assert found.n_samples == rows.size
        assert found.statistic == pytest.approx(alike.statistic, rel=1e-10)
        assert found.error == pytest.approx(alike.error, rel=1e-10)
        assert found.pvalue == pytest.approx(alike.pvalue, rel=1e-10)
        if engine != "nystrom":
            assert found.pvalue == pytest.approx(expected.pvalue, rel=1e-9)


def test_permutations_there_are_of_repeated_rows(there):
    counts = np.arange(90) % 3
    rows = np.repeat(np.arange(90), counts)
    settings = {"method": "permutation", "n_permutations": 9}
    for x in (X, LABELS):
        expected = hsic_test(there(x[rows]), there(Y[rows]), **settings)
        found = hsic_test(there(x), there(Y), sample_weight=counts, **settings)
        assert found.pvalue == expected.pvalue
    settings = {"kernel_x": "delta", "kernel_y": "delta"}
    a, b = np.arange(90) % 17, np.arange(90) // 6  # of a skewness that sizes of classes tell
    found = hsic_test(there(a), there(b), sample_weight=counts, **settings)
    assert found.method == "gamma"
    assert found.pvalue == pytest.approx(hsic_test(a[rows], b[rows], **settings).pvalue, rel=1e-9)
    a, b = np.arange(90) % 80, np.arange(90) // 2  # labels that hardly agree
    expected = hsic_test(a[rows], b[rows], **settings)
    assert expected.method == "permutation"
    found = hsic_test(there(a), there(b), sample_weight=counts, **settings)
    assert found.pvalue == expected.pvalue


def test_a_kernel_matrix_there_loses_rows_and_columns_of_weight_0(there):
    counts = np.arange(90) % 3
    K = np.exp(-np.abs(X[:, :1] - X[:, 0]))
    expected = hsic(K, Y, kernel_x="precomputed", sample_weight=counts)
    found = hsic(there(K), there(Y), kernel_x="precomputed", sample_weight=counts)
    assert found == pytest.approx(expected, rel=1e-10)


def test_single_precision_takes_weights(there):
    counts = np.arange(90) % 4
    found = hsic(there(X.astype(np.float32)), there(LABELS), sample_weight=counts)
    rows = np.repeat(np.arange(90), counts)
    assert found == pytest.approx(hsic(X[rows], LABELS[rows]), rel=1e-5)
