"""``hsiclearn report``: a page from a model and a table."""

import pytest


@pytest.fixture
def model(run, flowers):
    options = ("--target", "kind", "--id", "name", "--drop", "colour", "--model", "m.hsic")
    assert run("fit", "flowers.csv", *options, "--quiet").exit_code == 0


def test_labels_are_those_of_the_fit(run, flowers, model, tmp_path):
    result = run("report", "m.hsic", "flowers.csv", "--output", "r.html")
    assert result.exit_code == 0, result.output
    assert result.stdout == "r.html\n"
    page = (tmp_path / "r.html").read_text()
    for text in ("clover", "no 59", "hsiclearn report m.hsic flowers.csv --output r.html"):
        assert text in page


def test_a_table_without_the_target_has_a_page_too(run, flowers, model, tmp_path):
    flowers.drop(columns="kind").to_csv(tmp_path / "new.csv", index=False)
    result = run("report", "m.hsic", "new.csv", "--output", "r.html")
    assert result.exit_code == 0, result.output
    assert "there is no column 'kind'" in result.stderr
    assert (tmp_path / "r.html").exists()


def test_another_column_may_be_the_target(run, flowers, model, tmp_path):
    result = run("report", "m.hsic", "flowers.csv", "--output", "r.html", "--target", "colour")
    assert result.exit_code == 0, result.output
    assert "flowers.csv: colour" in (tmp_path / "r.html").read_text()


def test_a_page_is_overwritten_by_force_alone(run, flowers, model, tmp_path):
    (tmp_path / "r.html").write_text("precious")
    options = ("report", "m.hsic", "flowers.csv", "--output", "r.html")
    assert run(*options).exit_code == 2
    assert (tmp_path / "r.html").read_text() == "precious"
    assert run(*options, "--force").exit_code == 0
