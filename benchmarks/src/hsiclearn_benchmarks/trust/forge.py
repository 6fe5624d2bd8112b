"""Forge model files and checkpoints: parts of a good one changed, checksums made right again.

    archive = Archive.of(path.read_bytes())
    how, content = forge(archive, np.random.default_rng(0))

What comes out gets past every checksum, unless the archive itself was what was changed: so it is
for whoever reads it to notice. ``FORGERIES`` are the ways, by name; the same seed makes the same
bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from . import forge_files as files
from . import forge_parts as parts
from .forge_archive import Archive, npy, zipped

__all__ = ["FORGERIES", "Archive", "forge", "npy", "zipped"]

_DRAWS = 1000
Forgery = Callable[[Archive, np.random.Generator], bytes]


def forge(archive: Archive, rng: np.random.Generator, how: str = "") -> tuple[str, bytes]:
    """One forgery, in a way that is drawn if ``how`` does not say it: the way, and the file."""
    for _ in range(_DRAWS):
        way = how or str(rng.choice(list(FORGERIES), p=_SHARES))
        content = FORGERIES[way](archive, rng)
        if content != archive.whole:  # a value in place of its like is no forgery
            return way, content
    raise ValueError(f"{how!r} changes nothing of this file. Choose another way.")


FORGERIES: Mapping[str, Forgery] = {
    "truncated": files.truncated,
    "bits flipped": files.bits_flipped,
    "spliced": files.spliced,
    "directory": files.other_directory,
    "compressed": files.compressed,
    "names": files.other_names,
    "many members": files.many_members,
    "manifest": parts.other_manifest,
    "hostile JSON": parts.hostile_text,
    "values moved": parts.values_moved,
    "numbers and words": parts.other_values,
    "header of an array": parts.other_header,
    "values of an array": parts.other_array,
    "raw bytes of an array": parts.raw_bytes,
    "arrays exchanged": parts.arrays_exchanged,
}
"""The ways to forge a file, by name."""

_OFTEN = {"hostile JSON": 4, "values moved": 3, "numbers and words": 4, "values of an array": 4}
_TOTAL = sum(_OFTEN.get(name, 1) for name in FORGERIES)
_SHARES = [_OFTEN.get(name, 1) / _TOTAL for name in FORGERIES]
