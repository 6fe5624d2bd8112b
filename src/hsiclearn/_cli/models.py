"""A model from a file, what the fit kept of itself there, and a table as that model takes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from sklearn.compose import ColumnTransformer
from sklearn.pipeline import Pipeline

from .._arrays import Array
from .._estimators import BaseHSIC
from .._persistence import load_with_notes
from .._persistence.kinds import COUNT, NONE, TEXT, Kind, list_of, mapping
from ..exceptions import ModelFileError
from .tables import SUFFIXES, Table, TableEncoder, TableError
from .tables.errors import shown

_KEY = "command"  # of the notes of a model; others are whoever's saved it
_TEXTS = list_of(TEXT)
_KINDS = {
    "role": Kind("a role", lambda value, _: value in ("target", "known", "against", "")),
    "labels": _TEXTS,
    "kind": Kind("a kind of target", lambda value, _: value in ("classes", "real")),
    "classes": mapping(_TEXTS),
    "id": TEXT | NONE,
    "dropped": _TEXTS,
    "rows": COUNT,
    "warnings": _TEXTS,
    "line": TEXT,
    "weights": TEXT | NONE,
}  # of the fields of a record: a file may hold anything


@dataclass(frozen=True)
class FitRecord:
    """The fit that a model comes from.

    ``role`` says what the columns ``labels`` were: ``"target"``, ``"known"``, ``"against"`` or
    ``""``; ``kind`` what a target was, ``"classes"`` or ``"real"``; ``weights`` the column that
    says how often each row counts.
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
    weights: str | None = None

    def as_notes(self) -> dict[str, Any]:
        """For :func:`hsiclearn.save`."""
        return {_KEY: asdict(self)}

    @property
    def fitted_on(self) -> dict[str, Any]:
        """For :func:`hsiclearn.plotting.report`."""
        others = len(self.labels) + len(self.dropped)
        others += (self.id is not None) + (self.weights is not None)
        return {"n_rows": self.rows, "labels": list(self.labels), "n_other_columns": others}

    @classmethod
    def from_notes(cls, notes: Mapping[str, Any]) -> FitRecord | None:
        """The record; None if another program wrote the notes."""
        found = notes.get(_KEY)
        if not isinstance(found, dict):
            return None
        found = dict[str, Any]({"weights": None}) | found  # which earlier files do not have
        if found.keys() != _KINDS.keys():
            return None
        is_record = all(kind.holds(found[name], {}) for name, kind in _KINDS.items())
        return cls(**found) if is_record else None


def open_model(path: Path) -> tuple[Any, FitRecord | None]:
    """The model, and the record of ``hsiclearn fit``; None if a program saved the model."""
    if path.is_dir():
        raise IsADirectoryError(f"{shown(path)} is a directory. Name a model.")
    if not path.exists():
        raise FileNotFoundError(f"There is no model {shown(path)}.")
    try:
        model, notes = load_with_notes(path)
    except ModelFileError as error:
        if path.name.lower().endswith(SUFFIXES):
            raise ModelFileError(
                f"{shown(path)} is a table. The model comes first, then the table."
            ) from error
        raise
    _check_use(model, path)
    return model, FitRecord.from_notes(notes)


def _check_use(model: Any, path: Path) -> None:
    """Refuse what a program may save, and the verbs cannot use."""
    first, last = (model[0], model[-1]) if isinstance(model, Pipeline) else (model, model)
    if not isinstance(last, BaseHSIC):
        raise ModelFileError(
            f"A model for the command must end with an estimator of hsiclearn. {shown(path)} ends "
            f"with {type(last).__name__}: load it in Python and save its beginning, model[:-1]."
        )
    if isinstance(first, ColumnTransformer):
        raise ModelFileError(
            f"A model for the command must take a table as it is, or columns of numbers. "
            f"{shown(path)} begins with ColumnTransformer, which takes data frames: use it in "
            "Python, with hsiclearn.load."
        )


def text_columns(model: Any, id_column: str | None) -> list[str]:
    """Columns that are text whatever their cells look like: categories, and names of rows."""
    first = _first_step(model)
    if not isinstance(first, TableEncoder):
        return []
    names = [n for n, coding in first.codings().items() if coding.kind == "category"]
    return names if id_column is None or id_column in first.columns_ else [*names, id_column]


def _first_step(model: Any) -> Any:
    return model[0] if isinstance(model, Pipeline) else model


def rows_for(model: Any, table: Table) -> Table | Array:
    """What goes into the model and nothing else: a table, or a matrix if it reads no tables."""
    first = _first_step(model)
    if isinstance(first, TableEncoder):
        return table.select(name for name in first.columns_ if name in table)
    names = getattr(first, "feature_names_in_", None)
    if names is not None:
        table = table.select(map(str, names))
    texts = [column.name for column in table.columns if not column.is_number]
    if texts or table.shape[1] != first.n_features_in_:
        seen = f"text in {shown(texts[0])}" if texts else f"{table.shape[1]} columns"
        raise TableError(f"The model takes {first.n_features_in_} columns of numbers. Got {seen}.")
    return TableEncoder().fit_transform(table)


def projected(model: Any, X: Any) -> dict[str, Array]:
    """Columns component1, component2, ...; of a clustering model the cluster as well."""
    if isinstance(model, Pipeline):  # the steps before the last once, for both answers
        for _, step in model.steps[:-1]:
            X = step.transform(X)
        model = model[-1]
    Z = model.transform(X)
    columns: dict[str, Array] = {f"component{j + 1}": Z[:, j] for j in range(Z.shape[1])}
    if hasattr(model, "predict"):
        columns["cluster"] = model.predict(X)
    return columns
