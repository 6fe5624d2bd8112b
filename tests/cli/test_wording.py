"""What the library says, as the command prints it: every option named is one of the verb."""

import ast
import inspect
import pickle
import re
from pathlib import Path

import pytest
import typer

import hsiclearn
from hsiclearn import AlternativeHSIC, SemiSupervisedHSIC, SupervisedHSIC, UnsupervisedHSIC
from hsiclearn._advice import Advice
from hsiclearn._cli.app import app
from hsiclearn._cli.wording import in_command_words, said_by
from hsiclearn._result import Levels, Status

VERBS = ("fit", "test", "transform", "report")
COMMAND = typer.main.get_command(app)
ESTIMATORS = (SupervisedHSIC, UnsupervisedHSIC, SemiSupervisedHSIC, AlternativeHSIC)
PARAMETERS = {name for cls in ESTIMATORS for name in inspect.signature(cls).parameters}
ENGLISH = {"target", "kernel", "bandwidth", "solver", "engine", "guidance", "objective", "cv"}
PYTHON = re.compile(
    r"`|\b\w+=|\b\w+_(?!\w)|\b\w+\.\w+\(|\b(?:" + "|".join(sorted(PARAMETERS - ENGLISH)) + r")\b"
)
ROOT = Path(hsiclearn.__file__).parent
WORDS = re.compile("warnings_for|in_words|remarks")  # functions that make what others warn of
SAYS = (ast.Call, ast.Assign, ast.Yield, ast.Return)
APART = {"datasets", "_cli", "plotting"}  # no verb shows what they warn of


def texts_of(node):
    """The strings in a piece of code, what is filled in as 7; without strings inside of others.

    Of advice, what the command says: the problem, and its own remedy.
    """
    if isinstance(node, ast.Call) and name_of(node.func) == "Advice":
        texts = [" ".join(texts_of(argument)) for argument in node.args]
        yield Advice(*texts).for_command
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        parts = (part.value if isinstance(part, ast.Constant) else "7" for part in node.values)
        yield "".join(parts)
    else:
        for child in ast.iter_child_nodes(node):
            yield from texts_of(child)


def name_of(function):
    return getattr(function, "id", getattr(function, "attr", ""))


def warnings_of_the_library():
    """What functions that warn have to say, by where they are."""
    found = {}
    for path in sorted(ROOT.rglob("*.py")):
        if path.relative_to(ROOT).parts[0] in APART:
            continue
        for function in ast.walk(ast.parse(path.read_text())):
            if not isinstance(function, ast.FunctionDef):
                continue
            names = {node.attr for node in ast.walk(function) if isinstance(node, ast.Attribute)}
            names |= {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
            warns = names & {"warn", "DependenceWarning", "NotConvergedWarning"}
            if not warns and not WORDS.search(function.name):
                continue
            body = [node for node in ast.walk(function) if isinstance(node, ast.stmt)]
            raised = {id(s) for n in body if isinstance(n, ast.Raise) for s in ast.walk(n)}
            said = [node for node in ast.walk(function) if isinstance(node, SAYS)]
            if "Advice" in names:  # what else is there goes into it
                called = {"Advice", "warn"}
                said = [n for n in said if isinstance(n, ast.Call) and name_of(n.func) in called]
            for node in said:
                for text in texts_of(node):
                    if " " in text and id(node) not in raised:
                        found[f"{path.stem}.{function.name}: {text[:60]}"] = text
    return found


@pytest.fixture(scope="module")
def said():
    return {f"Status.{s.name}": s.value.for_command for s in Status} | warnings_of_the_library()


def offered(verb):
    return {name for parameter in COMMAND.commands[verb].params for name in parameter.opts}


def test_the_texts_are_found(said):
    assert len(said) > len(Status) + 8
    assert any("clusters have rows" in text for text in said.values())
    assert any("use --target-kind" in text for text in said.values())
    assert any("explains" in text for text in said.values())


@pytest.mark.parametrize("verb", VERBS)
def test_advice_names_options_that_the_verb_has(said, verb):
    for name, text in said.items():
        told = in_command_words(Advice(text), verb)
        plain = re.sub(r"hsiclearn [a-z]+ --[a-z-]+|--[a-z-]+", "", told)
        assert not PYTHON.search(plain), (name, told)
        for other, option in re.findall(r"(?:hsiclearn ([a-z]+) )?(--[a-z][a-z-]*)", told):
            assert option in offered(other or verb), (name, told)


def test_advice_is_a_text_for_programs_and_another_for_the_command():
    advice = Advice("The kernel is flat.", "Raise bandwidth.", "Raise --bandwidth.", about=7)
    assert advice == "The kernel is flat. Raise bandwidth."
    for copy in (advice, pickle.loads(pickle.dumps(advice)), said_by(UserWarning(advice))):
        assert (copy.for_command, copy.about) == ("The kernel is flat. Raise --bandwidth.", 7)
    assert in_command_words(advice, "fit") == "The kernel is flat. Raise --bandwidth."
    assert in_command_words(advice, "report").endswith("Raise hsiclearn fit --bandwidth.")
    assert in_command_words(Advice("Or use", "x", "--target-kind real"), "test").endswith(
        "Or use --y-kind real"
    )


def test_columns_are_named():
    said = Levels((2,), ("column 2",), 3, 0.97).in_words()
    told = in_command_words(said, "fit", ["a", "b", "c"])
    assert "the levels of 'c': 3" in told
    assert told.endswith("leave it out by --drop.")


def test_values_are_typed_after_the_option():
    said = "Lower n_components, or use n_components='auto', engine=\"tiled\" or tol=1e-3."
    assert in_command_words(said, "fit") == (
        "Lower --components, or use --components auto, --engine tiled or --tol 1e-3."
    )
    assert in_command_words("Raise `max_iter`.", "report") == "Raise hsiclearn fit --max-iter."
    assert in_command_words("engine_error and its tolerance", "fit") == (
        "engine_error and its tolerance"
    )


def test_the_budget_and_its_remedies():
    told = in_command_words(Status.MAX_ITER.value, "fit")
    assert told.endswith(
        "(a) Raise --max-iter. Of directions found by HSIC: (b) loosen --tol; (c) if the bandwidth "
        "is far below the median distance, raise it by --bandwidth."
    )


def test_errors_of_the_library_name_options_too(run, flowers):
    wide = ("fit", "flowers.csv", "--target", "kind", "--drop", "name,colour")
    result = run(*wide, "--max-iter", "1", "--tol", "1e-12", "--bandwidth", "0.4")
    assert result.exit_code == 0
    assert "(a) Raise --max-iter. " in (told := " ".join(result.stderr.split()))
    assert "(b) loosen --tol" in told
    assert "max_iter" not in result.stdout + result.stderr
