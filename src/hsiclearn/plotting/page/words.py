"""Sentences for people who read a page and no Python, from the figures alone."""

from __future__ import annotations

import math
from typing import Any

__all__ = [
    "FEW_ROWS",
    "MINUS",
    "certificate_mark",
    "engine_words",
    "found_words",
    "listed",
    "local_words",
    "number",
    "percent",
    "plural",
    "question_words",
    "warnings_of",
]

FEW_ROWS = 100  # below, what is explained on rows held out cannot be relied on
MINUS = "\N{MINUS SIGN}"
_MOST_LISTED = 8

Figures = dict[str, Any]


def number(value: Any, digits: int = 4) -> str:
    """A figure as text, with a proper minus; a dash where there is none."""
    if value is None:
        return "\N{EN DASH}"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}".replace("-", MINUS)
    if isinstance(value, float):
        return f"{value:.{digits}g}".replace("-", MINUS)
    return {"Infinity": "infinite", "-Infinity": f"{MINUS}infinite"}.get(str(value), str(value))


def percent(share: float) -> str:
    """A share in per cent, to a tenth."""
    return f"{100.0 * share:.1f} %".replace("-0.0 %", "0.0 %").replace("-", MINUS)


def plural(n: int, one: str, many: str | None = None) -> str:
    """A number with its noun."""
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def listed(names: list[str]) -> str:
    """Names in a row, the first few of many."""
    shown = names[:_MOST_LISTED]
    if len(names) > len(shown):
        return f"{', '.join(shown)} and {len(names) - len(shown)} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else "".join(shown)


def question_words(figures: Figures) -> str:
    """What was asked of which table."""
    table, q = figures["table"], figures["components"]["n_components"]
    of = f"A table of {plural(table['n_rows'], 'row')} and {plural(table['n_columns'], 'column')}"
    if table["n_features"] != table["n_columns"]:
        of += f", made into {plural(table['n_features'], 'feature')},"
    directions = "one direction" if q == 1 else plural(q, "direction")
    meaning = "A direction is a weighted sum of the columns; its weights are called loadings."
    if figures["clusters"] is None:
        asked = f"the {directions} that {_verb(q)} most about {_target(figures)}"
    else:
        clusters = plural(figures["clusters"]["n_clusters"], "cluster") + _guided(figures)
        asked = f"{clusters}, and for the {directions} in which they fall apart"
    return f"{of} was searched for {asked}. {meaning}"


def _verb(q: int) -> str:
    return "tells" if q == 1 else "tell"


def _guided(figures: Figures) -> str:
    """What the clusters were to follow, or to stay away from."""
    if not figures["target"]:
        return ""
    return {
        "semi-supervised": f" guided by what is known of {_target(figures)}",
        "alternative": f" other than those of {_target(figures)}",
    }.get(figures["paradigm"], "")


def _target(figures: Figures) -> str:
    """The target in words, as far as y says what it is."""
    columns = figures["target"]
    if not columns:
        kind = figures["reproduce"]["fitted"].get("target_")
        return "a kernel of the rows" if kind == "precomputed" else "a target"
    if len(columns) > 1:
        return f"{len(columns)} columns at once ({listed([c['name'] for c in columns])})"
    column = columns[0]
    name = {"target": "the target", "given labels": "the given labels"}.get(
        column["name"], f"“{column['name']}”"
    )
    if column["kind"] == "real":
        extent = f"{number(column['lowest'])} to {number(column['highest'])}"
        return f"{name}, a quantity from {extent}"
    classes = [c["name"] for c in column["classes"]]
    unknown = f"; unknown in {plural(column['n_unknown'], 'row')}" if column["n_unknown"] else ""
    return f"{name}, {plural(len(classes), 'class', 'classes')} ({listed(classes)}{unknown})"


def found_words(figures: Figures) -> list[str]:
    """What was found, a sentence or two each."""
    if figures["clusters"] is not None:
        return _found_clusters(figures)
    selection = figures["selection"]
    if selection is None:
        return ["No rows were held out, so how well this holds for new rows was not measured."]
    if not selection["found_dependence"]:
        return []
    share = percent(selection["explained_share"])
    words = f"On rows that were held out, the directions explain {share} of the target."
    if _is_real(figures):
        words += (
            " That share also counts changes in the spread of the target; it is not R² and is "
            "usually smaller."
        )
    n = len(selection["candidates"])
    return [
        f"{words} It is that of the best of {plural(n, 'candidate')}, so it is a little optimistic."
    ]


