"""What a search tells on its way: the candidate it looks at, and the lowest loss so far."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from .._progress import is_heard, tell
from ..kernels import AbstractKernel
from .candidate import Candidate

__all__ = ["tell_candidate"]


def tell_candidate(
    stage: str,
    kernels: Sequence[AbstractKernel],
    k: int,
    start: str,
    losses: Iterable[float] = (),
    part: str = "",
) -> None:
    """Kernel number k from a start; ``losses`` of those before may be NaN."""
    if not is_heard():
        return
    scale = Candidate(1, kernels[k], start, np.nan, np.nan).bandwidth
    words = ["kernel" if scale is None else f"bandwidth {scale:.3g}"]
    words[0] += f" ({k + 1} of {len(kernels)})"
    words += [f"start {start}", *([part] if part else [])]
    known = [loss for loss in losses if not np.isnan(loss)]
    lowest = f"; lowest loss so far {min(known):.3f}" if known else ""
    tell(stage, f"{', '.join(words)}{lowest}")
