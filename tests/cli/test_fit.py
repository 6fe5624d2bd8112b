"""``hsiclearn fit``: what it finds, says and writes."""

import json

import numpy as np
import pytest

import hsiclearn
from hsiclearn._cli.models import FitRecord
from hsiclearn._persistence import load_with_notes

pytestmark = pytest.mark.usefixtures("unrendered")

FIT = ("fit", "flowers.csv", "--target", "kind", "--id", "name")


def figures(result):
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_the_answer_can_be_read(run, flowers):
    result = run(*FIT)
    assert result.exit_code == 0, result.output
    for text in (
        "flowers.csv: 60 rows, 6 columns",
        "kind, 3 classes: aster (20), briar (20), clover (20)",
        "5, numbers standardised: length, width, noise, colour=blue, colour=red",
        "The 2 directions that depend most on kind",
        "% of the target, on rows held out",
        "This is a verified local optimum",
    ):
        assert text in " ".join(result.stdout.split())
    assert "component 1  length +" in result.stdout
    encoded, few = result.stderr.splitlines()
    assert encoded == (
        "note: column 'colour' becomes 2 columns of 0 and 1; 'grey', the most frequent, is where "
        "all are 0"
    )
    assert few.startswith("note: The choice was made on 60 rows. With fewer than about 100")


def test_json_is_all_of_stdout_and_agrees_with_the_library(run, flowers):
    found = figures(run(*FIT, "--drop", "colour", "--components", "1", "--json"))
    X = flowers[["length", "width", "noise"]].to_numpy()
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    model = hsiclearn.SupervisedHSIC(1).fit(X, flowers["kind"])
    assert found["cost"] == pytest.approx(model.cost_, rel=1e-9)
    assert found["explained_share"] == pytest.approx(model.selection_.explained_share)
    loadings = found["components"][0]["loadings"]
    expected = dict(zip(["length", "width", "noise"], model.components_[0], strict=True))
    assert loadings == pytest.approx(expected, abs=1e-9)
    assert found["certificate"]["verified"] == model.certificate_.verified
    assert found["warnings"] == []


def test_quiet_leaves_notes_out(run, flowers):
    assert run(*FIT, "--quiet").stderr == ""


def test_the_model_file_remembers_the_command(run, flowers, tmp_path):
    result = run(*FIT, "--drop", "noise,colour", "--model", "m.hsic")
    assert "model        m.hsic" in result.stdout
    model, notes = load_with_notes(tmp_path / "m.hsic")
    assert model[0].columns_ == ["length", "width"]
    assert list(notes) == ["command"]
    record = FitRecord.from_notes(notes)
    assert (record.labels, record.rows) == (["kind"], 60)
    assert record.classes == {"kind": ["aster", "briar", "clover"]}
    assert (record.id, record.dropped) == ("name", ["noise", "colour"])
    assert "--drop noise,colour" in record.line


def test_files_keep_the_name_of_the_data_not_its_folder(run, flowers, tmp_path):
    options = ("--target", "kind", "--drop", "noise,colour,name")
    outputs = ("--model", "m.hsic", "--report", "r.html")
    assert run("fit", tmp_path / "flowers.csv", *options, *outputs).exit_code == 0
    _, notes = load_with_notes(tmp_path / "m.hsic")
    assert notes["command"]["line"].startswith("hsiclearn fit flowers.csv --target")
    assert str(tmp_path) not in (tmp_path / "r.html").read_text()


def test_the_same_command_writes_the_same_page(run, flowers, tmp_path):
    for name in ("a.html", "b.html"):
        assert run(*FIT, "--drop", "noise,colour", "--report", name).exit_code == 0
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


def test_the_report_holds_the_names(run, flowers, tmp_path):
    result = run(*FIT, "--report", "r.html")
    assert "report       r.html" in result.stdout
    page = (tmp_path / "r.html").read_text()
    for text in ("colour=blue", "clover", "no 59", "hsiclearn fit flowers.csv --target kind"):
        assert text in page


