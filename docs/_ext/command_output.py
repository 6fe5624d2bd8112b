"""A directive that runs commands of ``hsiclearn`` and shows what they print.

All commands of a build run in one folder, which begins with ``wine.csv``: 178 wines, thirteen
measurements and the grower; ``wines``, a folder of the same in three files of Parquet; and
``few.csv``, with six growers named and the others left empty. So what a page shows is what the
present version prints.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

__all__ = ["setup"]

_LONGEST = 600  # seconds


def _make_tables(folder: Path) -> None:
    """Write the tables."""
    import polars as pl  # noqa: PLC0415
    from sklearn.datasets import load_wine  # noqa: PLC0415

    wine = load_wine()
    names = [
        name.replace("od280/od315_of_diluted_wines", "od280/od315") for name in wine.feature_names
    ]
    growers = ["ABC"[code] for code in wine.target]
    named = {growers.index(g) + k for g in "ABC" for k in (10, 20)}
    for file, labels in {
        "wine.csv": growers,
        "few.csv": [g if i in named else "" for i, g in enumerate(growers)],
    }.items():
        lines = [",".join([*names, "grower"])]
        lines += [
            ",".join([*map(repr, row), label])
            for row, label in zip(wine.data.tolist(), labels, strict=True)
        ]
        (folder / file).write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "wines").mkdir()
    for number, part in enumerate(pl.read_csv(folder / "wine.csv").iter_slices(60)):
        part.write_parquet(folder / "wines" / f"part-{number}.parquet")


class Run(SphinxDirective):
    """``{run}``: one command per line; all must end with the exit code of ``:exit:``."""

    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {
        "exit": directives.nonnegative_int,
        "lines": directives.nonnegative_int,
        "keep": directives.unchanged,
    }

    def run(self) -> list[nodes.Node]:
        """Run the commands; a wrong exit code is an error of the page."""
        folder = self.env.app.run_folder  # type: ignore[attr-defined]
        shown = []
        for command in self.content:
            done = _execute(command, Path(folder.name))
            if done.returncode != self.options.get("exit", 0):
                raise self.error(f"{command!r} ended with {done.returncode}:\n{done.stderr}")
            lines = (done.stdout or done.stderr).rstrip().splitlines()
            kept = lines[: self.options.get("lines", len(lines))]
            shown += [f"$ {command}", *kept, *(["..."] if len(kept) < len(lines) else [])]
        for name in self.options.get("keep", "").split():
            target = Path(self.env.app.outdir) / "reports"
            target.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(Path(folder.name) / name, target / name)
        text = "\n".join(shown)
        return [nodes.literal_block(text, text, language="console")]


def _execute(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A command line in the folder, in a terminal of 80 columns."""
    program, *rest = shlex.split(command)
    path = Path(sys.executable).with_name(program)
    environment = {**os.environ, "COLUMNS": "80", "NO_COLOR": "1", "TERM": "dumb"}
    return subprocess.run(
        [str(path), *rest],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=_LONGEST,
        check=False,
    )


def _begin(app: Sphinx) -> None:
    """A folder that goes away with the build."""
    app.run_folder = tempfile.TemporaryDirectory()  # type: ignore[attr-defined]
    _make_tables(Path(app.run_folder.name))  # type: ignore[attr-defined]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive."""
    app.add_directive("run", Run)
    app.connect("builder-inited", _begin)
    # One folder for all commands, in the order of the page: pages are read one after the other.
    return {"version": "1", "parallel_read_safe": False, "parallel_write_safe": True}
