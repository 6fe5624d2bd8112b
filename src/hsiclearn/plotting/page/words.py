"""Sentences about how sure an answer is, from the figures alone; and how numbers are written."""

from __future__ import annotations

import math
import re
from typing import Any

from ..._rows import hardly_vary

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


def typeset(text: str) -> str:
    """Words of the library as a page writes them."""
    text = re.sub(r"(?<![\w-])-(?=\d)", MINUS, text.replace("R^2", "R²"))
    return re.sub(r"(\d)%", r"\1 %", text)


def listed(names: list[str]) -> str:
    """Names in a row, the first few of many."""
    shown = names[:_MOST_LISTED]
    if len(names) > len(shown):
        return f"{', '.join(shown)} and {len(names) - len(shown)} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else "".join(shown)


def quoted(names: list[str]) -> str:
    """Names of columns in a row."""
    return listed([f"“{name}”" for name in names])


def target_words(figures: Figures) -> str:
    """What the model was fitted to; the columns that are shown may be others."""
    labels = figures["fitted_on"]["labels"]
    if labels is None and figures["target"] and all(c["fitted_to"] for c in figures["target"]):
        labels = [c["name"] for c in figures["target"]]
    if not labels or labels == ["target"]:
        return "the target it was fitted to"
    return f"{quoted(labels)}, the target it was fitted to"


def warnings_of(figures: Figures) -> list[tuple[str, str]]:
    """What a reader must not overlook: a heading and a sentence each."""
    found, selection = [("Warning", line) for line in figures["warnings"]], figures["selection"]
    told = any(line.startswith("No dependence found") for line in figures["warnings"])
    if selection is not None and not selection["found_dependence"] and not told:
        found.append(
            (
                "No dependence found",
                "On rows that were held out, the model's directions explain "
                f"{percent(selection['explained_share'])} of {target_words(figures)}: no more than "
                "chance does. Do not read the directions or the picture below: what they show may "
                "be chance.",
            )
        )
    if selection is not None and selection["caution"]:
        found.append(("Few rows", selection["caution"]))
    if not figures["solver"]["converged"]:
        found.append(("Not converged", figures["solver"]["sentence"]))
    return found


def local_words(figures: Figures) -> str:
    """What the proof leaves open."""
    other = (
        "A quite different set of directions still might; more starts (n_init, or --starts of the "
        "command)"
    )
    if figures["clusters"] is not None:
        return (
            "That the search settled means: no small turn of the directions does better, as far "
            f"as its slope tells. {other} look for one. Whether the clusters are real it does not "
            "tell."
        )
    words = f"“Local” means: no small turn of the directions does better. {other} look for one."
    selection = figures["selection"]
    if selection is not None and not selection["found_dependence"]:
        words += (
            " It does not mean that there is anything to find: pure noise has local optima, too."
        )
    return words


def spread_notes(figures: Figures) -> list[str]:
    """Directions along which rows hardly vary, or that a few of them carry alone."""
    remarks = [typeset(remark) for remark in figures["components"]["remarks"]]
    if figures["fitted_on"]["same_rows"]:
        return [f"{remark[0].upper()}{remark[1:]}." for remark in remarks]
    return [*(f"In the fit, {remark}." for remark in remarks), *_narrow_as_shown(figures)]


def _narrow_as_shown(figures: Figures) -> list[str]:
    """Of rows that are not those of the fit, which may vary more."""
    bandwidth = figures["reproduce"]["fitted"].get("bandwidth_")
    if not isinstance(bandwidth, float) or bandwidth <= 0.0:
        return []
    scale, spread = number(bandwidth, 3), figures["components"]["sd"]
    return [
        f"Along component {k} the rows shown hardly vary beside the bandwidth (standard deviation "
        f"{number(sd, 2)}, bandwidth {scale})."
        for k, (sd, is_narrow) in enumerate(
            zip(spread, hardly_vary(spread, bandwidth), strict=True), start=1
        )
        if is_narrow
    ]


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
