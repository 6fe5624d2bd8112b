"""Files as tables: what is read and written, and what is said of files that cannot be."""

import gzip

import numpy as np
import polars as pl
import pytest

from hsiclearn._cli.tables import TableError, read_table, write_table

COLUMNS = {"name": np.array(["a,b", "ü", None], dtype=object), "z": np.array([0.1, 1 / 3, 1e-300])}


def written(folder, content, name="t.csv"):
    path = folder / name
    path.write_bytes(content)
    return path


def kinds_of(table):
    return {column.name: column.kind for column in table.columns}


def test_columns_have_kinds(tmp_path):
    content = b"n,r,b,t\n1,1.5,true,x\n2,2.5,false,y\n"
    table = read_table(written(tmp_path, content))
    assert kinds_of(table) == {"n": "integer", "r": "real", "b": "boolean", "t": "text"}
    assert table["n"].tolist() == [1.0, 2.0]
    assert table["b"].tolist() == [1.0, 0.0]
    assert table["t"].tolist() == ["x", "y"]


def test_missing_cells_are_missing(tmp_path):
    table = read_table(written(tmp_path, b"a,b\n1,NA\n,x\nnan, \n4,N/A\n"))
    assert np.isnan(table["a"]).tolist() == [False, True, True, False]
    assert table["b"].tolist() == [None, "x", None, None]


def test_blanks_around_names_and_cells_do_not_count(tmp_path):
    table = read_table(written(tmp_path, b"a, b ,c\n 1, x,1.5 \n2 ,x , 2\n"))
    assert kinds_of(table) == {"a": "integer", "b": "text", "c": "real"}
    assert table["b"].tolist() == ["x", "x"]


def test_blank_lines_and_trailing_commas_are_left_out(tmp_path):
    table = read_table(written(tmp_path, b"a,b,\n1,2,\n\n3,4,\n\n"))
    assert table.names == ("a", "b")
    assert table["b"].tolist() == [2.0, 4.0]


def test_a_line_of_separators_alone_is_a_row(tmp_path):
    table = read_table(written(tmp_path, b"a,b\n\n1,2\n,\n  \n\n3,4\nNA, \n\n"))
    assert table["a"].tolist()[::2] == [1.0, 3.0]
    assert np.isnan(table["b"]).tolist() == [False, True, False, True]


def test_a_missing_value_in_the_only_column_needs_quotes(tmp_path):
    table = read_table(written(tmp_path, b'a\r\n1\r\n\r\n""\r\n2\r\n\r\n'))
    assert np.isnan(table["a"]).tolist() == [False, True, False]


def test_lines_within_quotes_are_not_blank(tmp_path):
    table = read_table(written(tmp_path, b'a,b\n1,"x\n\ny"\n\n,\n'))
    assert table["b"].tolist() == ["x\n\ny", None]


def test_columns_may_be_read_as_text(tmp_path):
    content = b"part , b,n,\n007,True,1,1.50\n 012,False,2, 2\n"
    table = read_table(written(tmp_path, content), text=("part", "b", "column4", "absent"))
    assert table["part"].tolist() == ["007", "012"]
    assert table["b"].tolist() == ["True", "False"]
    assert table["column4"].tolist() == ["1.50", "2"]
    assert kinds_of(table)["n"] == "integer"


@pytest.mark.parametrize("suffix", ["parquet", "npy"])
def test_typed_columns_may_be_read_as_text(tmp_path, suffix):
    path = tmp_path / f"t.{suffix}"
    if suffix == "npy":
        np.save(path, np.array([[7], [12]]))
    else:
        pl.DataFrame({"x0": [7, 12]}).write_parquet(path)
    assert read_table(path, text=["x0"])["x0"].tolist() == ["7", "12"]


def test_a_column_that_counts_the_rows_is_left_out(tmp_path):
    table = read_table(written(tmp_path, b",a\n0,5\n1,7\n2,9\n"))
    assert table.names == ("a",)
    assert "numbers the rows" in table.notes[0]


