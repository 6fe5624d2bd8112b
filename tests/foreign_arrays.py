"""Arrays of other libraries that tests pass: of torch, where it is installed, and of a strict one.

The strict one is on a device from which nothing comes to numpy by itself, as a GPU is.
"""

from __future__ import annotations

import array_api_strict
import numpy as np
import pytest

LIBRARIES = ("torch", "strict")


def make(library, values, dtype=None):
    """Numbers as an array of a library; text, which none of them has, as it is."""
    values = np.array(values, dtype=dtype)  # a copy: torch warns of arrays that are read-only
    if values.dtype.kind in "UO":
        return values
    if library == "torch":
        reason = "torch is an optional extra"
        return pytest.importorskip("torch", reason=reason).from_numpy(values)
    device = array_api_strict.Device("device1")
    return array_api_strict.asarray(values, device=device)


def is_of(library, array):
    """Whether an array is of a library, on the device that :func:`make` puts it on."""
    if library == "torch":
        return type(array).__module__ == "torch" and str(array.device) == "cpu"
    is_strict = isinstance(array, type(array_api_strict.asarray(0)))
    return is_strict and array.device == array_api_strict.Device("device1")
