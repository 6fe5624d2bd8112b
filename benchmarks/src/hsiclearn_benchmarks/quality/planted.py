"""Hidden subspaces: how near ours comes to them, and whether it finds their dimension."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from scipy.linalg import subspace_angles
from sklearn.preprocessing import StandardScaler

from hsiclearn import SupervisedHSIC
from hsiclearn.datasets import make_planted

from .._types import Figures
from ..parts import Goal, Part, markdown
from ..units import Unit, problems
from .suite import Suite, our_code

__all__ = ["find_dimension", "measure_angles", "measure_dimension", "true_angle"]

_Size = tuple[int, int]
_Key = tuple[str, _Size, int]  # kind, size, seed

_BOUNDS = {"xor": 10.0, "ring": 12.0, "sine": 5.0, "product": 7.0}  # degrees
_SIZE, _SEEDS = (400, 10), range(5)
_HARD_SIZES, _HARD_SEEDS = ((200, 10), (300, 20)), range(4)
_MISSED = 30.0  # degrees: beyond that another subspace was found
_FOUND = 19  # of 20 true dimensions


def true_angle(*, kind: str, n: int, d: int, seed: int) -> Figures:
    """Degrees of the largest principal angle to the true subspace, at the true dimension."""
    X, y, W = make_planted(kind, n, d, random_state=seed)
    scaler = StandardScaler().fit(X)
    # What is X @ W is (X / scale) @ (scale * W): the subspace of the standardised columns.
    truth = scaler.scale_[:, None] * W
    model = SupervisedHSIC(n_components=W.shape[1]).fit(scaler.transform(X), y)
    return {"degrees": float(np.degrees(subspace_angles(truth, model.components_.T)[0]))}


def find_dimension(*, kind: str, n: int, d: int, seed: int) -> Figures:
    """The dimension found, and the true one."""
    X, y, W = make_planted(kind, n, d, random_state=seed)
    model = SupervisedHSIC(n_components="auto").fit(StandardScaler().fit_transform(X), y)
    return {"found": int(model.n_components_), "true": W.shape[1]}


def measure_angles(suite: Suite) -> Part:
    """Plenty of rows, where the angle is to be small; and few, where none is to be large."""
    easy = _units(suite, true_angle, [_SIZE], _SEEDS)
    hard = _units(suite, true_angle, _HARD_SIZES, _HARD_SEEDS)
    found = suite.run("angles", [*easy.values(), *hard.values()])
    angles = {key: found[unit.name].get("degrees") for key, unit in (easy | hard).items()}
    known = [angle for key in hard if (angle := angles[key]) is not None]
    missed = sum(angle > _MISSED for angle in known) if len(known) == len(hard) else None
    mean = _mean([angles[key] for key in hard])
    rows = [
        [f"{size[0]} x {size[1]}", *(_angle_text(_select(angles, kind, size)) for kind in _BOUNDS)]
        for size in (_SIZE, *_HARD_SIZES)
    ]
    return Part(
        "Angles to the true subspace, at its dimension, in degrees",
        markdown(["rows x columns", *_BOUNDS], rows),
        [
            *(
                Goal(
                    f"mean angle of {kind}",
                    _mean(_select(angles, kind, _SIZE)),
                    bound,
                    unit=" degrees",
                )
                for kind, bound in _BOUNDS.items()
            ),
            Goal(f"of {len(hard)} hard runs, above {_MISSED:g} degrees", missed, 0.0),
        ],
        [
            "Mean over seeds, and the largest in brackets; columns are standardised.",
            f"The mean over the hard runs, those with fewer rows, is {_text(mean)}.",
            *problems(found),
        ],
    )


def measure_dimension(suite: Suite) -> Part:
    """Whether ``n_components="auto"`` finds the true dimension."""
    units = _units(suite, find_dimension, [_SIZE], _SEEDS)
    found = suite.run("dimension", list(units.values()))
    figures = {key: found[unit.name] for key, unit in units.items()}
    failed = problems(found)
    hits = sum(f["found"] == f["true"] for f in figures.values() if "problem" not in f)
    rows = [
        [kind, *(_found_text(f) for key, f in figures.items() if key[0] == kind)]
        for kind in _BOUNDS
    ]
    return Part(
        f'Dimensions found by n_components="auto", {_SIZE[0]} x {_SIZE[1]}',
        markdown(["kind", *(f"seed {seed}" for seed in suite.some(_SEEDS))], rows),
        [
            Goal(
                f"of {len(units)} runs, the true dimension",
                None if failed else hits,
                _FOUND,
                at_most=False,
            )
        ],
        ["The true dimension is in brackets where it was not found.", *failed],
    )


def _units(
    suite: Suite, task: Callable[..., Figures], sizes: Sequence[_Size], seeds: Sequence[int]
) -> dict[_Key, Unit]:
    return {
        (kind, (n, d), seed): Unit(
            f"{kind}, {n} x {d}, seed {seed}",
            task,
            {"kind": kind, "n": n, "d": d, "seed": seed},
            our_code(),
        )
        for kind in _BOUNDS
        for n, d in sizes
        for seed in suite.some(seeds)
    }


def _select(angles: Mapping[_Key, float | None], kind: str, size: _Size) -> list[float | None]:
    return [angle for key, angle in angles.items() if key[:2] == (kind, size)]


def _mean(angles: Sequence[float | None]) -> float | None:
    """None unless all are there."""
    known = [angle for angle in angles if angle is not None]
    return float(np.mean(known)) if len(known) == len(angles) else None


def _angle_text(angles: Sequence[float | None]) -> str:
    known = [angle for angle in angles if angle is not None]
    if len(known) < len(angles):
        return "failed"
    return f"{np.mean(known):.1f} ({max(known):.1f})"


def _found_text(figures: Figures) -> str:
    if "problem" in figures:
        return "failed"
    found, true = figures["found"], figures["true"]
    return str(found) if found == true else f"{found} ({true})"


def _text(value: float | None) -> str:
    return "not known" if value is None else f"{value:.1f} degrees"
