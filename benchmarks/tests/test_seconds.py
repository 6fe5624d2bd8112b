"""The table of seconds: who the rival is, when a goal is met, and another copy in its process."""

import json

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV

from hsiclearn_benchmarks.copies import figures_of
from hsiclearn_benchmarks.seconds.__main__ import fit_one, rival, row_of


def figures(wall, share=0.5):
    return {"wall": wall, "cpu": 2.0 * wall, "share": share, "shape": (178, 13)}


@pytest.mark.parametrize(
    ("theirs", "ours", "is_met"),
    [(0.1, 0.4, "yes"), (0.1, 0.6, "no"), (2.0, 1.9, "yes"), (2.0, 2.1, "no")],
)
def test_the_goal_is_the_rivals_time_or_half_a_second(theirs, ours, is_met):
    row = row_of("wine", {"rival": figures(theirs), "now": figures(ours), "before": figures(4.0)})
    assert row[-1] == is_met
    assert row[:4] == ["wine", "178", "13", "NCA"]
    assert float(row[9]) == pytest.approx(ours / theirs, abs=0.01)
    assert float(row[10]) == pytest.approx(4.0 / ours, abs=0.06)


def test_the_rival_of_a_real_target_chooses_its_number_of_components():
    search = rival(True, 4)
    assert isinstance(search, GridSearchCV)
    assert list(search.param_grid["n_components"]) == [1, 2, 3, 4]
    assert search.cv == 5


def test_one_fit_has_all_figures():
    found = fit_one("wine", "ours")
    assert found["wall"] > 0.0
    assert 0.9 < found["share"] <= 1.0
    assert np.isnan(fit_one("wine", "rival")["share"])


def test_another_copy_is_the_one_that_is_imported(tmp_path):
    copy = tmp_path / "hsiclearn"
    copy.mkdir()
    (copy / "__init__.py").write_text("")
    (copy / "told.py").write_text("print('noise')\nprint('{\"is_a_copy\": true}')")
    assert figures_of("hsiclearn.told", [], tmp_path) == {"is_a_copy": True}
    with pytest.raises(RuntimeError, match="failed"):
        figures_of("hsiclearn.told", [json.dumps({})])
