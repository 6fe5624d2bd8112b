"""What is needed to make a fit again: settings, choices, versions."""

from __future__ import annotations

import platform
import re
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

from ..._estimators._base import BaseHSIC

__all__ = ["fitted_choices", "settings_of", "steps_of", "versions"]

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")  # of an object in memory: differs from run to run
_CHOICES = (
    *("n_components_", "bandwidth_", "kernel_", "engine_", "target_", "guidance_"),
    *("n_clusters_", "label_kernel_", "converged_", "n_iter_", "cost_"),
)
_PACKAGES = {"hsiclearn": "hsic-learn", "numpy": "numpy", "scipy": "scipy"}
_PACKAGES |= {"scikit-learn": "scikit-learn"}


def settings_of(model: Any) -> list[dict[str, Any]]:
    """Name, class and parameters of each step, innermost pipelines unrolled."""
    return [
        {"name": name, "class": type(step).__name__, "parameters": _parameters(step)}
        for name, step in steps_of(model)
    ]


def fitted_choices(step: BaseHSIC) -> dict[str, Any]:
    """What the fit chose; what is no number or string as text."""
    return {name: _choice(getattr(step, name)) for name in _CHOICES if hasattr(step, name)}


def versions() -> dict[str, str]:
    """Of Python and of what the figures were computed with."""
    found = {"python": platform.python_version()}
    for name, package in _PACKAGES.items():
        try:
            found[name] = version(package)
        except PackageNotFoundError:  # a copy that was never installed
            found[name] = "unknown"
    return found


def steps_of(model: Any, prefix: str = "") -> list[tuple[str, Any]]:
    """The steps with their names, also of pipelines within pipelines."""
    if not isinstance(model, Pipeline):
        return [(prefix or type(model).__name__.lower(), model)]
    found: list[tuple[str, Any]] = []
    for name, step in model.steps:
        found += steps_of(step, f"{prefix}.{name}" if prefix else name)
    return found


def _parameters(step: Any) -> dict[str, str]:
    if not hasattr(step, "get_params"):  # "passthrough"
        return {}
    return {name: _text(value) for name, value in sorted(step.get_params(deep=False).items())}


def _choice(value: Any) -> Any:
    return value if isinstance(value, (str, int, float, np.generic, type(None))) else _text(value)


def _text(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"array of shape {value.shape}"
    if isinstance(value, np.generic):
        value = value.item()
    return _ADDRESS.sub("", repr(value))
