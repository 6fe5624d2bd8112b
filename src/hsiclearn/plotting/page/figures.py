"""All figures about a fitted model as one plain dictionary, fit for JSON. No matplotlib."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from sklearn.metrics import normalized_mutual_info_score
from sklearn.metrics.cluster import contingency_matrix
from sklearn.pipeline import Pipeline

from ..._arrays import Array
from ...inspection import Stability
from ...inspection.fitted import deviations
from ...inspection.summary import summary_of, text_of
from .._targets import Colouring
from .reading import Reading, read

__all__ = ["collect", "figures_of", "plain"]


def collect(
    model: Any,
    X: Any,
    y: Any = None,
    *,
    class_names: Sequence[str] | None = None,
    stability: Stability | None = None,
    settings: Mapping[str, str] | None = None,
    fitted_on: Mapping[str, Any] | None = None,
    warnings: Sequence[str] = (),
) -> dict[str, Any]:
    """All figures about a fitted model and the rows it is shown with.

    Parameters
    ----------
    model : estimator of hsiclearn, or a pipeline that ends with one
        Fitted.
    X, y
        As in :func:`hsiclearn.plotting.report`.
    class_names : sequence of str, default=None
        Names of the classes in y, in the order of the sorted labels.
    stability : Stability, default=None
        What ``bootstrap_stability`` said.
    settings : mapping of str to str, default=None
        Passed on.
    fitted_on, warnings
        As in :func:`hsiclearn.plotting.report`.

    Returns
    -------
    dict
        Of plain Python values; NaN is None, infinity is the string ``"Infinity"``. Keys:

        - ``format``: 1, raised where a key changes its meaning.
        - ``estimator``, ``paradigm``: the class, and ``"supervised"``, ``"unsupervised"``,
          ``"semi-supervised"`` or ``"alternative"``.
        - ``badge``: ``kind``, ``title`` and ``sentence`` of :func:`hsiclearn.inspection.badge`.
        - ``warnings``: as given.
        - ``table``: the rows shown: ``n_rows``, ``n_columns`` (of X), ``n_features`` (that the last
          step sees), ``feature_names``.
        - ``fitted_on``: ``same_rows``, whether those shown are those of the fit; ``n_rows`` and
          ``labels`` of the fit, None where they are not known; ``n_other_columns`` of its table.
        - ``is_weighted``: whether rows of the fit had weights.
        - ``target``: a list with an entry per column of y: ``name``, ``fitted_to`` (whether the
          model was fitted to it; None where that is not known), ``kind`` (``"classes"`` with
          ``classes``, a list of ``name`` and ``n_rows``, and ``n_unknown``; or ``"real"`` with
          ``lowest``, ``mean`` and ``highest``).
        - ``components``: ``n_components``; ``loadings`` (``components_``), ``standardised`` (the
          same times the standard deviation of each column), ``shares``, ``importances``, ``sd``
          of the rows shown along each component, and ``remarks`` on those of the fit that hardly
          vary or that a few rows carry.
        - ``certificate``: every attribute of ``Certificate``, ``verified`` and ``verdict``.
        - ``solver``: ``status``, ``sentence``, ``converged``, ``cost``, ``n_iter``, ``start``,
          ``engine``, ``engine_reason``, ``engine_error``, ``eigenvalues``, and ``history``, a list
          of ``step``, ``cost``, ``gradient`` and ``angle``.
        - ``selection``: None, or ``explained_share``, ``found_dependence``, ``n_rows`` (that were
          looked at), ``caution`` (what few rows mean, in words), ``neighbours`` (None, or
          ``n_neighbors``, ``measure``, ``in_subspace``, ``on_all_columns``, ``chance`` and
          ``n_held_out``), and ``candidates``, a list of ``bandwidth``, ``n_components``, ``start``,
          ``metric``, ``objective``, ``leave_one_out``, ``held_out`` and ``chosen``.
        - ``columns``: None where all were to be used, or ``selected`` (numbers of those the
          directions are made of), ``counts`` and ``held_out`` (losses by how many columns there
          are; None where the number was given).
        - ``clusters``: None, or ``n_clusters``, ``sizes`` (a list of ``name`` and ``n_rows``),
          ``assortativity``, ``completed`` (whether it is of partial labels, completed by a guess),
          ``graph_eigenvalues``, ``agreement`` (None, or every attribute of ``Agreement`` and its
          ``words``), ``levels`` (None, or a sentence where clusters are only the levels of a
          column), and ``against``, a list with an entry per given labelling: ``name``, ``nmi``,
          ``guided``, ``given`` and ``found`` (names), ``counts``, ``n_rows``.
          Labels that guided the clusters of these rows (``guided``) have no ``nmi``.
        - ``imputed``: a list with an entry per column of the fit that had empty cells: ``name``,
          ``n_cells``, ``with`` (what stands in for them, in words) and ``blank`` (whether that is
          a category of their own).
        - ``stability``: None, or ``n_resamples``, ``typical_angle``, ``angles``,
          ``loading_spread``.
        - ``reproduce``: ``steps`` (name, class and parameters of each), ``fitted``, ``versions``,
          ``settings``.

    Examples
    --------
    >>> from hsiclearn import SupervisedHSIC
    >>> from hsiclearn.datasets import make_planted
    >>> from hsiclearn.plotting.page.figures import collect
    >>> X, y, _ = make_planted("sine", 150, 4)
    >>> figures = collect(SupervisedHSIC(n_components=1).fit(X, y), X, y)
    >>> figures["table"]["n_rows"], figures["certificate"]["verified"]
    (150, True)
    """
    reading = read(model, X, y, class_names, fitted_on)
    return figures_of(reading, stability=stability, settings=settings, warnings=warnings)


def figures_of(
    reading: Reading,
    *,
    stability: Stability | None = None,
    settings: Mapping[str, str] | None = None,
    warnings: Sequence[str] = (),
) -> dict[str, Any]:
    """The same from what was read already."""
    fit, steps = summary_of(reading.model), _steps_of(reading.model)
    found: dict[str, Any] = {
        "format": 1,
        "estimator": fit["estimator"],
        "paradigm": fit["paradigm"],
        "badge": fit["badge"],
        "warnings": [warnings] if isinstance(warnings, str) else [str(line) for line in warnings],
        "table": {
            "n_rows": reading.rows.shape[0],
            "n_columns": reading.n_columns,
            "n_features": reading.rows.shape[1],
            "feature_names": reading.names,
        },
        "fitted_on": asdict(reading.origin),
        "is_weighted": fit["is_weighted"],
        "target": [_target(column) for column in reading.given],
        "components": _components(reading),
        "certificate": fit["certificate"],
        "solver": fit["solver"],
        "selection": fit["selection"],
        "columns": fit["columns"],
        "clusters": None if fit["clusters"] is None else _clusters(reading, fit["clusters"]),
        "imputed": _imputed(steps),
        "stability": None if stability is None else _stability(stability),
        "reproduce": {
            "steps": [
                {"name": name, "class": type(step).__name__, "parameters": _parameters(step)}
                for name, step in steps
            ],
            "fitted": fit["fitted"],
            "versions": fit["versions"],
            "settings": {str(k): str(v) for k, v in (settings or {}).items()},
        },
    }
    return plain(found)


def plain(value: Any) -> Any:
    """Python's own numbers, lists and dictionaries; what JSON cannot say as None or a string."""
    told = json.dumps(value, default=lambda entry: entry.tolist())
    return json.loads(told, parse_constant=lambda name: None if name == "NaN" else name)


