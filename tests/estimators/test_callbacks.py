"""What follows a fit: a callback of the library's own, and those of scikit-learn."""

import importlib.util
import sys
import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import hsiclearn
from hsiclearn import (
    AlternativeHSIC,
    SemiSupervisedHSIC,
    Status,
    SupervisedHSIC,
    UnsupervisedHSIC,
    inspection,
)
from hsiclearn._estimators import _callbacks
from hsiclearn._progress import Told
from hsiclearn.datasets import make_two_views

needs_callbacks = pytest.mark.skipif(
    importlib.util.find_spec("sklearn.callback") is None,
    reason="scikit-learn has callbacks from version 1.9 on",
)

X, LABELS, OTHER = make_two_views("blobs", 60)
PARTIAL = np.where(np.arange(60) < 8, LABELS, -1)
MODELS = {
    "supervised": (SupervisedHSIC(1, objective="dependence"), LABELS),
    "predicting": (SupervisedHSIC(1, bandwidth=1.0, objective="prediction"), X[:, 0] ** 2),
    "unsupervised": (UnsupervisedHSIC(2, 1, init="identity"), None),
    "as printed": (UnsupervisedHSIC(2, 1, objective="paper", kernel="gaussian"), None),
    "semi-supervised": (SemiSupervisedHSIC(2, 1, init="identity"), PARTIAL),
    "alternative": (AlternativeHSIC(2, 1, init="identity"), LABELS),
    "searching": (AlternativeHSIC(2, 1), LABELS),
}
_ONCE = [name for name in MODELS if name != "searching"]  # which takes a while


def fitted(name, *followers, **parameters):
    """The model of a name, fitted; whatever it warns of is no matter here."""
    model, y = MODELS[name]
    model = clone(model).set_params(**parameters)
    if followers:
        model.set_callbacks(*followers)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(X, y)


def content(model):
    arrays = {k: v.tobytes() for k, v in vars(model).items() if isinstance(v, np.ndarray)}
    return arrays | {"cost": model.cost_, "status": model.result_.status}


class Follower:
    """Writes down every hook with the path of its task, and asks to stop at tasks of a name."""

    def __init__(self, stop_at=None):
        self.stop_at, self.hooks, self.models = stop_at, [], []

    def setup(self, estimator, context):
        self.hooks.append(("setup", ()))

    def teardown(self, estimator, context):
        self.hooks.append(("teardown", ()))

    def path(self, context):
        above = () if context.parent is None else self.path(context.parent)
        return (*above, (context.task_name, context.task_id, context.max_subtasks))

    def on_fit_task_begin(self, estimator, context, *, metadata=None):
        self.metadata = metadata
        self.hooks.append(("begin", self.path(context)))

    def on_fit_task_end(self, estimator, context, *, fitted_estimator=None):
        self.hooks.append(("end", self.path(context)))
        if fitted_estimator is not None:
            self.models.append(fitted_estimator)
        return self.stop_at is not None and self.stop_at in context.task_name

    @property
    def stages(self):
        return [path[1][0] for what, path in self.hooks if what == "begin" and len(path) == 2]


@pytest.mark.parametrize("name", _ONCE)
def test_a_callback_changes_nothing_and_may_stop(name):
    seen = []
    whole = fitted(name)
    assert content(fitted(name, callback=seen.append)) == content(whole)
    assert len(seen) >= 2
    stopped = fitted(name, callback=lambda record: record.step != "start")
    assert stopped.result_.status is Status.STOPPED
    assert not stopped.converged_
    assert stopped.transform(X).shape == (60, 1)
    if hasattr(stopped, "labels_"):
        assert stopped.labels_.shape == stopped.predict(X).shape == (60,)
        assert stopped.agreement_.n_resamples == 0


