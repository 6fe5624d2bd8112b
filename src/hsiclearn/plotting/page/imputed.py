"""Cells that were empty, and what stands in for them: facts that the table did not hold."""

from __future__ import annotations

from typing import Any

from sklearn.pipeline import Pipeline

from ...tables import TableEncoder
from .html import Markup, element, table
from .sections import section
from .words import number, percent, plural

__all__ = ["imputed", "imputed_of"]

Figures = dict[str, Any]


def imputed_of(model: Any) -> list[dict[str, Any]]:
    """Column, number of cells and value of all that the fit filled; most cells first."""
    found = [
        {"name": name, "n_cells": count, "value": encoder.fill_[encoder.columns_.index(name)]}
        for encoder in _encoders(model)
        for name, count in encoder.imputed_.items()
    ]
    return sorted(found, key=lambda column: -column["n_cells"])


def _encoders(model: Any) -> list[TableEncoder]:
    """Those among the steps, also of pipelines within pipelines."""
    if isinstance(model, TableEncoder):
        return [model]
    steps = [step for _, step in model.steps] if isinstance(model, Pipeline) else []
    return [encoder for step in steps for encoder in _encoders(step)]


def imputed(figures: Figures) -> Markup | None:
    """Every column with invented cells; None where there are none."""
    columns, n_rows = figures["imputed"], figures["fitted_on"]["n_rows"]
    if not columns:
        return None
    total = plural(sum(column["n_cells"] for column in columns), "cell")
    words = (
        f"{total} in {plural(len(columns), 'column')} had no value in the table of the fit and "
        "were filled: a number with the median of its column, a category with the most frequent "
        "one. Rows that were filled look more alike than they may be."
    )
    heads = ["column", "cells filled", *(["of its rows"] if n_rows else []), "with"]
    rows = [
        [
            column["name"],
            f"{column['n_cells']:,}",
            *([percent(column["n_cells"] / n_rows)] if n_rows else []),
            number(column["value"]),
        ]
        for column in columns
    ]
    told = table(heads, rows, caption="Columns with imputed cells")
    return section("imputed", "Imputed cells", element("p", words), told)
