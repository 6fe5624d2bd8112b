"""The answer of a fit, to be read."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterator
from typing import Any

from .tables.errors import listed
from .wording import counted, plain

_INDENT = 15  # columns of the labels on the left
_TOP = 5  # loadings of a component that are shown
_WIDEST = 100  # columns of a line
_KEPT_BLANK = "\xa0"  # at which lines are not broken


def answer_text(answer: dict[str, Any]) -> str:
    """Several lines: what was read, what was found, where it was written."""
    written = [
        f"  {what:<{_INDENT - 2}}{plain(answer[what])}"
        for what in ("model", "report")
        if answer[what]
    ]
    lines = [
        f"{plain(answer['data'])}: {counted(answer['rows'], 'row')}, "
        f"{counted(answer['columns'], 'column')}",
        *(_wrapped(*line) for line in _read(answer)),
        "",
        _headline(answer),
        *(_wrapped(*line) for line in _found(answer)),
        "",
        *(_wrapped(*line) for line in _components(answer)),
        *(["", *written] if written else []),
    ]
    return "\n".join(lines)


def _wrapped(label: str, text: str) -> str:
    """A label and a text beside it, in as many lines as the terminal asks for."""
    width = max(40, min(_WIDEST, shutil.get_terminal_size().columns))
    first = f"  {label:<{_INDENT - 2}}" if len(label) < _INDENT - 2 else f"  {label}  "
    filled = textwrap.fill(
        text,
        width,
        initial_indent=first,
        subsequent_indent=" " * _INDENT,
        break_on_hyphens=False,
        break_long_words=False,
    )
    return filled.replace(_KEPT_BLANK, " ")


def _kept_together(text: str) -> str:
    """A text that is not broken at its blanks."""
    return text.replace(" ", _KEPT_BLANK)


def _read(answer: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Labels and features."""
    for name, label in answer["labels"].items():
        counts = [_kept_together(f"{plain(c)} ({n})") for c, n in label["counts"].items()]
        what = f"{len(counts)} classes: {listed(counts)}" if counts else "a quantity"
        yield answer["role"], f"{plain(name)}, {what}"
    if answer["weights"] is not None:
        yield "weights", f"{plain(answer['weights'])} says how often each row counts"
    names = answer["features"]
    how = "standardised" if answer["standardised"] else "not scaled"
    if answer["standardised"] and answer["categories"]:
        how = "numbers standardised"  # columns of 0 and 1 are not
    yield "features", f"{len(names)}, {how}: {listed(map(plain, names))}"


def _headline(answer: dict[str, Any]) -> str:
    q = answer["n_components"]
    if "clusters" not in answer:
        name = plain(next(iter(answer["labels"])))
        if answer.get("objective") == "prediction":
            return f"The {'direction' if q == 1 else f'{q} directions'} made to predict {name}"
        directions = "The direction that depends" if q == 1 else f"The {q} directions that depend"
        return f"{directions} most on {name}"
    guide = {"known": ", guided by the known labels", "against": ", other than the given labels"}
    return (
        f"{len(answer['clusters']['sizes'])} clusters{guide.get(answer['role'], '')}, and the "
        f"{'direction that carries' if q == 1 else f'{q} directions that carry'} them"
    )


def _found(answer: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The badge of the page, of clusters with the sentence that has no other line; figures."""
    badge, certificate = answer["badge"], answer["certificate"]
    is_clusters, is_held_out = "clusters" in answer, answer["explained_share"] is not None
    title = f"{badge['title']}. {badge['sentence']}" if is_clusters else badge["title"]
    yield "answer", title.strip()
    if is_clusters:
        yield from _clusters(answer["clusters"])
    if is_held_out:
        yield from _held_out(answer)
    elif answer["role"] == "target":
        share = "not measured: no rows were held out, so nothing tells this from chance"
        yield "explained", share
    if answer["bandwidth"] is not None:
        predicts = answer.get("objective") == "prediction"
        chosen = ", found with the directions" if predicts else ", chosen on rows held out"
        chosen = chosen if is_held_out else ""
        yield "bandwidth", f"{answer['bandwidth']:.3g}{chosen}"
    if answer.get("metric") == "covariance":
        yield "metric", "covariance: directions have about unit variance and are hardly correlated"
    if answer.get("metric") == "relevance":
        yield "metric", "relevance: columns are weighed by their part in the directions"
    if selected := answer.get("selected"):
        yield (
            "columns",
            f"{counted(len(selected), 'column')} selected: {listed(map(plain, selected))}",
        )
    if answer.get("objective") == "prediction":
        yield "objective", "prediction: directions have lengths of their own, the longest first"
    is_descent = is_clusters or answer.get("objective") == "prediction"
    is_settled = is_descent and answer["converged"]  # the certificate says where
    if not certificate["verified"] and not is_settled:
        yield "status", answer["status"]
    yield "certificate", certificate["verdict"]


def _clusters(clusters: dict[str, Any]) -> Iterator[tuple[str, str]]:
    sizes = clusters["sizes"].items()
    yield "clusters", listed(_kept_together(f"{plain(c)}: {counted(n, 'row')}") for c, n in sizes)
    for name, guide in clusters["labels"].items():
        parts = []
        if guide["nmi"] is not None:
            parts.append(f"NMI {guide['nmi']:.3f} of the clusters with {plain(name)}")
        if guide["assortativity"] is not None:
            share = f"{max(0.0, guide['assortativity']):.0%}"
            parts.append(f"the directions show {share} of {plain(name)} beyond chance")
        yield "agreement", "; ".join(parts)


def _held_out(answer: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Figures of rows held out: one people know, and the one that everything was chosen by."""
    if answer["neighbours"] is not None:
        yield "neighbours", f"{answer['neighbours']['words']}, on rows held out"
    share = f"{answer['explained_share']:.1%} of the target, on rows held out"
    if not answer["found_dependence"]:
        share += ": no more than chance does, so do not read the components"
    yield "explained", share


def _components(answer: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for component in answer["components"]:
        loadings = [(name, w) for name, w in component["standardised"].items() if w != 0.0]
        top = ", ".join(_kept_together(f"{plain(name)} {w:+.2f}") for name, w in loadings[:_TOP])
        more = ", ..." if len(loadings) > _TOP else ""
        sd = _kept_together(f"sd {component['sd']:.3g}")
        yield f"component {component['component']}", f"{top}{more}; {sd}"