def test_a_stop_is_warned_of_at_the_line_of_fit():
    with pytest.warns(ConvergenceWarning, match="Stopped: whoever follows") as caught:
        SupervisedHSIC(1, bandwidth=1.0, callback=lambda record: True).fit(X, LABELS)
    assert caught[0].filename == __file__


@pytest.mark.parametrize("name", ["supervised", "unsupervised"])
def test_what_a_callback_raises_leaves_the_model_as_it_was(name):
    def fails(record):
        raise OSError("no disk")

    model = fitted(name)
    before = dict(vars(model.set_params(callback=fails)))
    with pytest.raises(OSError, match="no disk"):
        model.fit(X, MODELS[name][1])
    assert vars(model) == before


def test_a_file_and_refits_leave_it_out_and_a_clone_keeps_it(tmp_path):
    seen = []

    def sees(record):
        seen.append(record)

    model = fitted("supervised", callback=sees)
    assert clone(model).callback is sees
    again = hsiclearn.load(hsiclearn.save(model, tmp_path / "model.hsic"))
    assert again.callback is None
    seen.clear()
    inspection.bootstrap_stability(model, X, LABELS, n_resamples=2)
    assert seen == []


def test_without_callbacks_of_scikit_learn_there_is_no_method_for_them(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.callback", None)
    name = "hsiclearn._estimators._callbacks_of_old"
    spec = importlib.util.spec_from_file_location(name, _callbacks.__file__)
    of_old = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(of_old)
    mixin = of_old.CallbacksMixin()
    assert not hasattr(mixin, "set_callbacks")
    assert mixin._tasks_of_fit(X, LABELS) is None


@needs_callbacks
@pytest.mark.parametrize("name", _ONCE)
def test_hooks_make_a_tree_and_change_nothing(name):
    follower = Follower()
    model = fitted(name, follower)
    assert content(model) == content(fitted(name))
    (first, _), *hooks, (last, _) = follower.hooks
    assert (first, last) == ("setup", "teardown")
    under_way, seen = [], set()
    for what, path in hooks:
        if what == "begin":
            assert list(path[:-1]) == under_way
            assert path not in seen
            seen.add(path)
            under_way = list(path)
            *above, (_, number, _) = path
            assert not above or above[-1][2] is None or number < above[-1][2]
        else:
            assert list(path) == under_way
            under_way.pop()
    assert under_way == []
    assert {len(path) for path in seen} == {1, 2, 3}


@needs_callbacks
def test_stages_are_those_of_the_fit():
    follower = Follower()
    fitted("supervised", follower)
    choice = ["choosing, 1 dimension", "holding rows out, 1 dimension"]
    assert follower.stages == [*choice, "60 rows, dense engine", "verifying"]
    of_steps = {path[1][2] for what, path in follower.hooks if path[-1:] and path[-1][0] == "step"}
    assert of_steps == {100 + 2}  # max_iter, the start, and the step that finds no move


@needs_callbacks
def test_more_parts_than_there_may_be_begin_another_stage():
    follower = Follower()
    model = SupervisedHSIC().set_callbacks(follower)
    tree = model._tasks_of_fit(X, LABELS, "weights")
    assert follower.metadata == {"sample_weight": "weights"}
    for part in "abc":
        tree(Told("stage", part, at_most=2))
    tree(Told("of what came of it", is_remark=True))
    tree(Told("stage"))
    tree.finish()
    assert follower.stages == ["stage"] * 3
    assert [what for what, _ in follower.hooks].count("end") == 3 + 3 + 1


@needs_callbacks
@pytest.mark.parametrize("name", _ONCE)
def test_models_on_the_way_end_at_that_of_the_fit(name):
    follower = Follower()
    model = fitted(name, follower)
    *steps, end = follower.models
    n_before = 5 if name == "predicting" else 0  # of HSIC, where it begins
    assert len(steps) == n_before + len(model.result_.history)
    for step in steps:
        assert step.transform(X).shape == (60, 1)
        assert step.get_feature_names_out().shape == (1,)
    np.testing.assert_allclose(steps[-1].transform(X), end.transform(X), rtol=1e-9, atol=1e-12)
    assert end.components_ is model.components_
    if name == "supervised":
        assert steps[-1].score(X, LABELS) == pytest.approx(model.score(X, LABELS), rel=1e-9)


@needs_callbacks
@pytest.mark.parametrize(
    ("name", "task"),
    [
        ("supervised", "bandwidth"),
        ("supervised", "choosing"),
        ("supervised", "step"),
        ("predicting", "step"),
        ("searching", "start 2"),
        ("as printed", "step"),
    ],
)
def test_a_stop_at_any_task_ends_the_fit_early(name, task):
    follower, whole = Follower(stop_at=task), Follower()
    fitted(name, whole)
    model = fitted(name, follower)
    assert model.result_.status is Status.STOPPED
    assert len(follower.hooks) < len(whole.hooks)
    assert model.n_iter_ == 0


@needs_callbacks
@pytest.mark.parametrize("hook", ["on_fit_task_begin", "on_fit_task_end", "setup", "teardown"])
def test_a_hook_that_fails_leaves_the_model_as_it_was(hook, monkeypatch):
    def fails(*_, **__):
        raise OSError("no disk")

    model, follower = fitted("supervised"), Follower()
    monkeypatch.setattr(follower, hook, fails)
    model.set_callbacks(follower)
    before = dict(vars(model))
    with pytest.raises(OSError, match="no disk"):
        model.fit(X, LABELS)
    if hook != "teardown":  # which comes after the fit
        assert vars(model) == before
    assert "_callback_fit_ctx" not in vars(model)


@needs_callbacks
def test_in_a_pipeline_in_a_search_tasks_are_parts_of_one_tree():
    class Propagated(Follower):
        max_propagation_depth = None

    follower = Propagated()
    step = SupervisedHSIC(1, bandwidth=1.0)
    search = GridSearchCV(
        make_pipeline(StandardScaler(), step), {"supervisedhsic__bandwidth": [1.0, 2.0]}, cv=2
    )
    search.set_callbacks(follower).fit(X, LABELS)
    steps = [path for what, path in follower.hooks if what == "end" and path[-1][0] == "step"]
    assert {len(path) for path in steps} == {6, 5}  # of candidates, and of the refit
    assert len({path[:-2] for path in steps}) == 5
    assert sum(what == "setup" for what, _ in follower.hooks) == 1
    plain = clone(search).set_callbacks().fit(X, LABELS)
    assert search.best_estimator_[-1].components_.tobytes() == (
        plain.best_estimator_[-1].components_.tobytes()
    )


@needs_callbacks
def test_the_progress_bar_of_scikit_learn(capsys):
    pytest.importorskip("rich", reason="the progress bar is drawn by rich")
    from sklearn.callback import ProgressBar

    fitted("supervised", ProgressBar())
    lines = capsys.readouterr().out.splitlines()
    for stage in ("fit", "60 rows, dense engine", "verifying"):
        assert any(f"SupervisedHSIC - {stage}" in line and "100%" in line for line in lines)


@needs_callbacks
def test_scores_on_the_way():
    from sklearn.callback import ScoringMonitor

    monitor = ScoringMonitor(scoring={"explained": lambda model, X, y: model.score(X, y)})
    model = fitted("supervised", monitor)
    scores = [row["explained"] for row in monitor.get_logs().data]
    assert len(scores) == len(model.result_.history) + 1  # and of the fit as a whole
    assert scores[0] == pytest.approx(scores[-1], rel=1e-9) == model.score(X, LABELS)


@needs_callbacks
def test_refits_of_a_model_are_not_followed():
    follower = Follower()
    model = fitted("supervised", follower)
    follower.hooks.clear()
    inspection.bootstrap_stability(model, X, LABELS, n_resamples=2)
    assert follower.hooks == []
