"""What was asked, what is shown and what was found, in sentences, from the figures alone.

What is true of the fit is said of the fit: the rows and labels shown may be others.
"""

from __future__ import annotations

from typing import Any

from .._names import plural
from .words import Figures, listed, number, percent, quoted, target_words

_UNNAMED = {"target": "the target", "given labels": "the given labels"}  # columns without a name


def question_words(figures: Figures) -> str:
    """What was asked of which table, in the fit."""
    q = figures["components"]["n_components"]
    directions = "one direction" if q == 1 else plural(q, "direction")
    meaning = "A direction is a weighted sum of the columns; its weights are called loadings."
    if figures["clusters"] is None:
        verb = "tells" if q == 1 else "tell"
        asked = f"the {directions} that {verb} most about {_fitted_target(figures)}"
    else:
        clusters = plural(figures["clusters"]["n_clusters"], "cluster") + _guided(figures)
        asked = f"{clusters}, and for the {directions} in which they fall apart"
    weighed = " Rows count as often as the weights say that they have." * figures["is_weighted"]
    return f"A table of {_table(figures)} was searched for {asked}.{weighed} {meaning}"


def _table(figures: Figures) -> str:
    """The size of the table that was fitted, as far as it is known."""
    table, n_rows = figures["table"], figures["fitted_on"]["n_rows"]
    others = figures["fitted_on"]["n_other_columns"]
    size = plural(table["n_columns"] + others, "column")
    if n_rows is not None:
        size = f"{plural(n_rows, 'row')} and {size}"
    if others:
        used = f"{table['n_columns']:,} of them used"
        size += f", {used}" + ("" if table["n_features"] != table["n_columns"] else ",")
    if table["n_features"] != table["n_columns"]:
        size += f", made into {plural(table['n_features'], 'feature')},"
    return size


def _guided(figures: Figures) -> str:
    """What the clusters were to follow, or to stay away from; only where the fit had labels."""
    if not figures["clusters"]["assortativity"]:
        return ""
    labels = _fitted_target(figures)
    return {
        "semi-supervised": f" guided by what is known of {labels}",
        "alternative": f" other than those of {labels}",
    }.get(figures["paradigm"], "")


def _fitted_target(figures: Figures) -> str:
    """What the model was fitted to. Its classes are told only where its rows are shown."""
    shown, origin = figures["target"], figures["fitted_on"]
    fitted = [column for column in shown if column["fitted_to"]]
    names = [column["name"] for column in fitted] if origin["labels"] is None else origin["labels"]
    if not names:
        kind = figures["reproduce"]["fitted"].get("target_")
        if kind == "precomputed":
            return "a kernel of the rows"
        return "the target it was fitted to" if kind else "the labels it was given"
    if len(names) > 1:
        return f"{len(names)} columns at once ({listed(names)})"
    if origin["same_rows"] and len(fitted) == 1:
        return _column(fitted[0])
    return _name(names[0])


def _name(name: str) -> str:
    return _UNNAMED.get(name, f"“{name}”")


def _column(column: dict[str, Any]) -> str:
    """A column that is shown, with its classes or its extent."""
    name = _name(column["name"])
    if column["kind"] == "real":
        extent = f"{number(column['lowest'], 6)} to {number(column['highest'], 6)}"
        return f"{name}, a quantity from {extent}"
    classes = [c["name"] for c in column["classes"]]
    unknown = f"; unknown in {plural(column['n_unknown'], 'row')}" if column["n_unknown"] else ""
    return f"{name}, {plural(len(classes), 'class', 'classes')} ({listed(classes)}{unknown})"


