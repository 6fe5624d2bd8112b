"""Kernels with a scale for each row, which takes all rows to find."""

from __future__ import annotations

from ..._rows import AbstractRows
from ...kernels import AbstractKernel

_MOST_ROWS = 5000  # on a device, of which all come to the host


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
    there = rows.on_device
    if there is not None and rows.n_samples > _MOST_ROWS and has_scales(kernel):
        raise ValueError(
            f"A kernel with a scale for each row takes at most {_MOST_ROWS} rows on a device, as "
            f"all of them have to leave it. Got {rows.n_samples} rows on {there.where} and "
            f"{kernel!r}: use another kernel, such as 'gaussian', or pass rows of the host."
        )
