"""Rows on the map: which, how packed, and read back."""

import base64
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from hsiclearn.plotting import report
from hsiclearn.plotting._targets import labels_of
from hsiclearn.plotting.page.buffers import Buffers, pack_column
from hsiclearn.plotting.page.points import (
    choose_details,
    pack_axes,
    pack_points,
    sample_rows,
    shown_rows,
)
from hsiclearn.plotting.page.reading import read

pytestmark = pytest.mark.usefixtures("unrendered")

TYPES = {"u8": "<u1", "u16": "<u2", "f32": "<f4", "f64": "<f8"}


def decode(column, buffers):
    """What the script of the page does."""
    raw = base64.b64decode(buffers.texts[column["buffer"]])
    numbers = np.frombuffer(raw, TYPES[column["type"]])
    if "list" not in column:
        return numbers
    return np.array(column["list"])[numbers] if numbers.size else np.array(column["list"])


def standardised(reading):
    return (reading.step.components_ * reading.rows.std(axis=0)).tolist()


@pytest.fixture(scope="module")
def packed(wine):
    reading = read(wine.model, wine.X, wine.y)
    return pack_points(reading, wine.X, standardised(reading), np.arange(178), None, None)


def test_coordinates_are_those_of_transform_within_a_step(wine, packed):
    points, buffers = packed
    Z = wine.model.transform(wine.X)
    for axis, z in zip(points["axes"], Z.T, strict=True):
        step = (axis["high"] - axis["low"]) / 65535
        seen = axis["low"] + decode(axis, buffers) * step
        np.testing.assert_allclose(seen, z, atol=0.5001 * step)


def test_classes_are_those_of_y(wine, packed):
    points, buffers = packed
    (colouring,) = points["colourings"]
    assert colouring["classes"] == ["0", "1", "2"]
    np.testing.assert_array_equal(decode(colouring, buffers), wine.y)


def test_details_are_the_columns_by_weight(wine, packed):
    points, buffers = packed
    assert points["details"][0]["name"] == "flavanoids"
    assert points["n_details"] == len(points["details"]) == 13
    for column in points["details"]:
        np.testing.assert_allclose(decode(column, buffers), wine.X[column["name"]], rtol=1e-6)


@pytest.mark.parametrize(
    "values",
    [
        np.array([2**40 + 1, 5, 7] * 200 + list(range(400))),
        np.linspace(0.0, 1e300, 1000),
        np.array([1.5, 2.5] * 50),
        np.array(["a", "b"] * 50),
        np.array([f"name {i}" for i in range(70_000)]),
    ],
    ids=["large whole numbers", "huge numbers", "few numbers", "few names", "many names"],
)
def test_columns_of_any_kind_come_back(values):
    buffers = Buffers()
    seen = decode(buffers.add(pack_column(values)), buffers)
    if values.dtype.kind == "f":
        np.testing.assert_allclose(seen, values, rtol=1e-6)
    else:
        np.testing.assert_array_equal(seen, values)


def test_few_different_numbers_take_a_byte_each():
    packed = pack_column(np.array([0.25, 0.75] * 500))
    assert packed.values.nbytes == 1000
    assert packed.about == {"list": [0.25, 0.75]}


def test_missing_entries_are_empty():
    column = pd.Series(["a", None, float("nan"), pd.NA])
    packed = pack_column(column)
    assert [packed.about["list"][code] for code in packed.values] == ["a", "", "", ""]
    assert pack_column(np.array([1.0, np.nan] * 50)).about["list"][1] is None


def test_a_mapping_names_the_columns_of_y_and_those_beyond_the_map_are_told(views, tmp_path):
    given = {f"labels {k}": views.y for k in range(9)}
    path = report(views.model, views.X, given, tmp_path / "views.html")
    page = path.read_text(encoding="utf-8")
    assert "with “labels 7”" in page
    assert "Rows can be coloured by the first 8 of 10 columns." in page
    given["labels 3"] = views.y[1:]
    with pytest.raises(ValueError, match=r"'labels 3' has shape \(199,\)"):
        report(views.model, views.X, given, tmp_path / "other.html")


def test_names_that_take_too_much_room_are_told(line, tmp_path):
    names = [f"{i} {'x' * 20_000}" for i in range(120)]
    path = report(line.model, line.X, line.y, tmp_path / "line.html", row_names=names)
    page = path.read_text(encoding="utf-8")
    assert "Their names would take too much room. Rows are numbered from 1." in page
    assert names[0] not in page


def test_columns_that_do_not_fit_are_left_out_by_weight():
    X = np.random.default_rng(0).standard_normal((1000, 3))
    importances = np.array([0.2, 0.5, 0.3])
    chosen, n_given = choose_details(
        None, X, ["a", "b", "c"], importances, 1000, np.arange(1000), budget=11_000
    )
    assert [name for name, _ in chosen] == ["b", "c"]
    assert n_given == 3


def test_a_category_counts_for_its_column():
    details = {"age": np.arange(4.0), "town": np.array(list("abab"))}
    chosen, _ = choose_details(
        details, None, ["age", "town=a", "town=b"], np.array([0.4, 0.3, 0.3]), 4, np.arange(4)
    )
    assert [name for name, _ in chosen] == ["town", "age"]


def test_details_of_another_length_are_refused():
    with pytest.raises(ValueError, match="4 values per column"):
        choose_details({"a": [1.0]}, None, ["a"], np.ones(1), 4, np.arange(4))


def test_a_sample_keeps_the_share_of_each_class_and_rare_ones():
    codes = np.repeat([0, 1, 2], [9000, 997, 3])
    chosen = sample_rows(10_000, codes, 1000, 0)
    assert chosen.size == 1000
    assert np.all(np.diff(chosen) > 0)
    counts = np.bincount(codes[chosen])
    assert abs(counts[0] - 900) <= 2
    assert counts[2] >= 1
    np.testing.assert_array_equal(chosen, sample_rows(10_000, codes, 1000, 0))


def test_few_rows_are_all_shown_and_more_classes_than_rows_are_drawn_alike():
    np.testing.assert_array_equal(sample_rows(5, None, 5, 0), np.arange(5))
    assert sample_rows(50, np.arange(50), 10, 0).size == 10


def test_a_sample_is_by_the_first_classes_there_are(views):
    reading = read(views.model, views.X, views.y)
    shown = shown_rows(reading, 50, 0)
    assert np.bincount(reading.found.values[shown]).tolist() == [25, 25]


def test_unknown_classes_are_the_last_class_of_the_legend(views):
    partial = np.where(np.arange(200) < 20, views.y, -1)
    reading = replace(
        read(views.model, views.X), given=(labels_of("known", partial, None, partial=True),)
    )
    points, buffers = pack_points(
        reading, views.X, standardised(reading), np.arange(200), None, None
    )
    known = points["colourings"][1]
    assert known["classes"] == ["0", "1", "unknown"]
    assert known["unknown"] == 2
    expected = np.where(partial < 0, 2, partial)
    np.testing.assert_array_equal(decode(known, buffers), expected)


def test_a_direction_along_which_rows_hardly_differ_looks_flat():
    Z = np.stack([np.linspace(-1.0, 3.0, 50), 0.3 + 1e-12 * np.arange(50)], axis=1)
    wide, flat = pack_axes(Buffers(), Z, [["a +1.00"], ["b +1.00"]])
    assert (wide["low"], wide["high"]) == (-1.0, 3.0)
    assert flat["high"] - flat["low"] == pytest.approx(0.02 * 4.0)
    assert flat["low"] < 0.3 < flat["high"]
