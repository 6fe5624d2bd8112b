"""The data sets of the paper, one file each; a file's ``DATA`` is found by being there."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from ._base import BenchData

__all__ = ["DATA", "BenchData"]

_modules = [name for _, name, _ in iter_modules(__path__) if not name.startswith("_")]
_found = [import_module(f"{__name__}.{name}").DATA for name in _modules]
DATA: dict[str, BenchData] = {data.name: data for data in sorted(_found, key=lambda d: d.order)}
