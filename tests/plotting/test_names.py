"""Names are shown as they are: short, on one line, never as mathematics."""

import pytest
from matplotlib import pyplot as plt

from hsiclearn.plotting import BiplotDisplay, LoadingsDisplay, ProjectionDisplay
from hsiclearn.plotting._names import feature_names_for, shown


@pytest.mark.parametrize("name", ["a$b$c", "$", r"\$", r"a$\frac", "_x", "<script>"])
def test_a_name_is_drawn_literally(name):
    text = plt.figure().text(0, 0, shown(name))
    assert text._preprocess_math(text.get_text()) == (name, False)


def test_long_names_are_cut_in_the_middle():
    assert shown("a" * 20 + "b" * 20) == "a" * 13 + "…" + "b" * 14
    assert shown("a" * 28) == "a" * 28
    assert shown("two\nlines") == "two lines"


def test_feature_names_must_fit():
    assert feature_names_for(None, 2) == ["x0", "x1"]
    with pytest.raises(ValueError, match=r"each of the 3 features. Got 2"):
        feature_names_for(["a", "b"], 3)


def test_classes_that_begin_with_an_underscore_are_in_the_legend():
    display = ProjectionDisplay([[0, 0], [1, 1]], y=["_a", "b$c$"]).plot()
    texts = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert texts == ["_a", r"b\$c\$"]


def test_names_of_a_pipeline_reach_the_picture(table, supervised):
    bars = LoadingsDisplay.from_estimator(supervised)
    names = {label.get_text() for label in bars.ax_[0].get_yticklabels()}
    assert names == {r"a\$b\$c", "_b", "<script>", "d", "x" * 13 + "…" + "x" * 14}
    biplot = BiplotDisplay.from_estimator(supervised, *table)
    short = {r"a\$b\$c", "_b", "<script>", "d", "x" * 9 + "…" + "x" * 10}
    assert short <= {text.get_text() for text in biplot.ax_.texts}