def test_files_are_overwritten_by_force_alone(run, flowers, tmp_path):
    (tmp_path / "m.hsic").write_text("precious")
    refused = run(*FIT, "--model", "m.hsic")
    assert refused.exit_code == 2
    assert "--force" in refused.stderr
    assert (tmp_path / "m.hsic").read_text() == "precious"
    assert run(*FIT, "--model", "m.hsic", "--force").exit_code == 0
    assert load_with_notes(tmp_path / "m.hsic")


def test_no_file_is_written_if_one_cannot_be(run, flowers, tmp_path, monkeypatch):
    def fail(*_, **__):
        raise ValueError("no page today")

    monkeypatch.setattr("hsiclearn._cli.report.report", fail)
    result = run(*FIT, "--model", "m.hsic", "--report", "r.html")
    assert result.exit_code == 2
    assert result.stderr.endswith("\nhsiclearn: no page today\n")
    assert [path.name for path in tmp_path.iterdir()] == ["flowers.csv"]


def test_missing_values_are_filled_when_asked_for(run, flowers, tmp_path):
    flowers.loc[[3, 5], "length"] = np.nan
    flowers.loc[7, "colour"] = None
    flowers.to_csv(tmp_path / "flowers.csv", index=False)
    result = run(*FIT, "--impute")
    assert result.exit_code == 0
    median = flowers["length"].median()
    assert f"missing values were filled: 2 in 'length' with {median:g}, the median" in result.stderr
    assert "category of their own, '(blank)': 1 in 'colour'" in result.stderr


def test_rows_without_a_target_are_left_out_when_asked_for(run, flowers, tmp_path):
    flowers.loc[[3, 30], "kind"] = None
    flowers.to_csv(tmp_path / "flowers.csv", index=False)
    found = figures(run(*FIT, "--drop-missing-target", "--drop", "colour", "--json"))
    assert found["rows"] == 58
    assert "rows without a label are left out: 2" in found["notes"]


