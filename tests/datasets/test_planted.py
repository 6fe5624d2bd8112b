"""Planted targets."""

import numpy as np
import pytest

from hsiclearn.datasets import make_planted

RULES = {
    "step": lambda z: z[:, 0] > 0,
    "xor": lambda z: z[:, 0] * z[:, 1] > 0,
    "ring": lambda z: np.hypot(z[:, 0], z[:, 1]) > 1.18,
    "sectors": lambda z: np.floor(1.5 + 1.5 * np.angle(z[:, 0] + 1j * z[:, 1]) / np.pi),
    "sine": lambda z: np.sin(2 * z[:, 0]),
    "product": lambda z: z[:, 0] * z[:, 1],
}


@pytest.mark.parametrize("kind", RULES)
def test_the_target_depends_on_the_hidden_directions(kind):
    X, y, W = make_planted(kind, 500, 7, random_state=3)
    np.testing.assert_allclose(W.T @ W, np.eye(W.shape[1]), atol=1e-12)
    expected = RULES[kind](X @ W)
    if y.dtype.kind == "f":
        assert 0.05 < np.std(y - expected) < 0.15
    else:
        np.testing.assert_array_equal(y, expected)


def test_same_seed_same_rows():
    one, two = (make_planted("ring", 50, random_state=1) for _ in range(2))
    np.testing.assert_array_equal(one.X, two.X)
    assert not np.array_equal(one.X, make_planted("ring", 50, random_state=2).X)


@pytest.mark.parametrize("arguments", [("rings",), ("xor", 0), ("xor", 10, 1)])
def test_bad_arguments(arguments):
    with pytest.raises(ValueError, match="Got"):
        make_planted(*arguments)


@pytest.mark.parametrize("settings", [{"n_noise": 9}, {"n_noise": -1}, {"tails": 0.0}])
def test_bad_columns(settings):
    with pytest.raises(ValueError, match="Got"):
        make_planted("xor", 50, 10, **settings)


def test_noise_columns_have_no_part_in_the_target():
    X, y, W = make_planted("sectors", 300, 12, n_noise=8)
    assert X.shape == (300, 12)
    assert np.all(W[4:] == 0.0)
    np.testing.assert_allclose(W.T @ W, np.eye(2), atol=1e-12)
    assert np.bincount(y).min() > 70


def test_heavy_tails():
    X, y, W = make_planted("xor", 2000, 5, tails=3.0)
    np.testing.assert_array_equal(y, RULES["xor"](X @ W))
    kurtosis = np.mean(X**4) / np.mean(X**2) ** 2
    assert kurtosis > 6.0  # 3 for normal columns
