"""``hsiclearn report``: a page from a model and a table."""

import html
import re

import pytest

pytestmark = pytest.mark.usefixtures("unrendered")


FITTED = {}


@pytest.fixture
def model(run, flowers, tmp_path):
    """``m.hsic``, fitted once: the flowers are the same in every test."""
    if not FITTED:
        options = ("--target", "kind", "--id", "name", "--drop", "colour", "--model", "m.hsic")
        assert run("fit", "flowers.csv", *options, "--quiet").exit_code == 0
        FITTED["bytes"] = (tmp_path / "m.hsic").read_bytes()
    (tmp_path / "m.hsic").write_bytes(FITTED["bytes"])


def words(path):
    """The text of a page, without its code."""
    page = re.sub(r"(?s)<(script|style).*?</\1>", " ", path.read_text())
    return html.unescape(" ".join(re.sub(r"<[^>]*>", " ", page).split()))


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
    text = words(tmp_path / "r.html")
    assert "flowers.csv: colour" in text
    asked = re.search(r"was searched for [^.]*\.", text).group()
    assert "kind" in asked
    assert "colour" not in asked
    assert "colour”, which the model was not fitted to" in text


def test_other_rows_are_not_those_of_the_fit(run, flowers, model, tmp_path):
    flowers[::3].to_csv(tmp_path / "some.csv", index=False)
    assert run("report", "m.hsic", "some.csv", "--output", "r.html").exit_code == 0
    text = words(tmp_path / "r.html")
    assert "A table of 60 rows" in text
    assert "fitted on other rows" in text
    assert "20 rows are shown" in text


def test_columns_left_out_of_the_fit_are_left_out_of_the_page(run, flowers, tmp_path):
    secret = flowers.assign(salary=[f"{i}4711" for i in range(60)])
    secret.to_csv(tmp_path / "secret.csv", index=False)
    options = ("--target", "kind", "--id", "name", "--drop", "colour,salary")
    assert run("fit", "secret.csv", *options, "--model", "m.hsic", "--quiet").exit_code == 0
    assert run("report", "m.hsic", "secret.csv", "--output", "r.html").exit_code == 0
    page = (tmp_path / "r.html").read_text()
    assert "salary" not in page
    assert "594711" not in page
    assert "60 rows and 7 columns, 3 of them used," in words(tmp_path / "r.html")


def test_the_kind_of_another_column_is_its_own(run, flowers, tmp_path):
    numbers = flowers.assign(price=flowers["length"] * 3.1)
    numbers.to_csv(tmp_path / "numbers.csv", index=False)
    options = ("--target", "price", "--drop", "colour,kind,name", "--model", "p.hsic")
    assert run("fit", "numbers.csv", *options, "--quiet").exit_code == 0
    result = run("report", "p.hsic", "numbers.csv", "--target", "kind", "--output", "r.html")
    assert result.exit_code == 0, result.output


def test_a_page_is_overwritten_by_force_alone(run, flowers, model, tmp_path):
    (tmp_path / "r.html").write_text("precious")
    options = ("report", "m.hsic", "flowers.csv", "--output", "r.html")
    assert run(*options).exit_code == 2
    assert (tmp_path / "r.html").read_text() == "precious"
    assert run(*options, "--force").exit_code == 0
