"""One column: numbers, or text stored as codes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ..._arrays import Array, FloatArray

__all__ = ["KINDS", "Column", "as_text"]

KINDS = ("integer", "real", "boolean", "moment", "text", "date", "other")
"""What a column may hold; the first four are numbers, ``"other"`` can only be dropped."""

_NUMBERS = KINDS[:4]


@dataclass(frozen=True, eq=False)
class Column:
    """A name, a kind, and the values.

    Attributes
    ----------
    name : str
    kind : {"integer", "real", "boolean", "moment", "text", "date", "other"}
        A ``"moment"`` is a date as a number, days since 1970-01-01; a ``"date"`` is its text.
    numbers : ndarray of shape (n_rows,)
        Numbers in float64, NaN where missing; empty for text. Booleans are 0 and 1.
    codes : ndarray of shape (n_rows,)
        For text, the place of each value in ``categories``, -1 where missing; else empty.
    categories : tuple of str
        The different texts, in order.
    holds : str
        What a date or another column that is no feature holds, for messages: "times of day"; of a
        moment, how its text was written.
    """

    name: str
    kind: str
    numbers: FloatArray = field(default_factory=lambda: np.empty(0))
    codes: npt.NDArray[np.int32] = field(default_factory=lambda: np.empty(0, dtype=np.int32))
    categories: tuple[str, ...] = ()
    holds: str = ""

    @classmethod
    def of_numbers(cls, name: str, values: Array, kind: str | None = None) -> Column:
        """From an array of numbers or booleans; not copied where it is float64 already."""
        values = np.asarray(values)
        if kind is None:
            kind = {"b": "boolean", "i": "integer", "u": "integer"}.get(values.dtype.kind, "real")
        return cls(name, kind, numbers=values.astype(np.float64, copy=False))

    @classmethod
    def of_texts(
        cls, name: str, values: Iterable[str | None], kind: str = "text", holds: str = ""
    ) -> Column:
        """From texts, None where missing."""
        cells = list(values)
        categories = sorted({cell for cell in cells if cell is not None})
        places: dict[str | None, int] = {text: i for i, text in enumerate(categories)}
        places[None] = -1
        codes = np.fromiter((places[cell] for cell in cells), dtype=np.int32, count=len(cells))
        return cls(name, kind, codes=codes, categories=tuple(categories), holds=holds)

    @classmethod
    def of_others(cls, name: str, n_rows: int, holds: str) -> Column:
        """A column that can only be dropped; its values are not kept."""
        return cls(name, "other", codes=np.full(n_rows, -1, dtype=np.int32), holds=holds)

    def __len__(self) -> int:
        """Number of rows."""
        return int(self.numbers.size if self.is_number else self.codes.size)

    @property
    def is_number(self) -> bool:
        """Whether the values are numbers; booleans are."""
        return self.kind in _NUMBERS

    @property
    def missing(self) -> npt.NDArray[np.bool_]:
        """Where there is no value."""
        return np.isnan(self.numbers) if self.is_number else self.codes < 0

    @property
    def values(self) -> Array:
        """Floats with NaN where missing, or an object array of str with None where missing."""
        if self.is_number:
            return self.numbers
        return np.array([*self.categories, None], dtype=object)[self.codes]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        """The values, for whatever takes arrays."""
        return np.array(self.values, dtype=dtype) if copy else np.asarray(self.values, dtype=dtype)

    def as_categories(self) -> Column:
        """The same as text: numbers by their shortest form, booleans as true and false."""
        if self.kind in ("text", "other"):
            return self
        if not self.is_number:
            return replace(self, kind="text")
        missing = self.missing
        numbers, codes = np.unique(self.numbers[~missing], return_inverse=True)
        texts = [as_text(number, self.kind) for number in numbers.tolist()]
        full = np.full(self.numbers.size, -1, dtype=np.int32)
        full[~missing] = codes
        return replace(self, kind="text", numbers=np.empty(0), codes=full, categories=tuple(texts))

    def with_blanks_as(self, name: str) -> Column:
        """Text whose missing values are a category of this name, the last."""
        codes = np.where(self.codes < 0, np.int32(len(self.categories)), self.codes)
        return replace(self, codes=codes, categories=(*self.categories, name))

    def take(self, rows: Array) -> Column:
        """Some rows, by a mask or by indices; categories that are left with none are gone."""
        if self.is_number:
            return replace(self, numbers=self.numbers[rows])
        codes = self.codes[rows]
        used = np.unique(codes[codes >= 0])
        renumber = np.full(len(self.categories) + 1, -1, dtype=np.int32)  # the last is for -1
        renumber[used] = np.arange(used.size, dtype=np.int32)
        categories = tuple(self.categories[i] for i in used)
        return replace(self, codes=renumber[codes], categories=categories)


def as_text(number: Any, kind: str = "real") -> str:
    """A number as a label: whole ones without a point."""
    if kind == "boolean":
        return "true" if number else "false"
    return str(int(number)) if float(number).is_integer() else repr(float(number))
