"""Which of the candidates wins."""

import numpy as np
import pytest
from sklearn.preprocessing import StandardScaler

from data_folder import data_file
from hsiclearn import UnsupervisedHSIC
from hsiclearn.datasets import load_cancer
from hsiclearn.kernels import Gaussian


@pytest.fixture(scope="module")
def cancer():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HSICLEARN_DATA", str(data_file("cancer").parent))
        return StandardScaler().fit_transform(load_cancer(paper=True).X)


def test_where_the_objective_does_not_saturate_the_lowest_cost_wins(cancer):
    """A clearer clustering lies within a thousandth of the lowest cost there, and must not win."""
    model = UnsupervisedHSIC(2, 2, normalize="none", kernel=Gaussian(3.7658)).fit(cancer)
    assert model.cost_ + 2 <= -33.6785
    started = [tried.cost for tried in model.starts_]
    assert model.cost_ <= np.min(started) + 1e-9
