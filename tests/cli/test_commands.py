"""Verbs that other packages add, and the one of the benchmarks where they are not installed."""

from importlib.metadata import EntryPoint

import pytest
import typer

from hsiclearn._cli import commands

GREETING = typer.Typer(help="Greet.", rich_markup_mode=None)


@GREETING.command()
def aloud(name: str) -> None:
    print(f"HELLO {name}")


@GREETING.command()
def softly(name: str) -> None:
    print(f"hello {name}")


@pytest.fixture
def install(monkeypatch):
    """Packages that add verbs, by the object that each names."""
    found = {}

    def entry_points(*, group, name=None):
        assert group == "hsiclearn.commands"
        entries = [EntryPoint(key, value, group) for key, value in found.items()]
        return [entry for entry in entries if name in (None, entry.name)]

    monkeypatch.setattr(commands, "entry_points", entry_points)
    return found.update


@pytest.mark.usefixtures("install")
@pytest.mark.parametrize("words", [(), ("paper", "--quick"), ("--help",)])
def test_a_plain_install_says_in_a_line_how_to_get_the_benchmarks(run, words):
    result = run("bench", *words)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr == (
        "hsiclearn: hsiclearn bench needs hsic-learn-benchmarks, which is not installed. "
        "Install it with: pip install ./benchmarks in a clone of hsic-learn\n"
    )


@pytest.mark.usefixtures("install")
def test_help_of_a_plain_install_names_it():
    assert commands.added_verbs() == ["bench"]


def test_any_package_may_add_a_verb(run, install):
    install({"greet": f"{__name__}:GREETING"})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(EntryPoint, "load", lambda self: GREETING)
        assert run("greet", "aloud", "you").stdout == "HELLO you\n"
        lines = run("--help").stdout.splitlines()
        assert any(line.split() == ["greet", "Greet."] for line in lines)
        assert run("greet", "loudly").exit_code == 2


def test_a_verb_that_cannot_be_loaded_harms_no_other(run, install):
    install({"broken": "no_such_package:verbs", "fit": "no_such_package:verbs"})
    result = run("broken", "--now")
    assert result.exit_code == 1
    assert result.stderr.count("\n") == 1
    assert "the verb broken of no_such_package:verbs cannot be loaded" in result.stderr
    page = run("--help").stdout
    assert "broken" in page
    assert page.count("\n  fit ") == 1
    assert "--target" in run("fit", "--help").stdout  # ours are not replaced
