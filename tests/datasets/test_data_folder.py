"""Missing data skip a test on a user's machine and fail it in continuous integration."""

import pytest

from data_folder import data_file


@pytest.mark.parametrize(("ci", "outcome"), [("", pytest.skip), ("true", pytest.fail)])
def test_missing(ci, outcome, tmp_path, monkeypatch):
    monkeypatch.setenv("HSICLEARN_DATA", str(tmp_path))
    monkeypatch.setenv("CI", ci)
    with pytest.raises(outcome.Exception, match=r"wine\.csv\.gz.*set HSICLEARN_DATA"):
        data_file("wine")


def test_found(tmp_path, monkeypatch):
    monkeypatch.setenv("HSICLEARN_DATA", str(tmp_path))
    (tmp_path / "wine.csv.gz").touch()
    assert data_file("wine") == tmp_path / "wine.csv.gz"
