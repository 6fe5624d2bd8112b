"""``hsiclearn fit`` without a target: clusters, free, guided or kept away from labels."""

import json

import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("unrendered")

_ASIDE = ("--drop", "colour,name,kind,noise")


def figures(result):
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_clusters_of_their_own(run, flowers):
    found = figures(run("fit", "flowers.csv", "--clusters", "2", *_ASIDE, "--json"))
    assert found["estimator"] == "UnsupervisedHSIC"
    assert sum(found["clusters"]["sizes"].values()) == 60


def test_clusters_that_are_the_levels_of_a_column_name_it(run, tmp_path):
    rng = np.random.default_rng(0)
    year, noise = 2007 + np.arange(60) % 3, rng.standard_normal((60, 2))
    lines = [f"{a:.4f},{b:.4f},{y}" for (a, b), y in zip(noise, year, strict=True)]
    (tmp_path / "years.csv").write_text("\n".join(["a,b,year", *lines]))
    result = run("fit", "years.csv", "--clusters", "3", "--components", "1")
    assert "warning: The clusters are only the levels of 'year': 3 different" in result.stderr
    assert "leave it out by --drop." in result.stderr


def test_clusters_against_given_labels(run, flowers):
    result = run("fit", "flowers.csv", "--against", "kind", "--drop", "colour,name")
    assert result.exit_code == 0, result.output
    assert "2 clusters, other than the given labels" in result.stdout
    assert "of the clusters with kind" in result.stdout
    assert "2 clusters; --clusters changes that" in result.stderr


def test_clusters_that_follow_known_labels(run, flowers, tmp_path):
    known = np.where(np.arange(60) % 5 == 0, flowers["kind"], None)
    flowers.assign(known=known).to_csv(tmp_path / "flowers.csv", index=False)
    found = figures(run("fit", "flowers.csv", "--known", "known", *_ASIDE, "--json"))
    assert found["estimator"] == "SemiSupervisedHSIC"
    assert found["labels"]["known"]["counts"] == {"aster": 4, "briar": 4, "clover": 4}
    assert found["clusters"]["sizes"] == pytest.approx(
        {"aster": 20, "briar": 20, "clover": 20}, abs=3
    )


def test_fewer_clusters_than_known_labels_are_refused(run, flowers):
    result = run("fit", "flowers.csv", "--known", "kind", "--clusters", "2", "--id", "name")
    assert result.exit_code == 2
    assert "--clusters must be at least the 3 labels" in result.stderr


def test_rows_to_be_labelled_cannot_be_left_out(run, flowers):
    result = run("fit", "flowers.csv", "--known", "kind", "--drop-missing-target")
    assert result.exit_code == 2
    assert "--drop-missing-target" in result.stderr


def test_a_cluster_of_one_row_has_one_row(run, tmp_path):
    (tmp_path / "t.csv").write_text("a,b\n0,0\n0.1,0\n0,0.2\n0.1,0.1\n90,90\n")
    assert "1 row\n" in run("fit", "t.csv", "--clusters", "2").stdout
