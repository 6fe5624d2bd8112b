"""What a GPU was measured to do is written down as it is, on whatever machine."""

import numpy as np
import pytest

from hsiclearn_benchmarks.gpu import page

ROWS = [
    {"by": by, "rows": 2**15, "columns": 64, "directions": 8, "seconds": 0.5, "tiles": None}
    for by in ("rows", "columns", "directions")
]


def test_tables_hold_the_figures():
    row = {"how": "fused", "rows": 1_048_576, "seconds": 0.676, "error": 3.1e-7, "peak": None}
    text = page.tables({"machine": "a GPU", "phi": [row, row | {"error": 0.0}], "fits": []})
    assert "Measured on one a GPU." in text
    assert "| how | rows | seconds | error |" in text  # a column without figures is left out
    assert "| fused | 1,048,576 | 0.676 | 3.1e-07 |" in text
    assert "Whole fits" not in text


def test_the_picture_is_drawn(tmp_path):
    rows = [row | {"tiles": 1.0} for row in ROWS] + ROWS
    assert page.save_picture(rows, tmp_path / "gpu.png").stat().st_size > 1000


@pytest.mark.parametrize("kind", ["groups", "borders"])
def test_the_planted_directions_tell_the_classes(kind):
    """Those of the others do not."""
    pytest.importorskip("torch", reason="torch is an optional extra")
    from hsiclearn_benchmarks.gpu.data import planted

    X, y, basis = planted(4000, 6, 2, kind, device="cpu")
    assert set(y.tolist()) <= set(range(10))
    w, labels = X.numpy() @ basis, y.numpy()
    rest = X.numpy() @ np.linalg.svd(basis)[0][:, 2:]

    def spread_of_means(columns):
        means = [columns[labels == k].mean(axis=0) for k in np.unique(labels)]
        return float(np.std(means, axis=0).max())

    assert spread_of_means(w) > 3.0 * spread_of_means(rest)
