"""The answer of a fit, to be read."""

from __future__ import annotations

from typing import Any

from .tables.errors import listed
from .wording import counted, kept_together, plain, wrapped

_INDENT = 15  # columns of the labels on the left
_TOP = 5  # loadings of a component that are shown


def answer_text(answer: dict[str, Any]) -> str:
    """Several lines: what was read, what was found, where it was written."""
    lines = [
        f"{plain(answer['data'])}: {counted(answer['rows'], 'row')}, "
        f"{counted(answer['columns'], 'column')}",
        *_labels(answer),
        _features(answer),
        "",
        _headline(answer),
        *_badge(answer),
        *_clusters(answer),
        *_figures(answer),
        "",
        *_components(answer),
    ]
    written = [
        f"{what:<{_INDENT - 2}}{plain(answer[what])}"
        for what in ("model", "report")
        if answer[what]
    ]
    return "\n".join(lines + ([""] + [f"  {line}" for line in written] if written else []))


def _labels(answer: dict[str, Any]) -> list[str]:
    lines = []
    for name, label in answer["labels"].items():
        counts = listed(kept_together(f"{plain(c)} ({n})") for c, n in label["counts"].items())
        text = f"{plain(name)}, a quantity"
        if label["counts"]:
            text = f"{plain(name)}, {len(label['counts'])} classes: {counts}"
        lines.append(wrapped(answer["role"], text, _INDENT))
    return lines


def _features(answer: dict[str, Any]) -> str:
    names = answer["features"]
    how = "standardised" if answer["standardised"] else "not scaled"
    if answer["standardised"] and answer["categories"]:
        how = "numbers standardised"  # columns of 0 and 1 are not
    return wrapped("features", f"{len(names)}, {how}: {listed(map(plain, names))}", _INDENT)


def _headline(answer: dict[str, Any]) -> str:
    q = answer["n_components"]
    directions = "The direction" if q == 1 else f"The {q} directions"
    if "clusters" not in answer:
        name = plain(next(iter(answer["labels"])))
        return f"{directions} that {'depends' if q == 1 else 'depend'} most on {name}"
    guide = {"known": ", guided by the known labels", "against": ", other than the given labels"}
    return (
        f"{len(answer['clusters']['sizes'])} clusters{guide.get(answer['role'], '')}, and the "
        f"{'direction that carries' if q == 1 else f'{q} directions that carry'} them"
    )


def _clusters(answer: dict[str, Any]) -> list[str]:
    if "clusters" not in answer:
        return []
    sizes = listed(
        kept_together(f"{plain(c)}: {counted(n, 'row')}")
        for c, n in answer["clusters"]["sizes"].items()
    )
    lines = [wrapped("clusters", sizes, _INDENT)]
    for name, guide in answer["clusters"]["labels"].items():
        parts = []
        if guide["nmi"] is not None:
            parts.append(f"NMI {guide['nmi']:.3f} of the clusters with {plain(name)}")
        if guide["assortativity"] is not None:
            share = f"{max(0.0, guide['assortativity']):.0%}"
            parts.append(f"the directions show {share} of {plain(name)} beyond chance")
        lines.append(wrapped("agreement", "; ".join(parts), _INDENT))
    return lines


def _badge(answer: dict[str, Any]) -> list[str]:
    """The same mark as on the page; of clusters with what it stands on, which has no other line."""
    badge = answer["badge"]
    words = f"{badge['title']}. {badge['sentence']}" if "clusters" in answer else badge["title"]
    return [wrapped("answer", words.strip(), _INDENT)]


def _held_out(answer: dict[str, Any]) -> list[str]:
    """Figures of rows held out: one people know, and the one that everything was chosen by."""
    lines = []
    if answer["neighbours"] is not None:
        words = f"{answer['neighbours']['words']}, on rows held out"
        lines.append(wrapped("neighbours", words, _INDENT))
    share = f"{answer['explained_share']:.1%} of the target, on rows held out"
    if not answer["found_dependence"]:
        share += ": no more than chance does, so do not read the components"
    lines.append(wrapped("explained", share, _INDENT))
    return lines


def _figures(answer: dict[str, Any]) -> list[str]:
    lines = []
    if answer["explained_share"] is not None:
        lines += _held_out(answer)
    elif answer["role"] == "target":
        share = "not measured: no rows were held out, so nothing tells this from chance"
        lines.append(wrapped("explained", share, _INDENT))
    if answer["bandwidth"] is not None:
        held_out = ", chosen on rows held out" if answer["explained_share"] is not None else ""
        lines.append(wrapped("bandwidth", f"{answer['bandwidth']:.3g}{held_out}", _INDENT))
    is_settled = "clusters" in answer and answer["converged"]  # the certificate says where
    if not answer["certificate"]["verified"] and not is_settled:
        lines.append(wrapped("status", answer["status"], _INDENT))
    return [*lines, wrapped("certificate", answer["certificate"]["verdict"], _INDENT)]


def _components(answer: dict[str, Any]) -> list[str]:
    lines = []
    for component in answer["components"]:
        loadings = [(name, w) for name, w in component["standardised"].items() if w != 0.0]
        top = ", ".join(kept_together(f"{plain(name)} {w:+.2f}") for name, w in loadings[:_TOP])
        more = ", ..." if len(loadings) > _TOP else ""
        sd = kept_together(f"sd {component['sd']:.3g}")
        lines.append(wrapped(f"component {component['component']}", f"{top}{more}; {sd}", _INDENT))
    return lines