def test_another_column_without_a_name_gets_one(tmp_path):
    table = read_table(written(tmp_path, b"a,,column2\n5,7,1\n6,7,2\n"))
    assert table.names == ("a", "column2_", "column2")
    assert "'column2_'" in table.notes[0]


def test_a_file_that_seems_to_lack_its_header_is_told(tmp_path):
    assert "header" in read_table(written(tmp_path, b"1,2.5\n3,4\n")).notes[0]


@pytest.mark.parametrize("name", ["t.csv.gz", "T.CSV.GZ"])
def test_gzipped_files_are_read(tmp_path, name):
    assert read_table(written(tmp_path, gzip.compress(b"a,b\n1,2\n"), name))["b"].tolist() == [2.0]


def test_tabs_byte_order_marks_and_quotes_are_read(tmp_path):
    content = b'\xef\xbb\xbf"a\nb"\tc,d\r\n"1"\t"x\t\ny"\r\n'
    table = read_table(written(tmp_path, content, "t.tsv"))
    assert table.names == ("a\nb", "c,d")
    assert table["c,d"].tolist() == ["x\t\ny"]


def test_parquet_keeps_its_types(tmp_path):
    frame = pl.DataFrame({"n": [1, None], "c": ["x", "y"], "d": ["2020-01-01", "2021-01-01"]})
    frame = frame.with_columns(pl.col("c").cast(pl.Categorical), pl.col("d").str.to_date())
    frame = frame.with_columns(pl.Series("l", [[1], [2]]))
    frame.write_parquet(tmp_path / "t.parquet")
    table = read_table(tmp_path / "t.parquet")
    assert kinds_of(table) == {"n": "integer", "c": "text", "d": "date", "l": "other"}
    assert table["d"].tolist() == ["2020-01-01", "2021-01-01"]


def test_parquet_columns_that_are_no_features_are_called_what_they_are(tmp_path):
    columns = {
        "t": pl.Series([8.0e9, None]).cast(pl.Time),
        "d": pl.Series([1, 2]).cast(pl.Duration("ms")),
        "b": pl.Series([b"x", b"y"]),
    }
    pl.DataFrame(columns).write_parquet(tmp_path / "t.parquet")
    table = read_table(tmp_path / "t.parquet")
    assert kinds_of(table) == {"t": "date", "d": "other", "b": "other"}
    assert [c.holds for c in table.columns] == ["times of day", "durations", "binary data"]


@pytest.mark.parametrize("suffix", ["feather", "arrow", "ipc", "json", "ndjson", "jsonl"])
def test_other_files_with_types_are_read(tmp_path, suffix):
    frame, path = pl.DataFrame({"n": [1, 2], "t": ["x", None]}), tmp_path / f"t.{suffix}"
    write = {"json": frame.write_json, "ndjson": frame.write_ndjson, "jsonl": frame.write_ndjson}
    write.get(suffix, frame.write_ipc)(path)
    table = read_table(path)
    assert kinds_of(table) == {"n": "integer", "t": "text"}
    assert table["t"].tolist() == ["x", None]


def test_a_wide_header_is_read_and_checked(tmp_path):
    names = [f"c{j}" for j in range(2_000)]
    lines = [",".join(names), ",".join("1" for _ in names), ""]
    table = read_table(written(tmp_path, "\n".join(lines).encode()))
    assert table.names == tuple(names)
    with pytest.raises(TableError, match="More than one is called 'c0'"):
        read_table(written(tmp_path, b"c0," + "\n".join(lines).encode()))


def test_npy_columns_are_numbered(tmp_path):
    np.save(tmp_path / "t.npy", np.arange(6).reshape(3, 2))
    table = read_table(tmp_path / "t.npy")
    assert kinds_of(table) == {"x0": "integer", "x1": "integer"}
    assert table["x1"].tolist() == [1.0, 3.0, 5.0]