def shown_words(figures: Figures) -> list[str]:
    """What the page shows that the fit did not see: other rows, other columns."""
    origin, words = figures["fitted_on"], []
    if not origin["same_rows"]:
        of = "" if origin["n_rows"] is None else f" ({origin['n_rows']:,} of them)"
        n = figures["table"]["n_rows"]
        are = "is" if n == 1 else "are"
        words.append(f"The model was fitted on other rows{of}; {plural(n, 'row')} {are} shown.")
    can = "are" if figures["clusters"] is None else "can be"
    for column in figures["target"]:
        fitted, name = column["fitted_to"], _name(column["name"])
        if fitted is None and column["name"] in _UNNAMED:
            name = "what was passed with them"
        if fitted is False:
            words.append(f"The rows {can} coloured by {name}, which the model was not fitted to.")
        elif fitted is None or not origin["same_rows"]:
            words.append(f"The rows {can} coloured by {name}.")
    return words


def found_words(figures: Figures) -> list[str]:
    """What was found, a sentence or two each."""
    if figures["clusters"] is not None:
        return _found_clusters(figures)
    selection = figures["selection"]
    if selection is None:
        return ["No rows were held out, so how well this holds for new rows was not measured."]
    if not selection["found_dependence"]:
        return []
    words = (
        "On rows that were held out, the model's directions explain "
        f"{percent(selection['explained_share'])} of {target_words(figures)}."
    )
    if figures["reproduce"]["fitted"].get("target_") == "real":
        words += (
            " That share also counts changes in the spread of the target; it is not R² and is "
            "usually smaller."
        )
    return [words + _optimism(selection["candidates"])]


def _optimism(candidates: list[dict[str, Any]]) -> str:
    """Why the share flatters: only candidates that were scored on rows held out count."""
    n = sum(candidate["held_out"] is not None for candidate in candidates)
    if n > 1:
        return f" It is that of the best of {n:,} candidates, so it is a little optimistic."
    if len(candidates) > 1:
        return " All rows took part in the choice of the bandwidth, so it is a little optimistic."
    return ""


def _found_clusters(figures: Figures) -> list[str]:
    clusters = figures["clusters"]
    sizes = listed([f"{size['name']} with {size['n_rows']:,}" for size in clusters["sizes"]])
    same = figures["fitted_on"]["same_rows"]
    lead = "Rows in the clusters found" if same else "The rows shown fall into these clusters"
    words = [
        f"{lead}: {sizes}. Clusters are returned for any table, pure noise included: that they "
        "were found does not show that they exist."
    ]
    if clusters["levels"] is not None:
        words.append(clusters["levels"])
    if clusters["assortativity"]:
        words.append(_assortativity(figures))
    against = clusters["against"]
    agree = [f"{_score(a['nmi'])} with {_name(a['name'])}" for a in against if not a["guided"]]
    if agree:
        words.append(
            "How far the clusters agree with labels, in normalised mutual information (0: "
            f"unrelated, 1: the same groups): {listed(agree)}."
        )
    guided = [a["name"] for a in against if a["guided"]]
    if guided:
        words.append(
            f"How far the clusters agree with {quoted(guided)} is not stated: known labels guide "
            "the clusters, so agreement with them shows nothing."
        )
    return words


def _assortativity(figures: Figures) -> str:
    """With the names it was computed for, where they are known."""
    shares = [percent(max(p, 0.0)) for p in figures["clusters"]["assortativity"]]
    labels = figures["fitted_on"]["labels"] or []
    told = f"Of the labels it was given the model's directions show {listed(shares)}"
    if len(labels) == len(shares):
        parts = [f"{share} of {_name(name)}" for name, share in zip(labels, shares, strict=True)]
        told = f"The model's directions show {listed(parts)}"
    if figures["clusters"]["completed"]:
        told += ", completed by a guess where unknown"
    where = "" if figures["fitted_on"]["same_rows"] else ", on the rows of the fit"
    wanted = {
        "alternative": "; little was wanted, since these labels are known already",
        "semi-supervised": "; much was wanted",
    }.get(figures["paradigm"], "")
    return f"{told}{where} (0 % is chance, 100 % is all){wanted}."


def _score(nmi: float | None) -> str:
    return number(nmi if nmi is None else round(nmi, 3), 3)
