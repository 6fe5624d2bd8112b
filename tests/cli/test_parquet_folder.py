"""``hsiclearn fit`` and ``transform`` of a folder of Parquet files."""

import io
import json
import sys

import numpy as np
import polars as pl
import pytest

import hsiclearn
from hsiclearn._cli.models import FitRecord
from hsiclearn._cli.tables import facts, folder
from hsiclearn._persistence import load_with_notes

pytestmark = pytest.mark.usefixtures("unrendered")

FIT = ("--target", "kind", "--bandwidth", "median", "--json")
N = 1200
RARE = {"missing": 777, "teal": 555}  # rows that no draw of 100 is likely to hold


@pytest.fixture(scope="module")
def plants():
    """A table with a number of each row, dates, a rare colour and a blank one."""
    rng = np.random.default_rng(0)
    kind = rng.integers(3, size=N)
    colour = np.array(["red", "blue", "grey"], dtype=object)[rng.choice(3, N, p=[0.5, 0.3, 0.2])]
    colour[RARE["teal"]], colour[RARE["missing"]] = "teal", None
    return pl.DataFrame(
        {
            "no": np.arange(N),
            "length": kind + 0.3 * rng.standard_normal(N),
            "width": np.abs(kind - 1) + 0.3 * rng.standard_normal(N),
            "noise": rng.standard_normal(N),
            "tall": rng.random(N) < 0.5,
            "colour": pl.Series(colour, dtype=pl.String),
            "day": pl.Series(np.arange(N) * 7 % 900).cast(pl.Date),
            "kind": np.array(["aster", "briar", "clover"])[kind],
        }
    )


@pytest.fixture
def large(monkeypatch):
    """Folders of more than a hundred rows are left where they are, and read in small chunks."""
    monkeypatch.setattr(facts, "_DRAWN", 100)
    monkeypatch.setattr(folder, "_FEWEST", 170)
    monkeypatch.setattr(folder, "_MOST", 170)


