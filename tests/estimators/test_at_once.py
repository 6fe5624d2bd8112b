"""Several fits at once, in threads and processes: the bytes of each alone."""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import pytest
from joblib import Parallel, delayed

from fits_at_once import FITS, fit

# A thread is inside a limit of the BLAS while the process forks. In the child the thread is not.
FORKS = """
import json, multiprocessing, os, sys, threading
sys.path.insert(0, sys.argv[1])
from threadpoolctl import threadpool_limits
from fits_at_once import FITS, blas_threads, fit
from hsiclearn._engines import single_threaded_blas

threadpool_limits(2, user_api="blas")
alone = {name: fit(name).hex() for name in FITS}
after = blas_threads()
inside, leave = threading.Event(), threading.Event()

def other():
    with single_threaded_blas():
        inside.set()
        leave.wait(60)

thread = threading.Thread(target=other)
thread.start()
inside.wait(60)
with multiprocessing.get_context("fork").Pool(1) as pool:
    at_fork = pool.apply(blas_threads)
    beside = {name: pool.apply(fit, (name,)).hex() for name in FITS}
    in_child = pool.apply(blas_threads)
leave.set()
thread.join()
print(json.dumps([alone == beside, after, at_fork, in_child, blas_threads()]))
"""


@cache
def alone(name):
    return fit(name)


def test_in_threads():
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(fit, FITS))
    for name, each in zip(FITS, found, strict=True):
        assert each == alone(name), name


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
@pytest.mark.parametrize("backend", ["loky", "threading", "multiprocessing"])
def test_in_workers_of_joblib(backend):
    found = Parallel(n_jobs=2, backend=backend)(delayed(fit)(name) for name in FITS)
    for name, each in zip(FITS, found, strict=True):
        assert each == alone(name), name


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork on Windows")
def test_after_a_fork():
    """Limits of the BLAS are lifted by who is left, the first fit of the child."""
    command = [sys.executable, "-W", "ignore", "-c", FORKS, str(Path(__file__).parents[1])]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    is_equal, after, at_fork, in_child, in_the_end = json.loads(done.stdout)
    assert is_equal
    assert set(at_fork) == {1}
    assert set(after) == set(in_child) == set(in_the_end) == {2}
