"""The style and the script of the page, and the policy that lets nothing else run."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files

__all__ = ["policy", "script", "style"]

_SCRIPTS = tuple(
    f"{name}.js" for name in ("data", "drawing", "view", "frame", "map", "controls", "report")
)


@cache
def style() -> str:
    """The style sheet."""
    return _read("report.css")


@cache
def script() -> str:
    """All scripts in one function: they share names among themselves and with nothing else."""
    body = "\n".join(_read(name) for name in _SCRIPTS)
    return f'(() => {{\n"use strict";\n{body}}})();\n'


def policy() -> str:
    """A Content-Security-Policy: this style, this script, pictures in the page, no network."""
    return (
        f"default-src 'none'; img-src data:; style-src '{_hash(style())}'; "
        f"script-src '{_hash(script())}'; base-uri 'none'; form-action 'none'"
    )


def _read(name: str) -> str:
    return (files(__package__) / name).read_text(encoding="utf-8")


def _hash(content: str) -> str:
    digest = hashlib.sha256(content.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"
