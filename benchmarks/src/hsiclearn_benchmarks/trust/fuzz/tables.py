"""Tables: a few rows as every kind of file that the command reads."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["read", "seeds"]

_ROWS = {
    "town": ["Ulm", "Köln", None, "Ulm"],
    "area": [1.5, -2.25, float("nan"), 1e300],
    "rooms": [1, 2, 3, 4],
    "built": ["2020-01-31", "1999-12-01", "2001-07-07", None],
    "sold": [True, False, True, None],
}
_TEXTS = (
    "a,b\n1,2\n3,4\n",
    'a;b\n1,5;"x;y"\n-2,25;NA\n',
    '"a ""quoted""",b\n"1\n2",3\n\n,\n',
    "a\tb\n007\t1e5\n0x1F\tinf\n",
    "a|b\n1.234,5|2\n12.345,75|3\n",
    ",a\n0,1\n1,2\n2,3\n",
)


def read(path: Path) -> Any:
    """As every verb does."""
    from hsiclearn._cli.tables import read_table

    return read_table(path)


def seeds(suffix: str) -> Mapping[str, bytes]:
    """Small files of this kind."""
    import polars as pl

    frame = pl.DataFrame(_ROWS, strict=False)
    if suffix in (".csv", ".tsv", ".txt", ".csv.gz"):
        texts = [*_TEXTS, frame.write_csv()]
        made = [code for text in texts for code in (text.encode(), text.encode("utf-16"))]
        made.append(texts[-1].encode("cp1252"))
        return _numbered([gzip.compress(m, mtime=0) for m in made] if "gz" in suffix else made)
    if suffix == ".npy":
        return _numbered([_npy(array) for array in _ARRAYS])
    if suffix == ".json":
        rows = [{"a": 1, "b": [1, {"c": None}]}, {"a": "x", "b": 1e400}]
        return _numbered([frame.write_json().encode(), json.dumps(rows).encode(), b"[]", b"[{}]"])
    if suffix == ".ndjson":
        return _numbered([frame.write_ndjson().encode(), b'{"a":1}\n{"a":null,"b":"x"}\n'])
    return _numbered(_binary(frame, suffix))


def _binary(frame: Any, suffix: str) -> list[bytes]:
    import polars as pl

    frames = [frame, frame.select("rooms").head(1), frame.with_columns(l=pl.lit([1, 2]))]
    if suffix == ".parquet":
        made = [_written(f.write_parquet, compression="uncompressed") for f in frames]
        return [*made, _written(frame.write_parquet, compression="snappy")]
    if suffix == ".feather":
        return [_written(f.write_ipc) for f in frames]
    sheet = _written(frame.with_columns(pl.col("built").str.to_date()).write_excel)
    return [sheet] if suffix == ".xlsx" else [_ods()]


def _written(write: Any, **options: Any) -> bytes:
    buffer = io.BytesIO()
    write(buffer, **options)
    return buffer.getvalue()


_ARRAYS = (
    np.arange(6.0).reshape(3, 2),
    np.arange(6, dtype=np.int8).reshape(2, 3),
    np.zeros((0, 2)),
    np.array(["a"]),
    np.zeros((2, 1), dtype=[("x", "f8")]),
    np.asfortranarray(np.ones((2, 2), dtype=bool)),
)


def _npy(array: Any) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def _ods() -> bytes:
    """The smallest workbook of OpenDocument: a zip of XML."""
    import zipfile

    cells = "".join(
        "<table:table-row>"
        + "".join(
            f'<table:table-cell office:value-type="{kind}"{value}><text:p>{text}</text:p>'
            "</table:table-cell>"
            for kind, value, text in row
        )
        + "</table:table-row>"
        for row in (
            [("string", "", "a"), ("string", "", "b")],
            [("float", ' office:value="1.5"', "1.5"), ("string", "", "x")],
        )
    )
    names = " ".join(
        f'xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{short}:1.0"'
        for short in ("office", "table", "text")
    )
    content = (
        f'<?xml version="1.0"?><office:document-content {names}><office:body><office:spreadsheet>'
        f'<table:table table:name="S">{cells}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", '<?xml version="1.0"?><manifest/>')
        archive.writestr("content.xml", content)
    return buffer.getvalue()


def _numbered(made: list[bytes]) -> Mapping[str, bytes]:
    return {str(i): content for i, content in enumerate(made)}
