"""How often the test rejects: where there is nothing to find, and where there is."""

from __future__ import annotations

from functools import partial

import numpy as np
from scipy.spatial.distance import pdist, squareform
from scipy.special import gammaincc
from sklearn.preprocessing import KernelCenterer

from hsiclearn import hsic_test

from .._types import Array, FloatArray, Rows
from ..bench import Bench
from ..parts import Goal, Part, markdown

__all__ = ["measure_calibration", "measure_power"]

_NULL_DRAWS = 2000
_SETTINGS = [
    (kind, n, d)
    for kind in ("normal, normal", "normal, classes", "heavy tails, skewed")
    for n in (50, 100, 200)
    for d in (1, 5)
]
_LEVELS = (0.01, 0.05, 0.1)
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


def _independent(kind: str, n: int, d: int, rng: np.random.Generator) -> Rows:
    if kind == "normal, normal":
        return rng.standard_normal((n, d)), rng.standard_normal((n, d))
    if kind == "normal, classes":
        return rng.standard_normal((n, d)), rng.integers(0, 3, n)
    return rng.standard_t(2, (n, d)), rng.exponential(size=(n, 1))


def measure_calibration(bench: Bench) -> Part:
    """Rejections in percent, beside those with the approximate moments of Gretton et al."""
    draws = bench.size(_NULL_DRAWS)
    rows, found = [], []
    for kind, n, d in bench.some(_SETTINGS, 2):
        bench.tell(f"{kind}, {n} rows, {d} columns")
        rng = np.random.default_rng(0)
        sides = (_independent(kind, n, d, rng) for _ in range(draws))
        pvalues = np.array([_independent_pvalues(*pair) for pair in sides])
        ours, biased, gretton = (
            [100.0 * float(np.mean(column < level)) for level in _LEVELS] for column in pvalues.T
        )
        found.append((ours[1], biased[1]))
        cells = (f"{share:.1f}" for share in (*ours, *biased[:2], *gretton[:2]))
        rows.append([kind, n, d, *cells])
    head = ["X, Y", "rows", "columns", "1 %", "5 %", "10 %", "biased 1 %", "biased 5 %"]
    return Part(
        f"Rejections in percent over {draws} draws of independent sides, method='gamma'",
        markdown([*head, "Gretton 1 %", "Gretton 5 %"], rows),
        goals=[
            Goal("largest share at 5 %", float(np.max(found)), 6.5, unit=" %"),
            Goal("smallest share at 5 %", float(np.min(found)), 4.0, at_most=False, unit=" %"),
        ],
        notes=[f"Standard error of a share at 5 %: {100 * np.sqrt(0.05 * 0.95 / draws):.2f}."],
    )


def _independent_pvalues(X: FloatArray, Y: Array) -> tuple[float, float, float]:
    """Of the unbiased and the biased statistic, and with approximate moments."""
    biased = hsic_test(X, Y, estimator="biased").pvalue
    return hsic_test(X, Y).pvalue, biased, _with_approximate_moments(X, Y)


def _with_approximate_moments(X: FloatArray, Y: Array) -> float:
    """The Gamma test of Gretton et al. (2008), for kernels with ``k(x, x) = 1``."""
    K, L, n = _gram(X), _gram(Y), len(X)
    means = [(M.sum() - np.trace(M)) / (n * (n - 1.0)) for M in (K, L)]
    Kc, Lc = (KernelCenterer().fit_transform(M) for M in (K, L))
    squares = (Kc * Lc) ** 2
    mean = (1.0 + means[0] * means[1] - means[0] - means[1]) / n
    variance = 2.0 * (n - 4.0) * (n - 5.0) / (n * (n - 1.0) * (n - 2.0) * (n - 3.0))
    variance *= (squares.sum() - np.trace(squares)) / (n * (n - 1.0))
    return float(gammaincc(mean**2 / variance, np.vdot(Kc, Lc) / n**2 * mean / variance))


def _gram(side: Array) -> FloatArray:
    """Equality of classes; else the Gaussian kernel at the median distance."""
    if side.dtype.kind != "f":
        return (side[:, None] == side).astype(np.float64)
    squares = pdist(side, "sqeuclidean")
    return np.exp(-squareform(squares) / (2.0 * np.median(squares)))


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
    width = float(np.median(pdist(x)))
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
