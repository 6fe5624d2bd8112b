"""Save a fitted model, and load it again."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import sklearn

from .._files import check_free, replacing
from .._version import __version__
from ..exceptions import ModelFileError
from .archive import Arrays, read_archive, write_archive
from .checks import check_fit
from .encoding import decode, encode
from .trial import try_out
from .walk import check_fitted, warn_of_other_version, without_rows

__all__ = ["load", "load_with_notes", "save"]

_WRITTEN_BY = f"hsiclearn {__version__} with scikit-learn {sklearn.__version__}"


def save(
    model: Any,
    path: str | os.PathLike[str],
    *,
    overwrite: bool = False,
    notes: Mapping[str, Any] | None = None,
    rows: bool = True,
) -> Path:
    """Write a fitted model to a file.

    The file is a zip of JSON and ``.npy`` arrays with a version and a checksum for each part; it
    holds no code. It is written whole or not at all, and the same fit makes the same bytes: the
    seconds in ``result_.history`` are left out.
    What belongs to a machine is left out: ``checkpoint``, ``resume``, and ``memory`` of a pipeline.

    Models hold rows. Of a supervised one these are up to 1000 training rows, projected, with the
    target of each (``known_rows_``, for ``score``), and about as many as fits without them place
    them (``selection_.out_of_fold``); with as many components as columns the rows themselves can be
    computed from that. ``rows=False`` leaves both out. Clustering models hold what ``predict``
    needs: the projections of all training rows.

    Parameters
    ----------
    model : estimator of hsiclearn, or a Pipeline with one
        Fitted. Other steps may be a ``TableEncoder`` of the command and those of
        scikit-learn that are in common use: scalers, ``SimpleImputer``, ``OneHotEncoder``,
        ``OrdinalEncoder``, ``PCA``, ``VarianceThreshold``, ``ColumnTransformer`` and
        ``FeatureUnion`` of such; at the end ``KNeighborsClassifier`` or ``KNeighborsRegressor``,
        ``LogisticRegression``, ``LinearRegression``, ``Ridge`` or ``KMeans``. Neighbours keep the
        rows that they were fitted with.
    path : path-like
        Any name will do; ``.hsic`` is the custom.
    overwrite : bool, default=False
        Whether a file that exists may be replaced.
    notes : mapping, default=None
        Whatever JSON can hold, to be kept with the model: where the data came from, for instance.
    rows : bool, default=True
        Whether a supervised model keeps rows of the fit. Without them ``score`` is an error, and a
        report shows no map of rows held out. Models that cannot do without rows, clusterings and
        pipelines that end in neighbours, are refused.

    Returns
    -------
    Path
        The file written.

    Examples
    --------
    >>> import os, tempfile
    >>> import hsiclearn
    >>> from hsiclearn.datasets import make_planted
    >>> X, y, _ = make_planted("sine", 100, 4)
    >>> model = hsiclearn.SupervisedHSIC(n_components=1).fit(X, y)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = hsiclearn.save(model, os.path.join(folder, "sine.hsic"))
    ...     again = hsiclearn.load(path)
    >>> bool((again.transform(X) == model.transform(X)).all())
    True
    """
    path = Path(path)
    check_free(path, overwrite)
    check_fitted(model)
    model = model if rows else without_rows(model)
    arrays = Arrays()
    documents = {"model": encode(model, arrays.keep, "model"), "notes": _checked(notes or {})}
    with replacing(path, overwrite=overwrite) as file:
        write_archive(file, documents, arrays, _WRITTEN_BY)
    return path


def _checked(notes: Mapping[str, Any]) -> dict[str, Any]:
    """Notes that JSON can hold."""
    try:
        json.dumps(notes := dict(notes), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise TypeError(
            "`notes` must be of what JSON can hold: text, finite numbers, true, false, None, lists "
            f"and dictionaries. {error}."
        ) from error
    return notes


def load(path: str | os.PathLike[str]) -> Any:
    """Read a model that :func:`save` wrote.

    No code is run that the file could choose: it can name only the estimators, kernels and records
    of this library and the steps of scikit-learn that :func:`save` takes. A damaged file, one of a
    later format, one whose contents contradict each other or something else is refused with a
    :class:`~hsiclearn.exceptions.ModelFileError`. Steps written by another version of scikit-learn
    are loaded with its ``InconsistentVersionWarning``.

    Parameters
    ----------
    path : path-like

    Returns
    -------
    estimator or Pipeline
        Fitted, as it was saved.
    """
    return load_with_notes(path)[0]


def load_with_notes(path: str | os.PathLike[str]) -> tuple[Any, dict[str, Any]]:
    """Like :func:`load`, with the notes that were saved beside the model."""
    path = Path(path)
    documents, arrays = read_archive(path)
    try:
        model, notes = decode(documents["model"], arrays), dict(documents["notes"])
        for step in check_fitted(model):
            check_fit(step)
        try_out(model)
    except Exception as error:  # its checksums agree, yet it is not what this version writes
        raise ModelFileError(
            f"A model must hold an estimator of hsiclearn as {_WRITTEN_BY} knows it. {str(path)!r} "
            f"was written by {documents['written_by']:.80} and does not: {type(error).__name__}: "
            f"{error!s:.300}. Save the model again, or load it with those versions."
        ) from error
    warn_of_other_version(model, documents["written_by"])
    return model, notes
