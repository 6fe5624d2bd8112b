"""What ``hsiclearn fit`` is asked for."""

# ruff: noqa: RUF009  (the functions that are called make fields)

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from .options import DATA, DROP, JSON, QUIET, SEED, TargetKind, argument, flag, option

_RULES = ("auto", "median")  # for the bandwidth


@dataclass(frozen=True)
class FitOptions:
    """Find directions that depend on a column, or clusters.

    The answer goes to stdout, notes and warnings to stderr. Numbers are standardised, dates become
    numbers, and text becomes columns of 0 and 1, one less than it has categories. A column that
    numbers the rows is left out. In messages rows are counted from 1, without the header.
    """

    data: Path = argument("DATA", f"{DATA}; or a folder of Parquet, larger than memory.")
    target: str | None = option("COL", "Find directions that depend on this.")
    clusters: str | None = option("K", "Find so many clusters, or auto.")
    known: str | None = option("COL", "Clusters that follow these labels; empty cells are unknown.")
    against: list[str] = option("COL", "Clusters other than these labels; repeatable.", [])
    components: str | None = option("N", "Directions, or auto with --target. [default: 2]")
    target_kind: TargetKind = option(None, "What the target is.", "auto")
    drop: list[str] = option("COL", DROP, [])
    keep: list[str] = option("COL", "A feature although it numbers the rows.", [])
    id: str | None = option("COL", "Names of rows, not a feature.")
    groups: str | None = option("COL", "Rows of a group are held out together; no feature.")
    weights: str | None = option("COL", "How often each row counts; no feature.")
    categories: Literal["one-hot", "ordinal"] = option(
        None, "What becomes of columns of text.", "one-hot"
    )
    category: list[str] = option(
        "COL", "Codes, not numbers: take as text; repeatable, or with commas.", []
    )
    impute: bool = flag("Fill missing numbers with the median.")
    drop_missing_target: bool = flag("Leave out rows without a label.")
    no_scale: bool = flag("Do not standardise: columns share a unit.")
    seed: int = option("N", SEED, 0, least=0)
    bandwidth: str | None = option(
        "S",
        "How near is near: a number, auto or median. With clusters a number is one scale for "
        "all rows. [default: auto]",
    )
    metric: Literal["auto", "identity", "covariance", "relevance"] | None = option(
        None,
        "With --target: directions orthonormal in the columns as they are, in their covariance, or "
        "in columns weighed by their part. [default: auto]",
    )
    select: str | None = option(
        "N",
        "With --target: how many columns the directions may be made of, or auto. [default: all]",
    )
    objective: Literal["dependence", "prediction", "auto"] | None = option(
        None,
        "With --target: HSIC, or how well rows are predicted from the others. [default: auto]",
    )
    starts: int | None = option("N", "From how many to start. [default: 1]", least=1)
    tol: float | None = option("T", "How small the gradient is to be. [default: 1e-6]")
    max_iter: int | None = option("N", "Steps at most. [default: 100; clusters: 300]", least=1)
    engine: Literal["auto", "dense", "tiled", "nystrom", "landmarks", "torch"] | None = option(
        None,
        "Sums over all pairs of rows (dense, tiled), or in linear time (nystrom; of clusters: "
        "landmarks, a sample of rows); torch: on a GPU, if there is one. [default: auto]",
    )
    scheduler: str | None = option(
        "ADDRESS", "With a folder: of a cluster of Dask that reads it. [default: threads]"
    )
    model: Path | None = option(
        "FILE",
        "Write the model there. It holds rows of the fit, projected, and their labels: with "
        "--target some 1000 at most, with --clusters all.",
    )
    report: Path | None = option("FILE", "Write a page (HTML) there.")
    json: bool = flag(JSON)
    quiet: bool = flag(QUIET)
    verbose: bool = flag("Every step on stderr, a line each.")
    force: bool = flag("Overwrite files.")

    def check(self) -> None:
        """Options must go together, and values be in range."""
        for is_wrong, message in self._rules():
            if is_wrong:
                raise ValueError(message)
        _check_count("--components", self.components, 1)
        _check_count("--clusters", self.clusters, 2)
        _check_count("--select", self.select, 1)
        if self.components == "auto" and self.target is None:
            raise ValueError("--components auto needs --target. With clusters, name a number.")
        if self.bandwidth is not None and self.bandwidth not in _RULES:
            _check_positive("--bandwidth", self.bandwidth, ", auto or median")
        if self.tol is not None:
            _check_positive("--tol", self.tol)

    def _rules(self) -> list[tuple[bool, str]]:
        """Combinations that make no sense, and what to do."""
        target, known = self.target is not None, self.known is not None
        clusters = self.clusters is not None or known or bool(self.against)
        return [
            (
                not target and not clusters,
                "What is to be found? Use --target COL for the directions that depend on a column, "
                "or --clusters K for clusters.",
            ),
            (
                target and clusters,
                "--target looks for directions; --clusters, --known and --against look for "
                "clusters. Use the one or the other.",
            ),
            (
                target and self.engine == "landmarks",
                "--engine landmarks is for clusters. With --target use nystrom.",
            ),
            (
                not target and self.engine == "torch",
                "--engine torch is for directions that depend on a column. Use --target COL.",
            ),
            (
                not target and (self.metric, self.objective, self.select) != (None, None, None),
                "--metric, --objective and --select are for directions that depend on a column. "
                "Use --target COL.",
            ),
            (
                known and bool(self.against),
                "--known follows labels and --against avoids them. Use the one or the other.",
            ),
            (
                not target and self.groups is not None,
                "--groups says which rows are held out together, which --target asks for. Use "
                "--target COL, or --drop for the column.",
            ),
            (
                not target and self.target_kind != "auto",
                "--target-kind says what the column of --target is. Use --target COL.",
            ),
            (
                known and self.drop_missing_target,
                "--known takes rows without a label for unknown; --drop-missing-target leaves them "
                "out. Use the one or the other.",
            ),
        ]

    def solver_parameters(self) -> dict[str, Any]:
        """Of an estimator; what was not asked for is left to it.

        By default a clustering gives every row a scale of its own, from its neighbours; one
        bandwidth for all rows is the Gaussian kernel's.
        """
        found: dict[str, Any] = {"tol": self.tol, "max_iter": self.max_iter}
        found |= {"n_init": self.starts, "engine": self.engine, "metric": self.metric}
        found["objective"] = self.objective
        if self.select is not None:
            found["n_features_to_select"] = (
                self.select if self.select == "auto" else int(self.select)
            )
        if self.bandwidth not in (None, "auto"):
            is_rule = self.bandwidth in _RULES
            found["bandwidth"] = self.bandwidth if is_rule else float(str(self.bandwidth))
            found |= {"kernel": "gaussian"} if self.target is None else {}
        return {name: value for name, value in found.items() if value is not None}


def _check_count(name: str, text: str | None, least: int) -> None:
    if text is None or text == "auto":
        return
    if not text.isascii() or not text.isdigit() or int(text) < least:
        raise ValueError(f"{name} must be a whole number >= {least}, or auto. Got {text!r}.")


def _check_positive(name: str, value: str | float, others: str = "") -> None:
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not 0.0 < number < math.inf:
        raise ValueError(f"{name} must be a number > 0{others}. Got {value!r}.")
