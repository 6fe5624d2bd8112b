"""Complexity and starts."""

import re

import pytest

from data_folder import data_file
from hsiclearn_benchmarks.paper.complexity import Complexity, Exponents, count_iterations
from hsiclearn_benchmarks.paper.starts import StartsRow, compare_starts, starts_report


@pytest.fixture
def _data(monkeypatch):
    monkeypatch.setenv("HSICLEARN_DATA", str(data_file("car").parent))


def test_excess_and_share_by_hand():
    row = StartsRow("x", 1, 1.0, -8.0, -9.0, (-10.0, -8.0, -7.0, -6.0))
    assert row.excess == pytest.approx(0.2)
    assert row.share_as_low == 0.5


@pytest.mark.usefixtures("_data")
def test_phi_zero_is_enough_where_means_differ_and_blind_where_they_do_not():
    rows = {(row.data, row.shrink): row for row in compare_starts(n_random=2)}
    assert rows["wine", 1.0].excess < 1e-6
    assert rows["step", 1.0].excess < 1e-6
    assert rows["xor", 0.25].excess > 0.02
    assert "second moments" in starts_report(list(rows.values()))


@pytest.mark.usefixtures("_data")
def test_spectral_methods_need_few_iterations_and_stiefel_many():
    t = {key: count_iterations(key, "wine") for key in ("ism+", "spectral", "sm")}
    assert t["ism+"] <= 5
    assert t["sm"] > 10 * t["spectral"]


def test_complexity_report_puts_the_paper_beside_the_measured():
    found = Complexity(Exponents(2.0, 1.0, 0.1), Exponents(2.1, 1.0, 0.0), {"sm": {"wine": 170.0}})
    report = found.report()
    assert re.search(r"two Python loops.*\| 2.10 \| 1.00 \| 0.00 \| n\^2 d q\^2", report)
    assert re.search(r"sm *\| *170 \| 30 to 400", report)
