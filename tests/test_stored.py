"""Archives that promise more than they hold."""

import io
import os
import struct
import zipfile

import numpy as np
import pytest

from hsiclearn._stored import open_to_read, read_array, read_members


def read(path):
    with open_to_read(path) as file:
        return read_members(file)


def archive_of(path, members, compression=zipfile.ZIP_STORED):
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return path


def overlapping(path, copies=50, size=10_000):
    """One body that many entries of the directory claim as theirs."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a0", bytes(size))
        (entry,) = archive.filelist
        for k in range(1, copies):
            twin = zipfile.ZipInfo(f"a{k}")
            twin.header_offset, twin.CRC = entry.header_offset, entry.CRC
            twin.file_size = twin.compress_size = entry.file_size
            archive.filelist.append(twin)
    return path


def test_what_was_written_is_read(tmp_path):
    members = {"a": b"one", "b": b"", "c/d": bytes(1000)}
    assert read(archive_of(tmp_path / "zip", members.items())) == members


def test_members_that_share_their_bytes_are_refused_before_any_is_read(tmp_path, monkeypatch):
    path = overlapping(tmp_path / "zip")
    monkeypatch.setattr(zipfile.ZipFile, "read", lambda *_: pytest.fail("a member was read"))
    with pytest.raises(zipfile.BadZipFile, match="overlaps what comes after it"):
        read(path)


def test_a_member_cannot_reach_over_the_end(tmp_path):
    path = archive_of(tmp_path / "zip", [("a", b"one")])
    whole = bytearray(path.read_bytes())
    place = whole.index(b"PK\x01\x02") + 20  # both sizes, in the directory
    whole[place : place + 8] = struct.pack("<II", 2**30, 2**30)
    path.write_bytes(whole)
    with pytest.raises(zipfile.BadZipFile, match="overlaps"):
        read(path)


def test_compressed_members_and_names_that_come_twice_are_refused(tmp_path):
    squeezed = archive_of(tmp_path / "zip", [("a", bytes(10**6))], zipfile.ZIP_DEFLATED)
    with pytest.raises(zipfile.BadZipFile, match="a is compressed"):
        read(squeezed)
    with pytest.warns(UserWarning, match="Duplicate name"):
        twice = archive_of(tmp_path / "twice", [("a", b"1"), ("a", b"2")])
    with pytest.raises(zipfile.BadZipFile, match="two members have one name"):
        read(twice)


def test_a_pipe_and_a_device_are_no_files(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "zeros").symlink_to("/dev/zero")
    for name in ("pipe", "zeros"):
        with pytest.raises(ValueError, match="a device or a pipe"):
            read(tmp_path / name)


def npy(array):
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


@pytest.mark.parametrize(
    "array",
    [np.arange(6.0).reshape(2, 3), np.asfortranarray(np.eye(3, 2)), np.array(3), np.zeros((0, 4))],
    ids=["rows", "columns", "number", "empty"],
)
def test_arrays_come_back(array):
    again = read_array(npy(array))
    assert (again.dtype, again.shape, again.tobytes()) == (
        array.dtype,
        array.shape,
        array.tobytes(),
    )
    assert again.flags.f_contiguous == array.flags.f_contiguous


@pytest.mark.parametrize("shape", ["(9999999999999,)", "(2, 3)", "(-2, -3)", "(5,)", "()"])
def test_an_array_must_be_as_large_as_it_says(shape):
    content = npy(np.arange(7.0))
    header = content[10 : 10 + content[8]].replace(b"(7,)", shape.encode())
    header = header.rstrip() + b" " * (content[8] - len(header.rstrip()) - 1) + b"\n"
    with pytest.raises(ValueError, match="an array"):
        read_array(content[:10] + header[: content[8]] + content[10 + content[8] :])


def test_objects_and_records_are_no_arrays():
    for dtype in ("O", [("a", "f8")], "V8"):
        with pytest.raises(ValueError, match="must be of numbers or text"):
            read_array(npy(np.zeros(2, dtype=dtype)))
    nothing = npy(np.zeros(2, "S1")).replace(b"|S1", b"|S0")
    with pytest.raises(ValueError, match="may not have type"):
        read_array(nothing[:-2])
