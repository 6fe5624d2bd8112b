"""More features than rows: the tiled engine contracts another way, to the same numbers."""

from functools import partial

import numpy as np
import pytest

from hsiclearn._engines import DenseEngine, TiledEngine
from hsiclearn.gamma import ClassTable
from hsiclearn.kernels import Gaussian, Linear


@pytest.mark.parametrize("d", [20, 21, 60])
@pytest.mark.parametrize("kernel", [Gaussian(3.0), Gaussian(3.0) + Linear()], ids=repr)
def test_contract_agrees_on_both_sides_of_the_switch(d, kernel):
    rng = np.random.default_rng(0)
    X, codes = rng.standard_normal((41, d)), rng.integers(0, 3, 41)
    W = np.linalg.qr(rng.standard_normal((d, 2)))[0]
    total, matrix = DenseEngine(X, ClassTable.centered(codes), kernel).contract(W)
    for engine in (partial(TiledEngine, tile_size=9), TiledEngine):
        other, same = engine(X, ClassTable.centered(codes), kernel).contract(W)
        assert other == pytest.approx(total, rel=1e-12)
        np.testing.assert_allclose(same, matrix, atol=1e-12 * np.abs(matrix).max())


def test_the_dense_engine_notices_a_frame_changed_in_place():
    rng = np.random.default_rng(0)
    X, codes = rng.standard_normal((30, 4)), rng.integers(0, 3, 30)
    engine = DenseEngine(X, ClassTable.centered(codes), Gaussian(1.0))
    W = np.linalg.qr(rng.standard_normal((4, 2)))[0]
    before = engine.total(W)
    W[0, 0] += 1.0
    assert engine.total(W) != before


def test_bytes_do_not_depend_on_the_number_of_threads():
    rng = np.random.default_rng(0)
    X, codes = rng.standard_normal((701, 20)), rng.integers(0, 3, 701)
    gamma, kernel = ClassTable.centered(codes), Gaussian(4.0)
    W = np.linalg.qr(rng.standard_normal((20, 2)))[0]
    one, two = (TiledEngine(X, gamma, kernel, n_threads=k) for k in (1, 2))
    assert one.contract(W)[1].tobytes() == two.contract(W)[1].tobytes()
    assert one.hessian_blocks(W).tobytes() == two.hessian_blocks(W).tobytes()
