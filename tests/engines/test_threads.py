"""Several fits at once: the same answers, and the BLAS left as it was."""

import contextlib
import linecache
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from hsiclearn import SupervisedHSIC, _threads
from hsiclearn._engines import TiledEngine, single_threaded_blas
from hsiclearn._threads import end_if_unwanted, side_by_side, usable_cores
from hsiclearn.gamma import ClassTable
from hsiclearn.kernels import Gaussian
from problems import standardised


@pytest.fixture
def two_blas_threads():
    """There must be something to limit: the tests themselves run with one thread each."""
    with threadpool_limits(2, user_api="blas"):
        yield


def blas_threads():
    return [info["num_threads"] for info in threadpool_info() if info["user_api"] == "blas"]


def test_overlapping_limits_leave_the_blas_as_it_was(two_blas_threads):
    """A enters, B enters, A leaves, B leaves: restoring what each found would leave a 1.

    A is this thread, which set the two threads: limits by another may be ignored.
    """
    before = blas_threads()
    assert set(before) == {2}
    first_in, second_in, first_out = (threading.Event() for _ in range(3))

    def second():
        first_in.wait(10)
        with single_threaded_blas():
            second_in.set()
            first_out.wait(10)

    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(second)
        with single_threaded_blas():
            first_in.set()
            second_in.wait(10)
            assert set(blas_threads()) == {1}
        first_out.set()
        future.result()
    assert blas_threads() == before


def test_an_interrupt_at_any_line_leaves_no_limit(two_blas_threads):
    """Ctrl-C is raised between two lines; here between every two there are.

    But for the one where a block ends that holds a lock: there Python looks for no signals.
    """
    before, files = blas_threads(), {_threads.__file__, contextlib.__file__}

    def interrupted_at(line):
        left = line

        def trace(frame, event, _):
            nonlocal left
            line = linecache.getline(frame.f_code.co_filename, frame.f_lineno)
            is_one = event == "line" and "with self._lock" not in line
            if frame.f_code.co_filename in files and is_one:
                left -= 1
                if left == 0:
                    raise KeyboardInterrupt
            return trace

        outer = sys.gettrace()
        sys.settrace(trace)
        try:
            with single_threaded_blas():
                pass
        except KeyboardInterrupt:
            return True
        finally:
            sys.settrace(outer)
        return False

    lines = 1
    while interrupted_at(lines):
        assert blas_threads() == before
        with single_threaded_blas():
            assert set(blas_threads()) == {1}
        assert blas_threads() == before
        lines += 1
    assert lines > 20


def test_who_is_still_at_work_keeps_the_limit(two_blas_threads):
    """A enters, B enters, A leaves: the sums of B must not round otherwise from there on."""
    first_in, second_in, first_out = (threading.Event() for _ in range(3))

    def first():
        with single_threaded_blas():
            first_in.set()
            second_in.wait(10)
        first_out.set()

    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(first)
        first_in.wait(10)
        with single_threaded_blas():
            second_in.set()
            first_out.wait(10)
            assert set(blas_threads()) == {1}
        future.result()
    assert set(blas_threads()) == {2}


def test_an_error_leaves_the_blas_as_it_was(two_blas_threads):
    with pytest.raises(ZeroDivisionError), single_threaded_blas(), single_threaded_blas():
        raise ZeroDivisionError
    assert set(blas_threads()) == {2}


def test_fits_in_threads_do_not_disturb_each_other():
    X, y, _ = standardised("digits")
    X, y = X[:300], y[:300]

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


def test_tasks_side_by_side_answer_in_their_order_and_have_one_core_each():
    def task(k):
        return k, usable_cores()

    answers = side_by_side([partial(task, k) for k in range(5)])
    assert [k for k, _ in answers] == list(range(5))
    if usable_cores() > 1:
        assert {cores for _, cores in answers} == {1}
    assert side_by_side([usable_cores]) == [usable_cores()]  # one alone has them all


def test_tasks_on_few_rows_take_turns():
    where = side_by_side([threading.get_ident] * 3, 499)
    assert where == [threading.get_ident()] * 3


def test_what_a_task_beside_others_raises_is_raised():
    def fails():
        raise ZeroDivisionError("of one task")

    with pytest.raises(ZeroDivisionError, match="of one task"):
        side_by_side([int, fails, int])


def test_the_choice_does_not_depend_on_the_number_of_cores(monkeypatch):
    X, y, _ = standardised("wine")
    found = []
    for cores in (1, 2):
        monkeypatch.setattr("hsiclearn._threads.usable_cores", lambda cores=cores: cores)
        found.append(SupervisedHSIC().fit(X, y).components_)
    np.testing.assert_array_equal(*found)


def test_a_task_ends_where_another_has_failed(monkeypatch):
    """Else it would go on in the background, and hold up the end of the program."""
    monkeypatch.setattr("hsiclearn._threads.usable_cores", lambda: 2)
    has_begun, has_ended = threading.Event(), threading.Event()

    def goes_on():
        has_begun.set()
        try:
            while True:
                end_if_unwanted()
        finally:
            has_ended.set()

    def fails():
        has_begun.wait(10)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        side_by_side([fails, goes_on])
    assert has_ended.wait(10)
    end_if_unwanted()  # here nothing is over


def test_default_fits_in_threads_are_the_same_as_alone():
    X, y, _ = standardised("wine")
    alone = SupervisedHSIC().fit(X, y).components_
    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(lambda _: SupervisedHSIC().fit(X, y).components_, range(3)))
    for components in found:
        np.testing.assert_array_equal(components, alone)


def test_as_many_threads_as_a_process_is_told(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert usable_cores() == 1
    monkeypatch.setenv("OMP_NUM_THREADS", "many")
    assert usable_cores() >= 1
