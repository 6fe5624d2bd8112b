"""Numbers that were written for people are no categories."""

import numpy as np
import pytest

from hsiclearn._cli.tables import Column, TableError
from hsiclearn._cli.tables.checks import check_category, disguise_of

SEEN = {
    "percentages": ["12.3%", "4 %", "-1,5%"],
    "numbers with thousands separators": ["45,123", "950", "1,234,567.50"],
    "numbers with decimal commas": ["5,3", "19,0", "-0,445"],
    "amounts of money": ["$12", "$7.50", "$99"],
}


@pytest.mark.parametrize("what", SEEN)
def test_disguises_are_seen_and_named(what):
    column = Column.of_texts("pay", [*SEEN[what], None])
    with pytest.raises(TableError, match=what) as caught:
        check_category(column)
    assert "'pay'" in str(caught.value)
    assert any(repr(cell) in str(caught.value) for cell in SEEN[what])
    assert "--category pay; or --drop pay" in caught.value.for_command


@pytest.mark.parametrize("mark", [".", "'", " ", "\u00a0"])
def test_other_marks_separate_thousands_too(mark):
    cells = [f"{k}{mark}000{mark}000" for k in range(1, 5)]
    assert disguise_of(Column.of_texts("n", cells))[0] == "numbers with thousands separators"


def test_a_few_bad_cells_do_not_hide_it():
    cells = [f"{k},5" for k in range(19)]
    assert disguise_of(Column.of_texts("n", [*cells, "none"])) is not None
    assert disguise_of(Column.of_texts("n", [*cells, *["none"] * 5])) is None


@pytest.mark.parametrize(
    "cells", [["a,b", "c"], ["1-5", "6-10"], ["1,2,3", "4,5,6"], ["A1", "007"], ["100 m", "5 km"]]
)
def test_other_text_is_left_alone(cells):
    assert disguise_of(Column.of_texts("n", cells * 3)) is None


def test_long_columns_are_told_before_they_are_names_of_rows():
    cells = [f"{k:,}" for k in np.arange(1000, 90000, 500).tolist()]
    with pytest.raises(TableError, match="thousands separators"):
        check_category(Column.of_texts("salary", cells))
