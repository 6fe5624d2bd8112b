"""Directions that say nothing are told of, wherever the answer goes."""

import json

import numpy as np
import pandas as pd
import pytest

pytestmark = pytest.mark.usefixtures("unrendered")


def figures(result):
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_a_direction_without_spread_is_told(run, flowers, tmp_path):
    flowers.assign(twin=flowers["length"] * 2).to_csv(tmp_path / "flowers.csv", index=False)
    options = ("--target", "kind", "--drop", "width,noise,colour,name")
    result = run("fit", "flowers.csv", *options)
    assert "component 2 is the same for all rows" in result.stderr
    assert "try --components 1\n" in result.stderr


def narrow_table(tmp_path, **columns):
    """Two classes along x, and a column that varies by a hundredth of that."""
    rng = np.random.default_rng(1)
    y = np.arange(60) % 2
    frame = {"x": 3 * y + rng.standard_normal(60), "thin": 0.01 * rng.standard_normal(60), "y": y}
    pd.DataFrame(frame | columns).to_csv(tmp_path / "t.csv", index=False)


def test_a_direction_narrow_beside_the_bandwidth_is_told_everywhere(run, tmp_path):
    narrow_table(tmp_path)
    options = ("fit", "t.csv", "--target", "y", "--target-kind", "classes", "--no-scale")
    found = figures(run(*options, "--json", "--report", "r.html", "--model", "m.hsic"))
    (warning,) = found["warnings"]
    assert "component 2 hardly varies beside the bandwidth (sd 0.0" in warning
    assert "try --components 1" in warning
    assert "component 2 hardly varies" in (tmp_path / "r.html").read_text()
    assert run("report", "m.hsic", "t.csv", "--output", "s.html").exit_code == 0
    assert "component 2 hardly varies" in (tmp_path / "s.html").read_text()
    assert figures(run(*options, "--components", "1", "--json"))["warnings"] == []


def test_rows_that_carry_a_direction_alone_are_named(run, tmp_path):
    """Two rows of 200 with a slipped decimal point, in a column that hardly varies without them."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 100)
    slipped = 0.001 * rng.standard_normal(200)
    slipped[[20, 150]] = 1.0, -1.2
    frame = {"who": [f"p{i}" for i in range(200)], "x": 3 * y + rng.standard_normal(200)}
    pd.DataFrame(frame | {"s": slipped, "y": y}).to_csv(tmp_path / "t.csv", index=False)
    options = ("fit", "t.csv", "--target", "y", "--target-kind", "classes", "--json")
    options += ("--objective", "dependence")  # a prediction lets go of such a column
    (warning,) = figures(run(*options, "--id", "who"))["warnings"]
    assert "is carried by 2 of 200 rows" in warning
    assert "rows p150, p20." in warning
    (warning,) = figures(run(*options, "--drop", "who"))["warnings"]
    assert "rows 151, 21." in warning
