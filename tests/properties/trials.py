"""How many examples of a property are tried, and the count of those that were.

``make test`` tries a few, the same ones each time; ``make trust`` tries very many, from a seed.
"""

from __future__ import annotations

import functools
import json
import os
import time
from pathlib import Path

from hypothesis import HealthCheck, settings

QUICK, TRUST = "quick", "trust"
"""The profiles: ``pytest tests/properties --hypothesis-profile=trust --hypothesis-seed=1``."""
SHARE = "HSICLEARN_PROPERTIES_SHARE"
"""A variable: which share of the full count to try."""
COUNTS = "HSICLEARN_PROPERTIES_COUNTS"
"""A variable: a file to write the counts to."""

_COMMON = {
    "database": None,  # a failure prints what it takes to make it a test of its own
    "deadline": None,
    "suppress_health_check": list(HealthCheck),
}

tried: dict[str, list[float]] = {}
"""By property, how many examples were judged to the end, and the seconds they took."""


def register_profiles():
    """Both, and the quick one loaded."""
    settings.register_profile(QUICK, derandomize=True, **_COMMON)
    settings.register_profile(TRUST, print_blob=True, **_COMMON)
    settings.load_profile(QUICK)


def examples(quick, full):
    """A decorator above ``given``: so many examples in the one profile and in the other."""

    def decorated(test):
        test.hypothesis.inner_test = _counted(test.__name__, test.hypothesis.inner_test)
        is_full = settings.get_current_profile_name() == TRUST
        share = float(os.environ.get(SHARE, "1"))
        return settings(max_examples=max(1, round(share * full)) if is_full else quick)(test)

    return decorated


def _counted(name, inner):
    @functools.wraps(inner)
    def run(*args, **kwargs):
        began = time.perf_counter()
        inner(*args, **kwargs)  # an example that is refused, or fails, does not count
        entry = tried.setdefault(name, [0, 0.0])
        entry[0] += 1
        entry[1] += time.perf_counter() - began

    return run


def write_counts():
    """Where the variable says, if it does."""
    if path := os.environ.get(COUNTS):
        Path(path).write_text(json.dumps(tried))
