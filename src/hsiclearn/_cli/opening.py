"""The rows of a fit, opened: a file, a folder that is read as one, or a folder that stays there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .console import Console
from .data import maybe_names, open_table
from .fit_options import FitOptions
from .folder_source import FolderSource
from .sources import AbstractSource, TableSource
from .tables import TableError
from .tables._dask import computing, require_dask
from .tables.errors import shown
from .tables.facts import most_drawn
from .tables.folder import Folder
from .wording import counted


@contextmanager
def opened_source(options: FitOptions, console: Console) -> Iterator[AbstractSource]:
    """Rows, and whoever computes them; a folder of few rows is read as a file is."""
    text = [*maybe_names(options.category), *([] if options.id is None else [options.id])]
    if options.data.is_dir():
        with console.status(f"Reading {options.data.name}"):
            folder = _opened(options, text)
        if len(folder) > most_drawn(len(folder.names)):
            with _left_there(folder, options, console) as source:
                yield source
            return
        if options.scheduler is not None:
            console.note(f"{len(folder)} rows are read here, without the cluster")
        yield TableSource(folder.read(0, len(folder)))
    elif options.scheduler is not None:
        raise ValueError(f"--scheduler is for a folder of Parquet. {shown(options.data)} is none.")
    else:
        yield TableSource(open_table(options.data, console, fewest=2, text=text))


def _opened(options: FitOptions, text: list[str]) -> Folder:
    folder = Folder(options.data, text)
    if len(folder) < 2:
        seen = counted(len(folder), "row")
        raise TableError(f"{shown(options.data)} has {seen}: at least 2 are needed.")
    return folder


@contextmanager
def _left_there(folder: Folder, options: FitOptions, console: Console) -> Iterator[AbstractSource]:
    """Rows that are read in each pass, by a cluster or by threads."""
    require_dask(f"A folder of {len(folder)} rows")
    with computing(options.scheduler, options.verbose and not options.quiet):
        with console.status(f"Reading {options.data.name}"):
            source = FolderSource(folder, options)
        console.note(
            f"what becomes of columns is learnt from {len(source.table)} of {source.n_rows} rows: "
            "some drawn evenly, and those with a category, a gap or an extreme value of their own"
        )
        yield source
