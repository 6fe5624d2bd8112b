"""One HTML file about a fitted model, with an interactive map of its rows."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from numbers import Integral
from pathlib import Path
from typing import Any

from ..._files import check_free, replacing
from ...inspection import Stability
from .._axes import require_matplotlib
from .figures import figures_of
from .html import document, element, json_script, script_data
from .map import map_of_rows
from .pictures import draw_pictures
from .points import pack_points, shown_rows
from .reading import read
from .sections import certificate, imputed, loadings, meaning, summary
from .tables import evidence, reproduce

__all__ = ["report"]


def report(
    model: Any,
    X: Any,
    y: Any = None,
    path: str | os.PathLike[str] = "report.html",
    *,
    title: str | None = None,
    class_names: Sequence[str] | None = None,
    row_names: Sequence[str] | None = None,
    details: Mapping[str, Any] | None = None,
    stability: Stability | None = None,
    settings: Mapping[str, str] | None = None,
    fitted_on: Mapping[str, Any] | None = None,
    warnings: Sequence[str] = (),
    max_rows: int = 100_000,
    overwrite: bool = False,
    random_state: int | None = 0,
) -> Path:
    """Write one HTML file about a fitted model, for readers who have no Python.

    It says in words what was asked and found and whether the optimum was verified, shows the rows
    on an interactive map (any two components; classes by a click; a row's values under the
    pointer), the loadings in a table to sort, the spectrum, the convergence, and what was compared;
    and it holds every setting and every figure. It needs no network and no other file, and the
    same input gives the same bytes.

    Parameters
    ----------
    model : estimator of hsiclearn, or a pipeline that ends with one
        Fitted.
    X : array-like or sparse matrix of shape (n_samples, n_features), or a table
        Rows to show, as they go into ``model``; others than those of the fit are called so.
        Clustering estimators take no sparse matrix.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs), or mapping, default=None
        The target; for clustering estimators labels that are known, in ``SemiSupervisedHSIC`` with
        -1 where they are not. The names of pandas or polars columns are used; a mapping of names
        to columns names them, too.
    path : path-like, default="report.html"
        The file to write.
    title : str, default=None
        The heading. None: the name of the estimator.
    class_names : sequence of str, default=None
        Names of the classes in y, in the order of the sorted labels.
    row_names : sequence of str, default=None
        A name for each row. None: rows are numbered from 1.
    details : mapping of str to sequence, default=None
        Columns to show for a row under the pointer. None: the columns of X. Where they would
        take more than some 6 MB, those of most weight in the directions are kept.
    stability : Stability, default=None
        From :func:`hsiclearn.inspection.bootstrap_stability`.
    settings : mapping of str to str, default=None
        Printed under "To reproduce", such as the command that was used.
    fitted_on : mapping, default=None
        What the model was fitted on, where it is known: ``"n_rows"``, a number; ``"labels"``, the
        names of the columns it was fitted to; and ``"n_other_columns"``, how many columns its
        table had beside those that the model takes. Columns of y with other names are shown as
        what they are. None: rows with the mean of the training rows are taken for them; columns
        are taken for the target where they give the cost of the fit again (up to 5000 rows), and
        otherwise nothing is said of how they relate to it.
    warnings : sequence of str, default=()
        Lines to show at the top, such as the warnings of the fit.
    max_rows : int, default=100_000
        Beyond, the map shows a sample in which every class keeps its share; figures are of all.
    overwrite : bool, default=False
        Whether a file that exists may be replaced.
    random_state : int or None, default=0
        Draws that sample.

    Returns
    -------
    Path
        The file written.

    See Also
    --------
    hsiclearn.plotting.page.figures.collect : The figures in the page, and what their keys mean.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from hsiclearn import SupervisedHSIC
    >>> from hsiclearn.datasets import make_planted
    >>> from hsiclearn.plotting import report
    >>> X, y, _ = make_planted("ring", 150, 4)
    >>> model = SupervisedHSIC(n_components=2).fit(X, y)
    >>> with TemporaryDirectory() as folder:
    ...     report(model, X, y, Path(folder) / "ring.html", title="A ring").name
    'ring.html'
    """
    require_matplotlib()
    path = Path(path)
    check_free(path, overwrite)
    if not isinstance(max_rows, Integral) or max_rows < 1:
        raise ValueError(f"`max_rows` must be an integer >= 1. Got {max_rows!r}.")
    reading = read(model, X, y, class_names, fitted_on)
    shown = shown_rows(reading, int(max_rows), random_state)
    figures = figures_of(reading, stability=stability, settings=settings, warnings=warnings)
    standardised = figures["components"]["standardised"]
    points, buffers = pack_points(reading, X, standardised, shown, row_names, details)
    pictures = draw_pictures(reading, standardised, shown, stability)
    heading = title if title is not None else f"Report of {type(reading.step).__name__}"
    body = [
        summary(heading, figures),
        element(
            "main",
            map_of_rows(figures, points, pictures["rows"]),
            meaning(figures),
            loadings(figures, len(points["axes"]), pictures["loadings"]),
            imputed(figures),
            certificate(figures),
            evidence(figures, pictures),
            reproduce(figures),
        ),
        json_script(figures, "figures"),
        json_script(points, "page-data"),
        *(
            script_data(content, f"buffer-{i}", "application/octet-stream")
            for i, content in enumerate(buffers.texts)
        ),
    ]
    with replacing(path, overwrite=overwrite) as file:
        file.write(document(heading, body).encode("utf-8"))
    return path