def _is_real(figures: Figures) -> bool:
    return bool(figures["reproduce"]["fitted"].get("target_") == "real")


def _found_clusters(figures: Figures) -> list[str]:
    clusters = figures["clusters"]
    sizes = listed([f"{size['name']} with {size['n_rows']:,}" for size in clusters["sizes"]])
    words = [f"Rows in the clusters found: {sizes}."]
    shown = clusters["assortativity"]
    if shown:
        told = listed([percent(max(p, 0.0)) for p in shown])
        words.append(
            f"Of the given labels the directions show {told} (0 % is chance, 100 % is all)"
            f"{_wanted(figures['paradigm'])}."
        )
    if clusters["against"]:
        agree = [f"{_score(a['nmi'])} with “{a['name']}”" for a in clusters["against"]]
        words.append(
            "How far the clusters agree with labels, in normalised mutual information (0: "
            f"unrelated, 1: the same groups): {listed(agree)}."
        )
    return words


def _score(nmi: float | None) -> str:
    return number(nmi if nmi is None else round(nmi, 3), 3)


def _wanted(paradigm: str) -> str:
    if paradigm == "alternative":
        return "; little was wanted, since these labels are known already"
    return "; much was wanted" if paradigm == "semi-supervised" else ""


def warnings_of(figures: Figures) -> list[tuple[str, str]]:
    """What a reader must not overlook: a heading and a sentence each."""
    found, selection = [], figures["selection"]
    if selection is not None and not selection["found_dependence"]:
        found.append(
            (
                "No dependence found",
                "On rows that were held out, the directions explain "
                f"{percent(selection['explained_share'])} of the target, no more than chance does. "
                "Do not read the directions or the picture below: what they show may be chance.",
            )
        )
    if selection is not None and selection["n_rows"] < FEW_ROWS:
        found.append(
            (
                "Few rows",
                f"The choice was made on {plural(selection['n_rows'], 'row')}. With fewer than "
                "about 100, the share explained on rows held out cannot be relied on: among tables "
                "of pure noise with 30 or 50 rows, about half seemed to explain something.",
            )
        )
    if not figures["solver"]["converged"]:
        found.append(("Not converged", figures["solver"]["sentence"]))
    return found


def certificate_mark(figures: Figures) -> tuple[str, str]:
    """The mark in a word, and its kind: good, partial or bad."""
    certificate = figures["certificate"]
    if certificate["verified"]:
        return "Verified", "good"
    gradient = certificate["stationarity"]
    small = gradient is not None and gradient <= certificate["tol"]
    if small and certificate["second_order"] is None:
        return "Verified to first order only", "partial"
    return "Not verified", "bad"


def local_words(figures: Figures) -> str:
    """What "local" means, and what it leaves open."""
    words = (
        "“Local” means: no small turn of the directions does better. A quite different set of "
        "directions still might; more starts (the setting n_init) look for one."
    )
    selection = figures["selection"]
    if selection is not None and not selection["found_dependence"]:
        words += (
            " It does not mean that there is anything to find: pure noise has local optima, too."
        )
    if figures["clusters"] is not None:
        words += (
            " For clusters only the slope is checked, not the curvature: that it vanishes is "
            "necessary for an optimum, not sufficient. Many starts were compared instead."
        )
    return words


def engine_words(figures: Figures) -> str:
    """Who computed the sums over pairs of rows, and how exactly."""
    solver = figures["solver"]
    error = solver["engine_error"]
    reason = f" ({solver['engine_reason'].rstrip('.')})" if solver["engine_reason"] else ""
    words = f"Sums over pairs of rows were computed by the engine “{solver['engine']}”{reason}. "
    if error["relative"] == 0.0:
        return words + "It is exact, up to rounding."
    kind = "a proven bound" if error["guaranteed"] else "an estimate"
    words += f"Its stated relative error is {number(error['relative'], 2)}, {kind}."
    sine = error["angle"]
    if isinstance(sine, float) and 0.0 < sine < 1.0:
        angle = math.degrees(math.asin(sine))
        words += f" It turns the directions by at most {number(angle, 2)} degrees, to first order."
    return words
