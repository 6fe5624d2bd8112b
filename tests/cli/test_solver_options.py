"""Options that say how to solve reach the estimator, the record and the answer."""

import json

import pytest

from hsiclearn._persistence import load, load_with_notes

pytestmark = pytest.mark.usefixtures("unrendered")

DROP = ("fit", "flowers.csv", "--drop", "name,colour")
SOLVER = ("--bandwidth", "0.8", "--starts", "2", "--tol", "1e-05", "--max-iter", "77")
TASKS = {"target": ("--target", "kind"), "clusters": ("--clusters", "3", "--drop", "kind")}
SETTINGS = {
    "bandwidth": "0.8",
    "engine": "tiled",
    "starts": 2,
    "tol": 1e-5,
    "max_iter": 77,
    "seed": 3,
}


OF_A_TARGET = {"metric": "auto", "objective": "auto", "n_features_to_select": None}


@pytest.mark.parametrize("task", TASKS)
def test_options_reach_the_estimator_the_record_and_the_answer(run, flowers, tmp_path, task):
    options = (*TASKS[task], *SOLVER, "--engine", "tiled", "--seed", "3")
    result = run(*DROP, *options, "--model", "m.hsic", "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["settings"] == SETTINGS | (
        OF_A_TARGET if task == "target" else {}
    )
    pipeline, notes = load_with_notes(tmp_path / "m.hsic")
    model = pipeline[-1]
    assert (model.tol, model.max_iter, model.n_init, model.engine) == (1e-5, 77, 2, "tiled")
    assert model.bandwidth == model.bandwidth_ == 0.8
    assert model.kernel == "gaussian"
    line = " ".join((*SOLVER, "--engine", "tiled"))
    assert f"--seed 3 {line}" in notes["command"]["line"]


def test_without_options_the_estimator_decides(run, flowers, tmp_path):
    result = run(*DROP, *TASKS["target"], "--json", "--model", "m.hsic")
    assert (
        json.loads(result.stdout)["settings"]
        == {
            "bandwidth": "auto",
            "engine": "auto",
            "starts": 1,
            "tol": 1e-6,
            "max_iter": 100,
            "seed": 0,
        }
        | OF_A_TARGET
    )
    assert load(tmp_path / "m.hsic")[-1].bandwidth == "auto"


def test_a_rule_for_the_bandwidth(run, flowers):
    found = json.loads(run(*DROP, *TASKS["target"], "--bandwidth", "median", "--json").stdout)
    assert found["settings"]["bandwidth"] == "median"
    assert found["explained_share"] is None


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (("--bandwidth", "wide"), "--bandwidth must be a number > 0, auto or median. Got 'wide'."),
        (("--bandwidth", "0"), "--bandwidth must be a number > 0, auto or median. Got '0'."),
        (("--bandwidth", "inf"), "--bandwidth must be a number > 0, auto or median. Got 'inf'."),
        (("--tol", "-1"), "--tol must be a number > 0. Got -1.0."),
        (("--tol", "nan"), "--tol must be a number > 0. Got nan."),
    ],
)
def test_values_out_of_range(run, flowers, options, line):
    result = run(*DROP, *TASKS["target"], *options)
    assert result.exit_code == 2
    assert result.stderr == f"hsiclearn: {line}\n"


def test_the_old_name_of_landmarks_is_told_in_the_words_of_the_command(run, flowers):
    result = run(*DROP, *TASKS["clusters"], "--engine", "nystrom", "--json")
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)["warnings"]
    assert any("Use --engine landmarks." in text for text in told)


def test_landmarks_are_for_clusters(run, flowers):
    result = run(*DROP, *TASKS["target"], "--engine", "landmarks")
    assert result.exit_code == 2
    assert "--engine landmarks is for clusters. With --target use nystrom." in result.stderr


def test_metric_and_objective_reach_the_answer(run, flowers, tmp_path):
    options = ["--metric", "covariance", "--objective", "dependence"]
    options += ["--report", str(tmp_path / "page.html")]
    result = run(*DROP, *TASKS["target"], *options, "--json")
    assert result.exit_code == 0, result.output
    answer = json.loads(result.stdout)
    assert (answer["metric"], answer["objective"]) == ("covariance", "dependence")
    assert "orthonormal in the covariance" in (tmp_path / "page.html").read_text("utf-8")


def test_a_fit_that_is_made_to_predict(run, flowers, tmp_path):
    options = ["--objective", "prediction", "--report", str(tmp_path / "page.html")]
    result = run(*DROP, *TASKS["target"], *options)
    assert result.exit_code == 0, result.output
    assert "prediction: directions have lengths of their own" in " ".join(result.stdout.split())
    assert (tmp_path / "page.html").stat().st_size > 1000


@pytest.mark.parametrize("count", ["2", "auto"])
def test_columns_selected_reach_the_answer_and_the_page(run, flowers, tmp_path, count):
    page = tmp_path / "page.html"
    options = ["--select", count, "--components", "1", "--report", str(page)]
    result = run(*DROP, *TASKS["target"], *options, "--json")
    assert result.exit_code == 0, result.output
    chosen = json.loads(result.stdout)["selected"]
    assert count == "auto" or len(chosen) == 2
    told = "How many was given" if count == "2" else "How many was chosen on rows held out"
    assert told in page.read_text("utf-8")
    text = run(*DROP, *TASKS["target"], *options[:4])
    assert f"{len(chosen)} column" in text.stdout


def test_columns_weighed_reach_the_page(run, flowers, tmp_path):
    options = ["--metric", "relevance", "--report", str(tmp_path / "page.html")]
    result = run(*DROP, *TASKS["target"], *options)
    assert result.exit_code == 0, result.output
    assert "relevance: columns are weighed" in " ".join(result.stdout.split())
    assert "(metric relevance)" in (tmp_path / "page.html").read_text("utf-8")


@pytest.mark.parametrize("count", ["0", "many"])
def test_a_count_of_columns_that_cannot_be(run, flowers, count):
    result = run(*DROP, *TASKS["target"], "--select", count)
    assert result.exit_code == 2
    assert "--select must be a whole number >= 1, or auto" in result.stderr


def test_more_columns_than_there_are(run, flowers):
    result = run(*DROP, *TASKS["target"], "--select", "90")
    assert result.exit_code == 2
    assert "--select" in result.stderr


@pytest.mark.parametrize(
    "option", [("--metric", "identity"), ("--objective", "auto"), ("--select", "2")]
)
def test_they_are_for_directions(run, flowers, option):
    result = run(*DROP, *TASKS["clusters"], *option)
    assert result.exit_code == 2
    assert "--metric, --objective and --select are for directions" in result.stderr
