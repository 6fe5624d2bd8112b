"""The part of each column in a subspace."""

import numpy as np

from hsiclearn._linalg import column_weights


def test_it_is_the_formula_and_the_same_for_every_basis():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((50, 4)) * [1.0, 2.0, 0.5, 1.0]
    W = np.linalg.qr(rng.standard_normal((4, 2)))[0]
    sd, S = X.std(axis=0), np.cov(X @ W, rowvar=False, bias=True)
    found = column_weights(W, X @ W, sd)
    np.testing.assert_allclose(found, [sd[j] ** 2 * (W @ S @ W.T)[j, j] for j in range(4)])
    R = np.linalg.qr(rng.standard_normal((2, 2)))[0]
    np.testing.assert_allclose(column_weights(W @ R, X @ W @ R, sd), found)
