"""Files to write: looked at before the work, written when all of it is done."""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from .._files import replacing

Writer = Callable[[Path], object]
"""Writes a file of that name."""


def check_outputs(outputs: Mapping[str, Path | None], force: bool, inputs: list[Path]) -> None:
    """Find out before the work that a file cannot be written; keys are the options."""
    taken = {os.path.realpath(path): "is the input" for path in inputs}
    for option, path in outputs.items():
        if path is None:
            continue
        where = f"{option} {str(path)!r}"
        if path.is_dir():
            raise IsADirectoryError(f"{where} is a directory. Name a file.")
        if not path.parent.is_dir():
            raise FileNotFoundError(f"{where}: there is no folder {str(path.parent)!r}. Make it.")
        if (why := taken.get(os.path.realpath(path))) is not None:
            raise FileExistsError(f"{where} {why}. Name another file.")
        if path.exists() and not force:
            raise FileExistsError(f"{where} exists. Use --force to overwrite it.")
        if not os.access(path.parent, os.W_OK):
            raise PermissionError(f"{where}: nothing may be written to {str(path.parent)!r}.")
        taken[os.path.realpath(path)] = "is written by another option"


def write_together(writers: Mapping[Path, Writer], force: bool) -> None:
    """Make every file somewhere else first, so that none is written if one cannot be made."""
    with TemporaryDirectory(prefix="hsiclearn-") as folder:
        made = {}
        for number, (path, write) in enumerate(writers.items()):
            made[path] = Path(folder) / f"{number}{path.suffix}"
            write(made[path])
        with ExitStack() as stack, _named(made):
            # All are written before the first of them takes its name.
            for path, draft in made.items():
                file = stack.enter_context(replacing(path, overwrite=force))
                with open(draft, "rb") as content:
                    shutil.copyfileobj(content, file)
                file.flush()


@contextmanager
def new_folder(option: str, path: Path) -> Iterator[Path]:
    """A folder to write files to, which takes its name when all are there, else it never was."""
    where = f"{option} {str(path)!r}"
    if path.exists() or path.is_symlink():
        raise FileExistsError(f"{where} exists. A folder must be new: name another, or remove it.")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"{where}: there is no folder {str(path.parent)!r}. Make it.")
    part = path.with_name(f".{path.name}.{uuid.uuid4().hex}.part")
    part.mkdir()
    try:
        yield part
        part.rename(path)
    finally:
        shutil.rmtree(part, ignore_errors=True)


@contextmanager
def _named(paths: Iterable[Path]) -> Iterator[None]:
    """An error names the files asked for, not those they are made from."""
    try:
        yield
    except OSError as error:
        if error.strerror is None:
            raise
        names = " or ".join(str(path) for path in paths)
        raise type(error)(error.errno, f"Cannot write: {error.strerror}", names) from error
