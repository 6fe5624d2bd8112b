"""Rows as held out, empty cells, figures people know: what a page says beyond the fit."""

import base64
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline

from hsiclearn import SupervisedHSIC, load, save
from hsiclearn._cli.tables import TableEncoder
from hsiclearn.exceptions import DependenceWarning
from hsiclearn.plotting import report
from hsiclearn.plotting.page.figures import collect
from hsiclearn.plotting.page.points import composition, held_out_rows, pack_points, title
from hsiclearn.plotting.page.reading import read
from hsiclearn.plotting.page.sections import neighbour_words
from hsiclearn.plotting.page.words import MINUS, typeset

pytestmark = pytest.mark.usefixtures("unrendered")


@pytest.fixture(scope="module")
def noise():
    X, y = np.random.default_rng(0).standard_normal((48, 120)), np.arange(48) % 4
    with pytest.warns(DependenceWarning):
        return X, y, SupervisedHSIC(2).fit(X, y)


def text_of(path):
    page = re.sub(r"(?s)<(script|style).*?</\1>", " ", path.read_text(encoding="utf-8"))
    return " ".join(re.sub(r"<[^>]*>", " ", page).split())


def test_a_perfect_map_of_noise_opens_on_rows_as_held_out(noise, tmp_path, read_script):
    X, y, model = noise
    path = report(model, X, y, tmp_path / "noise.html")
    points = read_script(path.read_text(encoding="utf-8"), "page-data")
    assert points["held_out"]["at_first"]
    assert points["held_out"]["n_rows"] == 48
    text = text_of(path)
    assert "there are fewer of them (48) than features (120)" in text
    assert text.index("✗ Found nothing that holds for other rows") < text.index("The map")


def test_rows_as_held_out_stand_where_the_fit_without_them_puts_them(noise):
    X, y, model = noise
    found = model.selection_.out_of_fold
    shown = np.arange(0, 48, 3)
    places, Z = held_out_rows(read(model, X, y), shown)
    np.testing.assert_array_equal(shown[places], found.rows[np.isin(found.rows, shown)])
    np.testing.assert_array_equal(Z, found.Z[np.isin(found.rows, shown)])
    assert held_out_rows(read(model, X[:40], y[:40]), np.arange(40)) is None  # of other rows


def test_more_rows_than_columns_open_as_fitted(wine):
    reading = read(wine.model, wine.X, wine.y)
    standardised = wine.model[-1].components_.tolist()
    points, _ = pack_points(reading, wine.X, standardised, np.arange(178), None, None)
    assert points["held_out"]["at_first"] is False


def test_rows_far_off_keep_the_digits_of_the_others(wine):
    reading = read(wine.model, wine.X, wine.y)
    Z = reading.projection.copy()
    Z[:2, 0] = 1e7, -1e6
    standardised = wine.model[-1].components_.tolist()
    points, buffers = pack_points(
        replace(reading, projection=Z), wine.X, standardised, np.arange(178), None, None
    )
    axis = points["axes"][0]
    assert (axis["low"], axis["high"]) == (Z[2:, 0].min(), Z[2:, 0].max())
    assert axis["type"] == "f32"
    assert axis["reach"][1] * (axis["high"] - axis["low"]) + axis["low"] == pytest.approx(1e7)
    assert "reach" not in points["axes"][1]
    shares = np.frombuffer(base64.b64decode(buffers.texts[axis["buffer"]]), "<f4")
    seen = axis["low"] + shares * (axis["high"] - axis["low"])
    np.testing.assert_allclose(seen[2:], Z[2:, 0], atol=1e-6)


def test_an_axis_says_what_it_is_made_of():
    parts = composition([0.1, -0.6, 0.0, 0.43], ["hue", "proline", "none", "x" * 40])
    assert parts == [f"proline {MINUS}0.60", f"{'x' * 23}… +0.43", "hue +0.10"]
    assert title(0, parts, room=33) == f"component 1: proline {MINUS}0.60, …"
    assert title(1, parts, room=20) == "component 2"


def test_empty_cells_are_named_also_from_a_loaded_model(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"size": rng.standard_normal(90), "colour": ["red", "grey", "red"] * 30})
    y = (frame["size"] > 0).astype(int)
    frame.loc[:8, "size"] = np.nan
    frame.loc[4:5, "colour"] = None
    encoder = TableEncoder(impute=True)
    model = make_pipeline(encoder, SupervisedHSIC(1, bandwidth=1.0)).fit(frame, y)
    save(model, tmp_path / "m.hsic")
    again = load(tmp_path / "m.hsic")
    assert collect(again, frame, y)["imputed"] == collect(model, frame, y)["imputed"]
    text = text_of(report(again, frame, y, tmp_path / "r.html"))
    assert f"size 9 10.0 % {np.nanmedian(frame['size']):g}, the median" in text
    assert "2 cells in 1 column of text had no value and are a category of their own" in text
    assert text.index("What the directions are made of") < text.index("Imputed cells")
    whole = text_of(
        report(again, frame.dropna(), y[frame.notna().all(axis=1)], tmp_path / "s.html")
    )
    assert "Imputed cells" in whole  # it is the fit that was told them


def test_neighbours_are_compared_with_all_columns(wine):
    figures = collect(wine.model, wine.X, wine.y)
    found = wine.model[-1].selection_.neighbours
    assert figures["selection"]["neighbours"]["in_subspace"] == found.in_subspace
    neighbours = figures["selection"]["neighbours"]
    for inside, everywhere, words in (
        (0.95, 0.80, "tell more than all columns"),
        (0.80, 0.95, "is not in these directions"),
        (0.95, 0.94, "differ by no more than chance"),
    ):
        neighbours |= {"in_subspace": inside, "on_all_columns": everywhere}
        assert words in neighbour_words(figures)[0]


def test_words_of_the_library_are_typeset():
    assert (
        typeset("15-NN R^2 -0.06 is -4.0%, 1e-06") == f"15-NN R² {MINUS}0.06 is {MINUS}4.0 %, 1e-06"
    )
