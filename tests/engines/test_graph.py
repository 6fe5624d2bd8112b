"""The kernel matrix as an operator, against the matrix written out."""

import numpy as np
import pytest

import naive
from hsiclearn._engines import KernelGraph
from hsiclearn._engines import graph as graph_module
from hsiclearn._engines._schedule import Schedule
from hsiclearn.kernels import (
    Cauchy,
    Gaussian,
    InverseMultiquadratic,
    Linear,
    Polynomial,
    RelativeGaussian,
)
from naive import assert_close
from naive_clustering import kernel_matrix, sigmas
from registry import N, V, W, X, frozen, orthonormal

RTOL = 1e-12
ROWS = frozen(X @ W)
U = frozen(np.random.default_rng(1).standard_normal((N, 4)))
G = frozen([1.0, -0.5, 2.0, 0.25])

KERNELS = {
    "gaussian": Gaussian(1.3),
    "cauchy": Cauchy(),
    "linear": Linear(),
    "polynomial": Polynomial(2),
    "relative-gaussian": RelativeGaussian(5),
    "two-terms": 2.0 * Gaussian(1.5) - 0.5 * InverseMultiquadratic(2.0),
    "two-scales": RelativeGaussian(3) + 0.5 * RelativeGaussian(7, floor=0.9),
    "mixed": Gaussian(1.5) + 0.25 * Linear() + 0.5 * RelativeGaussian(5),
}
LAYOUTS = {
    "dense": ("dense", None, 1),
    "tiled": ("tiled", None, 1),
    **{f"tiled-{s}-{t}": ("tiled", s, t) for s in (5, 16, N - 1) for t in (1, 2)},
}


def graph_at(kernel, layout, rows=ROWS, *, keeps=True):
    """A graph placed at ``rows``, in blocks of the size that the layout asks for."""
    engine, size, threads = LAYOUTS[layout]
    graph = KernelGraph(kernel, len(rows), engine)
    if size is not None:
        graph._schedule = Schedule(len(rows), size, threads)
    if not keeps:
        graph._memo = None
    graph.place(rows, inverse_scales(kernel, rows))
    return graph


def inverse_scales(kernel, rows):
    return [None if sigma is None else 1.0 / sigma for sigma in sigmas(kernel, rows)]


def expected_contraction(kernel, rows, gamma, V):
    """``c L(S) V`` of each term, ``S_ij = Gamma_ij weight s_i s_j f'(s_i s_j beta_ij)``."""
    out = []
    for (weight, term), s in zip(kernel.terms, inverse_scales(kernel, rows), strict=True):
        ss = np.ones((len(rows), len(rows))) if s is None else np.outer(s, s)
        difference = rows[:, None, :] - rows[None, :, :]
        beta = np.sum(difference**2, axis=2) if term.pair.is_difference else rows @ rows.T
        out.append(naive.laplacian(term, weight * gamma * ss * term.df(ss * beta), V))
    return out


@pytest.mark.parametrize("keeps", [True, False], ids=["kept", "anew"])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", KERNELS)
def test_equals_the_written_out_sums(name, layout, keeps):
    kernel = KERNELS[name]
    graph = graph_at(kernel, layout, keeps=keeps)
    assert_close(graph.multiply(V), kernel_matrix(kernel, ROWS) @ V, RTOL)
    expected = expected_contraction(kernel, ROWS, (U * G) @ U.T, V)
    for _ in range(2):  # what is kept must survive its use
        ours = graph.contract(U, G, V)
        assert len(ours) == len(kernel.terms)
        for product, right in zip(ours, expected, strict=True):
            assert_close(product, right, RTOL)
    assert_close(graph.multiply(V), kernel_matrix(kernel, ROWS) @ V, RTOL)


@pytest.mark.parametrize("name", ["relative-gaussian", "mixed"])
@pytest.mark.parametrize("layout", ["dense", "tiled-5-2"])
def test_nothing_of_the_last_place_is_left(name, layout):
    kernel, elsewhere = KERNELS[name], X @ orthonormal(4, 2, seed=5)
    graph = graph_at(kernel, layout)
    here = graph.multiply(V).tobytes()
    graph.place(elsewhere, inverse_scales(kernel, elsewhere))
    assert_close(graph.multiply(V), kernel_matrix(kernel, elsewhere) @ V, RTOL)
    graph.place(ROWS, inverse_scales(kernel, ROWS))
    assert graph.multiply(V).tobytes() == here


@pytest.mark.parametrize("size", [5, 16])
def test_threads_do_not_change_a_bit(size):
    one, two = (graph_at(KERNELS["mixed"], f"tiled-{size}-{threads}") for threads in (1, 2))
    assert one.multiply(V).tobytes() == two.multiply(V).tobytes()
    for first, second in zip(one.contract(U, G, V), two.contract(U, G, V), strict=True):
        assert first.tobytes() == second.tobytes()


def test_the_rule_of_auto(monkeypatch):
    assert KernelGraph(Gaussian(), 3000).engine == "dense"
    assert KernelGraph(Gaussian(), 3001).engine == "tiled"
    assert KernelGraph(Gaussian(), 10, "tiled").engine == "tiled"
    monkeypatch.setattr(graph_module, "_KEEP_BYTES", 8 * N**2)
    assert KernelGraph(Gaussian(), N, "dense")._memo is not None
    assert KernelGraph(Gaussian(), N + 1, "dense")._memo is None
    assert KernelGraph(Gaussian() + Cauchy(), N, "dense")._memo is None
    assert KernelGraph(Gaussian() + Gaussian(2.0), N, "tiled")._memo is not None
    assert KernelGraph(Cauchy(), N, "tiled")._memo is None  # f, f' and the buffer: three arrays


def test_inputs_are_left_alone():
    before = [a.tobytes() for a in (ROWS, U, G, V)]
    graph = graph_at(KERNELS["mixed"], "tiled-5-1", keeps=False)
    graph.multiply(V)
    graph.contract(U, G, V)
    assert [a.tobytes() for a in (ROWS, U, G, V)] == before


@pytest.mark.parametrize("layout", ["dense", "tiled-5-1"])
def test_a_row_is_at_no_distance_from_itself_whatever_the_scales(layout):
    engine, size, _ = LAYOUTS[layout]
    graph = KernelGraph(RelativeGaussian(5), N, engine)
    if size is not None:
        graph._schedule = Schedule(N, size, 1)
    graph.place(ROWS, [np.full(N, 1e12)])
    assert (np.diag(graph.matrix()) == 1.0).all()
