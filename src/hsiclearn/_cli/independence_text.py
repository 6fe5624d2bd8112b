"""The answer of ``hsiclearn test`` as text."""

from __future__ import annotations

from typing import Any

from .wording import plain, text_table

SMALLEST = 1e-300
"""P-values below are rounding, or no floats at all."""


def text_of(found: list[dict[str, Any]], y_names: list[str], *, joint: bool) -> str:
    """A table, or a line for one joint test."""
    y, is_weighted = ", ".join(map(plain, y_names)), "weight" in found[0]
    if joint:
        (line,) = found
        weight = f" of weight {line['weight']:g}" if is_weighted else ""
        return (
            f"{len(line['columns'])} columns together and {y}: HSIC {line['hsic']:.4g}, "
            f"CKA {line['cka']:.3f}, p = {_p(line['p'])} ({line['rows']} rows{weight})"
        )
    head = ("column", "rows", *(["weight"] if is_weighted else []), "HSIC", "CKA", "p", "p (Holm)")
    rows = [
        (
            plain(line["columns"][0]),
            str(line["rows"]),
            *([f"{line['weight']:g}"] if is_weighted else []),
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
    return f"{value:.2g}" if value >= SMALLEST else "< 1e-300"
