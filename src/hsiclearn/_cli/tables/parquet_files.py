"""The Parquet files of a folder: which they are, how many rows each has, and the columns of all."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from ._polars import reading, require_polars
from .errors import TableError, listed, shown

_MEND = "Write it again like the others, or move it out of the folder."
_NO_VALUE = "__HIVE_DEFAULT_PARTITION__"  # what Hive writes where there is none


@dataclass(frozen=True)
class ParquetFile:
    """A file, and the values that the folders above it give to all its rows: ``year=2020/``."""

    path: Path
    place: Path  # the same from anywhere, for a worker that runs elsewhere
    n_rows: int
    schema: Mapping[str, Any]
    keys: Mapping[str, str | None] = field(default_factory=dict)


def files_below(root: Path) -> list[ParquetFile]:
    """All of them in order, ``part-2`` before ``part-10``; those called _ or . are left out."""
    paths = [
        path
        for path in root.rglob("*")
        if path.suffix.lower() == ".parquet"
        and path.is_file()
        and not any(part.startswith(("_", ".")) for part in path.relative_to(root).parts)
    ]
    if not paths:
        others = sorted(path.name for path in root.iterdir())
        seen = f"It holds {listed(map(shown, others))}" if others else "It is empty"
        raise TableError(
            f"A folder that is a table must hold files of Parquet. {seen}: {shown(root)}.",
            "Name a folder of .parquet, or a file.",
        )
    return [_file(path, root) for path in sorted(paths, key=_in_order)]


def _in_order(path: Path) -> list[list[tuple[int, str]]]:
    """Numbers within names by their value."""
    return [
        [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", name)]
        for name in path.parts
    ]


def _file(path: Path, root: Path) -> ParquetFile:
    pl = require_polars(f"Reading {path.name}")
    with reading(path, "Parquet file"):
        schema = pl.read_parquet_schema(path)
        n_rows = int(pl.scan_parquet(path, glob=False).select(pl.len()).collect().item())
    keys: dict[str, str | None] = {}
    for name in path.relative_to(root).parts[:-1]:
        key, is_key, value = name.partition("=")
        if is_key and key and unquote(key) not in schema:
            keys[unquote(key)] = None if value == _NO_VALUE else unquote(value)
    return ParquetFile(path, path.resolve(), n_rows, dict(schema), keys)


def common_schema(files: Sequence[ParquetFile]) -> dict[str, Any]:
    """The columns of all files, of types that hold what any of them holds; or an error."""
    pl = require_polars("Reading a folder")
    first, common = files[0], pl.DataFrame(schema=_types(files[0], files))
    for file in files[1:]:
        types = _types(file, files)
        _check_names(types, common.schema, file.path, first.path)
        for name, dtype in types.items():
            has, had = _kind(dtype), _kind(common.schema[name])
            if has != had and "nothing" not in (has, had):
                raise TableError(
                    f"A column must hold the same in all files. {shown(name)} holds {has} in "
                    f"{shown(file.path)}, and {had} in {shown(first.path)}.",
                    _MEND,
                )
        other = pl.DataFrame(schema={name: types[name] for name in common.columns})
        try:
            common = pl.concat([common, other], how="vertical_relaxed")
        except pl.exceptions.PolarsError as error:
            raise TableError(
                f"A column must hold the same in all files. {shown(file.path)} differs from "
                f"{shown(first.path)}: {str(error).splitlines()[0]}.",
                _MEND,
            ) from error
    return dict(common.schema)


def _types(file: ParquetFile, files: Sequence[ParquetFile]) -> dict[str, Any]:
    """Of a file's columns; categories are text, and keys are numbers where all of them are."""
    pl = require_polars("Reading a folder")
    coded = (pl.Categorical, pl.Enum)
    types = {n: pl.String if dtype in coded else dtype for n, dtype in file.schema.items()}
    for key in file.keys:
        values = {other.keys.get(key) for other in files} - {None}
        is_whole = all(re.fullmatch(r"0|-?[1-9]\d{0,17}", str(value)) for value in values)
        types[key] = pl.Int64 if is_whole and values else pl.String
    return types


def _check_names(types: Mapping[str, Any], known: Mapping[str, Any], path: Path, of: Path) -> None:
    lacks = [shown(name) for name in known if name not in types]
    has = [shown(name) for name in types if name not in known]
    if lacks or has:
        seen = [f"lacks {listed(lacks)}"] * bool(lacks) + [f"has {listed(has)} as well"] * bool(has)
        raise TableError(
            "All files of a folder must have the same columns. Compared with "
            f"{shown(of)}, {shown(path)} {' and '.join(seen)}.",
            _MEND,
        )


def _kind(dtype: Any) -> str:
    """What a type holds, in words: numbers of all widths are alike."""
    pl = require_polars("Reading a folder")
    if dtype.is_numeric():
        return "numbers"
    if dtype in (pl.Date, pl.Datetime):
        return "dates"
    words = {pl.Boolean: "true and false", pl.String: "text", pl.Null: "nothing"}
    return words.get(dtype.base_type(), str(dtype))
