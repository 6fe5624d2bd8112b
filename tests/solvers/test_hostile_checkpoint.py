"""Checkpoints made to do harm: refused with the one documented error, or of no consequence."""

import json
from functools import cache

import numpy as np
import pytest

from hsiclearn import solve
from hsiclearn._solvers import Settings, minimise
from hsiclearn.exceptions import CheckpointError
from hsiclearn.gamma import ClassTable
from hsiclearn.kernels import Gaussian
from problems import ring


class PowerCutError(Exception):
    """Ends a fit."""


@cache
def problem():
    X, y, _ = ring(40)
    return X, ClassTable.centered(y), Gaussian(1.0), 2


@cache
def saved(folder):
    """The header and the arrays of a fit that was cut off after three steps."""
    left = 3

    def cut(record):
        nonlocal left
        left -= 1
        if not left:
            raise PowerCutError

    path = folder / "fit.npz"
    with pytest.raises(PowerCutError):
        minimise(*problem(), Settings(checkpoint=path, callback=cut))
    with np.load(path, allow_pickle=False) as stored:
        arrays = {name: stored[name] for name in stored.files}
    return str(arrays.pop("header")), arrays


def resumed(tmp_path_factory, change=lambda header: None, text=None, **arrays):
    """Of a file whose header or arrays were changed."""
    folder = tmp_path_factory.getbasetemp()
    whole, stored = saved(folder)
    header = json.loads(whole)
    change(header)
    path = folder / "forged.npz"
    np.savez(path, header=np.array(text or json.dumps(header)), **(stored | arrays))
    return solve(*problem(), checkpoint=path, resume=True)


def entry(name, value, part="history"):
    """A change of the last record, or of a number of the state."""

    def change(header):
        run = header["entries"][0]
        if part == "history":
            run["history"][-1][name] = value
        else:
            run[part][name] = value

    return change


@pytest.mark.parametrize(
    "change",
    [
        *(entry(1, cost) for cost in (np.inf, np.nan, 10**400, "0", None)),
        *(entry(5, seconds) for seconds in (np.nan, -1.0, np.inf)),
        *(entry(column, -(10**18)) for column in (6, 7, 8)),
        lambda header: header["entries"][0]["history"][0].__setitem__(1, np.inf),
        *(entry("radius", radius, "numbers") for radius in ("wide", 1e300, np.inf, -1.0, 10**400)),
        entry("first_cost", 10**400, "numbers"),
        lambda header: header["entries"][0].__setitem__("stage", "\x1b[2J" * 1000),
        lambda header: header["entries"][0].__setitem__("arrays", ["W", "anchor"]),
        lambda header: header["entries"][0].__setitem__("status", "mro"),
        lambda header: header["entries"][0].__setitem__("numbers", []),
        lambda header: header.__setitem__("fingerprint", {"X": "\x1b[2J" * 1000}),
        lambda header: header.__setitem__("format", "9" * 10**5),
    ],
)
def test_forged_headers(change, tmp_path_factory):
    with pytest.raises(CheckpointError) as error:
        resumed(tmp_path_factory, change)
    assert len(str(error.value)) < 3000
    assert str(error.value).isprintable()


@pytest.mark.parametrize("value", [np.inf, np.nan, 1e300, 1e-300, 2.0])
def test_directions_that_are_none(value, tmp_path_factory):
    """An overflow in W'W is refused in silence, not with a warning of numpy."""
    with pytest.raises(CheckpointError, match="not orthonormal"):
        resumed(tmp_path_factory, **{"0.W": np.full((4, 2), value)})


@pytest.mark.parametrize("depth", [900, 100_000])
def test_a_header_of_many_levels(depth, tmp_path_factory):
    """Also where its parser takes it, and what prints it in a message would not."""
    deep = "[" * depth + "]" * depth
    for text in (
        f'{{"format": 1, "fingerprint": {{"X": {deep}}}, "entries": []}}',
        f'{{"format": {deep}}}',
        f'{{"format": 1, "entries": {deep}}}',
    ):
        with pytest.raises(CheckpointError):
            resumed(tmp_path_factory, text=text)
