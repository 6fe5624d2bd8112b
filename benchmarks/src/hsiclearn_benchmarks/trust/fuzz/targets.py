"""The readers, what each may raise, and how a mutated input becomes a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import archives, tables

__all__ = ["TARGETS", "Target"]

_SUFFIXES = {
    # how many of a million inputs: cheap readers take more
    ".csv": 50_000,
    ".csv.gz": 50_000,
    ".tsv": 20_000,
    ".txt": 20_000,
    ".parquet": 100_000,
    ".feather": 50_000,
    ".json": 50_000,
    ".ndjson": 50_000,
    ".npy": 300_000,
    ".xlsx": 30_000,
    ".ods": 10_000,
}


@dataclass(frozen=True)
class Target:
    """A reader.

    ``seeds`` makes a small corpus, by name; ``pack`` makes a file of an input, where the input is
    only a part of one; ``read`` reads a path. ``refused`` names the errors that are documented.
    """

    runs: int
    suffix: str
    seeds: Callable[[], Mapping[str, bytes]]
    read: Callable[[Path], Any]
    refused: tuple[str, ...]
    pack: Callable[[bytes], bytes] = lambda data: data


def _of_tables(suffix: str, runs: int) -> Target:
    return Target(runs, suffix, lambda: tables.seeds(suffix), tables.read, ("TableError",))


TARGETS: dict[str, Target] = {
    **{suffix[1:]: _of_tables(suffix, runs) for suffix, runs in _SUFFIXES.items()},
    "model": Target(100_000, ".hsic", archives.models, archives.read_model, ("ModelFileError",)),
    "document": Target(
        70_000,
        ".hsic",
        archives.documents,
        archives.read_model,
        ("ModelFileError",),
        archives.with_checksums,
    ),
    "checkpoint": Target(
        60_000, ".npz", archives.checkpoints, archives.read_checkpoint, ("CheckpointError",)
    ),
    "header": Target(
        60_000,
        ".npz",
        archives.headers,
        archives.read_checkpoint,
        ("CheckpointError",),
        archives.as_checkpoint,
    ),
}
"""By name; ``document`` and ``header`` are JSON inside archives whose checksums are right."""
