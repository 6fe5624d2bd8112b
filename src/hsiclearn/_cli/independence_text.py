"""The lines of ``hsiclearn test``: in order, corrected, and to be read."""

from __future__ import annotations

from typing import Any

from .console import plain, text_table

_SMALLEST = 1e-300  # p-values below are rounding, or no floats at all


def ranked(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The tests by p-value, each with ``p_holm``.

    Where p-values are too small to be told apart, CKA is the order. Holm's p-values: the k-th
    smallest times the number of tests from it on, never falling.
    """
    lines = sorted(found, key=lambda line: (max(line["p"], _SMALLEST), -line["cka"]))
    highest, adjusted = 0.0, []
    for k, line in enumerate(lines):
        highest = max(highest, min(1.0, (len(lines) - k) * line["p"]))
        adjusted.append({**line, "p_holm": highest})
    return adjusted


def independence_text(found: list[dict[str, Any]], y_names: list[str], *, joint: bool) -> str:
    """A table, or a line for one joint test."""
    y = ", ".join(map(plain, y_names))
    if joint:
        (line,) = found
        return (
            f"{len(line['columns'])} columns together and {y}: HSIC {line['hsic']:.4g}, "
            f"CKA {line['cka']:.3f}, p = {_p(line['p'])} ({line['rows']} rows)"
        )
    head = ("column", "rows", "HSIC", "CKA", "p", "p (Holm)")
    rows = [
        (
            plain(line["columns"][0]),
            str(line["rows"]),
            f"{line['hsic']:.2e}",
            f"{line['cka']:.3f}",
            _p(line["p"]),
            _p(line["p_holm"]),
        )
        for line in found
    ]
    return f"Dependence of each column on {y}, by itself\n\n{text_table(head, rows)}"


def _p(value: float) -> str:
    """A p-value that is not 0 but too small for a float is no 0 either."""
    return f"{value:.2g}" if value >= _SMALLEST else "< 1e-300"
