"""Gammas against their matrices, engines against sums written out in extended precision."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hsiclearn import Objective
from hsiclearn.gamma import ClassTable
from properties import reference
from properties.honest import DIGIT, RefusedError, honest
from properties.strategies import GAMMAS, KERNELS, SEEDS, Weights, gammas, kernels_for, tables
from properties.trials import examples

APPROXIMATE = {"column": 1e-4, "columns": 1e-7}
"""Gaussian kernels of columns are interpolated or of low rank: to this share of 1, K's largest.

Of ``columns`` 1e-14 is between rows. What a row with itself is off by is bounded by the root of it:
``e_ij^2 <= e_ii e_jj`` of a positive matrix, and to centre K spreads it.
"""


def check_close(found, expected, size, rtol):
    """Equal up to ``rtol`` of ``size``, and finite."""
    assert np.isfinite(found).all()
    assert np.max(np.abs(found - expected), initial=0.0) <= rtol * size


@examples(15, 12_000)
@given(st.sampled_from(tuple(GAMMAS)), st.integers(1, 30), SEEDS)
def test_a_gamma_is_its_matrix(kind, n, seed):
    gamma, matrix = Weights(kind, n, seed).both
    rng = np.random.default_rng(seed)
    rtol = APPROXIMATE.get(kind, 1e-12)
    size = max(float(np.max(np.abs(matrix))), 1.0)
    dense = gamma.to_dense()
    check_close(dense, matrix, size, rtol)
    if kind == "columns":  # components stand for pairs of rows, not for a row with itself
        return
    V = rng.standard_normal((n, 2))
    check_close(gamma.apply(V), dense @ V, size * n, max(rtol, 1e-12))
    index = rng.permutation(n)[: rng.integers(1, n + 1)]
    check_close(gamma.take(index).to_dense(), dense[np.ix_(index, index)], size, max(rtol, 1e-12))
    check_close(gamma.scaled(-2.5).to_dense(), -2.5 * dense, 2.5 * size, 1e-12)
    g = rng.uniform(0.0, 1.0, n)
    assert gamma.absolute_form(g) >= (g @ np.abs(dense) @ g) * (1.0 - max(rtol, 1e-9)) - rtol * n
    if gamma.is_centered:
        check_close(dense.sum(axis=1), 0.0, size * n, max(rtol, 1e-9))
    if gamma.is_psd:
        assert np.linalg.eigvalsh(0.5 * (dense + dense.T))[0] >= -max(rtol, 1e-9) * size * n


@examples(5, 2000)
@given(st.integers(2, 400), SEEDS)
def test_very_many_classes(n, seed):
    """As many as rows, of any labels: a table of classes is what it stands for."""
    codes = np.random.default_rng(seed).permutation(np.arange(n) // (1 + seed % 2))
    gamma = ClassTable.centered(codes)
    same = (codes[:, None] == codes).astype(float)
    expected = same - same.mean(axis=0) - same.mean(axis=1)[:, None] + same.mean()
    check_close(gamma.to_dense(), expected, 1.0, 1e-12)
    V = np.random.default_rng(seed).standard_normal((n, 1))
    check_close(gamma.apply(V), expected @ V, n, 1e-12)


@examples(20, 15_000)
@given(st.data(), tables(), SEEDS, st.sampled_from(("dense", "tiled", "nystrom", "features")))
def test_an_engine_is_the_sum_over_pairs(data, table, seed, engine):
    """Total, Phi and a Hessian product, up to the digits that sums of this size leave."""
    kernel = data.draw(kernels_for(table))
    weights = data.draw(gammas(table.n))
    gamma = weights.both[0]
    rng = np.random.default_rng(seed)
    d = len(table.columns)
    W = np.linalg.qr(rng.standard_normal((d, min(2, d))))[0]
    try:
        with honest():
            objective = Objective(table.X, gamma, kernel, engine, rtol=1e-13)
            point = objective.point(W)
            cost, phi = point.cost, point.phi
    except RefusedError:
        return
    if engine in ("nystrom", "features") and (
        table.dtype == "float32" or weights.kind in APPROXIMATE
    ):
        return  # rows in single precision, and components that leave the diagonal out
    X = table.floats
    with np.errstate(over="ignore", under="ignore"):
        terms = reference.at(reference.rows_for(X, gamma, kernel), gamma.to_dense(), kernel, W)
    rtol = 1e-11 if engine in ("dense", "tiled") else 1e-5
    at_zero = sum(abs(w) * float(abs(k.f(np.zeros(1))[0])) for w, k in kernel.terms)
    largest = at_zero * float(np.abs(gamma.to_dense()).sum())
    size = float(terms.size_of_total) + (largest if engine == "nystrom" else 0.0)
    # What squared distances lose of a row that is far out beside the lengths of the others.
    lost = DIGIT * float(terms.size_of_phi)
    assert abs(cost + float(terms.total)) <= rtol * size + lost + 1e-300
    if engine in ("dense", "tiled"):
        size = float(terms.size_of_phi)
        assert np.linalg.norm(phi + 0.0 - terms.phi.astype(float)) <= rtol * size + 1e-290


@examples(15, 6000)
@given(
    st.sampled_from(tuple(KERNELS)), st.floats(-75, 75), st.sampled_from((0.0, 1e-30, 1.0, 1e30))
)
def test_a_kernel_is_finite_wherever_rows_may_be(name, exponent, far):
    """f, f' and f'' of any length that is taken, at squared lengths beside it."""
    length = 10.0**exponent
    try:
        with honest():
            kernel = KERNELS[name](length)
    except RefusedError:
        return
    with honest():
        beta = np.minimum([0.0, length**2, far * length**2], 1e100)
        for _, term in kernel.terms:
            for function in (term.f, term.df, term.d2f):
                assert np.isfinite(function(beta)).all()
