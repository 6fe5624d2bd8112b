"""How often the test finds what is there: hyppo's simulations, beside hyppo's test."""

from __future__ import annotations

from functools import partial

import numpy as np

from ..._arrays import FloatArray
from ..._linalg import median_pair_distance
from ..._measure import hsic_test
from ..part import Goal, Part
from ..scale.part import Bench
from ..tables import markdown

__all__ = ["measure_power"]

_DRAWS = 300
_ROWS = 60
_LEVEL = 0.05
_SIMULATIONS = (
    "linear",
    "exponential",
    "cubic",
    "joint_normal",
    "step",
    "quadratic",
    "w_shaped",
    "spiral",
    "logarithmic",
    "fourth_root",
    "sin_four_pi",
    "two_parabolas",
    "circle",
    "diamond",
    "multiplicative_noise",
    "multimodal_independence",
)
_NOISELESS = ("multiplicative_noise", "multimodal_independence")


def measure_power(bench: Bench) -> Part:
    """Shares of rejections at 5 %."""
    draws = bench.size(_DRAWS)
    rows, behind = [], []
    for name in bench.some(_SIMULATIONS, 2):
        bench.tell(name)
        found = np.array([_pvalues(name, seed) for seed in range(draws)]) < _LEVEL
        shares = found.mean(axis=0)
        behind.append(shares[1] - shares[0])
        rows.append([name.replace("_", " "), *(f"{share:.2f}" for share in shares)])
    head = ["simulation", "ours", "hyppo", "permutations", "biased", "a bandwidth per side"]
    return Part(
        f"Power at 5 %, {_ROWS} rows, 1 column, {draws} draws",
        markdown(head, rows),
        goals=[
            Goal("furthest behind hyppo", float(max(behind)), 0.03),
            Goal("mean lead over hyppo", float(-np.mean(behind)), 0.0, at_most=False),
        ],
        notes=[
            "All but hyppo's are ours: method='gamma' unless it says permutations (199), unbiased "
            "unless it says biased, and the same bandwidth as hyppo, the median of X for Y too, "
            "unless it says one per side, which is our default. multimodal independence has "
            "nothing to find.",
        ],
    )


def _pvalues(name: str, seed: int) -> list[float]:
    from hyppo.independence import Hsic

    x, y = _simulated(name, seed)
    width = median_pair_distance(x, np.random.default_rng(0))
    test = partial(hsic_test, x, y, bandwidth_x=width, bandwidth_y=width)
    return [
        test().pvalue,
        float(Hsic(gamma=0.5 / width**2).test(x, y).pvalue),
        test(method="permutation", n_permutations=199).pvalue,
        test(estimator="biased").pvalue,
        hsic_test(x, y).pvalue,
    ]


def _simulated(name: str, seed: int) -> tuple[FloatArray, FloatArray]:
    from hyppo.tools import indep_sim

    np.random.seed(seed)  # noqa: NPY002 - hyppo draws from the global generator
    x, y = indep_sim(name, _ROWS, 1, **({} if name in _NOISELESS else {"noise": True}))
    return np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