def _target(column: Colouring) -> dict[str, Any]:
    y = column.values
    if column.is_classes:
        about = {"classes": column.sizes, "n_unknown": column.n_unknown}
    else:
        about = {"lowest": y.min(), "mean": y.mean(), "highest": y.max()}
    return {"name": column.name, "kind": column.kind, **about, "fitted_to": column.fitted_to}


def _components(reading: Reading) -> dict[str, Any]:
    W, spread = reading.step.components_, getattr(reading.step, "spread_", None)

    def numbered(rows: Array) -> str:
        """Rows as the map calls them, from 1."""
        return ", ".join(f"{row + 1:,}" for row in rows.tolist())

    return {
        "n_components": W.shape[0],
        "loadings": W,
        "standardised": W * deviations(reading.rows),
        "shares": reading.shares,
        "importances": reading.importances,
        "sd": reading.projection.std(axis=0),
        "remarks": [] if spread is None else spread.remarks(names=numbered),
    }


def _clusters(reading: Reading, fit: dict[str, Any]) -> dict[str, Any]:
    """Those of the rows shown, and a comparison with each column of labels."""
    assert reading.found is not None
    # Whether labels took part in the clustering of these rows, or may have.
    is_guided = getattr(reading.step, "guidance_", None) is not None
    guided = is_guided and reading.origin.same_rows
    against = [
        _against(reading.found, given, guided and given.fitted_to is not False)
        for given in reading.given
        if given.is_classes
    ]
    return fit | {"sizes": reading.found.sizes, "against": against}


def _against(found: Colouring, given: Colouring, guided: bool) -> dict[str, Any]:
    """Clusters against a labelling, on the rows whose label is known."""
    known = given.values >= 0
    theirs, ours = given.values[known], found.values[known]
    counts = np.zeros((len(given.names), len(found.names)), dtype=int)
    if known.any():
        rows, columns = np.unique(theirs), np.unique(ours)
        counts[np.ix_(rows, columns)] = contingency_matrix(theirs, ours)
    return {
        "name": given.name,
        "n_rows": int(known.sum()),
        "nmi": None if guided or not known.any() else normalized_mutual_info_score(theirs, ours),
        "guided": guided,
        "given": given.names,
        "found": found.names,
        "counts": counts,
    }


def _stability(stability: Stability) -> dict[str, Any]:
    names = ("typical_angle", "angles", "loading_spread")
    told = {name: getattr(stability, name) for name in names}
    return {"n_resamples": stability.angles.shape[0], **told}


def _imputed(steps: list[tuple[str, Any]]) -> list[dict[str, Any]]:
    """Column, number of empty cells and what stands in for them; most cells first."""
    found = [
        dict(zip(("name", "n_cells", "with", "blank"), cells, strict=True))
        for _, step in steps
        if hasattr(step, "empty_cells")
        for cells in step.empty_cells()
    ]
    return sorted(found, key=lambda column: -column["n_cells"])


def _steps_of(model: Any, prefix: str = "") -> list[tuple[str, Any]]:
    """The steps with their names, also of pipelines within pipelines."""
    if not isinstance(model, Pipeline):
        return [(prefix or type(model).__name__.lower(), model)]
    found: list[tuple[str, Any]] = []
    for name, step in model.steps:
        found += _steps_of(step, f"{prefix}.{name}" if prefix else name)
    return found


def _parameters(step: Any) -> dict[str, str]:
    if not hasattr(step, "get_params"):  # "passthrough"
        return {}
    return {name: text_of(value) for name, value in sorted(step.get_params(deep=False).items())}
