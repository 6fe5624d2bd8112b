"""What must be true of every fit of a real table: each check yields its complaints."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from html import unescape
from pathlib import Path
from subprocess import run
from typing import Any

import numpy as np
import pandas as pd

# What only a program can do: the command must not advise it.
_OF_PYTHON = re.compile(
    r"\b(max_iter|n_init|n_components|n_clusters|random_state|on_interrupt|resume|"
    r"StandardScaler|fit_transform)\b|\b(tol|init|engine|target|solver|impute|bandwidth)="
)
_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
_BLANKS_TO_WARN_OF = 0.2


@dataclass(frozen=True)
class Outcome:
    """A fit of the command, and the table it was given."""

    table: pd.DataFrame = field(repr=False)
    kind: str
    holds: bool | None
    options: tuple[str, ...]
    code: int
    answer: dict[str, Any] = field(repr=False)
    told: str
    page: str = field(repr=False)
    seconds: float

    @property
    def words(self) -> str:
        """What a reader of the page sees, without scripts and data."""
        body = re.sub(r"<(script|style|noscript)\b.*?</\1>", " ", self.page, flags=re.S)
        text = unescape(re.sub(r"<[^>]+>", " ", body)).replace("R²", "R^2").replace(" %", "%")
        return " ".join(text.replace("\N{MINUS SIGN}", "-").split())

    def warned_of(self, name: str) -> bool:
        """Whether a warning names a column, or says that it names only some of many."""
        return any(name in line or " more" in line for line in self.answer["warnings"])

    def in_words(self) -> str:
        """The answer in a line."""
        if self.code:
            return f"exit {self.code}: {self.told.strip().splitlines()[-1][:150]}"
        badge, share = self.answer.get("badge", {}), self.answer["explained_share"]
        held_out = "" if share is None else f"{share:6.1%} held out, "
        if near := self.answer.get("neighbours"):
            held_out += (
                f"{near['measure']} {near['in_subspace']:.2f} in {self.answer['n_components']} "
                f"directions, {near['on_all_columns']:.2f} on all; "
            )
        return f"{held_out}{badge.get('kind')}: {badge.get('title')}"


def it_ran(outcome: Outcome) -> Iterator[str]:
    """A real table is fitted, or the message says what to do."""
    if outcome.code:
        yield outcome.told.strip()[-600:]
    if "Traceback" in outcome.told:
        yield "a traceback"


def advice_exists(outcome: Outcome) -> Iterator[str]:
    """Every option named in the terminal or on the page is one of the command's."""
    named = set(_OPTION.findall(f"{outcome.told} {outcome.words}"))
    if unknown := named - _options():
        yield f"options that are none: {sorted(unknown)}"
    for line in outcome.told.splitlines():
        if found := _OF_PYTHON.search(line):
            yield f"{found[0]!r} is no word of the command: {line[:160]}"


@cache
def _options() -> frozenset[str]:
    command = str(Path(sys.executable).with_name("hsiclearn"))
    helps = [
        run([command, verb, "--help"], capture_output=True, text=True, check=True).stdout
        for verb in ("fit", "transform", "report", "test")
    ]
    return frozenset(_OPTION.findall(" ".join(helps)))


def target_is_of_its_kind(outcome: Outcome) -> Iterator[str]:
    """Numbers of many values are a quantity, whatever their type."""
    if outcome.code or outcome.kind == "clusters":
        return
    [label] = outcome.answer["labels"].values()
    if label["kind"] != outcome.kind:
        yield f"the target was taken for {label['kind']}, it is {outcome.kind}"


def no_row_counter(outcome: Outcome) -> Iterator[str]:
    """A column that numbers the rows is no feature, and that is said."""
    for name in _counters(outcome.table):
        if outcome.code or name in outcome.options:
            continue
        if name in outcome.answer["features"]:
            yield f"{name!r} counts the rows and is a feature"
        elif name not in " ".join(outcome.answer["notes"]):
            yield f"no note says that {name!r} was left out"


def _counters(table: pd.DataFrame) -> list[str]:
    count = np.arange(len(table))
    return [
        name
        for name, column in table.items()
        if pd.api.types.is_integer_dtype(column) and np.array_equal(column - column[0], count)
    ]


def imputed_cells_are_told(outcome: Outcome) -> Iterator[str]:
    """Every feature with empty cells is named on the page; blank text is a category."""
    if outcome.code:
        return
    gone = set(outcome.answer.get("dropped", ())) | set(",".join(outcome.options).split(","))
    for name, column in outcome.table.items():
        blank = int(column.isna().sum())
        if not blank or name in gone or column.isna().all():
            continue
        is_number = pd.api.types.is_numeric_dtype(column)
        if is_number and name not in outcome.words:
            yield f"the page does not name {name!r}, of which {blank} cells were filled"
        if not is_number and not _blanks_are_a_category(outcome, name):
            yield f"empty cells of the text {name!r} are no category of their own"
        if is_number and blank > _BLANKS_TO_WARN_OF * len(column) and not outcome.warned_of(name):
            yield f"no warning says that {blank} of {len(column)} cells of {name!r} are empty"


def _blanks_are_a_category(outcome: Outcome, name: str) -> bool:
    """Whether blanks have a column, or are the most frequent, where all columns are 0."""
    column = outcome.table[name]
    has_column = any(f.startswith(f"{name}=(blank") for f in outcome.answer["features"])
    return has_column or bool(column.isna().sum() >= column.value_counts().max())


def page_and_answer_agree(outcome: Outcome) -> Iterator[str]:
    """The badge is one and the same, and the held-out figures stand beside it."""
    if outcome.code:
        return
    badge = outcome.answer["badge"]
    if badge["title"] not in outcome.words:
        yield f"the page has another badge than {badge['title']!r}"
    share = outcome.answer["explained_share"]
    if share is not None and f"{100 * share:.1f}" not in outcome.words:
        yield f"the page does not say {share:.1%} on rows held out"


def no_claim_that_held_out_rows_deny(outcome: Outcome) -> Iterator[str]:
    """Green only where rows held out agree; and where they do not, no directions to be read."""
    if outcome.code or outcome.kind == "clusters":
        return
    kind, found = outcome.answer["badge"]["kind"], outcome.answer["found_dependence"]
    near = outcome.answer["neighbours"]
    if kind == "good" and not found:
        yield "the badge is green where nothing was found on rows held out"
    if kind == "good" and near["in_subspace"] <= near["chance"]:
        yield f"the badge is green, and neighbours are no better than chance: {near}"
    if outcome.holds and not found:
        yield f"nothing was found, {outcome.answer['explained_share']:.1%}"


def clusterings_have_words(outcome: Outcome) -> Iterator[str]:
    """What was found is said, not that a tolerance was missed."""
    if outcome.code or outcome.kind != "clusters":
        return
    if "NOT verified" in outcome.words or "NOT verified" in outcome.answer["badge"]["sentence"]:
        yield "a settled clustering reads NOT verified"
    if "agreement" not in outcome.answer["badge"]["title"]:
        yield "no agreement across starts and resamples"


CHECKS: tuple[Callable[[Outcome], Iterator[str]], ...] = (
    it_ran,
    advice_exists,
    target_is_of_its_kind,
    no_row_counter,
    imputed_cells_are_told,
    page_and_answer_agree,
    no_claim_that_held_out_rows_deny,
    clusterings_have_words,
)
