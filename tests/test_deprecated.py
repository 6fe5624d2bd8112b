"""Names that moved: the old ones warn, and are what the new ones are."""

import pytest

import hsiclearn.tables
from hsiclearn._cli import tables


@pytest.mark.parametrize("name", tables.__all__)
def test_tables_warn_and_work(name):
    with pytest.warns(FutureWarning, match=f"hsiclearn.tables.{name} belongs to the command"):
        assert getattr(hsiclearn.tables, name) is getattr(tables, name)


def test_tables_have_no_other_names():
    assert set(hsiclearn.tables.__all__) == set(tables.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        hsiclearn.tables.nothing  # noqa: B018
