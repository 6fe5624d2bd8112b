"""The count of fuzzing, and the one thing that every target must do: read its own seeds."""

import contextlib
from importlib.util import find_spec

import pytest

from hsiclearn._cli.tables import TableError
from hsiclearn_benchmarks.trust.fuzz import TARGETS, measure_fuzz, part
from hsiclearn_benchmarks.trust.given import Given

OUTPUT = "stat::number_of_executed_units: {}\nstat::peak_rss_mb:              300\n"


@pytest.mark.parametrize("name", TARGETS)
def test_seeds_are_read(name, tmp_path):
    """Else the fuzzer would begin at nothing; of text and JSON some are wrong on purpose."""
    target, read = TARGETS[name], 0
    for seed in target.seeds().values():
        path = tmp_path / f"seed{target.suffix}"
        path.write_bytes(target.pack(seed))
        with contextlib.suppress(TableError):
            target.read(path)
            read += 1
    assert read


def test_a_process_that_dies_is_a_finding_and_the_rest_is_tried(monkeypatch, tmp_path):
    asked = []

    def run(name, runs, seed, folder):
        asked.append((runs, seed))
        died = "==1== ERROR: libFuzzer: deadly signal (1)\n" if len(asked) == 1 else ""
        return died + OUTPUT.format(min(runs, 30))

    monkeypatch.setattr(part, "_run", run)
    found = part._fuzzed("npy", 50, 0, tmp_path)
    assert found.inputs == 50
    assert found.findings == ("deadly signal",)
    assert [runs for runs, _ in asked] == [50, 20]
    assert len({seed for _, seed in asked}) == 2


def test_without_a_fuzzer_it_says_so(monkeypatch):
    monkeypatch.setattr(part, "find_spec", lambda name: None)
    found = measure_fuzz(Given(scale=1e-6))
    assert not found.goals[0].is_met
    assert "atheris is not installed" in found.notes[0]


@pytest.mark.slow
@pytest.mark.skipif(find_spec("atheris") is None, reason="atheris has no wheel for this Python")
def test_inputs_are_counted_by_the_fuzzer(tmp_path):
    found = part._fuzzed("npy", 50, 0, tmp_path)
    assert found.inputs >= 50
    assert found.findings == ()