def write(path, frame, n_files=3):
    """A file, and a folder of the same rows."""
    frame.write_parquet(path / "all.parquet")
    (path / "rows").mkdir(exist_ok=True)
    for i, part in enumerate(frame.iter_slices(-(-len(frame) // n_files))):
        part.write_parquet(path / "rows" / f"part-{i + 8}.parquet", row_group_size=150)


def figures(result):
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def loadings(answer):
    return [
        [component["loadings"][name] for name in sorted(component["loadings"])]
        for component in answer["components"]
    ]


def check_alike(found, expected, rtol=2e-3):
    """The same answer, as near as sums in linear time are."""
    for key in ("rows", "columns", "labels", "estimator", "settings", "found_dependence"):
        assert found[key] == expected[key]
    assert sorted(found["features"]) == sorted(expected["features"])
    np.testing.assert_allclose(loadings(found), loadings(expected), rtol=0, atol=rtol)
    assert found["cost"] == pytest.approx(expected["cost"], rel=rtol)
    if expected["explained_share"] is not None:  # what was held out is held out again
        assert found["explained_share"] == pytest.approx(expected["explained_share"], rel=rtol)
    for a, b in zip(found["components"], expected["components"], strict=True):
        assert a["sd"] == pytest.approx(b["sd"], rel=rtol)


def test_a_folder_of_few_rows_is_read_as_one_file(run, plants, tmp_path):
    write(tmp_path, plants)
    found, expected = (figures(run("fit", name, *FIT)) for name in ("rows", "all.parquet"))
    assert found.pop("data") == "rows"
    assert expected.pop("data") == "all.parquet"
    assert found == expected


def test_a_few_rows_need_no_dask(run, plants, tmp_path, monkeypatch):
    write(tmp_path, plants[:100])
    monkeypatch.setitem(sys.modules, "dask", None)
    assert figures(run("fit", "rows", *FIT))["rows"] == 100


def test_many_rows_need_dask(run, plants, tmp_path, monkeypatch, large):
    write(tmp_path, plants)
    monkeypatch.setitem(sys.modules, "dask", None)
    result = run("fit", "rows", *FIT)
    assert result.exit_code == 1
    assert "A folder of 1200 rows needs dask" in result.stderr
    assert "pip install 'hsic-learn[dask]'" in result.stderr


TARGETS = {
    "text": ("kind", ()),
    "booleans": ("tall", ("--drop", "kind")),
    "a quantity": ("length", ("--drop", "kind")),
    "whole numbers": ("petals", ("--drop", "kind,length")),
    "whole numbers as a quantity": ("petals", ("--target-kind", "real", "--drop", "kind,length")),
    "held out together": ("kind", ("--groups", "plot", "--bandwidth", "auto")),
    "not scaled": ("kind", ("--no-scale", "--drop", "day")),
    "numbered": ("kind", ("--categories", "ordinal", "--impute")),
    "codes": ("kind", ("--category", "petals", "--drop", "day")),
    "columns chosen": ("kind", ("--select", "2", "--objective", "dependence")),
}


@pytest.mark.parametrize("name", TARGETS)
def test_a_large_folder_gives_the_answer_of_the_file(run, plants, tmp_path, large, name):
    target, options = TARGETS[name]
    petals = plants["length"].round(0).cast(int) + 3
    plot = pl.int_range(N) // 7 % 40
    write(tmp_path, plants.with_columns(petals=petals, plot=plot)[:600])
    options = ("--target", target, "--bandwidth", "1.5", *options, "--json")
    found, expected = (figures(run("fit", path, *options)) for path in ("rows", "all.parquet"))
    check_alike(found, expected)


def test_what_stands_in_few_rows_is_known(run, plants, tmp_path, large):
    write(tmp_path, plants)
    found = figures(run("fit", "rows", *FIT))
    assert found["rows"] == N
    assert {"colour=teal", "colour=(blank)", "tall", "day:days"} <= set(found["features"])
    assert "column 'no' numbers the rows and is left out; --keep no keeps it" in found["notes"]
    assert any("1 in 'colour'" in note for note in found["notes"])
    assert sum(found["labels"]["kind"]["counts"].values()) == N
    (learnt,) = (note for note in found["notes"] if "is learnt from" in note)
    assert f"of {N} rows" in learnt


def test_numbers_are_standardised_over_all_rows(run, plants, tmp_path, large):
    plants = plants.with_columns(noise=pl.col("noise").exp() * 5)
    write(tmp_path, plants)
    assert run("fit", "rows", *FIT, "--model", "m.hsic").exit_code == 0
    encoder = hsiclearn.load(tmp_path / "m.hsic")[0]
    mean = dict(zip(encoder.get_feature_names_out(), encoder.mean_, strict=True))
    scale = dict(zip(encoder.get_feature_names_out(), encoder.scale_, strict=True))
    for name in ("length", "width", "noise"):
        assert mean[name] == pytest.approx(plants[name].mean(), rel=1e-9)
        assert scale[name] == pytest.approx(plants[name].std(ddof=0), rel=1e-9)
    assert np.isnan(mean["colour=teal"])


def test_constant_columns_stay_as_they_are(run, plants, tmp_path, large):
    write(tmp_path, plants.with_columns(one=pl.lit(3.0)))
    assert "column 'one' is constant" in run("fit", "rows", *FIT).stderr


def test_missing_numbers_are_an_error_that_says_where_or_are_filled(run, plants, tmp_path, large):
    gap = pl.int_range(pl.len()) == RARE["missing"]
    write(tmp_path, plants.with_columns(length=pl.when(~gap).then("length")))
    result = run("fit", "rows", *FIT)
    assert result.exit_code == 2
    assert f"1 in 'length' (row {RARE['missing'] + 1})" in result.stderr
    found = figures(run("fit", "rows", *FIT, "--impute"))
    assert any("filled: 1 in 'length'" in note for note in found["notes"])


def test_infinite_numbers_are_an_error_that_says_where(run, plants, tmp_path, large):
    bad = pl.int_range(pl.len()) == 901
    write(tmp_path, plants.with_columns(noise=pl.when(bad).then(np.inf).otherwise("noise")))
    assert "an infinite value (row 902)" in run("fit", "rows", *FIT).stderr


def test_rows_without_a_target_are_an_error_or_left_out(run, plants, tmp_path, large):
    gaps = pl.int_range(pl.len()).is_in([3, 400, 1199])
    frame = plants.with_columns(kind=pl.when(~gaps).then("kind"))
    write(tmp_path, frame)
    result = run("fit", "rows", *FIT)
    assert result.exit_code == 2
    assert "missing in 3 of 1200 rows (rows 4, 401, 1200). Leave these rows out" in result.stderr
    options = (*FIT, "--drop-missing-target", "--bandwidth", "1.5")
    found, expected = (figures(run("fit", path, *options)) for path in ("rows", "all.parquet"))
    assert found["rows"] == 1197
    assert "rows without a label are left out: 3" in found["notes"]
    check_alike(found, expected)


def test_a_cell_that_no_row_looked_at_has_is_an_error(run, plants, tmp_path, large, monkeypatch):
    """Dates that are text may be more than are kept: then a chunk finds out."""
    monkeypatch.setattr(facts, "_MOST_TEXTS", 50)
    days = [f"20{i // 336:02d}-{i // 28 % 12 + 1:02d}-{i % 28 + 1:02d}" for i in range(N)]
    days[RARE["teal"]] = "2001-02-31"
    write(tmp_path, plants.with_columns(day=pl.Series(days)))
    result = run("fit", "rows", *FIT, "--model", "m.hsic")
    assert result.exit_code == 2
    assert f"'2001-02-31' is none (row {RARE['teal'] + 1})" in result.stderr
    assert not (tmp_path / "m.hsic").exists()


def test_the_model_is_applied_as_that_of_the_file(run, plants, tmp_path, large):
    write(tmp_path, plants)
    options = ("--target", "kind", "--bandwidth", "1.5", "--quiet", "--id", "no")
    for data, model in (("rows", "a.hsic"), ("all.parquet", "b.hsic")):
        assert run("fit", data, *options, "--model", model).exit_code == 0
    _, notes = load_with_notes(tmp_path / "a.hsic")
    record = FitRecord.from_notes(notes)
    assert (record.rows, record.id, record.classes["kind"][0]) == (N, "no", "aster")
    assert record.line.startswith("hsiclearn fit rows --target kind")
    a, b = (
        pl.read_csv(io.BytesIO(run("transform", model, "all.parquet").stdout_bytes))
        for model in ("a.hsic", "b.hsic")
    )
    assert a.columns == b.columns == ["no", "component1", "component2"]
    np.testing.assert_allclose(a.to_numpy(), b.to_numpy(), rtol=0, atol=5e-3)


@pytest.mark.long
@pytest.mark.parametrize(
    "options",
    [
        ("--known", "kind"),
        ("--clusters", "2", "--against", "kind", "--against", "tall"),
    ],
    ids=["known", "against"],
)
def test_clusters_of_a_large_folder(run, plants, tmp_path, large, options, without_refits):
    write(tmp_path, plants.drop("colour", "day")[:600])
    found = figures(run("fit", "rows", *options, "--model", "m.hsic", "--json"))
    sizes = found["clusters"]["sizes"]
    projected = run("transform", "m.hsic", "all.parquet")
    clusters = pl.read_csv(io.BytesIO(projected.stdout_bytes))["cluster"].cast(pl.String)
    counts = dict(clusters.value_counts().iter_rows())
    assert counts == pytest.approx(sizes, abs=6)


def test_a_report_is_of_the_rows_looked_at(run, plants, tmp_path, large):
    write(tmp_path, plants)
    assert run("fit", "rows", *FIT, "--report", "r.html").exit_code == 0
    assert f"of {N} rows" in (tmp_path / "r.html").read_text()


def test_folders_may_name_values(run, plants, tmp_path, large):
    for (kind, year), part in plants.with_columns(year=2020 + pl.col("tall")).group_by(
        "kind", "year"
    ):
        below = tmp_path / "rows" / f"kind={kind}" / f"year={year}"
        below.mkdir(parents=True)
        part.drop("kind", "year").write_parquet(below / "x.parquet")
    (tmp_path / "rows" / "_SUCCESS").touch()
    found = figures(run("fit", "rows", *FIT))
    assert found["labels"]["kind"]["counts"].keys() == {"aster", "briar", "clover"}
    assert "year" in found["features"]


def test_files_come_in_the_order_of_their_numbers(run, plants, tmp_path, large):
    write(tmp_path, plants, n_files=5)  # part-8 to part-12
    notes = figures(run("fit", "rows", *FIT))["notes"]
    assert any("column 'no' numbers the rows" in note for note in notes)


def test_whole_numbers_may_be_fractions_in_another_file(run, plants, tmp_path, large):
    write(tmp_path, plants)
    part = tmp_path / "rows" / "part-9.parquet"
    pl.read_parquet(part).with_columns(pl.col("noise").round(0).cast(pl.Int32)).write_parquet(part)
    assert figures(run("fit", "rows", *FIT))["rows"] == N


WRONG = {
    "lacks": (lambda frame: frame.drop("noise"), "'rows/part-9.parquet' lacks 'noise'"),
    "another": (
        lambda frame: frame.rename({"noise": "sound"}),
        "'rows/part-9.parquet' lacks 'noise' and has 'sound' as well",
    ),
    "text": (
        lambda frame: frame.cast({"noise": pl.String}),
        "'noise' holds text in 'rows/part-9.parquet', and numbers in 'rows/part-8.parquet'",
    ),
    "dates": (
        lambda frame: frame.cast({"day": pl.Int32}),
        "'day' holds numbers in 'rows/part-9.parquet', and dates in 'rows/part-8.parquet'",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_files_that_differ_are_an_error_that_names_one(run, plants, tmp_path, name):
    change, said = WRONG[name]
    write(tmp_path, plants)
    part = tmp_path / "rows" / "part-9.parquet"
    change(pl.read_parquet(part)).write_parquet(part)
    result = run("fit", "rows", *FIT)
    assert result.exit_code == 2
    assert said in result.stderr
    assert "move it out of the folder" in result.stderr


def test_a_damaged_file_is_named(run, plants, tmp_path):
    write(tmp_path, plants)
    (tmp_path / "rows" / "part-9.parquet").write_bytes(b"")
    said = run("fit", "rows", *FIT).stderr
    assert said.startswith("hsiclearn: 'rows/part-9.parquet' is not a whole Parquet file")


def test_a_folder_without_parquet_is_an_error(run, tmp_path):
    (tmp_path / "rows").mkdir()
    assert "It is empty: 'rows'" in run("fit", "rows", *FIT).stderr
    (tmp_path / "rows" / "a.csv").write_text("a,kind\n1,2\n")
    result = run("fit", "rows", *FIT)
    assert result.exit_code == 2
    assert "It holds 'a.csv': 'rows'. Name a folder of .parquet, or a file." in result.stderr


def test_an_unknown_column_is_told_before_the_work(run, plants, tmp_path, large):
    write(tmp_path, plants)
    result = run("fit", "rows", "--target", "kin")
    assert result.stderr == "hsiclearn: There is no column 'kin'. Did you mean 'kind'?\n"


def test_a_cluster_that_does_not_answer_is_an_error(run, plants, tmp_path, large):
    write(tmp_path, plants)
    refused = run("fit", "all.parquet", *FIT, "--scheduler", "127.0.0.1:1")
    assert "--scheduler is for a folder of Parquet" in refused.stderr
    result = run("fit", "rows", *FIT, "--scheduler", "nothing://here")
    assert result.exit_code == 2
    assert "No scheduler of Dask answers at 'nothing://here'" in result.stderr


@pytest.fixture
def model(run, plants, tmp_path):
    write(tmp_path, plants)
    options = ("--target", "kind", "--bandwidth", "1.5", "--model", "m.hsic", "--quiet")
    assert run("fit", "all.parquet", *options).exit_code == 0


def test_a_folder_is_projected_as_a_file_is(run, model, tmp_path, large):
    assert (
        run("transform", "m.hsic", "rows").stdout
        == run("transform", "m.hsic", "all.parquet").stdout
    )
    for output in ("plane", "plane.csv"):
        assert run("transform", "m.hsic", "rows", "--id", "no", "--output", output).exit_code == 0
    parts = pl.read_parquet(tmp_path / "plane" / "*.parquet")
    assert parts["no"].to_list() == list(range(N))
    assert parts.equals(pl.read_csv(tmp_path / "plane.csv"))
    assert not list(tmp_path.glob(".*"))


def test_a_folder_that_is_there_is_not_overwritten(run, model, tmp_path):
    for output, said in (("rows", "must be new"), ("a.parquet", "no suffix"), ("no/a", "Make it")):
        result = run("transform", "m.hsic", "rows", "--output", output, "--force")
        assert result.exit_code == 2
        assert said in result.stderr


def test_nothing_is_written_if_a_chunk_cannot_be_projected(run, model, plants, tmp_path, large):
    gap = pl.int_range(pl.len()) == 1100
    write(tmp_path, plants.with_columns(length=pl.when(~gap).then("length")))
    before = set(tmp_path.iterdir())
    for output in ("plane", "plane.csv"):
        result = run("transform", "m.hsic", "rows", "--output", output)
        assert result.exit_code == 2
        assert "1 in 'length' (row 1101)" in result.stderr
    assert set(tmp_path.iterdir()) == before
