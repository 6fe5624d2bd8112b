"""Clustering beside its rivals: how often it is right, how low it gets, how long it takes.

    python -m hsiclearn_benchmarks.clustering [alternative] [data] [unsupervised] [semi]

Every part prints a markdown table, and a line of progress on stderr. All runs are independent:
they are shared out over processes (``--jobs``), each with one thread, so that the seconds are those
of one core. ``--json FILE`` keeps the figure of every single run; with ``--resume`` runs that FILE
has already are not repeated.

The parts ``data`` and ``unsupervised``, and one of three tables in ``semi``, read the data of the
paper from the folder ``HSICLEARN_DATA``.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from types import ModuleType

from ..commands import progress_line
from ..units import Store, perform, problems
from . import alternative, data, semi, unsupervised

PARTS: dict[str, ModuleType] = {
    "alternative": alternative,
    "data": data,
    "unsupervised": unsupervised,
    "semi": semi,
}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Clustering beside its rivals.")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; or all")
    parser.add_argument("--seeds", type=int, default=10, help="tables per setting (alternative)")
    parser.add_argument("--rows", type=int, default=600, help="of such a table (alternative)")
    parser.add_argument("--draws", type=int, default=50, help="of known labels (semi)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--only", default="", help="runs whose name contains this, e.g. moons")
    parser.add_argument("--json", type=Path, help="file for the figures of every run")
    parser.add_argument("--resume", action="store_true", help="keep the runs --json has already")
    chosen = parser.parse_args()
    unknown = set(chosen.parts) - set(PARTS)
    if unknown:
        parser.error(f"PART must be of {', '.join(PARTS)}. Got {', '.join(sorted(unknown))}.")
    if chosen.resume and chosen.json is None:
        parser.error("--resume needs --json FILE.")
    return chosen


def main() -> None:
    args = arguments()
    store = Store(args.json, resume=args.resume)
    for name in args.parts or PARTS:
        runs = [run for run in PARTS[name].runs(args) if args.only in run.name]
        with progress_line() as progress:
            found = perform(name, runs, store, jobs=args.jobs, tell=progress)
        records = [record for record in found.values() if "problem" not in record]
        print("\n".join([f"\n## {name}\n", PARTS[name].table(records), *problems(found)]))


if __name__ == "__main__":
    main()
