"""Fits on a cluster, measured on this machine: its price, its traffic, its losses, its limits.

    python -m hsiclearn_benchmarks.cluster [PART ...] [--scale 0.1] [--markdown FILE]

Parts are overhead, traffic, kills, lazy and simulate; all of them take a quarter of an hour. In the
file of ``--markdown`` a part takes the place of what was there of it.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

from ..commands import progress_line
from ..one_file import put_into
from . import PARTS, run_cluster


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
            put_into(given.markdown, report, PARTS)


if __name__ == "__main__":
    main()