BAD = {
    "empty": (b"", "t.csv", "is empty"),
    "blank": (b"\n\na,b\n", "t.csv", "first line"),
    "twice": (b"a,b,a\n1,2,3\n", "t.csv", "More than one is called 'a'"),
    "long": (b"a,b\n1,2\n1,2,3\n", "t.csv", "Line 3 has 3"),
    "short": (b"a,b\n1,2\n1\n1,2\n", "t.csv", "Line 3 has 1"),
    "short and empty": (b"a,b,c\n1,2,3\n,\n1,2,3\n", "t.csv", "Line 3 has 2"),
    "quote": (b'a,b\n1,"2\n3,4\n', "t.csv", "quote"),
    "broken": ("a,b\nü,é\n1,\xe9\n".encode()[:-2] + b"\n", "t.csv", "(line 3, byte 0xc3)"),
    "binary": (bytes(range(256)), "t.csv", "no text file"),
    "returns": (b"a,b\r1,2\r", "t.csv", "carriage returns"),
    "blanks": (b"a b\n1 2\n", "t.txt", "semicolons, tabs or bars"),
    "gzip cut": (gzip.compress(b"a,b\n" + b"1,2\n" * 99999)[:90], "t.csv.gz", "gzip"),
    "no gzip": (b"a,b\n1,2\n", "t.csv.gz", "gzip"),
    "parquet": (b"PAR1" + b"x" * 50 + b"PAR1", "t.parquet", "Parquet"),
    "npy": (b"\x93NUMPY\x01", "t.npy", "NPY"),
    "npy, header": (b"\x93NUMPY\x01\x00\x05\x00{'a(\n", "t.npy", "NPY"),  # a TokenError of Python's
    "utf-16, cut": ("a,b\n1,2\n".encode("utf-16")[:-1], "t.csv", "begins as UTF-16"),
    "suffix": (b"a b\n1 2\n", "t.sav", ".csv.gz, .tsv"),
    "arrow": (b"ARROW1" + b"x" * 50, "t.feather", "Arrow"),
    "json": (b'[{"a": 1}, {"a":', "t.json", "JSON"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_a_line_that_says_why(tmp_path, name):
    content, file_name, culprit = BAD[name]
    with pytest.raises(TableError) as caught:
        read_table(written(tmp_path, content, file_name))
    message = str(caught.value)
    assert culprit in message
    assert file_name in message
    assert "\n" not in message


@pytest.mark.parametrize("array", [np.arange(3.0), np.array([["a"]]), np.array([[1j]])])
def test_npy_must_be_a_matrix_of_numbers(tmp_path, array):
    np.save(tmp_path / "t.npy", array)
    with pytest.raises(TableError, match="matrix of numbers"):
        read_table(tmp_path / "t.npy")


def test_pickles_are_never_opened(tmp_path):
    np.save(tmp_path / "t.npy", np.array([[None]], dtype=object), allow_pickle=True)
    with pytest.raises(TableError, match="NPY"):
        read_table(tmp_path / "t.npy")


def test_what_is_not_there_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"5GB\.csv"):
        read_table(tmp_path / "5GB.csv")
    with pytest.raises(IsADirectoryError, match="directory"):
        read_table(tmp_path)
    with pytest.raises(TableError, match=r"is an address\. Fetch"):
        read_table("https://example.org/t.csv")


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet"])
def test_what_is_written_is_read_again(tmp_path, suffix):
    path = write_table(COLUMNS, tmp_path / f"out{suffix}")
    table = read_table(path)
    assert table["name"].tolist() == ["a,b", "ü", None]
    assert np.array_equal(table["z"], COLUMNS["z"])


def test_npy_holds_numbers_alone(tmp_path):
    path = write_table({"z": COLUMNS["z"], "k": np.arange(3)}, tmp_path / "out.npy")
    assert np.load(path).shape == (3, 2)
    with pytest.raises(TableError, match="'name' holds text"):
        write_table(COLUMNS, tmp_path / "text.npy")
    assert not (tmp_path / "text.npy").exists()


def test_files_are_not_overwritten_unless_asked_for(tmp_path):
    path = write_table(COLUMNS, tmp_path / "out.csv")
    with pytest.raises(FileExistsError):
        write_table({"z": COLUMNS["z"]}, path)
    assert pl.read_csv(path).width == 2
    write_table({"z": COLUMNS["z"]}, path, overwrite=True)
    assert pl.read_csv(path).width == 1
