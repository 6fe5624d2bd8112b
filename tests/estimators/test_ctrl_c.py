"""Ctrl-C at any moment: nothing is left behind, and the next fit gives the same bytes."""

import os
import signal
import threading
import time
import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from hsiclearn import Agreement, Status, SupervisedHSIC, UnsupervisedHSIC
from hsiclearn._progress import is_heard, stop_is_asked
from hsiclearn.datasets import make_two_views

X, LABELS, _ = make_two_views("blobs", 80)
_HITS, _MOST = 3, 30

pytestmark = pytest.mark.skipif(
    not hasattr(signal, "setitimer"), reason="there is no timer that signals here"
)


@pytest.fixture(autouse=True)
def _ctrl_c_is_heard():
    """A shell starts what it runs in the background deaf to it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    alarm = signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
    yield
    signal.signal(signal.SIGALRM, alarm)
    signal.signal(signal.SIGINT, before)


def fit(model):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(X, LABELS)


def interrupted(model, seconds):
    """Fit, and press Ctrl-C after so many seconds; whether that was in time."""
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        fit(model)
    except KeyboardInterrupt:
        return True
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
    return False


@pytest.mark.parametrize("model", [SupervisedHSIC(2), UnsupervisedHSIC(2, 1, init="identity")])
def test_at_random_moments_nothing_is_left(model, tmp_path):
    rng, model = np.random.default_rng(0), clone(model)
    if isinstance(model, SupervisedHSIC):
        model.set_params(checkpoint=tmp_path / "fit.npz")
    began = time.perf_counter()
    whole = fit(clone(model))
    takes, before = time.perf_counter() - began, dict(vars(model))
    threads = {thread.name for thread in threading.enumerate()}
    hits = attempts = 0
    while hits < _HITS and attempts < _MOST:
        attempts += 1
        if interrupted(model, rng.uniform(1e-3, takes)):
            hits += 1
            assert vars(model) == before
        model = clone(model)
        assert not is_heard()
        assert not stop_is_asked()
        assert set(os.listdir(tmp_path)) <= {"fit.npz"}
    assert hits == _HITS
    assert {thread.name for thread in threading.enumerate()} == threads
    again = fit(model)
    assert again.components_.tobytes() == whole.components_.tobytes()
    assert again.cost_ == whole.cost_


def test_a_clustering_returns_its_best_iterate():
    seen = []

    def presses(record):
        seen.append(record)
        if len(seen) == 3:
            signal.raise_signal(signal.SIGINT)

    model = UnsupervisedHSIC(2, 1, init="identity", callback=presses, on_interrupt="return")
    with pytest.warns(ConvergenceWarning, match="Interrupted: "):
        model.fit(X)
    assert model.result_.status is Status.INTERRUPTED
    assert model.cost_ == pytest.approx(seen[-1].cost, rel=1e-9)
    assert model.labels_.shape == model.predict(X).shape == (80,)
    assert model.agreement_ == Agreement()
    seen.clear()
    with pytest.raises(KeyboardInterrupt):
        clone(model).set_params(on_interrupt="raise").fit(X)


def test_a_clustering_stands_while_others_are_compared_with_it(monkeypatch):
    def interrupts(*_):
        raise KeyboardInterrupt

    whole = fit(UnsupervisedHSIC(2, 1, init="identity"))
    monkeypatch.setattr("hsiclearn._alternation.agreement.measure_agreement", interrupts)
    model = UnsupervisedHSIC(2, 1, init="identity", on_interrupt="return")
    with pytest.warns(ConvergenceWarning, match="Interrupted: "):
        model.fit(X)
    assert model.labels_.tobytes() == whole.labels_.tobytes()
    assert model.agreement_.n_resamples == 0
    with pytest.raises(KeyboardInterrupt):
        UnsupervisedHSIC(2, 1, init="identity").fit(X)
