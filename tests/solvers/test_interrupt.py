"""Ctrl-C: raised by default, nothing half-fitted; on request the best iterate so far."""

import os
import signal
from dataclasses import replace

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from hsiclearn import Objective, Status, SupervisedHSIC, solve
from hsiclearn._objective import RiemannianHessian
from hsiclearn._solvers import Settings, minimise
from hsiclearn.exceptions import NotConvergedWarning
from hsiclearn.gamma import ClassTable
from hsiclearn.kernels import Gaussian
from problems import ring, standardised


class CtrlC:
    """Interrupts the so-many-th evaluation of Phi on all rows, with a real signal."""

    def __init__(self, monkeypatch, evaluation, n_samples):
        self.left, self.n = evaluation, n_samples
        original = Objective.point

        def point(objective, W):
            self.count(objective)
            return original(objective, W)

        monkeypatch.setattr(Objective, "point", point)

    def count(self, objective):
        if objective.n_samples == self.n:
            self.left -= 1
            if self.left == 0:
                os.kill(os.getpid(), signal.SIGINT)


@pytest.fixture(autouse=True)
def _ctrl_c_is_heard():
    """A shell starts what it runs in the background deaf to it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def wine():
    X, y, median = standardised("wine")
    return X, ClassTable.centered(y), Gaussian(0.3 * median), 3


def test_the_best_iterate_is_returned_with_a_warning(monkeypatch):
    whole = solve(*wine())
    CtrlC(monkeypatch, 4, 178)
    with pytest.warns(NotConvergedWarning, match=r"Interrupted: .*resume=True"):
        result = solve(*wine(), on_interrupt="return")
    assert result.status is Status.INTERRUPTED
    assert not result.converged
    steps = len(result.history)
    assert 1 <= steps < len(whole.history)
    assert [r.cost for r in result.history] == [r.cost for r in whole.history[:steps]]
    assert result.cost == result.history[-1].cost
    objective = Objective(*wine()[:3])
    assert objective.cost(result.W) == pytest.approx(result.cost, rel=1e-12)


def test_the_certificate_is_of_first_order_and_makes_no_pass(monkeypatch):
    CtrlC(monkeypatch, 4, 178)
    monkeypatch.setattr(RiemannianHessian, "phi_dot_exceeds", pytest.fail)
    result = minimise(*wine(), Settings(on_interrupt="return"))
    certificate = result.certificate
    assert certificate.second_order is certificate.theorem1 is None
    assert np.isnan(certificate.curvature)
    assert certificate.stationarity == result.history[-1].gradient
    assert certificate.orthogonality <= 1e-12


def test_raised_by_default(monkeypatch):
    CtrlC(monkeypatch, 4, 178)
    with pytest.raises(KeyboardInterrupt):
        solve(*wine())


def test_raised_before_the_first_evaluation_is_finished(monkeypatch):
    """There is no iterate to return: neither at the start, nor while starts are screened."""
    X, y, _ = ring(700)
    problem = X, ClassTable.centered(y), Gaussian(1.0), 1
    for rows, options in ((700, {}), (400, {"n_init": 3})):
        with monkeypatch.context() as patch:
            CtrlC(patch, 1, rows)
            with pytest.raises(KeyboardInterrupt):
                minimise(*problem, Settings(on_interrupt="return", **options))


def interrupt_at_start(start):
    """A report that interrupts as the so-many-th start has made its first step."""
    seen = 0

    def report(record):
        nonlocal seen
        seen += record.step == "start"
        if seen == start and record.step != "start":
            raise KeyboardInterrupt

    return report


def test_finished_starts_count(monkeypatch):
    rng = np.random.default_rng(3)
    X, G = rng.standard_normal((60, 6)), rng.standard_normal((60, 60))
    problem = X, G + G.T, Gaussian(1.5), 2
    first = minimise(*problem, Settings())
    settings = Settings(n_init=4, on_interrupt="return")
    result = minimise(*problem, replace(settings, callback=interrupt_at_start(3)))
    assert result.status is Status.INTERRUPTED
    assert result.cost <= first.cost


def test_during_the_certificate_the_answer_is_kept(monkeypatch):
    whole = solve(*wine())

    def interrupted(*args):
        raise KeyboardInterrupt

    monkeypatch.setattr(RiemannianHessian, "phi_dot_exceeds", interrupted)
    result = minimise(*wine(), Settings(on_interrupt="return"))
    assert whole.certificate.is_lowest  # else the second order is not looked at
    assert result.W.tobytes() == whole.W.tobytes()
    assert result.status is Status.INTERRUPTED


def test_algorithm_1_returns_its_lowest_iterate(monkeypatch):
    """It does not descend, so the last iterate need not be the best."""
    X, y, median = standardised("digits")
    problem = X, ClassTable.centered(y), Gaussian(median), 2
    CtrlC(monkeypatch, 6, len(X))
    result = minimise(*problem, Settings(solver="ism+", on_interrupt="return"))
    assert result.status is Status.INTERRUPTED
    costs = [record.cost for record in result.history]
    assert result.cost == min(costs) < costs[-1]


def test_an_interrupted_run_can_be_resumed(monkeypatch, tmp_path):
    whole = solve(*wine())
    settings = Settings(checkpoint=tmp_path / "fit.npz", on_interrupt="return")
    with monkeypatch.context() as patch:
        CtrlC(patch, 4, 178)
        assert minimise(*wine(), settings).status is Status.INTERRUPTED
    resumed = minimise(*wine(), replace(settings, resume=True))
    assert resumed.W.tobytes() == whole.W.tobytes()
    assert resumed.status is whole.status


def test_the_estimator_is_fitted_and_warns_at_the_line_of_fit(monkeypatch):
    X, y, _ = standardised("wine")
    CtrlC(monkeypatch, 3, 178)
    model = SupervisedHSIC(3, bandwidth=1.5, on_interrupt="return")
    with pytest.warns(ConvergenceWarning, match="Interrupted") as caught:
        model.fit(X, y)
    assert caught[0].filename == __file__
    assert not model.converged_
    assert model.certificate_.second_order is None
    assert model.transform(X).shape == (178, 3)


@pytest.mark.parametrize("more", [{"objective": "prediction"}, {"metric": "relevance"}])
def test_what_follows_a_fit_of_hsic_does_not_begin(monkeypatch, more):
    """Neither a descent of the prediction error nor weights of its columns."""
    X, y, _ = standardised("wine")
    CtrlC(monkeypatch, 3, 178)
    model = SupervisedHSIC(3, bandwidth=1.5, on_interrupt="return", **more)
    with pytest.warns(ConvergenceWarning, match="Interrupted"):
        model.fit(X, y)
    assert model.result_.status is Status.INTERRUPTED
    assert (model.objective_, model.metric_) == ("dependence", "identity")


def test_a_dimension_rule_stops_too(monkeypatch):
    X, y, _ = standardised("wine")
    CtrlC(monkeypatch, 3, 178)
    model = SupervisedHSIC("eigengap", bandwidth=1.5, on_interrupt="return")
    with pytest.warns(ConvergenceWarning, match="Interrupted"):
        model.fit(X, y)
    assert model.result_.status is Status.INTERRUPTED


def test_by_default_the_estimator_stays_as_it_was(monkeypatch):
    X, y, _ = standardised("wine")
    fresh = SupervisedHSIC(3, bandwidth=1.5)
    fitted = SupervisedHSIC(2).fit(X, y)
    before = fitted.components_
    fitted.set_params(n_components=3, bandwidth=1.5)
    for model in (fresh, fitted):
        with monkeypatch.context() as patch:
            CtrlC(patch, 3, 178)
            with pytest.raises(KeyboardInterrupt):
                model.fit(X, y)
    assert not [name for name in vars(fresh) if name.endswith("_")]
    assert fitted.components_ is before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"checkpoint": 3}, "The 'checkpoint' parameter"),
        ({"resume": "yes"}, "The 'resume' parameter"),
        ({"on_interrupt": "stop"}, "The 'on_interrupt' parameter"),
        ({"resume": True}, "`resume` needs a file"),
    ],
)
def test_bad_parameters_of_the_estimator(options, message):
    X, y, _ = standardised("iris")
    with pytest.raises(ValueError, match=message):
        SupervisedHSIC(**options).fit(X, y)
