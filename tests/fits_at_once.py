"""Fits whose bytes must not depend on what else the process does; workers import them by name."""

from functools import partial

import numpy as np
from threadpoolctl import threadpool_info

from clusterings import ESTIMATORS, guide_of, two_gaps
from hsiclearn import SupervisedHSIC, hsic_test
from hsiclearn._engines import TiledEngine

X, GIVEN, _, STARTS = two_gaps(150)
REAL = np.sin(2.0 * X[:, 0]) + X[:, 1]
SETTINGS = {"kernel": "gaussian", "bandwidth": 1.5}


def supervised(**settings):
    return SupervisedHSIC(2, **SETTINGS, **settings).fit(X, REAL).components_


def clusters(name):
    start = STARTS["other" if name == "alternative" else "given"]
    guide = None if name == "unsupervised" else guide_of(name, GIVEN)
    return ESTIMATORS[name](n_components=1, init=start, **SETTINGS).fit(X, guide).components_


FITS = {
    "tiles in threads": lambda: supervised(engine=partial(TiledEngine, tile_size=40, n_threads=2)),
    "linear time": lambda: supervised(engine="nystrom"),
    "everything chosen": lambda: SupervisedHSIC().fit(X[:60], GIVEN[:60]).components_,
    **{name: partial(clusters, name) for name in ESTIMATORS},
    "a test": lambda: np.array(hsic_test(X, REAL, random_state=0).pvalue),
}


def fit(name):
    """The bytes of what is found."""
    return FITS[name]().tobytes()


def blas_threads():
    """How many threads each BLAS has."""
    return [info["num_threads"] for info in threadpool_info() if info["user_api"] == "blas"]
