"""Try to break the library, and count: bad input, damaged files, kills, mutants, other versions.

    python -m hsiclearn_benchmarks.trust [PART ...] [--scale 0.01] [--seed 1] [--markdown FILE]

In the file of ``--markdown`` a part takes the place of what was there of it. The exit code is 1
where a part missed a goal.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from ..commands import progress_line
from ..one_file import put_into
from . import PARTS, run_trust


def main() -> int:
    """Print every part when it is done, and write it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}; or all")
    parser.add_argument("--scale", type=float, default=1.0, help="share of the counts")
    parser.add_argument("--seed", type=int, default=0, help="where random choices begin")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the tables there, too")
    given = parser.parse_args()
    if unknown := set(given.parts) - set(PARTS):
        parser.error(f"PART must be of {', '.join(PARTS)}. Got {', '.join(sorted(unknown))}.")
    is_all_met = True
    with progress_line() as progress:
        run = run_trust(given.parts, scale=given.scale, seed=given.seed, progress=progress)
        for _, part in run:
            report = part.report()
            print(f"{report}\n", flush=True)
            put_into(given.markdown, report, PARTS)
            is_all_met &= not part.judged or all(goal.is_met for goal in part.goals)
    return int(not is_all_met)


if __name__ == "__main__":
    raise SystemExit(main())
