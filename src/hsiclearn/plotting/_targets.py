"""How a target is to be read."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._arrays import Array

__all__ = ["one_per_row", "target_kind"]


def target_kind(model: Any, y: Array | None) -> str | None:
    """How to read y: numbers as the estimator read its own target; None where y tells."""
    last = model[-1] if hasattr(model, "steps") else model
    target = getattr(last, "target_", None)
    if target not in ("classes", "real") or np.asarray(y).dtype.kind not in "fiub":
        return None
    return target


def one_per_row(y: Array, n_samples: int) -> Array:
    """Y as a vector with one entry per row."""
    values = np.asarray(y)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.shape != (n_samples,):
        raise ValueError(
            f"`y` must hold one value per projected row, shape ({n_samples},). Got shape "
            f"{values.shape}. Of several outputs, pass the column to colour by."
        )
    return values
