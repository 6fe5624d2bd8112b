"""Which code figures are of, so that those of other code are not taken for those of this one."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.metadata import version
from pathlib import Path

__all__ = ["our_code", "their_code"]

_PACKAGE = Path(__file__).resolve().parents[2]
_NO_PART_IN_A_FIT = ("bench", "cli", "plotting")


@cache
def our_code() -> str:
    """A digest of the library's files, and what it stands on."""
    digest = hashlib.sha256()
    for path in sorted(_PACKAGE.rglob("*.py")):
        name = path.relative_to(_PACKAGE)
        if name.parts[0] not in _NO_PART_IN_A_FIT:
            digest.update(name.as_posix().encode() + b"\0" + path.read_bytes())
    return f"hsic-learn {digest.hexdigest()[:16]}, {their_code()}"


@cache
def their_code() -> str:
    """The version of what the rivals and the predictors come from."""
    return f"scikit-learn {version('scikit-learn')}"
