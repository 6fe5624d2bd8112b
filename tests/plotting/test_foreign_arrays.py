"""Pictures of models that were fitted on a device, and of rows there, are those of numpy."""

import numpy as np
import pytest

from clusterings import guide_of, two_gaps
from foreign_arrays import make
from hsiclearn import SemiSupervisedHSIC, SupervisedHSIC
from hsiclearn.plotting import (
    BiplotDisplay,
    ClusteringDisplay,
    KernelDisplay,
    LoadingsDisplay,
    ProjectionDisplay,
    report,
)

pytestmark = pytest.mark.usefixtures("tensors_stay")

rows, given, _, starts = two_gaps(120)


@pytest.fixture(scope="module")
def models():
    """One that was fitted on a device, and the same of numpy."""
    both = []
    for X, y in ((make("strict", rows), make("strict", given)), (rows, given)):
        both.append(SupervisedHSIC(2, objective="prediction").fit(X, y))
    return both


def test_rows_on_a_device_are_drawn(models):
    ours, theirs = models
    X, y = make("strict", rows), make("strict", given)
    found = ProjectionDisplay.from_estimator(ours, X, y).projection
    np.testing.assert_allclose(found, theirs.transform(rows), atol=1e-9)
    for display in (BiplotDisplay, KernelDisplay):
        display.from_estimator(ours, X, y)
    LoadingsDisplay.from_estimator(ours, X)


def test_clusters_of_rows_on_a_device_are_drawn(without_refits, unrendered, tmp_path):
    X, y = make("strict", rows), make("strict", guide_of("semi-supervised", given))
    model = SemiSupervisedHSIC(init="identity").fit(X, y)
    ClusteringDisplay.from_estimator(model, X, make("strict", given))
    KernelDisplay.from_estimator(model, X)
    page = report(model, X, make("strict", given), tmp_path / "gaps.html").read_text()
    assert "120" in page
