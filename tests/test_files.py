"""Written whole or not at all."""

import os

import pytest

from hsiclearn._files import replacing


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "figures"
    path.write_bytes(b"old")

    def fails():
        with replacing(path) as file:
            file.write(b"new")
            raise RuntimeError("half way")

    with pytest.raises(RuntimeError, match="half way"):
        fails()
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["figures"]


def test_the_file_is_whole_and_as_readable_as_any_other(tmp_path):
    path, other = tmp_path / "figures", tmp_path / "other"
    other.touch()
    with replacing(path) as file:
        file.write(b"all")
        assert not path.exists()
    assert path.read_bytes() == b"all"
    assert path.stat().st_mode == other.stat().st_mode


def test_what_exists_stays_unless_asked_for(tmp_path):
    path = tmp_path / "figures"
    path.write_bytes(b"old")
    with pytest.raises(FileExistsError, match="not overwritten"), replacing(path, overwrite=False):
        pass
    path.unlink()

    def meanwhile():
        with replacing(path, overwrite=False) as file:
            path.write_bytes(b"someone else's")
            file.write(b"ours")

    with pytest.raises(FileExistsError):
        meanwhile()
    assert path.read_bytes() == b"someone else's"
    assert os.listdir(tmp_path) == ["figures"]


def test_a_directory_and_a_missing_folder_are_named(tmp_path):
    with pytest.raises(IsADirectoryError, match="is a directory"), replacing(tmp_path):
        pass
    with pytest.raises(FileNotFoundError, match="no directory"), replacing(tmp_path / "a" / "b"):
        pass


def test_a_link_stays_and_the_file_behind_it_is_replaced(tmp_path):
    path, link = tmp_path / "figures", tmp_path / "link"
    path.write_bytes(b"old")
    link.symlink_to(path)
    with replacing(link) as file:
        file.write(b"new")
    assert link.is_symlink()
    assert path.read_bytes() == b"new"


def test_permissions_are_handed_on(tmp_path):
    path = tmp_path / "figures"
    path.write_bytes(b"old")
    path.chmod(0o600)
    with replacing(path) as file:
        file.write(b"new")
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_pipe_is_not_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(FileExistsError, match="a device or a pipe"), replacing(tmp_path / "pipe"):
        pass


def test_a_name_that_was_taken_is_given_back(tmp_path, monkeypatch):
    def fails(*paths):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "link", fails)
    monkeypatch.setattr(os, "replace", fails)

    def new_file():
        with replacing(tmp_path / "figures", overwrite=False) as file:
            file.write(b"all")

    with pytest.raises(OSError, match="No space left"):
        new_file()
    assert os.listdir(tmp_path) == []


def test_a_disk_without_links_will_do(tmp_path, monkeypatch):
    def fails(*paths):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", fails)
    with replacing(tmp_path / "figures", overwrite=False) as file:
        file.write(b"all")
    assert (tmp_path / "figures").read_bytes() == b"all"
    assert os.listdir(tmp_path) == ["figures"]


def test_a_new_file_has_its_name_only_when_it_is_whole(tmp_path, monkeypatch):
    """Were the power cut as it takes its name, there would be no empty file of that name."""
    path, link = tmp_path / "figures", os.link

    def watched(part, target):
        assert not path.exists()
        link(part, target)

    monkeypatch.setattr(os, "link", watched)
    with replacing(path, overwrite=False) as file:
        file.write(b"all")
    assert path.read_bytes() == b"all"
    assert os.listdir(tmp_path) == ["figures"]
