"""How often the test rejects where there is nothing to find."""

from __future__ import annotations

import numpy as np
from scipy.special import gammaincc

from ..._arrays import Array, FloatArray
from ..._measure import hsic_test
from ..._measure.inputs import as_sides
from ..._measure.sums import centre_in_place
from ..part import Goal, Part
from ..scale.part import Bench
from ..tables import markdown

__all__ = ["measure_calibration"]

_DRAWS = 2000
_SETTINGS = [
    (kind, n, d)
    for kind in ("normal, normal", "normal, classes", "heavy tails, skewed")
    for n in (50, 100, 200)
    for d in (1, 5)
]
_LEVELS = (0.01, 0.05, 0.1)


def _independent(kind: str, n: int, d: int, rng: np.random.Generator) -> tuple[FloatArray, Array]:
    if kind == "normal, normal":
        return rng.standard_normal((n, d)), rng.standard_normal((n, d))
    if kind == "normal, classes":
        return rng.standard_normal((n, d)), rng.integers(0, 3, n)
    return rng.standard_t(2, (n, d)), rng.exponential(size=(n, 1))


def measure_calibration(bench: Bench) -> Part:
    """Rejections in percent, beside those with the approximate moments of Gretton et al."""
    draws = bench.size(_DRAWS)
    rows, found = [], []
    for kind, n, d in bench.some(_SETTINGS, 2):
        bench.tell(f"{kind}, {n} rows, {d} columns")
        rng = np.random.default_rng(0)
        pvalues = np.array([_pvalues(*_independent(kind, n, d, rng)) for _ in range(draws)])
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


def _pvalues(X: FloatArray, Y: Array) -> tuple[float, float, float]:
    """Of the unbiased and the biased statistic, and with approximate moments."""
    biased = hsic_test(X, Y, estimator="biased").pvalue
    return hsic_test(X, Y).pvalue, biased, _with_approximate_moments(X, Y)


def _with_approximate_moments(X: FloatArray, Y: Array) -> float:
    """The Gamma test of Gretton et al. (2008), for kernels with ``k(x, x) = 1``."""
    x, y = as_sides(X, Y, ("auto", "auto"), ("median", "median"), "biased", 0)
    K, L, n = x.matrix(), y.matrix(), x.n_samples
    means = [(M.sum() - np.trace(M)) / (n * (n - 1.0)) for M in (K, L)]
    Kc, Lc = centre_in_place(K), centre_in_place(L)
    squares = (Kc * Lc) ** 2
    mean = (1.0 + means[0] * means[1] - means[0] - means[1]) / n
    variance = 2.0 * (n - 4.0) * (n - 5.0) / (n * (n - 1.0) * (n - 2.0) * (n - 3.0))
    variance *= (squares.sum() - np.trace(squares)) / (n * (n - 1.0))
    return float(gammaincc(mean**2 / variance, np.vdot(Kc, Lc) / n**2 * mean / variance))
