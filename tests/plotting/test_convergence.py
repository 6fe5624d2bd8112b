"""ConvergenceDisplay: the figures of the history, also where there are few or none."""

import numpy as np
import pytest

from hsiclearn._result import Record
from hsiclearn.plotting import ConvergenceDisplay


def record(step, cost, gradient, evaluations):
    return Record(step, cost, gradient, 0.0, np.nan, 0.1 * evaluations, evaluations, 0, evaluations)


HISTORY = [
    record("start", -1.0, 1e-1, 1),
    record("spectral", -3.0, 1e-3, 2),
    record("newton", -3.5, 1e-5, 4),
    record("newton", -4.0, 1e-8, 5),
]


def markers(ax):
    """What each kind of step drew, hollow ones after the full."""
    return [line.get_xydata().tolist() for line in ax.lines[1:] if line.get_linestyle() == "None"]


def test_costs_are_above_the_lowest_and_gradients_as_they_are():
    display = ConvergenceDisplay(HISTORY, tol=1e-6).plot()
    np.testing.assert_allclose(display.excess_, [3.0, 1.0, 0.5, 0.0])
    cost, gradient = display.ax_
    assert markers(cost)[0] == [[1.0, 3.0]]
    assert markers(cost)[4] == [[4.0, 0.5]]
    np.testing.assert_allclose(gradient.lines[0].get_ydata(), [1e-1, 1e-3, 1e-5, 1e-8])
    assert (cost.get_yscale(), gradient.get_yscale()) == ("log", "log")


def test_an_excess_of_zero_stands_hollow_at_the_edge():
    cost = ConvergenceDisplay(HISTORY).plot().ax_[0]
    hollow = cost.lines[6]
    assert hollow.get_markerfacecolor() == "white"
    assert hollow.get_xydata().tolist() == [[5.0, 0.1]]


def test_kinds_of_steps_are_in_the_legend_once_each():
    display = ConvergenceDisplay(HISTORY).plot()
    for ax in display.ax_:
        names = [text.get_text() for text in ax.get_legend().get_texts()]
        assert names == ["start", "spectral", "newton"]
        ax.figure.canvas.draw()
        below = ax.get_legend().get_window_extent()
        assert below.y1 < ax.xaxis.label.get_window_extent().y0  # so that it covers nothing
        assert below.y0 >= 0


def test_the_tolerance_is_a_dashed_line():
    gradient = ConvergenceDisplay(HISTORY, tol=1e-6).plot().ax_[1]
    assert [line.get_ydata()[0] for line in gradient.lines if line.get_linestyle() == "--"] == [
        1e-6
    ]


@pytest.mark.parametrize(
    "history",
    [
        HISTORY[-1:],
        [record("start", 0.0, 0.0, 1)],
        [record("start", np.nan, np.nan, 1)],
        [record("start", np.inf, np.nan, 1), record("_odd$", -1.0, np.inf, 2)],
        [record("start", -1.0, 1e-300, 1), record("lbfgs", -1.0, 0.0, 1)],
    ],
)
def test_short_flat_and_broken_histories_are_drawn(history):
    display = ConvergenceDisplay(history, tol=1e-6).plot()
    display.figure_.canvas.draw()
    for ax in display.ax_:
        assert np.all(np.isfinite(ax.get_ylim()))
        assert np.all(np.isfinite(np.concatenate([line.get_ydata() for line in ax.lines])))


def test_work_can_be_counted_otherwise():
    display = ConvergenceDisplay(HISTORY).plot(against="seconds")
    np.testing.assert_allclose(display.ax_[0].lines[0].get_xdata(), [0.1, 0.2, 0.4, 0.5])
    with pytest.raises(ValueError, match=r"`against` must be one of .*Got 'rows'"):
        display.plot(against="rows")


def test_of_an_estimator_it_is_the_history_of_the_fit(supervised):
    step = supervised[-1]
    display = ConvergenceDisplay.from_estimator(supervised)
    assert display.history == step.result_.history
    assert display.tol == step.certificate_.tol
    assert ConvergenceDisplay.from_result(step.result_).history == display.history
    timed = ConvergenceDisplay.from_estimator(supervised, against="seconds")
    assert timed.ax_[0].get_xlabel() == "seconds"


def test_an_empty_history_is_refused():
    with pytest.raises(ValueError, match=r"at least one record"):
        ConvergenceDisplay([])
