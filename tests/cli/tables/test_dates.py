"""Dates as numbers: the parts that repeat, the forms of text, and new rows like those of fit."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.pipeline import make_pipeline

import hsiclearn
from hsiclearn._cli.tables import TableEncoder, TableError


def names_of(dates):
    return [
        name.split(":")[1]
        for name in TableEncoder().fit(pd.DataFrame({"d": dates})).get_feature_names_out()
    ]


REPEATED = {
    "D": ["days", "month", "weekday"],
    "7h": ["days", "weekday", "hour"],
    "MS": ["days", "month"],
    "YS": ["days"],
    "min": ["days"],
}


@pytest.mark.parametrize("step", REPEATED)
def test_parts_are_features_where_they_repeat(step):
    assert names_of(pd.date_range("1990-01-01", periods=400, freq=step, unit="s")) == REPEATED[step]


def test_the_weekday_of_a_birthday_is_noise():
    days = np.random.default_rng(0).choice(30_000, size=300, replace=False)
    assert names_of(np.datetime64("1940-01-01") + days) == ["days", "month"]


def test_the_numbers_are_those_of_the_calendar():
    days = pd.date_range("2015-12-30 05:30", periods=9_000, freq="5h").to_series().sample(5000)
    encoder = TableEncoder().fit(pd.DataFrame({"d": days}))
    X = encoder.transform(pd.DataFrame({"d": days}))
    elapsed = (days - days.min()).dt.total_seconds() / 86_400
    expected = [elapsed, days.dt.month, days.dt.day_of_week + 1, days.dt.hour]
    np.testing.assert_allclose(X, np.column_stack(expected), atol=1e-9)


FORMS = {
    "iso": ("%Y-%m-%d", "year first"),
    "iso with a clock": ("%Y-%m-%dT%H:%M:%SZ", "year first"),
    "slashes": ("%Y/%m/%d", "year first"),
    "dots": ("%d.%m.%Y", "day first"),
    "british": ("%d/%m/%Y", "day first"),
    "american": ("%m/%d/%Y %I:%M %p", "month first"),
}


@pytest.mark.parametrize("name", FORMS)
def test_text_is_read_as_the_dates_it_was_written_from(name):
    pattern, form = FORMS[name]
    days = pd.date_range("2019-12-25 15:30", periods=40, freq="D").to_series()
    if "%H" not in pattern and "%I" not in pattern:
        days = days.dt.floor("D")
    encoder = TableEncoder().fit(pd.DataFrame({"d": days.dt.strftime(pattern)}))
    assert encoder.dates_[0]["form"] == form
    np.testing.assert_allclose(
        encoder.transform(pd.DataFrame({"d": days.dt.strftime(pattern)})),
        TableEncoder().fit_transform(pd.DataFrame({"d": days})),
    )


def test_new_rows_are_read_as_those_of_fit_were():
    encoder = TableEncoder().fit(pl.DataFrame({"d": ["1/2/2020", "31/12/2019"]}))
    later = pl.DataFrame({"d": ["3/2/2020", "2020-02-04"]})  # unclear by itself
    assert encoder.transform(later)[:, 0].tolist() == [34.0, 35.0]
    typed = pl.DataFrame({"d": ["2020-02-03"]}).with_columns(pl.col("d").str.to_date())
    assert encoder.transform(typed)[:, 0].tolist() == [34.0]
    with pytest.raises(TableError, match=r"'12/31/2019' is none \(row 1\)"):
        encoder.transform(pl.DataFrame({"d": ["12/31/2019"]}))
    with pytest.raises(TableError, match=r"held dates in fit\. Now it holds numbers, such as 5"):
        encoder.transform(pl.DataFrame({"d": [5]}))


def test_a_missing_date_is_filled_with_the_middle_one(tmp_path):
    frame = pd.DataFrame({"d": ["2020-01-01", None, "2020-01-05", *["2020-01-03"] * 4]})
    with pytest.raises(TableError, match="1 in 'd'"):
        TableEncoder().fit(frame)
    encoder = TableEncoder(impute=True).fit(frame)
    assert encoder.imputed_ == {"d": 1}
    assert encoder.transform(frame)[1, 0] == 2.0


def test_a_saved_model_reads_dates_as_before(tmp_path):
    rng = np.random.default_rng(0)
    days = pd.date_range("2019-06-01", periods=60, freq="13D").strftime("%d.%m.%Y")
    frame = pd.DataFrame({"d": days, "x": rng.standard_normal(60)})
    steps = TableEncoder(scale=True), hsiclearn.SupervisedHSIC(1, bandwidth=1.0)
    model = make_pipeline(*steps).fit(frame, frame["x"])
    again = hsiclearn.load(hsiclearn.save(model, tmp_path / "m.hsic"))
    assert again[0].dates_ == model[0].dates_
    assert np.array_equal(again.transform(frame[:5]), model.transform(frame[:5]))
