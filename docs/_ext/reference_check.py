"""Fail the build where a public name is missing from the reference pages."""

from __future__ import annotations

import importlib
from typing import Any

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

__all__ = ["setup"]

logger = logging.getLogger(__name__)


def _missing(module: str, documented: set[str]) -> list[str]:
    """Names of ``module.__all__`` that have no entry; submodules have their own."""
    names = [f"{module}.{name}" for name in importlib.import_module(module).__all__]
    return [name for name in names if not name.endswith("__") and name not in documented]


def check(app: Sphinx, env: BuildEnvironment) -> None:
    """Warn, which a strict build takes for an error, of every name left out."""
    domain = env.get_domain("py")
    documented = {entry[0] for entry in domain.get_objects()}
    for module in app.config.reference_modules:
        for name in _missing(module, documented):
            logger.warning("%s is public but not in docs/api", name)


def setup(app: Sphinx) -> dict[str, Any]:
    """Look once all pages are read."""
    app.add_config_value("reference_modules", [], "env")
    app.connect("env-check-consistency", check)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
