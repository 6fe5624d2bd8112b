"""Fewer rows that still show every class."""

from __future__ import annotations

import numpy as np

from ..._arrays import Array

__all__ = ["sample_rows"]


def sample_rows(
    n_samples: int, codes: Array | None, max_rows: int, random_state: int | None
) -> Array:
    """Indices of at most ``max_rows`` rows, ascending; of each class in proportion, one at least.

    ``codes`` are of classes, -1 a class of its own; None draws from all rows alike.
    """
    if n_samples <= max_rows:
        return np.arange(n_samples)
    rng = np.random.default_rng(random_state)
    if codes is None:
        return np.sort(rng.choice(n_samples, max_rows, replace=False))
    _, classes, counts = np.unique(codes, return_inverse=True, return_counts=True)
    if counts.size > max_rows:  # not even one of each
        return sample_rows(n_samples, None, max_rows, random_state)
    chosen = [
        rng.choice(np.flatnonzero(classes == c), n, replace=False)
        for c, n in enumerate(_quotas(counts, max_rows))
    ]
    return np.sort(np.concatenate(chosen))


def _quotas(counts: Array, total: int) -> list[int]:
    """How many of each class: one, and of the rest in proportion, by largest remainders."""
    ideal = (counts - 1) * ((total - counts.size) / (counts.sum() - counts.size))
    quotas = np.floor(ideal).astype(int)
    short = total - counts.size - int(quotas.sum())
    quotas[np.argsort(quotas - ideal, kind="stable")[:short]] += 1
    return [int(n) + 1 for n in quotas]
