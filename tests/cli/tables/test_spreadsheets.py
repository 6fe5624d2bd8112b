"""Workbooks, put together by hand: their first sheet is a table like any other."""

import zipfile

import pytest

from hsiclearn._cli.tables import TableError, read_table
from hsiclearn._cli.tables._polars import reading

XML = '<?xml version="1.0"?>'
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
DAY = 43831  # 2020-01-01, as a workbook counts


def day(number):
    return ("day", number)


def write_xlsx(path, rows, sheets=("Data",)):
    def cell(value):
        if value is None:
            return "<c/>"
        if isinstance(value, tuple):
            return f'<c s="1"><v>{value[1]}</v></c>'
        if isinstance(value, str):
            return f'<c t="inlineStr"><is><t xml:space="preserve">{value}</t></is></c>'
        return f"<c><v>{value}</v></c>"

    cells = "".join(f"<row>{''.join(map(cell, row))}</row>" for row in rows)
    listing = "".join(
        f'<sheet name="{name}" sheetId="{i}" r:id="r1"/>' for i, name in enumerate(sheets, 1)
    )
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types"/>',
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r1" '
        f'Type="{RELATION}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{RELATION}"><sheets>{listing}'
        "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships">'
        f'<Relationship Id="r1" Type="{RELATION}/worksheet" Target="worksheets/sheet1.xml"/>'
        f'<Relationship Id="r3" Type="{RELATION}/styles" Target="styles.xml"/></Relationships>',
        "xl/styles.xml": f'<styleSheet xmlns="{MAIN}"><cellXfs count="2"><xf numFmtId="0"/>'
        '<xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{MAIN}"><sheetData>{cells}</sheetData>'
        "</worksheet>",
    }
    write_zip(path, {name: XML + part for name, part in parts.items()})


def write_ods(path, rows):
    def cell(value):
        if value is None:
            return "<table:table-cell/>"
        if isinstance(value, str):
            kind = 'office:value-type="string"'
        else:
            kind = f'office:value-type="float" office:value="{value}"'
        return f"<table:table-cell {kind}><text:p>{value}</text:p></table:table-cell>"

    names = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "table", "text")
    )
    lines = "".join(f"<table:table-row>{''.join(map(cell, row))}</table:table-row>" for row in rows)
    parts = {
        "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
        "META-INF/manifest.xml": f"{XML}<manifest/>",
        "content.xml": f"{XML}<office:document-content {names}><office:body><office:spreadsheet>"
        f'<table:table table:name="Data">{lines}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>",
    }
    write_zip(path, parts)


def write_zip(path, parts):
    with zipfile.ZipFile(path, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)


WRITERS = {".xlsx": write_xlsx, ".ods": write_ods}
ROWS = [
    [None, "a", " b ", "n"],
    [0, 1, "x", "7"],
    [1, 2.5, None, " 8"],
    [None] * 4,
    [2, None, " y", "NA"],
]


@pytest.mark.parametrize("suffix", WRITERS)
def test_the_first_sheet_is_read(tmp_path, suffix):
    path = tmp_path / f"t{suffix}"
    WRITERS[suffix](path, ROWS)
    table = read_table(path)
    assert {c.name: c.kind for c in table.columns} == {"a": "real", "b": "text", "n": "integer"}
    assert table["b"].tolist() == ["x", None, "y"]
    assert table["n"].tolist()[:2] == [7.0, 8.0]
    assert table.notes == ("a column without a name numbers the rows and is left out",)
    assert read_table(path, text=["a"])["a"].tolist() == ["1", "2.5", None]


def test_dates_of_a_workbook_are_dates(tmp_path):
    write_xlsx(tmp_path / "t.xlsx", [["d"], [day(DAY)], [day(DAY + 31)]])
    (column,) = read_table(tmp_path / "t.xlsx").columns
    assert column.kind == "date"
    assert [text[:10] for text in column.categories] == ["2020-01-01", "2020-02-01"]


def test_other_sheets_are_told(tmp_path):
    write_xlsx(tmp_path / "t.xlsx", [["a"], [1], [2]], sheets=("Prices", "Notes"))
    assert read_table(tmp_path / "t.xlsx").notes == ("the first of 2 sheets is read, 'Prices'",)


BAD = {
    "title": (
        [["Prices of 2020", None, None], ["a", "b", "c"], [1, 2, 3]],
        "must name the columns",
    ),
    "no cells": ([], "is empty"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_sheet_that_is_no_table_is_told(tmp_path, name):
    rows, culprit = BAD[name]
    write_xlsx(tmp_path / "t.xlsx", rows)
    with pytest.raises(TableError, match=culprit):
        read_table(tmp_path / "t.xlsx")


@pytest.mark.parametrize("content", [b"PK\x03\x04 cut", b"a,b\n1,2\n"])
@pytest.mark.parametrize("suffix", WRITERS)
def test_a_damaged_workbook_is_told(tmp_path, suffix, content):
    (tmp_path / f"t{suffix}").write_bytes(content)
    with pytest.raises(TableError, match=rf"t{suffix}' is not a whole spreadsheet") as caught:
        read_table(tmp_path / f"t{suffix}")
    assert "\n" not in str(caught.value)


def test_a_workbook_without_sheets_is_a_line_that_says_so(tmp_path):
    path = tmp_path / "none.xlsx"
    write_xlsx(path, [["a"], [1]], sheets=())
    with pytest.raises(TableError, match=r"none\.xlsx' is not a whole spreadsheet"):
        read_table(path)


def test_a_panic_of_a_library_is_a_line_but_what_else_ends_a_program_is_not(tmp_path):
    """Each library of Rust has a class of its own for panics, and none is an Exception."""
    panic = type("PanicException", (BaseException,), {})
    path = tmp_path / "t.parquet"
    with pytest.raises(TableError, match="not a whole Parquet file: out of range"):
        with_error(path, panic("out of range"))
    with pytest.raises(KeyboardInterrupt):
        with_error(path, KeyboardInterrupt())


def with_error(path, error):
    with reading(path, "Parquet file"):
        raise error
