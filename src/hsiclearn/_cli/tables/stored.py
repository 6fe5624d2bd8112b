"""What a model file keeps of a TableEncoder: the kind of each part, and a row to try it on."""

from __future__ import annotations

from ..._arrays import Array
from ..._persistence.checks import first_categories
from ..._persistence.kinds import COUNT, NONE, NUMBER, TEXT, Kind, floats, list_of, mapping
from ..._persistence.registry import register
from .dates import is_date_fact
from .encoder import TableEncoder

_DATE = Kind("what is known of dates", lambda value, _: is_date_fact(value))


def _row(encoder: TableEncoder) -> Array:
    row = first_categories(encoder)
    row[0, [kind == "date" for kind in encoder.kinds_]] = "1970-01-01"
    return row


register(
    TableEncoder,
    {
        "categories": TEXT,
        "columns_": list_of(TEXT, "d"),
        "kinds_": list_of(TEXT, "d"),
        "categories_": list_of(list_of(TEXT), "d"),
        "reference_": list_of(TEXT | NONE, "d"),
        "fill_": list_of(TEXT | NUMBER | NONE, "d"),
        "dates_": list_of(_DATE | NONE, "d"),
        "imputed_": mapping(COUNT),
        "blank_": mapping(COUNT),
        "mean_": floats("out"),
        "scale_": floats("out"),
        "n_features_out_": COUNT,
    },
    _row,
)
