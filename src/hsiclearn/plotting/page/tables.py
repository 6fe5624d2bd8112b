"""The parts of the page that are tables: what the answer rests on, what to reproduce."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from .._names import plural
from .html import Markup, element, picture, row_of, scrolling, section, table
from .words import Figures, number

_MOST_CLASSES = 30  # rows or columns of a table of counts
_ALIKE = 1e-3  # eigenvalues that agree to this say nothing


def evidence(figures: Figures, pictures: Figures) -> Markup:
    """What the answer rests on: spectrum, convergence, candidates, clusters, stability."""
    return section(
        "evidence",
        "What it rests on",
        element("div", *_still(figures, pictures), class_="pictures"),
        *_candidates(figures),
        *_clusters(figures),
        *_stability(figures, pictures),
    )


def _still(figures: Figures, pictures: Figures) -> list[Markup]:
    found = []
    if pictures["spectrum"]:
        words = "Spectrum: a wide gap after the directions found would say that they stand apart."
        found.append(picture(pictures["spectrum"], "Eigenvalues of Phi in their order", words))
    if pictures["graph"]:
        words = _graph_words(figures["clusters"])
        found.append(picture(pictures["graph"], "Eigenvalues of the graph", words))
    words = "Convergence: cost above the lowest, and size of the gradient, step by step."
    still = picture(pictures["convergence"], "Cost and gradient of each step", words, wide=True)
    return [*found, still]


def _graph_words(clusters: Figures) -> str:
    """The gap that would set the clusters apart, in numbers."""
    values, k = clusters["graph_eigenvalues"], clusters["n_clusters"]
    lead = "Spectrum of the graph: "
    if values[0] - values[-1] <= _ALIKE * abs(values[0]):
        return (
            f"{lead}the first {len(values)} eigenvalues agree to a thousandth. No gap among them "
            f"tells {plural(k, 'cluster')} from another number of clusters."
        )
    if len(values) <= k:
        return f"{lead}no eigenvalue beyond those of the {plural(k, 'cluster')} was computed."
    gaps = [a - b for a, b in pairwise(values)]
    words = f"{lead}the gap after the {k} that stand for clusters is {number(gaps[k - 1], 2)}"
    if k > 1:
        words += f", the widest before it {number(max(gaps[: k - 1]), 2)}"
    return f"{words}. Only a gap that is wide beside the others speaks for {plural(k, 'cluster')}."


def _candidates(figures: Figures) -> list[Markup]:
    selection = figures["selection"]
    if selection is None:
        return []
    words = (
        f"Compared on {plural(selection['n_rows'], 'row')} of the fit. The losses are shares of "
        "the target it was fitted to that are left unexplained: 0 is perfect, 1 is no better than "
        "guessing the mean. “Left out” predicts each row from all others and flatters; “held out” "
        "is honest and noisier. The chosen line stands out."
    )
    heads = ["bandwidth", "directions", "start", "metric", "made for"]
    heads += ["loss, left out", "loss, held out", "chosen"]
    rows = [
        [
            number(c["bandwidth"]),
            c["n_components"],
            c["start"],
            c["metric"],
            c["objective"],
            number(c["leave_one_out"], 3),
            number(c["held_out"], 3),
            "yes" if c["chosen"] else "",
        ]
        for c in selection["candidates"]
    ]
    chosen = [i for i, c in enumerate(selection["candidates"]) if c["chosen"]]
    title = element("h3", "What was compared")
    return [title, element("p", words), table(heads, rows, caption="Candidates", marked=chosen)]


def _clusters(figures: Figures) -> list[Markup]:
    if figures["clusters"] is None:
        return []
    found = []
    for given in figures["clusters"]["against"]:
        names, columns = given["given"][:_MOST_CLASSES], given["found"][:_MOST_CLASSES]
        rows = [
            [name, *(f"{count:,}" for count in counts[:_MOST_CLASSES])]
            for name, counts in zip(names, given["counts"], strict=False)
        ]
        found.append(element("h3", f"Clusters against “{given['name']}”"))
        if given["guided"]:
            words = "These labels guided the clusters, so agreement with them shows nothing."
            found.append(element("p", words, class_="note"))
        found.append(table(["given", *columns], rows, caption="Number of rows"))
        left = max(len(given["given"]) - len(names), len(given["found"]) - len(columns))
        if left:
            words = f"{left:,} more rows or columns are left out."
            found.append(element("p", words, class_="note"))
    return found


def _stability(figures: Figures, pictures: Figures) -> list[Markup]:
    stability = figures["stability"]
    if stability is None:
        return []
    words = (
        f"Fitted again on {plural(stability['n_resamples'], 'set')} of rows drawn anew, the "
        f"directions turn by {number(stability['typical_angle'], 3)} degrees in the median (0 is "
        "firm; at 90 two sets share nothing). Small angles do not prove that there is dependence."
    )
    alt = "Angles of resamples, and loadings with spread"
    still = picture(pictures["stability"], alt, wide=True)
    return [element("h3", "How firm the directions are"), element("p", words), still]


def reproduce(figures: Figures) -> Markup:
    """Settings, choices, versions, and a button for all figures."""
    again = figures["reproduce"]
    fitted = {name: number(value, 6) for name, value in again["fitted"].items()}
    parts = [
        _pairs("Given", again["settings"]) if again["settings"] else None,
        *(
            _pairs(f"Settings of {step['class']} (step “{step['name']}”)", step["parameters"])
            for step in again["steps"]
        ),
        _pairs("Chosen in the fit", fitted),
        _pairs("Versions", again["versions"]) if again["versions"] else None,
    ]
    look = {"type": "button", "id": "download", "class_": "live", "hidden": True}
    button = element("p", element("button", "Download all figures (JSON)", **look))
    return section("reproduce", "To reproduce", element("div", *parts, class_="pairs"), button)


def _pairs(title: str, values: dict[str, Any]) -> Markup:
    rows = [row_of(name, [str(v)], cell_class="words code") for name, v in values.items()]
    return scrolling(title, element("caption", title), element("tbody", *rows))
