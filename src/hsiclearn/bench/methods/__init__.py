"""The methods of the paper's tables, one file each; its ``METHODS`` are found by being there."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from ._base import Clustered, Clusterer, Method, Reduced, Reducer, Report, paper_kernel
from ._solver import SolverMethod

__all__ = [
    "CLUSTERERS",
    "METHODS",
    "REDUCERS",
    "Clustered",
    "Clusterer",
    "Method",
    "Reduced",
    "Reducer",
    "Report",
    "SolverMethod",
    "paper_kernel",
]

_modules = [name for _, name, _ in iter_modules(__path__) if not name.startswith("_")]
_found = [m for name in _modules for m in import_module(f"{__name__}.{name}").METHODS]
METHODS: dict[str, Method] = {m.key: m for m in sorted(_found, key=lambda m: m.order)}
REDUCERS: dict[str, Reducer] = {k: m for k, m in METHODS.items() if isinstance(m, Reducer)}
CLUSTERERS: dict[str, Clusterer] = {k: m for k, m in METHODS.items() if isinstance(m, Clusterer)}
