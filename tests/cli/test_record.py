"""The record of a fit in a model file: kept whole, and read with suspicion."""

import pytest

import hsiclearn
from hsiclearn import SupervisedHSIC
from hsiclearn._cli.models import FitRecord

pytestmark = pytest.mark.usefixtures("unrendered")

RECORD = FitRecord("target", ["y"], "real", {"y": []}, "name", ["z"], 9, ["odd"], "hsiclearn fit")
CHANGES = {
    "role": "judge",
    "labels": "y",
    "kind": ["real"],
    "classes": {"y": [1]},
    "id": 3,
    "dropped": [None],
    "rows": "9",
    "warnings": {"odd": 1},
    "line": None,
}


def test_a_record_comes_back():
    assert FitRecord.from_notes(RECORD.as_notes() | {"mine": 1}) == RECORD
    assert RECORD.fitted_on == {"n_rows": 9, "labels": ["y"], "n_other_columns": 3}


@pytest.mark.parametrize("name", CHANGES)
def test_a_value_of_another_type_is_no_record(name):
    record = RECORD.as_notes()["command"]
    assert FitRecord.from_notes({"command": record | {name: CHANGES[name]}}) is None
    assert FitRecord.from_notes({"command": {k: v for k, v in record.items() if k != name}}) is None


NOTES = [
    {},
    {"command": "make model"},
    {"command": ["hsiclearn"]},
    {"role": "target", "labels": ["kind"], "kind": 7, "id": ["name"]},
    {"labels": 5, "id": 3, "command": None},
]


@pytest.mark.parametrize("notes", NOTES)
def test_notes_of_others_are_let_alone(run, flowers, tmp_path, notes):
    numbers = flowers[["length", "width"]]
    model = SupervisedHSIC(1, bandwidth="median").fit(numbers.to_numpy(), flowers["kind"])
    hsiclearn.save(model, tmp_path / "own.hsic", notes=notes)
    numbers.to_csv(tmp_path / "numbers.csv", index=False)
    result = run("transform", "own.hsic", "numbers.csv")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("component1\n")
    result = run("report", "own.hsic", "numbers.csv", "--output", "r.html")
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
