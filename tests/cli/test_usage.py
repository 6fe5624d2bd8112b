"""A wrong command line is one line; help and messages name what there is."""

import re
import shutil

import pytest
import typer
from typer.testing import CliRunner

from hsiclearn._cli.app import app

COMMAND = typer.main.get_command(app)
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
LINES = {
    "unknown option": (("fit", "t.csv", "--tagret", "y"), ["--tagret", "hsiclearn fit --help"]),
    "unknown verb": (("fti", "t.csv"), ["fti", "See hsiclearn --help"]),
    "no data": (("fit",), ["DATA", "hsiclearn fit --help"]),
    "no output": (("report", "m.hsic", "t.csv"), ["--output", "hsiclearn report --help"]),
    "no number": (("fit", "t.csv", "--seed", "x"), ["--seed", "hsiclearn fit --help"]),
    "no such kind": (("fit", "t.csv", "--target-kind", "x"), ["--target-kind", "classes"]),
    "too many": (("transform", "m.hsic", "t.csv", "u.csv"), ["u.csv"]),
    "before the verb": (("--verbose", "fit"), ["--verbose", "See hsiclearn --help"]),
}


@pytest.mark.parametrize("name", LINES)
def test_a_wrong_command_line_is_one_line(run, name):
    arguments, culprits = LINES[name]
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("hsiclearn: ")
    assert result.stderr.count("\n") == 1
    for culprit in culprits:
        assert culprit in result.stderr


def test_without_a_verb_there_is_help(run):
    assert "Commands:" in run().output


@pytest.mark.parametrize("verb", ["fit", "transform", "test", "report"])
def test_usage_has_no_braces(run, verb):
    usage = run(verb, "--help").stdout.split("\n\n")[0]
    assert " DATA" in usage
    assert "{" not in usage


def offered(verb):
    """The options that the help of a verb lists."""
    return {name for parameter in COMMAND.commands[verb].params for name in parameter.opts}


def advised(text, verb):
    """The verb and the option of each piece of advice: ``hsiclearn fit --x`` is one to fit."""
    others = re.findall(r"hsiclearn ([a-z]+) (--[a-z-]+)", text)
    rest = re.sub(r"hsiclearn [a-z]+ --[a-z-]+", "", text)
    return [*others, *((verb, option) for option in OPTION.findall(rest))]


def rows(**columns):
    """60 rows as text; a column is a function of the number of the row."""
    columns = {"a": lambda i: i % 7 + i / 9, "b": lambda i: i * i % 11 + i / 8, **columns}
    columns["y"] = lambda i: "uv"[i % 2]
    lines = [",".join(columns), *(",".join(str(f(i)) for f in columns.values()) for i in range(60))]
    return "\n".join(lines) + "\n"


TABLES = {
    "missing": rows(a=lambda i: "" if i == 3 else i / 7),
    "infinite": rows(a=lambda i: "inf" if i == 3 else i / 7),
    "text": rows(a=lambda i: "abc" if i == 3 else i / 7),
    "names": rows(a=lambda i: f"n{i}"),
    "dates": rows(a=lambda i: f"2020-01-{i % 28 + 1:02}"),
    "times": rows(a=lambda i: f"12:{i:02}"),
    "percent": rows(a=lambda i: f"{i}.5%"),
    "thousands": rows(a=lambda i: f'"{i + 1},000"'),
    "codes": rows(a=lambda i: "A12" if i == 3 else f"{i % 7:03}"),
    "empty": rows(a=lambda i: ""),
    "constant": rows(a=lambda i: 1, b=lambda i: 1),
    "huge": rows(a=lambda i: 1e300),
    "few": "\n".join(rows().splitlines()[:4]) + "\n",
    "three": rows(c=lambda i: "uvw"[i % 3]),
    "twin": rows(b=lambda i: 2 * (i % 7 + i / 9)),
    "no b": rows().replace("b", "c"),
    "good": rows(),
    "y missing": rows().replace("u", ""),
    "y infinite": rows().replace("u", "1").replace("v", "inf"),
    "y text": rows().replace("u", "1").replace("v", "2").replace(",1\n", ",one\n", 1),
    "y names": "\n".join(f"{line}{i}" for i, line in enumerate(rows().splitlines())) + "\n",
    "y whole": rows().replace("u", "1").replace("v", "2"),
}
COMMANDS = [
    ("fit", "t.csv", "--target", "y"),
    ("fit", "t.csv", "--target", "y", "--target-kind", "real"),
    ("fit", "t.csv", "--target", "a"),
    ("fit", "t.csv", "--known", "y"),
    ("fit", "t.csv", "--against", "y"),
    ("fit", "t.csv", "--clusters", "9"),
    ("test", "t.csv", "--y", "y"),
    ("test", "t.csv", "--y", "y", "--x", "a"),
    ("test", "t.csv", "--y", "a,y", "--x", "b", "--joint"),
    ("test", "t.csv", "--y", "a"),
    ("transform", "m.hsic", "t.csv"),
    ("report", "m.hsic", "t.csv", "--output", "r.html", "--force"),
    ("report", "m.hsic", "t.csv", "--target", "a", "--output", "r.html", "--force"),
    ("report", "m.hsic", "t.csv", "--known", "a", "--output", "r.html", "--force"),
    ("report", "m.hsic", "t.csv", "--against", "a", "--output", "r.html", "--force"),
]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A model file of the good table."""
    folder = tmp_path_factory.mktemp("usage")
    (folder / "t.csv").write_text(rows())
    line = ["fit", str(folder / "t.csv"), "--target", "y", "--model", str(folder / "m.hsic")]
    assert CliRunner().invoke(app, line).exit_code == 0
    return folder / "m.hsic"


@pytest.mark.long
@pytest.mark.usefixtures("without_refits")
@pytest.mark.parametrize("name", TABLES)
def test_every_option_advised_is_one_of_the_verb(run, model, tmp_path, monkeypatch, name):
    monkeypatch.setattr("hsiclearn._cli.report.report", lambda *_, **__: _[3].write_text("page"))
    shutil.copy(model, tmp_path / "m.hsic")
    (tmp_path / "t.csv").write_text(TABLES[name])
    for command in COMMANDS:
        if name == "no b" and command[0] == "fit":  # to a fit it is the good table
            continue
        result = run(*command)
        assert result.exit_code in (0, 2), (command, result.output, result.exception)
        lines = [text for text in result.stderr.splitlines() if not text.startswith("note: ")]
        first, *more = lines or [""]
        assert result.exit_code == 0 or bool(more) == first.endswith(" problems:")
        assert result.exit_code == 0 or first.startswith("hsiclearn: ")
        for verb, option in advised(result.stderr, command[0]):
            assert option in offered(verb), (command, result.stderr)


def test_missing_values_are_told_to_each_verb_in_its_own_words(run, model, tmp_path):
    shutil.copy(model, tmp_path / "m.hsic")
    (tmp_path / "t.csv").write_text(TABLES["missing"])
    assert run("fit", "t.csv", "--target", "y").stderr.endswith("or use --impute.\n")
    for command in COMMANDS[-5:-3]:
        assert "a model of hsiclearn fit --impute fills them" in run(*command).stderr
