"""What a change of shape must not change: the answers of a fixed list of fits."""

from __future__ import annotations

import json

import numpy as np
import pytest

from answers.fits import FITS, STORED, answer, architecture

STORE = json.loads(STORED.read_text())
# Other routines of BLAS round sums in another order; a fit ends at a gradient of 1e-6 of Phi.
TOLERANCE = 1e-9 if STORE["architecture"] == architecture() else 1e-4
# Refits on halves of the rows tell the agreement and leave the components as they are.
REFITTED = ("clusters, wide", "alternative, as printed")


def test_every_fit_has_an_answer_to_be_compared_with():
    assert list(STORE["answers"]) == list(FITS)


# The kernel of a real target of many rows is interpolated to 2e-7, a fifth of this fit's tol.
INTERPOLATED = {"real, in linear time": 1e-7}


LONG = ("views", "clusters, number chosen")  # a second and more each


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.long] if name in LONG else []) for name in FITS],
)
def test_the_answer_is_the_one_that_is_kept(request, name):
    if name not in REFITTED:
        request.getfixturevalue("without_refits")
    atol = max(TOLERANCE, INTERPOLATED.get(name, 0.0))
    np.testing.assert_allclose(answer(name), STORE["answers"][name], rtol=0.0, atol=atol)
