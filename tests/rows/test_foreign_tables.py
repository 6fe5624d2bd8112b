"""Projections on a device, a part at a time; tables that are refused are in the tests of fits."""

import numpy as np
import pytest

from foreign_arrays import LIBRARIES, is_of, make
from hsiclearn._devices import here, to_host
from hsiclearn._rows import DeviceRows, in_words, place_of

_rng = np.random.default_rng(0)
X, W = _rng.standard_normal((3000, 4)), _rng.standard_normal((4, 2))


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "bool"])
@pytest.mark.parametrize("library", LIBRARIES)
def test_rows_are_projected_where_they_are(library, dtype):
    values = (10 * X).astype(dtype)
    rows = DeviceRows(make(library, values), budget=1)  # the fewest rows at a time
    assert len(list(rows.chunks(rows.rows_within(1)))) == 3
    for some in (W, make(library, W)):
        Z = rows.projected(some)
        assert is_of(library, Z)
        assert to_host(Z).dtype == ("float32" if dtype == "float32" else "float64")
        np.testing.assert_allclose(to_host(Z), values @ W, rtol=1e-4, atol=1e-4)


def test_where_arrays_are():
    assert place_of(X) == place_of(X.tolist()) == ("numpy", "cpu")
    assert in_words(X) == "numpy"
    tensor = make("torch", X)
    assert place_of(tensor) == ("torch", "cpu")
    assert in_words(tensor) == "torch on cpu"
    assert here("text") == "text"
    assert isinstance(here(tensor), np.ndarray)
