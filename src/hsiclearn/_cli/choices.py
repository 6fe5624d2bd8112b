"""What ``hsiclearn fit`` was asked for."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from pathlib import Path

from .solver_options import SolverOptions

__all__ = ["FitOptions"]


@dataclass(frozen=True)
class FitOptions:
    """The options of the command, under their names."""

    data: Path
    target: str | None = None
    clusters: str | None = None
    known: str | None = None
    against: list[str] = field(default_factory=list)
    components: str | None = None
    target_kind: str = "auto"
    drop: list[str] = field(default_factory=list)
    keep: list[str] = field(default_factory=list)
    id: str | None = None
    groups: str | None = None
    categories: str = "one-hot"
    category: list[str] = field(default_factory=list)
    impute: bool = False
    drop_missing_target: bool = False
    scale: bool = True
    seed: int = 0
    solver: SolverOptions = field(default_factory=SolverOptions)
    model: Path | None = None
    report: Path | None = None
    json: bool = False
    quiet: bool = False
    verbose: bool = False
    force: bool = False

    def check(self) -> None:
        """Options must go together."""
        if self.target is None and not self.clusters_wanted:
            raise ValueError(
                "What is to be found? Use --target COL for the directions that depend on a column, "
                "or --clusters K for clusters."
            )
        if self.target is not None and self.clusters_wanted:
            raise ValueError(
                "--target looks for directions; --clusters, --known and --against look for "
                "clusters. Use the one or the other."
            )
        if self.known is not None and self.against:
            raise ValueError(
                "--known follows labels and --against avoids them. Use the one or the other."
            )
        if self.target is None and self.groups is not None:
            raise ValueError(
                "--groups says which rows are held out together, which --target asks for. Use "
                "--target COL, or --drop for the column."
            )
        if self.target is None and self.target_kind != "auto":
            raise ValueError("--target-kind says what the column of --target is. Use --target COL.")
        if self.known is not None and self.drop_missing_target:
            raise ValueError(
                "--known takes rows without a label for unknown; --drop-missing-target leaves them "
                "out. Use the one or the other."
            )
        _check_count("--components", self.components, 1)
        _check_count("--clusters", self.clusters, 2)
        if self.components == "auto" and self.target is None:
            raise ValueError("--components auto needs --target. With clusters, name a number.")
        self.solver.check()

    @property
    def clusters_wanted(self) -> bool:
        """Whether clusters are looked for, not directions alone."""
        return self.clusters is not None or self.known is not None or bool(self.against)

    @property
    def labelled(self) -> list[str]:
        """Names of columns that hold labels, as they were typed."""
        return [name for name in (self.target, self.known, *self.against) if name is not None]

    def command(self) -> str:
        """A command that finds the same again, in the folder of the data."""
        words = ["hsiclearn", "fit", self.data.name]
        for option, value in (
            ("--target", self.target),
            ("--clusters", self.clusters),
            ("--known", self.known),
            *(("--against", name) for name in self.against),
            ("--components", self.components),
            ("--target-kind", self.target_kind if self.target_kind != "auto" else None),
            *(("--drop", name) for name in self.drop),
            *(("--keep", name) for name in self.keep),
            ("--id", self.id),
            ("--groups", self.groups),
            ("--categories", self.categories if self.categories != "one-hot" else None),
            *(("--category", name) for name in self.category),
            ("--seed", str(self.seed) if self.seed else None),
        ):
            words += [] if value is None else [option, value]
        words += self.solver.words()
        words += [
            option
            for option, wanted in (
                ("--impute", self.impute),
                ("--drop-missing-target", self.drop_missing_target),
                ("--no-scale", not self.scale),
            )
            if wanted
        ]
        return shlex.join(words)


def _check_count(option: str, text: str | None, least: int) -> None:
    if text is None or text == "auto":
        return
    if not text.isascii() or not text.isdigit() or int(text) < least:
        raise ValueError(f"{option} must be a whole number >= {least}, or auto. Got {text!r}.")
