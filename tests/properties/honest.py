"""What an honest answer is: finite, orthonormal, monotone, with a certificate that holds again.

Or one of the documented errors, each of which says the rule, the value seen and the remedy.
"""

from __future__ import annotations

import re
import warnings
from contextlib import contextmanager

import numpy as np
from hypothesis import note
from sklearn.exceptions import ConvergenceWarning

from hsiclearn.exceptions import DependenceWarning, NotConvergedWarning
from properties import reference

ORTHONORMAL = 1e-10
_SLACK = 2.0  # of a tolerance: whoever verifies rounds as well
_DIGIT = 4.0 * np.finfo(np.float64).eps

REFUSED = (
    r"The squares of X must be finite: \|X\| <= 1e\+70\. The largest entry seen is .*Scale",
    r"X in single precision must vary by 1e-20 at least and be 1e\+17 at most.*Scale the columns",
    r"All \d+ columns of X are constant over \d+ rows: .*Pass data that vary",
    r"X must vary by 1e-140 at least.*Its widest column varies by .*Divide X by its largest",
    r"y must hold at least 2 classes\. Got 1 class, \[.*\], in \d+ rows",
    r"y is constant over \d+ rows: nothing depends on it\. Pass a target that varies",
    r"y has \d+ different labels in \d+ rows: too many for classes.*If they are",
    r"A bandwidth by the median needs more than half .* Remove duplicate rows, or pass a positive",
    r"\w+ needs `(bandwidth|c)` > 0 and finite \(1e-[67]0 to 1e[67]0\)\. Got .*scale the",
    r"RelativeGaussian needs rows at a distance from each other: .*Remove duplicates",
    r"RelativeGaussian needs neighbours 1e-70 to 1e\+70 apart.*scale the columns",
    r"engine='(nystrom|features)' needs a Gamma of low rank or of classes\. Got .*use engine='til",
    r"engine='features' is for kernels that are polynomials in beta\. Got .*use engine='nystrom'",
    r"The sums of ISM are written for one Gaussian kernel\. Got .*Use solver=",
    r"Need n_clusters <= n_samples\. Got n_clusters=\d+ and n_samples=\d+",
    r"A labelling to stay away from must have at least 2 classes\. Got .* leave it out",
    r"A labelling to stay away from must group rows\. Got .*bin a quantity into a few classes",
    r"metric='relevance' weighs columns for HSIC; .*leave out one of the two",
    r"standardise the columns of X, or lower the degree",
)
"""Errors that tables of numbers may meet; a message that is not among these is a finding."""

DOCUMENTED = (ConvergenceWarning, DependenceWarning, NotConvergedWarning)
"""Warnings, and what inherits from them; all others are findings."""


class RefusedError(Exception):
    """An answer was refused, in words that are documented."""


@contextmanager
def honest():
    """Documented warnings pass, documented errors become :class:`RefusedError`.

    Where numbers overflow numpy may warn before the error is raised, but never beside an answer.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            yield
        except ValueError as error:
            text = str(error)
            if not any(re.search(pattern, text, re.DOTALL) for pattern in REFUSED):
                raise
            note(f"refused: {text}")
            raise RefusedError(text) from error
    undocumented = [w for w in caught if not issubclass(w.category, DOCUMENTED)]
    assert not undocumented, [f"{w.filename}:{w.lineno} {w.message}" for w in undocumented]


def check_directions(W, metric=None):
    """Finite, and orthonormal: ``W'W = I``, or ``W'SW = I``."""
    assert np.isfinite(W).all()
    product = W.T @ W if metric is None else W.T @ metric @ W
    assert np.linalg.norm(product - np.eye(W.shape[1])) <= ORTHONORMAL


def check_monotone(history):
    """No step raised the cost, beyond rounding."""
    costs = np.array([record.cost for record in history])
    assert np.isfinite(costs).all()
    rounding = 1e-9 * np.max(np.abs(costs), initial=0.0)
    assert np.all(np.diff(costs) <= rounding), costs


def check_certificate(certificate, X, gamma, kernel, W, error=0.0):
    """What it claims holds once more, by sums of its own in extended precision.

    Up to what double precision makes of sums so large. Where rows can be centred that is a few
    units of the last digit of ``(|x_i| + |x_j|)^2``, which counts where a row is a million times as
    far out as others; where they cannot, the certificate knows (``rounding``). ``error`` is that of
    an engine that is not exact, beside Phi.
    """
    matrix = gamma.to_dense()
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        rows = reference.rows_for(X, gamma, kernel)
        terms = reference.at(rows, matrix, kernel, W)
        bent = reference.hessian(rows, matrix, kernel, W, terms.phi)
    assert certificate.orthogonality <= ORTHONORMAL
    if np.isnan(certificate.stationarity) or certificate.lost_in_rounding:
        assert certificate.second_order is None
        assert not certificate.verified
        return
    tol = certificate.tol
    long = W.astype(reference.LONG)
    residual = np.linalg.norm(terms.phi @ long - long @ (long.T @ terms.phi @ long))
    # Where Phi vanishes at the optimum the yardstick is a part of the curvature.
    scale = max(np.linalg.norm(terms.phi), 1e-5 * np.linalg.norm(bent.part))
    assert scale > 0.0
    unsure = _DIGIT * terms.size_of_phi + (certificate.rounding + error) * scale
    note(f"stationarity {residual / scale}, {certificate}")
    if certificate.stationarity <= tol:
        assert residual <= _SLACK * tol * scale + unsure
    if certificate.verified and bent.hessian.size:
        lowest = np.linalg.eigvalsh((bent.hessian / scale).astype(np.float64))[0]
        note(f"curvature {lowest}")
        assert lowest >= -_SLACK * tol - float((unsure + _DIGIT * bent.size) / scale)
