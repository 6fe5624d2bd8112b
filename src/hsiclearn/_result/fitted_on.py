"""What a model was fitted on: enough to know the same data again, none of the data."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._arrays import FloatArray

PROBES = 3
"""Random vectors: a change of one entry, in the first nine digits, shows in every product."""


@dataclass(frozen=True, kw_only=True)
class FittedOn:
    """The data of a fit, by their size and digests, and the versions that computed it.

    Attributes
    ----------
    n_rows : int
        Number of rows.
    dtype : str
        Of X as it was read: ``"float64"`` or ``"float32"``.
    X : str or None
        :func:`digest_of` the rows, all columns included; None for a source of blocks, which
        would have to be read once more.
    y : str or None
        Digest of the target, or of what guides a clustering: of classes their codes, each label
        by its rank among them all (-1: unknown), of quantities and of a kernel matrix the numbers.
        None where there is no y.
    versions : tuple of (name, version)
        Of Python and the packages.
    """

    n_rows: int
    dtype: str
    X: str | None
    y: str | None
    versions: tuple[tuple[str, str], ...]


def digest_of(table: Any) -> str:
    """Sixteen letters that tell a table (n, d) from others: an array, or anything with ``@``.

    ``V'AU`` with a few seeded random vectors, to nine digits: one pass over the rows, in double
    precision whatever A has, and so the same on a machine that rounds otherwise. A vector is a
    table of one column.
    """
    table = table.reshape(-1, 1) if len(table.shape) == 1 else table
    n, d = table.shape
    draw = np.random.default_rng(0)
    V, U = draw.standard_normal((n, PROBES)), draw.standard_normal((d, PROBES))
    with np.errstate(over="ignore", invalid="ignore"):  # of the largest numbers there are
        return digest_of_values(V.T @ _in_double(table, U))


def _in_double(table: Any, U: FloatArray) -> FloatArray:
    """``A U``; rows of a table in single precision are not copied as a whole."""
    if not hasattr(table, "chunks"):
        return np.asarray(table.astype(np.float64, copy=False) @ U)
    shift = table.origin @ U if table.is_sparse and table.origin is not None else 0.0
    blocks = (block.astype(np.float64, copy=False) @ U for _, block in table.chunks())
    return np.concatenate([np.asarray(block) - shift for block in blocks])


def digest_of_values(values: FloatArray) -> str:
    """Of a few numbers, to nine digits."""
    text = " ".join(f"{value + 0.0:.9e}" for value in values.ravel())
    return hashlib.sha256(text.encode()).hexdigest()[:16]
