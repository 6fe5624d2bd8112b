"""What makes two solves the same: a few short strings per problem, cheap at a million rows."""

from __future__ import annotations

import hashlib
import json
import re

import numpy as np

from .._arrays import Array
from .._result import PROBES, digest_of, digest_of_values
from ..kernels import AbstractKernel
from .problem import Problem
from .settings import Settings

__all__ = ["fingerprint_of"]

_BETAS = (0.0, 0.1, 1.0, 3.0)


def fingerprint_of(
    problem: Problem, settings: Settings, rng: np.random.Generator
) -> dict[str, str]:
    """Name and value of everything the path of a solve depends on.

    Data are told apart by their products with a few seeded random vectors, to nine digits: one
    pass over the rows and none over the pairs, and the same on a machine that rounds otherwise.
    """
    objective = problem.objective
    n = objective.n_samples
    V = np.random.default_rng(0).standard_normal((n, PROBES))
    return {
        "X": f"{n} x {problem.n_features}, {digest_of(objective.rows)}",
        "gamma": f"{n} x {n}, {digest_of_values(V.T @ objective.gamma.apply(V))}",
        "kernel": _kernel(objective.kernel),
        "n_components": str(problem.q),
        "engine": objective.engine,
        "init": _init(settings.init),
        "random_state": _short_hash(json.dumps(rng.bit_generator.state, default=_as_list).encode()),
        **{name: repr(getattr(settings, name)) for name in ("solver", "n_init", "tol", "max_iter")},
    }


def _short_hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def _as_list(value: Array) -> list[int]:
    return [int(entry) for entry in np.asarray(value).ravel()]  # the state of some generators


def _init(init: str | Array) -> str:
    if isinstance(init, str):
        return init
    W = np.ascontiguousarray(init, dtype=np.float64)
    return f"array {W.shape}, {_short_hash(W.tobytes())}"


def _kernel(kernel: AbstractKernel) -> str:
    """The terms as they print, and what they are worth: functions have addresses for names."""
    terms = []
    for weight, term in kernel.terms:
        name = re.sub(r" at 0x[0-9a-fA-F]+", "", repr(term))
        values = " ".join(f"{float(v):.6g}" for v in np.asarray(term.f(np.array(_BETAS))))
        terms.append(f"{float(weight)!r} * {name} [{values}]")
    return " + ".join(terms)
