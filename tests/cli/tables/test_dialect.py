"""Files of text as programs write them: what they hold is found out, and told."""

import gzip

import numpy as np
import pytest

from hsiclearn._cli.tables import TableEncoder, TableError, read_table

PLAIN = "größe,preis,ort\n1.5,1200,Köln\n2.25,7,Ulm\n-3,18,Ulm\n"
EUROPEAN = "größe;preis;ort\n1,5;1200;Köln\n2,25;7;Ulm\n-3;18;Ulm\n"


def read(folder, content, name="t.csv"):
    (folder / name).write_bytes(content)
    return read_table(folder / name)


def same(table, other):
    assert table.names == other.names
    for name in table.names:
        assert table.column(name).kind == other.column(name).kind
        assert table[name].tolist() == other[name].tolist()


WRITTEN = {
    "semicolons": (EUROPEAN.encode(), "t.csv", ["semicolons", "decimal commas"]),
    "tabs": (EUROPEAN.replace(";", "\t").encode(), "t.csv", ["tabs", "decimal commas"]),
    "as text": (EUROPEAN.replace(";", "\t").encode(), "t.txt", ["decimal commas"]),
    "bars": (PLAIN.replace(",", "|").encode(), "t.csv", ["bars (|)"]),
    "commas": (PLAIN.encode(), "t.tsv", ["commas"]),
    "latin": (PLAIN.encode("latin-1"), "t.csv", ["Windows-1252"]),
    "utf-16": (PLAIN.encode("utf-16"), "t.csv", ["UTF-16"]),
    "big end first": (b"\xfe\xff" + PLAIN.encode("utf-16-be"), "t.csv", ["UTF-16"]),
    "all of it": (
        gzip.compress(EUROPEAN.replace("\n", "\r\n").encode("latin-1")),
        "t.csv.gz",
        ["Windows-1252", "semicolons", "decimal commas"],
    ),
    "blanks": (EUROPEAN.replace(";", " ; ").encode(), "t.csv", ["semicolons", "decimal commas"]),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_the_same_table_comes_out_however_it_was_written(tmp_path, name):
    content, file_name, told = WRITTEN[name]
    table = read(tmp_path, content, file_name)
    same(table, read(tmp_path, PLAIN.encode(), "plain.csv"))
    assert len(table.notes) == len(told)
    for note, culprit in zip(table.notes, told, strict=True):
        assert culprit in note


def test_windows_quotes_and_the_euro_are_read(tmp_path):
    table = read(tmp_path, "a,b\n1,„5 €“\n2,x\n".encode("cp1252"))
    assert table["b"].tolist() == ["„5 €“", "x"]
    assert read(tmp_path, b"a,b\n1,\x81\n")["b"].tolist() == ["\x81"]  # none of Windows-1252


def test_beside_decimal_commas_a_point_marks_thousands(tmp_path):
    """Read as a number with a fraction, 1.234 would be off by a thousand in silence."""
    table = read(tmp_path, b"a;b;c\n1,5;1.234;1.234,5\n2,5;12.000;7\n0,1;5;-2.000.000,25\n")
    assert table["b"].tolist() == [1234.0, 12000.0, 5.0]
    assert table["c"].tolist() == [1234.5, 7.0, -2000000.25]


@pytest.mark.parametrize(
    ("content", "name", "what"),
    [
        (b"a;b\n45,123;x\n7,500;y\n", "a", "thousands separators"),
        (b'a,b\n"1,5",x\n"2,25",y\n', "a", "decimal commas"),
        (b"a;b\n1,5;2.5\n2,5;3.5\n", "a", "decimal commas"),
    ],
)
def test_what_may_be_either_is_refused(tmp_path, content, name, what):
    with pytest.raises(TableError, match=f"'{name}' holds text that looks like.*{what}"):
        TableEncoder().fit(read(tmp_path, content))


def test_commas_and_semicolons_within_cells_do_not_count(tmp_path):
    table = read(tmp_path, b'a,b\n1,"x;y,z"\n2,"u;v"\n')
    assert table["b"].tolist() == ["x;y,z", "u;v"]
    table = read(tmp_path, b'"Doe, J.; A";b\n1;2\n')
    assert table.names == ("Doe, J.; A", "b")
    assert read(tmp_path, b"a, in m;b, in kg\n1;2\n").names == ("a, in m", "b, in kg")


def test_text_columns_keep_their_commas(tmp_path):
    (tmp_path / "t.csv").write_bytes(b"a;b\n1,5;1,5\n2,5;2\n")
    table = read_table(tmp_path / "t.csv", text=["a"])
    assert table["a"].tolist() == ["1,5", "2,5"]
    assert np.array_equal(table["b"], [1.5, 2.0])
