"""Kernels with a scale for each row, which takes all rows to find."""

from __future__ import annotations

from ..._rows import AbstractRows
from ...kernels import AbstractKernel


def has_scales(kernel: AbstractKernel) -> bool:
    """Whether a term has a scale for each row."""
    return any(term.has_row_scales for _, term in kernel.terms)


def check_scales(rows: AbstractRows, kernel: AbstractKernel) -> None:
    """Raise where each row is to have a scale, which takes all rows, and they are not here."""
    if rows.elsewhere is not None and has_scales(kernel):
        raise ValueError(
            "Rows of Dask take a kernel without scales of its own for each row. Got "
            f"{kernel!r}: use another one, such as 'gaussian', or fit in memory."
        )
