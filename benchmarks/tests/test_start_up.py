"""The table of start-up times; how long anything takes is not tested."""

import sys

import pytest

from hsiclearn_benchmarks.start_up import COMMANDS, seconds_of


def test_each_command_is_run_and_has_a_time():
    counted = dict.fromkeys(COMMANDS, (sys.executable, "-c", "pass"))
    found = seconds_of(counted, repeats=1)
    assert list(found) == list(COMMANDS)
    assert all(0.0 < seconds < float("inf") for seconds in found.values())


def test_a_command_that_fails_is_no_figure():
    with pytest.raises(RuntimeError, match="bad ended with 1: Traceback"):
        seconds_of({"bad": (sys.executable, "-c", "import no_such_module")})
