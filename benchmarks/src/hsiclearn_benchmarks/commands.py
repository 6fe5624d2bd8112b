"""``hsiclearn bench``: measure, print, write."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ._types import Progress
from .dependence import run_dependence
from .paper.complexity import measure_complexity
from .paper.run import PaperRun, run_paper
from .paper.starts import compare_starts, starts_report
from .paper.tables import paper_report
from .parts import Part
from .pictures import save_curves, save_scaling
from .quality import run_quality
from .scale import run_scale

__all__ = [
    "bench_complexity",
    "bench_dependence",
    "bench_paper",
    "bench_quality",
    "bench_scale",
    "bench_starts",
    "progress_line",
]

_CURVES = 2  # points at least, for a curve to be drawn


def bench_paper(
    *,
    data: list[str],
    quick: bool,
    heldout: bool,
    budget: float,
    json: Path | None,
    markdown: Path | None,
    plot: Path | None,
    check: bool,
) -> int:
    """Both tables; the exit code, 1 if ``check`` finds a figure that should not be."""
    _make_room(json, markdown, plot)
    with progress_line() as progress:
        run = run_paper(data=data, quick=quick, heldout=heldout, budget=budget, progress=progress)
    report = paper_report(run)
    print(report)
    if json is not None:
        run.write_json(json)
    _write(markdown, report)
    if plot is not None:
        _save_plot(run, plot)
    complaints = run.complaints()
    for line in complaints:
        print(f"Not as it should be: {line}", file=sys.stderr)
    return int(check and bool(complaints))


def bench_complexity(markdown: Path | None) -> None:
    """Exponents and iterations."""
    _make_room(markdown)
    with progress_line() as progress:
        report = measure_complexity(progress=progress).report()
    print(report)
    _write(markdown, report)


def bench_starts(markdown: Path | None, n_random: int) -> None:
    """Phi_0 beside random starts."""
    _make_room(markdown)
    with progress_line() as progress:
        report = starts_report(compare_starts(n_random=n_random, progress=progress))
    print(report)
    _write(markdown, report)


def bench_scale(
    *,
    parts: list[str],
    quick: bool,
    limit: float,
    repeats: int,
    markdown: Path | None,
    plot: Path | None,
) -> None:
    """Many rows; every part is printed, and its file written, when it is done."""
    _make_room(plot)
    with progress_line() as progress:
        run = run_scale(parts, quick=quick, limit=limit, repeats=repeats, progress=progress)
        done = _print_parts(run, markdown)
    if plot is not None:
        _save_scaling(done, limit, plot)


def bench_quality(
    *,
    parts: list[str],
    only: list[str],
    jobs: int | None,
    quick: bool,
    markdown: Path | None,
    json: Path | None,
    resume: bool,
) -> None:
    """Answers at defaults; every part is printed, and its file written, when it is done."""
    _make_room(json)
    with progress_line() as progress:
        run = run_quality(
            parts, only=only, jobs=jobs, quick=quick, json=json, resume=resume, progress=progress
        )
        _print_parts(run, markdown)


def bench_dependence(*, parts: list[str], quick: bool, repeats: int, markdown: Path | None) -> None:
    """The test of independence; every part is printed, and its file written, when it is done."""
    with progress_line() as progress:
        _print_parts(
            run_dependence(parts, quick=quick, repeats=repeats, progress=progress), markdown
        )


def _print_parts(run: Iterator[tuple[str, Part]], folder: Path | None) -> list[Part]:
    """Every part as it comes, also into its file; all of them."""
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    done: list[Part] = []
    for name, part in run:
        report = part.report()
        print(f"{report}\n", flush=True)
        _write(None if folder is None else folder / f"{name}.md", report)
        done.append(part)
    return done


def _make_room(*paths: Path | None) -> None:
    """Find out before the work, not after it, that a file cannot be written."""
    for path in paths:
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.open("a").close()


def _write(path: Path | None, report: str) -> None:
    if path is not None:
        path.write_text(report + "\n")


def _save_plot(run: PaperRun, path: Path) -> None:
    panels: dict[str, dict[str, tuple[tuple[float, float], ...]]] = {}
    for cell in run.cells:
        if len(cell.history) >= _CURVES:
            title = f"{cell.data}, {cell.table}"
            name = cell.title + (", in loops" if cell.method.endswith("-loops") else "")
            panels.setdefault(title, {})[name] = cell.history
    if panels:
        save_curves(panels, path)


def _save_scaling(parts: list[Part], limit: float, path: Path) -> None:
    """The parts that have times against rows, as one picture; of a method in two, the first."""
    lines: dict[str, list[tuple[float, float]]] = {}
    ends: dict[str, tuple[float, str]] = {}
    for part in parts:
        for name, curve in part.curves.items():
            if name in lines:
                continue
            lines[name] = [(n, o.seconds) for n, o in curve if o.seconds is not None]
            if stopped := [(float(n), o.status) for n, o in curve if not o.finished]:
                ends[name] = stopped[0]
    if any(lines.values()):
        save_scaling(lines, ends, limit, path)


@contextmanager
def progress_line() -> Iterator[Progress]:
    """A line on stderr that is written over and leaves nothing; a line each where it is a file."""
    began = time.monotonic()

    def progress(done: int, total: int, name: str) -> None:
        line = f"{done}/{total}  {time.monotonic() - began:.0f} s  {name}"
        if sys.stderr.isatty():
            _write_over(line)
        else:
            print(line.rstrip(), file=sys.stderr, flush=True)

    try:
        yield progress
    finally:
        if sys.stderr.isatty():
            _write_over("")
            print("\r", end="", file=sys.stderr, flush=True)


def _write_over(line: str) -> None:
    width = shutil.get_terminal_size().columns - 1  # a full line would make the terminal scroll
    print(f"\r{line:{width}.{width}}", end="", file=sys.stderr, flush=True)
