"""Fits on a cluster, measured on this machine: its price, its traffic, its losses, its limits.

    python -m hsiclearn_benchmarks.cluster [PART ...] [--scale 0.1] [--markdown FILE]

Parts are overhead, traffic, kills, lazy and simulate; all of them take a quarter of an hour. In the
file of ``--markdown`` a part takes the place of what was there of it.
"""

from __future__ import annotations

import argparse
import re
import warnings
from pathlib import Path

from ..commands import progress_line
from . import PARTS, run_cluster


def written(text: str, report: str) -> str:
    """A file of parts with one as it is now; they are known by the first word of their titles."""
    sections = [part for part in re.split(r"^(?=### )", text, flags=re.M) if part.strip()]
    by_word = {_word(section): section.strip() for section in sections} | {_word(report): report}
    order = {name: number for number, name in enumerate(PARTS)}
    known = sorted(by_word, key=lambda word: order.get(word, len(order)))
    return "\n\n".join(by_word[word] for word in known) + "\n"


def _word(section: str) -> str:
    return section.removeprefix("### ").partition(":")[0].lower()


def main() -> None:
    """Print every part when it is done, and write it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}; or all")
    parser.add_argument("--scale", type=float, default=1.0, help="share of the rows")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the tables there, too")
    given = parser.parse_args()
    if unknown := set(given.parts) - set(PARTS):
        parser.error(f"PART must be of {', '.join(PARTS)}. Got {', '.join(sorted(unknown))}.")
    warnings.simplefilter("ignore")
    with progress_line() as progress:
        for _, part in run_cluster(given.parts, scale=given.scale, progress=progress):
            report = part.report()
            print(f"{report}\n", flush=True)
            if given.markdown is not None:
                there = given.markdown.read_text() if given.markdown.exists() else ""
                given.markdown.parent.mkdir(parents=True, exist_ok=True)
                given.markdown.write_text(written(there, report))


if __name__ == "__main__":
    main()
