"""Arrays of other libraries: the values of the host, made where the rows are."""

import array_api_strict as strict
import numpy as np
import pytest

from hsiclearn import _devices, cka, hsic, hsic_estimate, hsic_test
from hsiclearn._measure._device import orders, thin, tiles
from measure.direct import KERNELS, related

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
    monkeypatch.setattr(orders, "tile_rows", lambda side: 40)
    monkeypatch.setattr(orders, "_COLUMNS", 60)
    used = []
    original = orders.exact_products
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
