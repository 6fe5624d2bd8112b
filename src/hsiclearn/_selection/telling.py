"""What a search tells on its way: the candidate it looks at, and the lowest loss so far."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from .._progress import is_heard, tell
from ..kernels import AbstractKernel
from .candidate import Candidate

__all__ = ["tell_candidate"]


def tell_candidate(
    what: str,
    q: int,
    kernels: Sequence[AbstractKernel],
    k: int,
    start: str,
    losses: Iterable[float] = (),
    part: str = "",
) -> None:
    """Kernel number k from a start in q dimensions; ``losses`` of those before may be NaN."""
    if not is_heard():
        return
    scale = Candidate(1, kernels[k], start, np.nan, np.nan).bandwidth
    name = "kernel" if scale is None else f"bandwidth {scale:.3g}"
    words = [f"{name} ({k + 1} of {len(kernels)})", *([part] if part else [])]
    known = [loss for loss in losses if not np.isnan(loss)]
    words += [f"lowest loss {min(known):.3f}"] if known else []
    tell(f"{what}, {q} dimension{'' if q == 1 else 's'}", ", ".join([*words, f"start {start}"]))
