"""Save a fitted model, and load it again."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from .._files import check_free, replacing
from .._version import __version__
from ..exceptions import ModelFileError
from .archive import Arrays, read_archive, write_archive
from .encoding import decode, encode
from .registry import MODELS

__all__ = ["load", "load_with_notes", "save"]


def save(
    model: Any,
    path: str | os.PathLike[str],
    *,
    overwrite: bool = False,
    notes: Mapping[str, Any] | None = None,
) -> Path:
    """Write a fitted model to a file.

    The file is a zip of JSON and ``.npy`` arrays with a version and a checksum for each part; it
    holds no code. It is written whole or not at all, and the same fit makes the same bytes: the
    seconds in ``result_.history`` are left out.
    Clustering models hold what ``predict`` needs of the training rows: their projections.

    Parameters
    ----------
    model : estimator of hsiclearn, or a Pipeline of scalers that ends with one
        Fitted. Scalers are ``StandardScaler``, ``MinMaxScaler``, ``MaxAbsScaler``,
        ``RobustScaler`` and :class:`hsiclearn.tables.TableEncoder`.
    path : path-like
        Any name will do; ``.hsic`` is the custom.
    overwrite : bool, default=False
        Whether a file that exists may be replaced.
    notes : mapping, default=None
        Whatever JSON can hold, to be kept with the model: where the data came from, for instance.

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
    last = model[-1] if isinstance(model, Pipeline) else model
    if not isinstance(last, MODELS):
        raise TypeError(
            "Need an estimator of hsiclearn, or a pipeline that ends with one. Got "
            f"{type(last).__name__}: of a longer pipeline save the beginning, like pipeline[:-1]."
        )
    check_is_fitted(model)
    arrays = Arrays()
    documents = {"model": encode(model, arrays.keep, "model"), "notes": dict(notes or {})}
    with replacing(path, overwrite=overwrite) as file:
        write_archive(file, documents, arrays, f"hsiclearn {__version__}")
    return path


def load(path: str | os.PathLike[str]) -> Any:
    """Read a model that :func:`save` wrote.

    No code is run that the file could choose: it can name only the estimators, kernels and records
    of this library and scikit-learn's scalers. A damaged file, one of a later format or something
    else is refused with a :class:`~hsiclearn.exceptions.ModelFileError`.

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
        check_is_fitted(model)
    except Exception as error:  # its checksums agree, yet no version of ours wrote it
        raise ModelFileError(
            f"A model must hold an estimator of hsiclearn. {str(path)!r} does not: "
            f"{type(error).__name__}: {error}. Save the model again."
        ) from error
    return model, notes
