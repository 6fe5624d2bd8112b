"""A fit of a tensor, which stays where it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from hsiclearn import SupervisedHSIC, hsic_test


def make_rows(device: str) -> tuple[torch.Tensor, torch.Tensor]:
    """Normal rows; the sign of a product of two columns is the class."""
    draw = torch.Generator(device=device).manual_seed(0)
    X = torch.randn(3000, 10, device=device, generator=draw)
    return X, (X[:, 0] * X[:, 1] > 0).int()


def fit(X: torch.Tensor, y: torch.Tensor) -> SupervisedHSIC:
    """As of an ndarray."""
    model = SupervisedHSIC(n_components=2).fit(X, y)
    print(model.components_.device, model.engine_, model.result_.engine_reason)
    return model


def project(model: SupervisedHSIC, X: torch.Tensor) -> torch.Tensor:
    """Rows in the plane found: a tensor, on the device of X."""
    return model.transform(X)


def fit_array(X: np.ndarray, y: np.ndarray) -> SupervisedHSIC:
    """An ndarray that is moved to a device once; attributes are ndarrays."""
    return SupervisedHSIC(n_components=2, engine="torch").fit(X, y)


def depends(X: torch.Tensor, y: torch.Tensor) -> Any:
    """The test of independence, its permutations on the device."""
    return hsic_test(X, y, method="permutation", n_permutations=200)
