"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


def check_free(path: Path, overwrite: bool) -> None:
    """Find out before the work, not after it, that a file must not or cannot be written."""
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a directory. Name a file to write.")
    if path.exists() and not path.is_file():
        raise FileExistsError(f"{path} is a device or a pipe. Name a file to write.")
    if path.exists() and not overwrite:
        raise FileExistsError(f"{path} exists and is not overwritten. Ask for it, or rename it.")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"{path.parent} is no directory to write {path.name} to.")


@contextmanager
def replacing(path: str | os.PathLike[str], *, overwrite: bool = True) -> Iterator[IO[bytes]]:
    """A file to write to. It takes its name when all of it is on the disk, else it never was.

    Without ``overwrite`` a file that exists is an error, also one that came up meanwhile. A file
    that is replaced hands its permissions on; of a link, the file that it points to is replaced.
    """
    path = Path(os.path.realpath(path))
    check_free(path, overwrite)
    # Not tempfile: its files are for one user's eyes, and what is written may be shared.
    part = path.with_name(f".{path.name}.{uuid.uuid4().hex}.part")
    try:
        with open(part, "xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if path.exists() and overwrite:
            shutil.copymode(path, part)
        _take_name(part, path, overwrite)
    finally:
        part.unlink(missing_ok=True)


def _take_name(part: Path, path: Path, overwrite: bool) -> None:
    if overwrite:
        os.replace(part, path)
        return
    try:
        os.link(part, path)  # at once and whole, or not at all where another has taken the name
    except FileExistsError:
        raise
    except OSError:  # a disk without links
        path.open("xb").close()  # takes the name, or fails where another has taken it
        try:
            os.replace(part, path)
        except BaseException:
            path.unlink()
            raise
