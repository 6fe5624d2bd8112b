"""Tables to files."""

import numpy as np
import polars as pl
import pytest

from hsiclearn._cli.tables import TableError, read_table, write_table

COLUMNS = {"name": np.array(["a,b", "ü", None], dtype=object), "z": np.array([0.1, 1 / 3, 1e-300])}


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
