"""The table of small fits: a ratio to LDA at a fixed bandwidth, seconds of a default fit."""

import json

import pytest

from hsiclearn_benchmarks import small_fits


def test_a_fixed_fit_is_measured_beside_lda():
    found = small_fits.measured("fixed", "wine", 3)
    assert found["shape"] == (178, 13)
    assert 0.1 < found["figure"] < 1000.0
    assert 0.0 < found["lda"] < 1.0
    json.dumps(found)


def test_every_table_has_a_line(monkeypatch):
    shown = {"fixed": (2.0, 0.001), "default": (0.5, float("nan"))}

    def figures(module, arguments, source=None):
        kind, _, _ = json.loads(arguments[1])
        figure, lda = shown[kind]
        return {"shape": (10, 2), "figure": figure / (1 if source is None else 0.5), "lda": lda}

    monkeypatch.setattr(small_fits, "figures_of", figures)
    lines = small_fits.table_of(1, "elsewhere").splitlines()
    assert len(lines) == 2 + len(small_fits.FIXED) + len(small_fits.DEFAULT)
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert cells[2][:4] == ["wine", "10", "2", "median bandwidth"]
    assert cells[2][4:] == ["1.00", "4.0 x LDA", "2.0 x LDA"]
    assert cells[-1][3:] == ["default", "", "1.000 s", "0.500 s"]


def test_a_table_has_a_loader_of_its_own():
    with pytest.raises(KeyError):
        small_fits.measured("fixed", "unknown", 1)
