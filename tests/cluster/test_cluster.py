"""A real cluster of two worker processes: the answer of one machine, whatever happens to them."""

import gc
import os
import signal
import threading
import time

import dask
import dask.array as da
import numpy as np
import pytest

from hsiclearn import SupervisedHSIC, hsic
from hsiclearn._rows import as_rows
from hsiclearn._rows._dask import graph
from hsiclearn.exceptions import ClusterError

distributed = pytest.importorskip("distributed", reason="it is an extra: hsic-learn[dask]")

N, D = 8000, 5
_rng = np.random.default_rng(0)
X = _rng.standard_normal((N, D))
Y = np.digitize(np.sin(2.0 * X[:, 0]) + X[:, 1] ** 2 + 0.3 * _rng.standard_normal(N), [0.0, 1.0])
SETTINGS = {"bandwidth": 1.0, "engine": "nystrom", "tol": 1e-12}


@pytest.fixture(scope="module")
def cluster():
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        memory_limit="1GiB",
        dashboard_address=":0",
        silence_logs="CRITICAL",
    ) as running:
        yield running


@pytest.fixture
def client(cluster):
    with distributed.Client(cluster) as connected:
        connected.wait_for_workers(2, timeout=60)
        yield connected


@pytest.fixture(scope="module")
def theirs():
    return SupervisedHSIC(2, **SETTINGS).fit(X, Y)


def rows_and_target(n_chunks=8):
    return da.from_array(X, chunks=(N // n_chunks, D)), da.from_array(Y, chunks=N // 5)


def test_the_fit_is_that_of_one_machine(client, theirs):
    rows, y = rows_and_target()
    ours = SupervisedHSIC(2, **SETTINGS).fit(rows, y)
    np.testing.assert_allclose(ours.components_, theirs.components_, atol=1e-9)
    assert ours.score(rows, y) == pytest.approx(ours.score(X, Y), abs=1e-10)
    assert _comes_true(lambda: not client.futures)  # a model holds nothing there
    assert hsic(rows[:2000], y[:2000]) == pytest.approx(hsic(X[:2000], Y[:2000]), rel=1e-10)


def test_workers_may_die(client, theirs):
    """Killed in mid-fit, twice: their chunks and their part of the work go to others."""
    n_killed, done = 0, threading.Event()

    def kill():
        nonlocal n_killed
        for _ in range(2):
            done.wait(0.3)
            victim = next(iter(client.run(os.getpid).values()), None)
            if victim is None or done.is_set():
                return
            os.kill(victim, signal.SIGKILL)
            n_killed += 1
            client.wait_for_workers(2, timeout=60)

    killer = threading.Thread(target=kill)
    rows, y = rows_and_target()
    killer.start()
    ours = SupervisedHSIC(2, **SETTINGS | {"n_init": 3}).fit(rows, y)
    done.set()
    killer.join()
    assert n_killed == 2
    np.testing.assert_allclose(ours.components_, theirs.components_, atol=1e-9)


def test_a_lost_cluster_is_a_clear_error(cluster, tmp_path):
    """What a checkpoint holds goes on elsewhere, to the same answer."""
    checkpoint = tmp_path / "fit.npz"
    settings = SETTINGS | {"n_init": 3, "checkpoint": checkpoint}
    lost = distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, dashboard_address=":0", silence_logs="CRITICAL"
    )
    with distributed.Client(lost, timeout=2):
        model = SupervisedHSIC(2, **settings)
        closer = threading.Thread(target=_close_once_there_is, args=(checkpoint, lost))
        closer.start()
        with pytest.raises(ClusterError, match="go on with resume=True"):
            model.fit(*rows_and_target())
        closer.join()
    assert not hasattr(model, "components_")
    with distributed.Client(cluster) as client:
        client.wait_for_workers(2, timeout=60)
        again = SupervisedHSIC(2, **settings, resume=True).fit(*rows_and_target())
        whole = SupervisedHSIC(2, **SETTINGS | {"n_init": 3}).fit(*rows_and_target())
    np.testing.assert_array_equal(again.components_, whole.components_)


def _close_once_there_is(file, cluster):
    while not file.exists():
        time.sleep(0.01)
    cluster.close()


def test_a_client_that_was_closed_is_a_clear_error(cluster):
    with distributed.Client(cluster) as client:
        client.wait_for_workers(2, timeout=60)
        rows = as_rows(rows_and_target()[0])
    with pytest.raises(ClusterError, match="its client is closed"):
        rows.mean()


def test_another_scheduler_that_was_asked_for(client, theirs):
    """The setting of Dask is what it goes by, for rows as for questions."""
    with dask.config.set(scheduler="synchronous"):
        rows, y = rows_and_target()
        ours = SupervisedHSIC(2, **SETTINGS).fit(rows, y)
    assert not client.futures
    np.testing.assert_allclose(ours.components_, theirs.components_, atol=1e-9)


def test_workers_of_another_version(client, monkeypatch):
    monkeypatch.setattr(graph, "_installed_here", lambda: "9.9")
    with pytest.raises(ClusterError, match=r"Workers must have hsic-learn 9.9 .* 2 of 2 have not"):
        SupervisedHSIC(2, **SETTINGS).fit(*rows_and_target())


def test_an_error_leaves_no_worker_busy(client):
    rows, y = rows_and_target()
    rows = rows.map_blocks(_spoilt, dtype=float, meta=X[:0])
    with pytest.raises(ValueError, match=r"In chunk 3 \(rows 3000 to 3999\): X must be finite"):
        SupervisedHSIC(2, **SETTINGS).fit(rows, y)
    del rows
    assert _comes_true(lambda: not any(client.processing().values()))


def _comes_true(what):
    """Within ten seconds: a cluster hears of what is not needed any more a little later."""
    for _ in range(100):
        gc.collect()
        if what():
            return True
        time.sleep(0.1)
    return False


def _spoilt(block, block_id=None):
    return np.where(block > 9.0, block, np.nan) if block_id == (3, 0) else block
