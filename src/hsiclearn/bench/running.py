"""A benchmark in parts that are run one after the other."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version

from .part import Part

__all__ = ["Progress", "Tell", "run_parts"]

Progress = Callable[[int, int, str], None]
"""Called before each case with the parts done, the parts there are, and what is next."""
Tell = Callable[[str], None]


def run_parts(
    parts: Mapping[str, Callable[[Tell], Part]],
    chosen: Sequence[str],
    progress: Progress,
    *,
    packages: Sequence[str],
    quick: str = "",
) -> Iterator[tuple[str, Part]]:
    """Measure the chosen parts, all by default, and hand out each when it is done.

    ``packages`` are named with their versions in a note under each part; ``quick`` is what to say
    of a run whose goals are not judged, empty for one whose goals are.
    """
    names = list(dict.fromkeys(chosen)) or list(parts)
    if unknown := set(names) - set(parts):
        raise ValueError(f"`parts` must be of {list(parts)}. Got {sorted(unknown)}.")
    for done, name in enumerate(names):

        def tell(what: str, done: int = done, name: str = name) -> None:
            progress(done, len(names), f"{name}: {what}")

        load = _load()
        part = parts[name](tell)
        note = f"Measured on {os.cpu_count()} cores{load}, with {_versions(packages)}. {quick}"
        yield name, replace(part, notes=[*part.notes, note.strip()], judged=not quick)
    progress(len(names), len(names), "")


def _versions(packages: Sequence[str]) -> str:
    return ", ".join(f"{name} {version(name)}" for name in packages)


def _load() -> str:
    """How busy others keep the machine: ratios are for one that is quiet."""
    if not hasattr(os, "getloadavg"):
        return ""
    return f" at a load of {os.getloadavg()[0]:.1f} before"
