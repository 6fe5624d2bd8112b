"""Mutants: what is changed and what is not, what a test must run to see it, and who dies."""

import ast
from textwrap import dedent

import pytest

from hsiclearn_benchmarks.trust import PARTS
from hsiclearn_benchmarks.trust.given import Given
from hsiclearn_benchmarks.trust.mutants.choice import sampled, within, witnesses
from hsiclearn_benchmarks.trust.mutants.measure import _equivalent, _key, try_all
from hsiclearn_benchmarks.trust.mutants.project import CORE, Project, Reach, nursery
from hsiclearn_benchmarks.trust.mutants.sites import mutants_of, mutated

SOURCE = dedent(
    '''
    """Words 1."""

    from math import sqrt

    LIMIT = 3

    def area(a: "1 + 1", b=2):
        """Words, 2 of them."""
        if a < 0:
            raise ValueError(f"Got {a + 1}.")
        return a * b

    def spare(a):
        return max(a, LIMIT)
    '''
).lstrip()


def changes(source):
    return {(m.line, m.change) for m in mutants_of("m.py", source)}


def test_what_is_changed():
    assert changes(SOURCE) == {
        (5, "`LIMIT = 3` → `pass`"),
        (5, "`3` → `4`"),
        (5, "`3` → `2`"),
        (7, "`2` → `3`"),
        (7, "`2` → `1`"),
        (9, "`a < 0` → `a <= 0`"),
        (9, "`a < 0` → `a >= 0`"),
        (9, "`0` → `1`"),
        (10, "`raise ValueError(f'Got {a + 1}.')` → `pass`"),
        (11, "`return a * b` → `return None`"),
        (11, "`a * b` → `a / b`"),
        (14, "`return max(a, LIMIT)` → `return None`"),
        (14, "`max(a, LIMIT)` → `min(a, LIMIT)`"),
    }


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("f(x[a:b])", {"f(x[:b])", "f(x[a:])", "pass"}),
        ("y = not x", {"y = x", "pass"}),
        ("y = a and b", {"y = a or b", "pass"}),
        ("y = p - q", {"y = p + q", "y = q - p", "pass"}),
        ("f(abs(p - q))", {"f(abs(p + q))", "pass"}),
        ("y = A @ B", {"y = B @ A", "pass"}),
        ("y = f(a, b)", {"y = f(b, a)", "pass"}),
        ("y = 2.5", {"y = 3.5", "y = -2.5", "pass"}),
        ("y = 100", {"y = 200", "y = 50", "pass"}),
        ("y = 1e70", {"y = 2e+70", "y = -1e+70", "pass"}),
        ("y += 1.0 if c else d", {"y -= 1.0 if c else d", "pass"} | {f"y += {e}" for e in (
            "2.0 if c else d", "-1.0 if c else d", "1.0 if not c else d")}),
        ("y = [v for v in w if v]", {"y = [v for v in w if not v]", "pass"}),
        ("y = x.min()", {"y = x.max()", "pass"}),
        ("tell('words', 1)", set()),
        ("assert x > 1", set()),
    ],
)  # fmt: skip
def test_what_stands_in_its_place(before, after):
    source = f"def g():\n    {before}"
    found = (mutated(source, m.number) for m in mutants_of("m.py", source))
    assert {ast.unparse(tree.body[0].body[0]) for tree in found} == after


def test_every_mutant_of_the_core_compiles_and_differs():
    file = "src/hsiclearn/_linalg/symmetric.py"
    source = (CORE.root / file).read_text()
    unchanged = ast.unparse(ast.parse(source))
    for mutant in mutants_of(file, source)[::7]:
        tree = mutated(source, mutant.number)
        assert ast.unparse(tree) != unchanged, mutant
        compile(tree, file, "exec")


def test_no_package_of_the_core_is_empty():
    sample = sampled(CORE.mutants(), 100, 0)
    assert set(sample) == set(CORE.packages)
    assert all(sample.values())
    assert 95 <= sum(len(ones) for ones in sample.values()) <= 105


def test_what_is_said_to_change_nothing_is_there_and_has_a_reason():
    found = {_key(mutant) for ones in CORE.mutants().values() for mutant in ones}
    listed = _equivalent()
    assert set(listed) <= found
    assert all(listed.values())


def test_a_constant_is_seen_where_it_is_read_and_functions_take_turns():
    reach = Reach(
        {"t.py::a[1]": 0.1, "t.py::a[2]": 0.2, "t.py::b": 0.3, "t.py::c": 0.01, "u.py::d": 0.0},
        {"m.py": {14: [0, 1, 2]}},
        [],
    )
    [drop, *_] = mutants_of("m.py", SOURCE)
    tests = witnesses(drop, reach, {"LIMIT": {("m.py", 14)}})
    assert tests == ["t.py::a[1]", "t.py::b", "t.py::a[2]", "t.py::c"]
    assert "u.py::d" in witnesses(drop, reach, {}, {"u.py"})
    assert list(within(tests, reach, 0.35)) == ["t.py::a[1]", "t.py::a[2]", "t.py::c"]
    assert list(within(tests, reach, 0.01)) == ["t.py::a[1]"]


@pytest.fixture
def project(tmp_path):
    """A package of one module, with tests that leave something to find."""
    (tmp_path / "src/little").mkdir(parents=True)
    (tmp_path / "src/little/__init__.py").write_text(SOURCE + "\n\nwhile LIMIT > 3:\n    pass\n")
    (tmp_path / "tests").mkdir()
    (tmp_path / "pyproject.toml").write_text(
        '[tool.pytest.ini_options]\npythonpath = ["src"]\naddopts = "--import-mode=importlib"\n'
        'markers = ["devices"]\n'
    )
    (tmp_path / "tests/test_little.py").write_text(
        "import little\n\ndef test_area():\n    assert little.area(3) == 6\n\n"
        "def test_wrong():\n    assert little.area(3) == 7\n\n"
        "def test_default():\n    assert little.area(0) == 0\n"
    )
    return Project(tmp_path, {"little": ("src/little/*.py",)}, ("tests",))


def test_who_dies(project):
    with nursery(project) as opened:
        reach = opened.reach()
        [verdicts] = try_all(project, opened, reach, project.mutants()).values()
    assert project.tests_that_say(("area", "LIMIT")) == {"tests/test_little.py"}
    assert project.tests_that_say(("LIMIT",)) == set()
    assert reach.failed == ["tests/test_little.py::test_wrong"]
    found = {(v.mutant.line, v.mutant.change): v for v in verdicts}
    assert found[11, "`a * b` → `a / b`"].killer == "tests/test_little.py::test_area"
    assert found[7, "`2` → `3`"].killer == "tests/test_little.py::test_area"
    assert found[9, "`a < 0` → `a <= 0`"].killer == "tests/test_little.py::test_default"
    assert found[9, "`a < 0` → `a >= 0`"].killer
    assert found[7, "`2` → `1`"].killer == "tests/test_little.py::test_area"
    assert found[14, "`max(a, LIMIT)` → `min(a, LIMIT)`"].word == "not reached"


@pytest.mark.slow
def test_a_small_share_is_of_the_kernels():
    part = PARTS["mutants"](Given(scale=0.01))
    killed, tried = part.goals
    assert killed.value > 50.0
    assert tried.value == 9.0
    assert "kernels" in part.table
