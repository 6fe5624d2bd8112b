"""The checkpoint file: written whole or not at all, read with suspicion, never unpickled."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import astuple
from pathlib import Path
from typing import IO, Any, cast

import numpy as np

from .._arrays import Array
from .._files import replacing
from .._objective import Objective
from .._records import check_types
from .._result import PROBES, Record, Status, digest_of, digest_of_values
from .._stored import open_to_read, printable, read_array, read_json, read_members
from ..exceptions import CheckpointError
from ..kernels import AbstractKernel
from ._base import Run, SavedRun, State, check_same_cost
from .problem import Problem, Settings

_FORMAT = 1
_HEADER = "header"
_ORTHONORMAL = 1e-8  # |W'W - I| of an iterate at most; rounding leaves 1e-14
_BETAS = (0.0, 0.1, 1.0, 3.0)
_AFRESH = "Start afresh with resume=False, which overwrites it, or choose another path."


def ended_run(saved: SavedRun, status: Status, objective: Objective, tol: float) -> Run:
    """The outcome that a file claims, once the objective bears it out.

    The cost must be the one recorded, and a run that converged must have found a gradient of
    ``tol`` at most; twice that, since another machine rounds differently.
    """
    anchor = saved.state.get("anchor")  # where the engine's approximation was chosen, if held
    point = (objective if anchor is None else objective.held_at(np.asarray(anchor))).point(saved.W)
    check_same_cost(point, saved.history)
    if status.converged and not point.stationarity <= 2.0 * tol:
        raise CheckpointError(
            f"A run that converged must have a gradient of tol={tol:g} at most. The checkpoint "
            f"says {status.name}, the gradient there is {point.stationarity:.1e}. {_AFRESH}"
        )
    return Run(point, status, saved.history, saved.start)


def ended_state(outcome: Run) -> State:
    """What it takes to evaluate the outcome of a run again, to the same bits."""
    anchor = getattr(outcome.point.objective, "anchor", None)
    return {"W": outcome.point.W} | ({} if anchor is None else {"anchor": anchor})


class CheckpointFile:
    """The runs of one solve in one file: an ``.npz`` of arrays and a header in JSON.

    A file with another ``fingerprint`` is refused: it is of another problem.
    """

    def __init__(self, path: str | os.PathLike[str], fingerprint: Mapping[str, str]) -> None:
        self.path, self._fingerprint = Path(path), dict(fingerprint)
        if not self.path.parent.is_dir() or self.path.is_dir():
            raise CheckpointError(
                f"`checkpoint` must name a file in a folder that exists. Got {str(self.path)!r}. "
                "Make the folder first, or choose another path."
            )

    def save(self, runs: Sequence[SavedRun]) -> None:
        """Replace the file. Whatever happens meanwhile, it is the old one or the new one."""
        header = {
            "format": _FORMAT,
            "fingerprint": self._fingerprint,
            "entries": [_header_of(saved) for saved in runs],
        }
        arrays: dict[str, Any] = {
            f"{k}.{name}": value
            for k, saved in enumerate(runs)
            for name, value in saved.state.items()
            if isinstance(value, np.ndarray)
        }
        arrays[_HEADER] = np.array(json.dumps(header, default=lambda scalar: scalar.item()))
        with replacing(self.path) as file:
            np.savez(file, allow_pickle=False, **arrays)

    def load(self) -> list[SavedRun]:
        """The runs in the file; none if there is no file yet."""
        try:
            with open_to_read(self.path) as file:
                header, arrays = self._read(file)
        except FileNotFoundError:
            return []
        self._check(header)
        try:
            return [_run_from(item, k, arrays) for k, item in enumerate(header["entries"])]
        except Exception as error:  # and so does what it says
            raise self._damaged(error) from error

    def _read(self, file: IO[bytes]) -> tuple[dict[str, Any], dict[str, Any]]:
        try:
            members = read_members(file)
            arrays = {name.removesuffix(".npy"): read_array(m) for name, m in members.items()}
            return dict(read_json(str(arrays.pop(_HEADER)))), arrays
        except Exception as error:  # a damaged archive fails in as many ways as there are bytes
            raise self._damaged(error) from error

    def _damaged(self, error: Exception) -> CheckpointError:
        return CheckpointError(
            f"A checkpoint must be a file that hsiclearn wrote, whole. {str(self.path)!r} is "
            f"damaged or something else: {type(error).__name__}: {printable(error)}. {_AFRESH}"
        )

    def _check(self, header: dict[str, Any]) -> None:
        """Refuse another format, and another problem."""
        if header.get("format") != _FORMAT:
            raise CheckpointError(
                f"A checkpoint must have format {_FORMAT}. {str(self.path)!r} has format "
                f"{printable(header.get('format'), 30)}, of another version of hsiclearn. {_AFRESH}"
            )
        theirs = header.get("fingerprint")
        theirs = theirs if isinstance(theirs, dict) else {}
        differing = [
            f"{name} was {_word(theirs.get(name))}, is {value}"
            for name, value in self._fingerprint.items()
            if theirs.get(name) != value
        ]
        if differing:
            raise CheckpointError(
                f"`resume` needs the problem and the settings that {str(self.path)!r} was "
                f"written for. Differing: {'; '.join(differing)}. Pass the same, with an integer "
                f"as random_state. {_AFRESH}"
            )


def _word(value: Any) -> str:
    """What a file says of its problem, if that is text as it should be."""
    return printable(value) if isinstance(value, str | None) else "something else"


def _header_of(saved: SavedRun) -> dict[str, Any]:
    """A run without its arrays; JSON keeps every bit of a float, NaN and infinity too."""
    state = saved.state
    return {
        "stage": saved.stage,
        "start": saved.start,
        "status": None if saved.status is None else saved.status.name,
        "history": [astuple(record) for record in saved.history],
        "numbers": {k: v for k, v in state.items() if not isinstance(v, np.ndarray)},
        "arrays": [k for k, v in state.items() if isinstance(v, np.ndarray)],
    }


def _run_from(item: dict[str, Any], position: int, arrays: dict[str, Any]) -> SavedRun:
    state = {
        **item["numbers"],
        **{name: arrays[f"{position}.{name}"] for name in item["arrays"]},
    }
    history = tuple(Record(*values) for values in item["history"])
    status = None if item["status"] is None else Status[item["status"]]
    saved = SavedRun(item["stage"], item["start"], status, cast(State, state), history)
    for part in (saved, *history):
        check_types(part)
    _check_history(history)
    _check_run(state, history)
    return saved


def _check_history(history: tuple[Record, ...]) -> None:
    """Counts count, and costs are numbers: what goes on compares with them."""
    for record in history:
        counts = (record.evaluations, record.hessian_products, record.iterations)
        if not np.isfinite(record.cost) or not 0.0 <= record.seconds < np.inf or min(counts) < 0:
            raise ValueError("a history must have finite costs, and counts that are not negative")


def _check_run(state: dict[str, Any], history: tuple[Record, ...]) -> None:
    """What a run rests on: numbers, and an iterate with orthonormal columns."""
    W = state.get("W")
    if not history or not isinstance(W, np.ndarray) or W.dtype != np.float64 or W.ndim != 2:
        raise ValueError("a run without iterates")
    if W.shape[0] < W.shape[1]:
        raise ValueError("more directions than features")
    if not all(isinstance(v, float | int | np.ndarray) for v in state.values()):
        raise TypeError("the state of a run must be numbers and arrays")
    for name in {"W", "anchor"} & state.keys():
        _check_directions(np.asarray(state[name]), W.shape)


def _check_directions(W: Array, shape: tuple[int, ...]) -> None:
    with np.errstate(all="ignore"):  # an overflow is no length of at most that, nor is NaN
        is_frame = W.shape == shape and W.dtype == np.float64
        is_frame = is_frame and np.linalg.norm(W.T @ W - np.eye(W.shape[1])) <= _ORTHONORMAL
    if not is_frame:
        raise ValueError("the directions of a run are not orthonormal")


def fingerprint_of(
    problem: Problem, settings: Settings, rng: np.random.Generator
) -> dict[str, str]:
    """Name and value of everything the path of a solve depends on.

    Data are told apart by their products with a few seeded random vectors, to nine digits: one
    pass over the rows and none over the pairs, and the same on a machine that rounds otherwise.
    """
    objective = problem.objective
    n = objective.n_samples
    # The state of some generators is an array.
    drawn = json.dumps(rng.bit_generator.state, default=lambda key: np.asarray(key).tolist())
    X, gamma = _digests_of_data(objective)
    return {
        "X": f"{n} x {problem.n_features}, {X}",
        "gamma": f"{n} x {n}, {gamma}",
        "kernel": _kernel(objective.kernel),
        "n_components": str(problem.q),
        "engine": objective.engine,
        "init": _init(settings.init),
        "random_state": _short_hash(drawn.encode()),
        **{name: repr(getattr(settings, name)) for name in ("solver", "n_init", "tol", "max_iter")},
    }


def _digests_of_data(objective: Objective) -> tuple[str, str]:
    """Of the rows and of Gamma; where they are elsewhere, of sums over them, ``X'X`` and Phi(0)."""
    if objective.rows.elsewhere is not None or objective.rows.on_device is not None:
        sums = objective.gram, objective.phi_at_zero
        return digest_of_values(sums[0]), digest_of_values(sums[1])
    V = np.random.default_rng(0).standard_normal((objective.n_samples, PROBES))
    return digest_of(objective.rows), digest_of_values(V.T @ objective.gamma.apply(V))


def _short_hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def _init(init: str | Array) -> str:
    if isinstance(init, str):
        return init
    W = np.ascontiguousarray(init, dtype=np.float64)
    return f"array {W.shape}, {_short_hash(W.tobytes())}"


def _kernel(kernel: AbstractKernel) -> str:
    """The terms as they print, and what they are worth: functions have addresses for names."""
    terms = []
    for weight, term in kernel.terms:
        name = re.sub(r" at 0x[0-9a-fA-F]+", "", repr(term))
        values = " ".join(f"{float(v):.6g}" for v in np.asarray(term.f(np.array(_BETAS))))
        terms.append(f"{float(weight)!r} * {name} [{values}]")
    return " + ".join(terms)
