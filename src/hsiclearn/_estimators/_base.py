"""What the estimators share: parameters, the call to the solver, and the transform."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
import scipy
import sklearn
from sklearn import get_config
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Tags
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from .._arrays import FLOATS, Array, FloatArray
from .._columns import AbstractColumn, Column
from .._devices import in_dtype, is_foreign, raise_in_words, to_host
from .._engines import TORCH, moved_to_torch
from .._progress import also_heard_by, printed_if, stoppable
from .._result import FittedOn, Result, digest_of, digest_of_values
from .._rows import (
    AbstractRows,
    DeviceRows,
    StreamRows,
    as_rows,
    check_table,
    chunkwise,
    is_dask,
    is_row_source,
    spread_along,
    summarise,
)
from .._solvers import warnings_for
from .._version import __version__
from .._weights import total_weight, worth
from ..exceptions import NotConvergedWarning, SpreadWarning
from ..gamma import AbstractGamma
from ..kernels import AbstractKernel, kernel_names
from ._badge import badge_html
from ._callbacks import CallbacksMixin
from ._foreign import check_beside
from ._input import is_plain, what_is_no_number
from ._namespace import check_same_namespace, converted, put_beside

VERSIONS = (
    ("python", platform.python_version()),
    ("hsiclearn", __version__),
    ("numpy", np.__version__),
    ("scipy", scipy.__version__),
    ("scikit-learn", sklearn.__version__),
)
"""That compute a fit."""


ARRAY_OF_ANY_LIBRARY = HasMethods(["__dlpack__"])
"""What a parameter may be besides an ndarray."""


class BaseHSIC(
    CallbacksMixin,
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    """A linear map found by minimising ``-Tr(Gamma K_XW)``; a subclass builds Gamma.

    Subclasses are dataclasses, whose fields are the parameters; ``eq=False`` and ``repr=False``
    leave both to scikit-learn.
    """

    verbose: int
    _dimension_rules = True  # whether n_components may be the name of a rule

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_components": [Interval(Integral, 1, None, closed="left")],
        "kernel": [StrOptions(set(kernel_names())), AbstractKernel],
        "bandwidth": [Interval(Real, 0, None, closed="neither"), StrOptions({"median"})],
        "n_init": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
        "verbose": ["verbose"],
        "callback": [callable, None],
        "on_interrupt": [StrOptions({"raise", "return"})],
    }

    def transform(self, X: Array) -> FloatArray:
        """Project rows on the components, ``X @ components_.T``.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features), or a row source
            As in ``fit``; of the library and on the device that the model was fitted on.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
            Of a collection of Dask one of its arrays, which is computed when it is asked for; of
            an array of another library one of that library, on its device, where it is computed.
        """
        check_is_fitted(self)
        check_same_namespace(self, X, "transform")
        if is_dask(X):
            return chunkwise(X, self._as_it_is().transform, self.n_features_in_)
        if is_foreign(X):
            return self._device_rows(X).projected(self.components_.T)
        if is_row_source(X):
            rows = self._checked_rows(as_rows(X))
            return (rows @ self.components_.T).astype(rows.dtype, copy=False)
        X = validate_data(self, X, reset=False, dtype=FLOATS, accept_sparse="csr")
        return X @ self.components_.T.astype(X.dtype, copy=False)

    def inverse_transform(self, X: Array) -> FloatArray:
        """The point of the fitted affine subspace that projects to each given row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_components)

        Returns
        -------
        ndarray of shape (n_samples, n_features)
            Or an array of the library of X, on its device.
            ``mean_ + (X - mean_ @ components_.T) @ components_``: for a row that went through
            ``transform``, its nearest point in the subspace through the mean. Where components are
            orthonormal in another metric than that of the columns, ``patterns_`` are last in that
            product, and nearest is in that metric.
        """
        check_is_fitted(self)
        check_same_namespace(self, X, "inverse_transform")
        q = self.components_.shape[0]
        if is_dask(X):
            return chunkwise(X, self._as_it_is().inverse_transform, q)
        if is_foreign(X):
            check_table(X, least=1)
            X = in_dtype(X, np.float64)
        else:
            X = check_array(X, dtype=np.float64)
        if X.shape[1] != q:
            raise ValueError(
                f"X must have n_components={q} columns, as `transform` returns. Got {X.shape[1]}."
            )
        patterns = getattr(self, "patterns_", self.components_)
        return self.mean_ + (X - self.mean_ @ self.components_.T) @ patterns

    @property
    def _n_features_out(self) -> int:
        return int(self.components_.shape[0])

    def _repr_html_inner(self) -> str:
        """The badge above scikit-learn's diagram, by whichever way a notebook asks for it."""
        return badge_html(self) + str(super()._repr_html_inner())

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        bundle: dict[str, Any] = super()._repr_mimebundle_(**kwargs)
        if "text/html" in bundle:
            bundle["text/html"] = badge_html(self) + bundle["text/html"]
        return bundle

    def _as_it_is(self) -> Self:
        """A copy for what is computed later, whatever becomes of this one. It answers in arrays."""
        asked = getattr(self, "_sklearn_output_config", {}).get("transform")
        if (asked or get_config()["transform_output"]) != "default":
            raise ValueError(
                "Rows of Dask are projected to an array of Dask, which set_output would have to "
                "fetch as a whole. Use set_output(transform='default')."
            )
        twin = copy(self)
        twin._sklearn_output_config = {"transform": "default"}
        return twin

    def __getstate__(self) -> dict[str, Any]:
        """Without what is still to be computed from rows of Dask: those do not go with a model."""
        state: dict[str, Any] = super().__getstate__()
        return {name: value for name, value in state.items() if not is_dask(value)}

    def __sklearn_array_api_convert__(self, converter: Callable[[Array], Array]) -> Self:
        """What ``move_estimator_to`` of scikit-learn asks for: a copy whose arrays are elsewhere.

        Records, such as ``result_``, are of numpy always.
        """
        return converted(self, converter)

    def __sklearn_tags__(self) -> Tags:
        """Declare that arrays of other libraries are taken as they are."""
        tags = super().__sklearn_tags__()
        tags.array_api_support = True
        return tags

    @contextmanager
    def _all_or_nothing(self, X: Any, y: Any = None, sample_weight: Any = None) -> Iterator[None]:
        """Leave the estimator as it was if the fit fails, without traces of an earlier one.

        Here ``verbose`` and callbacks come in as well: what is told on the way is printed, and
        handed on. And here what was found goes to where X is, if that is an array of another
        library.
        """
        tasks = self._tasks_of_fit(X, y, sample_weight)
        before = dict(self.__dict__)
        try:
            for name in [name for name in self.__dict__ if name.endswith("_")]:
                delattr(self, name)
            with printed_if(self.verbose), also_heard_by(tasks), stoppable():
                yield
            if is_foreign(X):
                put_beside(self, X, y)
            if tasks is not None:
                tasks.finish()
        except BaseException as error:
            self.__dict__ = before  # at once: an interrupt may come between any two lines
            raise_in_words(error)
            raise

    def _validated(self, X: Any, **options: Any) -> Array:
        """What scikit-learn makes of a table; an error names the entry that is no number."""
        try:
            return validate_data(self, X, ensure_min_samples=2, **options)
        except (TypeError, ValueError) as error:
            culprit = what_is_no_number(X)
            if not culprit:
                raise
            raise type(error)(f"{error}{culprit}") from error

    @classmethod
    def _get_param_names(cls) -> list[str]:
        """Those of scikit-learn, which reads them off the constructor each time it asks."""
        return list(_names_of(cls, super()._get_param_names))

    def _check_together(self, X: Any, **known: Any) -> None:
        """Raise where something that goes with the rows is on another device than these."""
        for name, values in {**known, "init": getattr(self, "init", None)}.items():
            check_beside(values, X, name)

    def _device_rows(self, X: Array) -> DeviceRows:
        """Rows to be projected, of an array of another library."""
        check_table(X, least=1)
        rows = DeviceRows(X)
        self._checked_rows(rows)
        return rows

    def _checked_rows(self, rows: AbstractRows) -> AbstractRows:
        """Rows to be projected, finite, with as many columns as those of the fit."""
        if rows.n_features != self.n_features_in_:
            raise ValueError(
                f"X has {rows.n_features} features, but {type(self).__name__} is expecting "
                f"{self.n_features_in_} features as input."
            )
        summarise(rows)  # raises where an entry is not finite
        return rows

    def _validate_rows(self, X: Any) -> AbstractRows:
        """X as rows: a table in memory or mapped, sparse, on a device, or in blocks; not copied."""
        if getattr(self, "engine", None) == TORCH:
            return moved_to_torch(self._rows_of(X))
        return self._rows_of(X)

    def _rows_of(self, X: Any) -> AbstractRows:
        if is_foreign(X):
            check_table(X, least=2)
        if is_plain(X):
            self.n_features_in_ = X.shape[1]
            self.__dict__.pop("feature_names_in_", None)
            return as_rows(X)
        if not is_row_source(X):
            return as_rows(self._validated(X, dtype=FLOATS, accept_sparse="csr"))
        rows = as_rows(X)
        if rows.n_samples < 2:
            raise ValueError(f"X must yield at least 2 rows. Got {rows.n_samples}.")
        self.n_features_in_ = rows.n_features
        self.__dict__.pop("feature_names_in_", None)
        if rows.names is not None:
            self.feature_names_in_ = np.array(rows.names, dtype=object)
        return rows

    def _check_n_components(self, d: int) -> None:
        q = self.n_components
        if not isinstance(q, str) and q > d:
            remedy = ", or use n_components='auto'" if self._dimension_rules else ""
            raise ValueError(
                f"Need n_components <= n_features. Got n_components={q} and n_features={d}. "
                f"Lower n_components{remedy}."
            )

    def _init_columns(self, n_features: int) -> FloatArray:
        """An array ``init`` as columns."""
        if isinstance(self.n_components, str):
            raise ValueError(
                "An array `init` has one row per component, so n_components must be a number. "
                f"Got {self.n_components!r}."
            )
        init = to_host(self.init)
        expected = (self.n_components, n_features)
        if init.shape != expected:
            raise ValueError(
                "An array `init` must have shape (n_components, n_features) = "
                f"({expected[0]}, {expected[1]}), like `components_`. Got {init.shape}."
            )
        return init.T

    def _store(
        self,
        rows: AbstractRows,
        y: Column | None,
        mean: FloatArray,
        kernel: AbstractKernel,
        W: FloatArray,
        result: Result,
        weights: Column | None = None,
    ) -> None:
        """What was found, W in the columns of X, and on what; ``y`` as codes, numbers, or None."""
        is_far = isinstance(rows, StreamRows | DeviceRows) or rows.elsewhere is not None
        on = FittedOn(
            n_rows=rows.n_samples,
            dtype=str(rows.dtype),
            X=None if is_far else digest_of(rows),
            y=_digest(y),
            versions=VERSIONS,
            weights=None if weights is None else _digest_of_weights(weights),
        )
        self.kernel_ = kernel
        self.bandwidth_ = kernel.scale
        self.components_ = W.T
        self.n_components_ = W.shape[1]
        self.mean_ = mean
        self.spread_ = spread_along(rows, W, mean, self.bandwidth_, weights)
        self.cost_ = result.cost
        self.n_iter_ = result.n_iter
        self.converged_ = result.converged
        self.eigenvalues_ = result.eigenvalues
        self.engine_ = result.engine
        self.result_ = replace(result, fitted_on=on)
        self.certificate_ = result.certificate

    def _warnings_for(self, gamma: AbstractGamma | None) -> list[tuple[type[Warning], str]]:
        """What to warn of after a fit, in scikit-learn's own category where it has one."""
        found = [
            (ConvergenceWarning if category is NotConvergedWarning else category, message)
            for category, message in warnings_for(self.result_, self.kernel_, gamma)
        ]
        remarks = self.spread_.remarks()
        return found + [(SpreadWarning, f"{text[0].upper()}{text[1:]}.") for text in remarks]


def _digest(values: Column | None) -> str | None:
    """None of what is not there, or not here."""
    return None if values is None or isinstance(values, AbstractColumn) else digest_of(values)


def _digest_of_weights(weights: Column) -> str:
    """Of those that are elsewhere, of their sum and that of their squares."""
    if not isinstance(weights, AbstractColumn):
        return digest_of(weights)
    return digest_of_values(np.array([total_weight(weights), worth(weights)]))


_NAMES: dict[type, tuple[str, ...]] = {}


def _names_of(cls: type, read: Callable[[], list[str]]) -> tuple[str, ...]:
    """The names of the parameters of a class, read once."""
    if cls not in _NAMES:
        _NAMES[cls] = tuple(read())
    return _NAMES[cls]
