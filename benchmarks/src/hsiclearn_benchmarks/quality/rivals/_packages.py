"""Packages that only some rivals need."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["package"]


def package(module: str, name: str) -> Any:
    """A module of a package of the extra ``rivals``."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"This rival is run by the package {name}, which cannot be imported: {error}. Run the "
            "suite by make bench-quality, or install the extra with: "
            "pip install './benchmarks[rivals]'"
        ) from error