KINDS = {
    "few integers": (np.arange(60) % 4, "auto", "classes", "--target-kind real"),
    "many integers": (np.arange(60) // 2, "auto", "real", "--target-kind classes"),
    "fractions": (np.arange(60) // 2 / 7, "auto", "real", "--target-kind classes"),
    "all different": (np.arange(60) / 7, "auto", "real", ""),
    "booleans": (np.arange(60) % 2 == 0, "auto", "classes", ""),
    "asked for": (np.arange(60) % 4, "real", "real", ""),
}


@pytest.mark.parametrize("name", KINDS)
def test_the_kind_of_a_target_follows_its_type(run, flowers, tmp_path, name):
    values, asked, kind, remedy = KINDS[name]
    flowers.assign(y=values).to_csv(tmp_path / "flowers.csv", index=False)
    options = ("--target", "y", "--target-kind", asked, "--drop", "kind,colour,name", "--json")
    found = figures(run("fit", "flowers.csv", "--components", "1", *options))
    assert found["labels"]["y"]["kind"] == kind
    notes = " ".join(found["notes"])
    assert (remedy in notes) if remedy else "--target-kind" not in notes


def test_constant_columns_are_told(run, flowers, tmp_path):
    flowers.assign(one=1).to_csv(tmp_path / "flowers.csv", index=False)
    result = run(*FIT, "--drop", "colour")
    assert result.exit_code == 0
    assert "note: column 'one' is constant: no part in any direction\n" in result.stderr


def test_warnings_are_lines_and_part_of_the_figures(run, flowers, tmp_path):
    rng = np.random.default_rng(4)
    flowers.assign(y=rng.standard_normal(60)).to_csv(tmp_path / "flowers.csv", index=False)
    options = ("--target", "y", "--drop", "kind,colour,name", "--components", "1")
    result = run("fit", "flowers.csv", *options, "--json")
    told = [line for line in result.stderr.splitlines() if line.startswith("warning: ")]
    assert [f"warning: {text}" for text in figures(result)["warnings"]] == told
    assert "No dependence found" in told[0]
    assert "hsiclearn test tells" in told[0]
    assert "do not read the components" in " ".join(
        run("fit", "flowers.csv", *options).stdout.split()
    )


def test_loadings_are_read_per_standard_deviation_largest_first(run, flowers):
    """An indicator is not standardised: its own loading is larger than what it moves."""
    (component,) = figures(run(*FIT, "--components", "1", "--json"))["components"]
    moved = list(component["standardised"].values())
    assert moved == sorted(moved, key=abs, reverse=True)
    name = next(name for name in component["loadings"] if name.startswith("colour="))
    spread = (flowers["colour"] == name.removeprefix("colour=")).std(ddof=0)
    expected = component["loadings"][name] * spread
    assert component["standardised"][name] == pytest.approx(expected)
    name, w = next(iter(component["standardised"].items()))
    assert f"component 1  {name} {w:+.2f}" in run(*FIT, "--components", "1").stdout


def test_the_sd_of_each_component_is_told(run, flowers):
    options = (*FIT, "--drop", "colour")
    components = figures(run(*options, "--json"))["components"]
    lines = [line for line in run(*options).stdout.splitlines() if "  component " in line]
    for component, line in zip(components, lines, strict=True):
        assert line.endswith(f"; sd {component['sd']:.3g}")


def test_nothing_held_out_is_told(run, tmp_path):
    (tmp_path / "t.csv").write_text("a,b,y\n1,2,u\n2,5,v\n4,1,w\n")
    text = " ".join(run("fit", "t.csv", "--target", "y").stdout.split())
    assert "explained not measured: no rows were held out" in text


def test_a_name_may_hold_a_comma(run, flowers, tmp_path):
    flowers.rename(columns={"noise": "a,b"}).to_csv(tmp_path / "flowers.csv", index=False)
    found = figures(run(*FIT, "--drop", "a,b", "--drop", "colour", "--json"))
    assert found["features"] == ["length", "width"]


def test_names_cannot_move_the_cursor(run, flowers, tmp_path):
    odd = flowers.rename(columns={"noise": "\x1b[2Jno\nise"})
    odd.to_csv(tmp_path / "flowers.csv", index=False)
    result = run(*FIT)
    assert result.exit_code == 0
    assert "\x1b" not in result.output
    assert r"\x1b[2Jno\nise" in result.stdout


def test_help_has_examples_on_lines_of_their_own(run):
    result = run("fit", "--help")
    assert "\n    hsiclearn fit iris.csv --target species\n" in result.stdout
    assert "\n    2    something in the input" in run("--help").stdout


def test_the_badge_and_figures_people_know_are_told(run, flowers):
    options = (*FIT, "--drop", "colour")
    found, text = figures(run(*options, "--json")), " ".join(run(*options).stdout.split())
    model = hsiclearn.SupervisedHSIC(2)
    X = flowers[["length", "width", "noise"]].to_numpy()
    model.fit((X - X.mean(axis=0)) / X.std(axis=0), flowers["kind"])
    neighbours = model.selection_.neighbours
    assert found["neighbours"]["in_subspace"] == neighbours.in_subspace
    assert found["badge"]["kind"] == "good"
    k, inside = neighbours.n_neighbors, f"{neighbours.in_subspace:.2f}"
    assert f"answer Holds for other rows: accuracy {inside}, by chance" in text
    assert f"neighbours {k}-NN accuracy {inside} in these 2 directions, " in text
    assert "on all 3 columns, " in text


def test_page_and_command_count_the_same_columns(run, flowers, tmp_path):
    flowers.loc[[3, 5], "length"] = np.nan
    flowers.to_csv(tmp_path / "flowers.csv", index=False)
    result = run(*FIT, "--drop", "noise", "--impute", "--report", "r.html")
    assert "flowers.csv: 60 rows, 6 columns" in result.stdout
    page = (tmp_path / "r.html").read_text()
    assert "60 rows and 6 columns, 3 of them used, made into 4 features, was searched" in page
    assert "Imputed cells" in page
    badge = next(line for line in result.stdout.splitlines() if line.startswith("  answer"))
    assert badge.split(None, 1)[1] in page
