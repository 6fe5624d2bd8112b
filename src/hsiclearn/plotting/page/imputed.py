"""Cells that were empty, and what stands in for them: facts that the table did not hold."""

from __future__ import annotations

from typing import Any

from .html import Markup, element, table
from .reproduce import steps_of
from .sections import section
from .words import percent, plural

__all__ = ["imputed", "imputed_of"]

Figures = dict[str, Any]


def imputed_of(model: Any) -> list[dict[str, Any]]:
    """Column, number of cells and what stands in for them; most cells first."""
    found = [
        dict(zip(("name", "n_cells", "with", "blank"), cells, strict=True))
        for _, step in steps_of(model)
        if hasattr(step, "empty_cells")
        for cells in step.empty_cells()
    ]
    return sorted(found, key=lambda column: -column["n_cells"])


def imputed(figures: Figures) -> Markup | None:
    """Every column with cells that were empty; None where there are none."""
    filled = [column for column in figures["imputed"] if not column["blank"]]
    blank = [column for column in figures["imputed"] if column["blank"]]
    n_rows = figures["fitted_on"]["n_rows"]
    parts: list[Markup] = []
    if filled:
        words = (
            f"{_cells(filled)} had no value in the table of the fit and were filled. Rows look "
            "more alike there than they may be."
        )
        parts += [element("p", words), _table(filled, "filled with", n_rows)]
    if blank:
        words = f"{_cells(blank)} of text had no value and are a category of their own."
        parts += [element("p", words), _table(blank, "category", n_rows)]
    return section("imputed", "Imputed cells", *parts) if parts else None


def _cells(columns: list[Figures]) -> str:
    total = plural(sum(column["n_cells"] for column in columns), "cell")
    return f"{total} in {plural(len(columns), 'column')}"


def _table(columns: list[Figures], what: str, n_rows: int | None) -> Markup:
    heads = ["column", "empty cells", *(["of its rows"] if n_rows else []), what]
    rows = [
        [
            column["name"],
            f"{column['n_cells']:,}",
            *([percent(column["n_cells"] / n_rows)] if n_rows else []),
            column["with"],
        ]
        for column in columns
    ]
    return table(heads, rows, caption="Columns with empty cells")
