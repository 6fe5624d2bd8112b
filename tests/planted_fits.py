"""Planted tables, and fits of them that several tests look at."""

from functools import cache

import numpy as np
from scipy.linalg import subspace_angles

from hsiclearn import SupervisedHSIC
from hsiclearn.datasets import make_planted


@cache
def planted(kind="xor", n=200, d=5, seed=0):
    data = make_planted(kind, n, d, random_state=seed)
    data.X.setflags(write=False)
    return data


@cache
def fitted(kind="xor", n=200, d=5, seed=0, **settings):
    """HSIC, whose optimum tests can ask the certificate of."""
    X, y, W = planted(kind, n, d, seed)
    return SupervisedHSIC(W.shape[1], **{"objective": "dependence"} | settings).fit(X, y)


def degrees(W, model):
    return np.degrees(subspace_angles(W, model.components_.T)).max()


def figures(model):
    """All that was compared, as text: a loss that was not needed is NaN, equal to nothing."""
    return repr(model.selection_.candidates)
