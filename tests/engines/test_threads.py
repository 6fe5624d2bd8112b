"""Several fits at once: the same answers, and the BLAS left as it was."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from threadpoolctl import threadpool_info

from hsiclearn import SupervisedHSIC
from hsiclearn._engines import TiledEngine, single_threaded_blas
from hsiclearn.gamma import ClassTable
from hsiclearn.kernels import Gaussian
from problems import standardised


def blas_threads():
    return [info["num_threads"] for info in threadpool_info() if info["user_api"] == "blas"]


def test_overlapping_limits_leave_the_blas_as_it_was():
    """A enters, B enters, A leaves, B leaves: restoring what each found would leave a 1."""
    before = blas_threads()
    first_in, second_in, first_out = (threading.Event() for _ in range(3))

    def first():
        with single_threaded_blas():
            first_in.set()
            second_in.wait(10)
            assert set(blas_threads()) == {1}
        first_out.set()

    def second():
        first_in.wait(10)
        with single_threaded_blas():
            second_in.set()
            first_out.wait(10)

    with ThreadPoolExecutor(2) as pool:
        for future in [pool.submit(first), pool.submit(second)]:
            future.result()
    assert blas_threads() == before


def test_fits_in_threads_do_not_disturb_each_other():
    X, y, _ = standardised("digits")
    X, y = X[:600], y[:600]

    def fit(q):
        return SupervisedHSIC(q, bandwidth="median").fit(X, y).components_

    alone = [fit(q) for q in (1, 2, 3, 4)]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(fit, (1, 2, 3, 4)))
    for one, other in zip(alone, together, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-7)


def test_the_tile_size_does_not_depend_on_the_number_of_threads():
    X, y, _ = standardised("digits")
    gamma, kernel = ClassTable.centered(y), Gaussian(5.0)
    sizes = {TiledEngine(X, gamma, kernel, n_threads=k).tile_size for k in (1, 2, 12, 64)}
    assert len(sizes) == 1
