"""What ``hsiclearn fit`` keeps of itself in a model file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

__all__ = ["FitRecord"]

_KEY = "command"  # of the notes of a model; others are whoever's saved it


@dataclass(frozen=True)
class FitRecord:
    """The fit that a model comes from.

    ``role`` says what the columns ``labels`` were: ``"target"``, ``"known"``, ``"against"`` or
    ``""``; ``kind`` what a target was, ``"classes"`` or ``"real"``.
    """

    role: str = ""
    labels: list[str] = field(default_factory=list)
    kind: str = "classes"
    classes: dict[str, list[str]] = field(default_factory=dict)
    id: str | None = None
    dropped: list[str] = field(default_factory=list)
    rows: int = 0
    warnings: list[str] = field(default_factory=list)
    line: str = ""

    def as_notes(self) -> dict[str, Any]:
        """For :func:`hsiclearn.save`."""
        return {_KEY: asdict(self)}

    @property
    def fitted_on(self) -> dict[str, Any]:
        """For :func:`hsiclearn.plotting.report`."""
        others = len(self.labels) + len(self.dropped) + (self.id is not None)
        return {"n_rows": self.rows, "labels": list(self.labels), "n_other_columns": others}

    @classmethod
    def from_notes(cls, notes: Mapping[str, Any]) -> FitRecord | None:
        """The record; None if another program wrote the notes."""
        found = notes.get(_KEY)
        if not isinstance(found, dict) or found.keys() != cls.__dataclass_fields__.keys():
            return None
        return cls(**found) if _is_record(found) else None


def _is_record(found: Mapping[str, Any]) -> bool:
    """Whether every value is of its type: a file may hold anything."""
    classes = found["classes"]
    return (
        found["role"] in ("target", "known", "against", "")
        and found["kind"] in ("classes", "real")
        and all(_is_texts(found[name]) for name in ("labels", "dropped", "warnings"))
        and isinstance(classes, dict)
        and all(map(_is_texts, classes.values()))
        and isinstance(found["id"], str | None)
        and type(found["rows"]) is int
        and found["rows"] >= 0
        and isinstance(found["line"], str)
    )


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)
