"""Clustering beside its rivals: how often it is right, how low it gets, how long it takes.

    python benchmarks/clustering.py [alternative] [data] [unsupervised] [semi]

Every part prints a markdown table, and a line of progress on stderr. All runs are independent:
they are shared out over processes (``--jobs``), each with one thread, so that the seconds are those
of one core. ``--json FILE`` keeps the figure of every single run; with ``--resume`` runs that FILE
has already are not repeated.

The parts ``data`` and ``unsupervised``, and one of three tables in ``semi``, read the data of the
paper from the folder ``HSICLEARN_DATA``, or else from ``../shared/data`` beside the project.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import clustering_alternative
import clustering_data
import clustering_semi
import clustering_unsupervised
from clustering_runs import Part, Store, perform

PARTS: dict[str, Part] = {
    "alternative": Part(clustering_alternative.runs, clustering_alternative.table),
    "data": Part(clustering_data.runs, clustering_data.table),
    "unsupervised": Part(clustering_unsupervised.runs, clustering_unsupervised.table),
    "semi": Part(clustering_semi.runs, clustering_semi.table),
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
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"  # read by the processes that are started below
    store = Store(args.json, args.resume)
    for name in args.parts or PARTS:
        runs = [run for run in PARTS[name].runs(args) if args.only in run.name]
        records = perform(name, runs, args.jobs, store)
        failed = [record for record in records if "error" in record]
        print(f"\n## {name}\n")
        print(PARTS[name].table([record for record in records if "error" not in record]))
        for record in failed:
            print(f"\nFailed: {record['name']}: {record['error']}")


if __name__ == "__main__":
    main()
