"""Save a fitted model, and load it again."""

from __future__ import annotations

import json
import os
import re
import warnings
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import sklearn
from sklearn.base import BaseEstimator
from sklearn.compose import ColumnTransformer
from sklearn.exceptions import InconsistentVersionWarning
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.utils.validation import check_is_fitted

from .._estimators import BaseHSIC, SupervisedHSIC
from .._files import check_free, replacing
from .._stored import printable
from .._version import __version__
from ..exceptions import ModelFileError
from .archive import Arrays, Lent, read_archive, write_archive
from .checks import check_fit, try_out
from .encoding import decode, encode
from .parts import FITTED_ANEW, STEPS

_WRITTEN_BY = f"hsiclearn {__version__} with scikit-learn {sklearn.__version__}"
_VERSION = re.compile(r"with scikit-learn (\S+)$")


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
    What belongs to a machine is left out: ``callback``, ``checkpoint``, ``resume``, and
    ``memory`` of a pipeline.

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
    _check_fitted(model)
    model = model if rows else _without_rows(model)
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
        model = decode(documents["model"], Lent(arrays))
        notes = dict(documents["notes"])
        for step in _check_fitted(model):
            check_fit(step)
        try_out(model)
    except Exception as error:  # its checksums agree, yet it is not what this version writes
        raise ModelFileError(
            f"A model must hold an estimator of hsiclearn as {_WRITTEN_BY} knows it. {str(path)!r} "
            f"was written by {documents['written_by']} and does not: {type(error).__name__}: "
            f"{printable(error)}. Save the model again, or load it with those versions."
        ) from error
    _warn_of_other_version(model, documents["written_by"])
    return model, notes


class _OtherVersionWarning(InconsistentVersionWarning):  # type: ignore[misc]
    """Scikit-learn's own warning, in words that hold here."""

    def __str__(self) -> str:
        return (
            f"{self.estimator_name} was saved with scikit-learn {self.original_sklearn_version} "
            f"and is loaded with {self.current_sklearn_version}. It may fail or answer "
            "differently: fit and save the model again, or install that version."
        )


def _check_fitted(model: Any) -> list[BaseHSIC]:
    """Raise unless every step is fitted and one at least is ours; return ours."""
    steps = list(_estimators(model))
    ours = [step for step in steps if isinstance(step, BaseHSIC)]
    if not ours:
        raise TypeError(
            f"Need an estimator of hsiclearn, or a pipeline with one. Got {type(model).__name__}."
        )
    for step in steps:
        check_is_fitted(step)
    return ours


def _without_rows(model: Any) -> Any:
    """A copy that holds no rows of the fit; an error where it could not do its work then."""
    model = deepcopy(model)
    for step in _estimators(model):
        is_ours = isinstance(step, BaseHSIC)
        if type(step) in FITTED_ANEW or (is_ours and not isinstance(step, SupervisedHSIC)):
            raise ValueError(
                f"rows=False leaves out the rows of the fit, but {type(step).__name__} predicts "
                "from them. Save it with rows=True, or the part of the pipeline before it."
            )
        if is_ours:
            vars(step).pop("known_rows_", None)
            if step.selection_ is not None:
                step.selection_ = replace(step.selection_, out_of_fold=None)
    return model


def _warn_of_other_version(model: Any, written_by: str) -> None:
    """Warn where steps of scikit-learn come from another version of it."""
    found = _VERSION.search(written_by)
    foreign = [type(s).__name__ for s in _estimators(model) if type(s) in STEPS]
    names = sorted(set(foreign) - {"FeatureUnion", "Pipeline"})
    if found is not None and names and found[1] != sklearn.__version__:
        warning = _OtherVersionWarning(
            estimator_name=", ".join(names),
            current_sklearn_version=sklearn.__version__,
            original_sklearn_version=found[1],
        )
        warnings.warn(warning, stacklevel=4)


def _estimators(model: Any) -> Iterator[Any]:
    """The model and what it holds; neither ``"drop"`` and ``"passthrough"`` nor idle steps."""
    if not isinstance(model, BaseEstimator):
        return
    yield model
    parts = []
    if isinstance(model, Pipeline):
        parts = [part for _, part in model.steps]
    elif isinstance(model, FeatureUnion):
        parts = [part for _, part in model.transformer_list]
    elif isinstance(model, ColumnTransformer) and hasattr(model, "transformers_"):
        taken = model._transformer_to_input_indices  # a step without columns is never fitted
        parts = [part for name, part, _ in model.transformers_ if len(taken[name])]
    for part in parts:
        yield from _estimators(part)
