"""What is killed: fits with a checkpoint, models that are saved, the command while it writes.

Each is run in a process of its own that was forked from one which has imported everything. It says
``begun`` when its data are there, ``writing`` when a file is about to be written, ``done`` with its
answer, or ``failed``.
"""

from __future__ import annotations

import hashlib
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import IO, Any

import numpy as np
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

import hsiclearn
from hsiclearn import Record, Result, SupervisedHSIC
from hsiclearn._cli import outputs
from hsiclearn._cli.app import app
from hsiclearn._persistence import models
from hsiclearn._solvers import Settings, checkpoint, minimise
from hsiclearn.gamma import ClassTable, Dense
from hsiclearn.kernels import Gaussian, Polynomial

from .._types import Array
from ..processes import Pipe

__all__ = ["PROBLEMS", "enter", "fit", "run_command", "save_again_and_again"]

Say = Callable[[str, Any], None]
_SAVES = 1000
_WRITERS: tuple[Any, ...] = (checkpoint, models, outputs)  # that write a file whole or not at all


def enter(pipe: Pipe, job: Callable[..., Any], *args: Any) -> None:
    """Run a job, and say how it goes."""
    warnings.simplefilter("ignore")

    def say(what: str, content: Any = None) -> None:
        pipe.send((what, content))

    for module in _WRITERS:
        module.replacing = _telling(module.replacing, say)
    try:
        say("done", job(say, *args))
    except Exception as error:
        say("failed", f"{type(error).__name__}: {error}")


def _telling(replacing: Callable[..., Any], say: Say) -> Callable[..., Any]:
    @contextmanager
    def told(*args: Any, **options: Any) -> Iterator[IO[bytes]]:
        say("writing", None)
        with replacing(*args, **options) as file:
            yield file

    return told


def fit(say: Say, name: str, path: Path | None) -> str:
    """A problem to its end, from the checkpoint where there is one; the digest of the answer."""
    job = PROBLEMS[name]()
    say("begun", None)
    return _digest(job({} if path is None else {"checkpoint": path, "resume": True}))


def _digest(result: Result) -> str:
    """Of every bit of an answer but the seconds."""
    history = [repr(_timeless(record)) for record in result.history]
    parts = [result.W.tobytes(), np.float64(result.cost).tobytes(), result.eigenvalues.tobytes()]
    words = f"{result.status.name} {result.start} {result.engine} {history} {result.certificate}"
    return hashlib.sha256(b"".join([*parts, words.encode()])).hexdigest()


def _timeless(record: Record) -> Record:
    return replace(record, seconds=0.0)


Job = Callable[[dict[str, Any]], Result]


def _wine() -> tuple[Array, Array]:
    X, y = load_wine(return_X_y=True)
    return StandardScaler().fit_transform(X), y


def _planted(n: int, d: int, kind: str = "classes") -> tuple[Array, Array]:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, d))
    y = np.sin(2.0 * X[:, 0]) + X[:, 1] ** 2 + 0.3 * rng.standard_normal(n)
    return X, np.digitize(y, (0.0, 1.0)) if kind == "classes" else y


def _estimator(X: Array, y: Array, **parameters: Any) -> Job:
    model = SupervisedHSIC(**{"objective": "dependence", **parameters})
    return lambda where: model.set_params(**where).fit(X, y).result_


def _solve(X: Array, gamma: Any, kernel: Any, q: int, **options: Any) -> Job:
    return lambda where: minimise(X, gamma, kernel, q, Settings(**options, **where))


def _indefinite() -> Job:
    rng = np.random.default_rng(3)
    X, G = rng.standard_normal((200, 8)), rng.standard_normal((200, 200))
    return _solve(X, Dense(G + G.T), Gaussian(1.5), 2, n_init=6)


def _screened() -> Job:
    X, y = _planted(700, 6)
    return _solve(X, ClassTable.centered(y), Gaussian(1.0), 2, n_init=5)


PROBLEMS: dict[str, Callable[[], Job]] = {
    "classes, all pairs, a fine kernel": lambda: _estimator(
        *_wine(), n_components=3, bandwidth=0.6
    ),
    "random weights, six starts": _indefinite,
    "five starts, compared on fewer rows": _screened,
    "a dimension by the eigengap": lambda: _estimator(
        *_wine(), n_components="eigengap", bandwidth=1.0
    ),
    "everything chosen on rows held out": lambda: _estimator(*_planted(300, 8)),
    "landmarks, 6000 rows": lambda: _estimator(
        *_planted(6000, 10), bandwidth=2.0, engine="nystrom", tol=1e-9
    ),
    "monomials, 6000 rows": lambda: _estimator(
        *_planted(6000, 8, "real"), kernel=Polynomial(3), engine="features", tol=1e-9
    ),
    "tiles in single precision": lambda: _estimator(
        _planted(900, 8)[0].astype(np.float32), _planted(900, 8)[1], bandwidth=1.0, engine="tiled"
    ),
}
"""Each makes its data, and a function that solves them with a checkpoint or without."""


def save_again_and_again(say: Say, sources: list[Path], path: Path, overwrite: bool) -> None:
    """Models from files, each saved in turn under the one name."""
    found = [hsiclearn.load(source) for source in sources]
    say("begun", None)
    for k in range(_SAVES):
        if not overwrite:
            path.unlink(missing_ok=True)
        hsiclearn.save(found[k % len(found)], path, overwrite=overwrite)


def run_command(say: Say, arguments: list[str], folder: Path) -> None:
    """The command with these arguments; what it leaves among temporary files is in a folder."""
    tempfile.tempdir = str(folder)
    say("begun", None)
    with redirect_stdout(StringIO()):
        app(arguments, standalone_mode=False)
