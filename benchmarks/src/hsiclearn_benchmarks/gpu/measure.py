"""The parts: each returns rows of a table, as dictionaries of what was measured."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import torch

from hsiclearn import SupervisedHSIC, hsic_test, solve
from hsiclearn._engines import DevicePairs, FusedPairs
from hsiclearn._linalg import sine_of_largest_angle
from hsiclearn._rows import DeviceRows
from hsiclearn.gamma import ClassTable, GaussianColumn, LowRank
from hsiclearn.kernels import (
    Cauchy,
    Gaussian,
    InverseMultiquadratic,
    Multiquadratic,
    RationalQuadratic,
)

from .data import (
    difference,
    directions,
    extra_memory,
    matrix_peak,
    planted,
    seconds,
    typical_bandwidth,
)

Row = dict[str, Any]

_FULL = 2**20


def _engine(n: int, d: int, q: int) -> tuple[FusedPairs, np.ndarray]:
    X, y, _ = planted(n, d, q)
    gamma = ClassTable.centered(y.cpu().numpy())
    return FusedPairs(DeviceRows(X), gamma, Gaussian(typical_bandwidth(q))), directions(d, q)


def phi(n: int = _FULL, d: int = 64, q: int = 8) -> Iterator[Row]:
    """One exact Phi of 10 classes: fused, its leading product, and plain tiles of torch."""
    fused, W = _engine(n, d, q)
    peak = matrix_peak()
    fused.contract(W)
    X, gamma, kernel = fused.X, fused.gamma, fused.kernel
    doubles = DeviceRows(X.at(slice(0, n)).double())
    took_double, (_, exact) = seconds(lambda: DevicePairs(doubles, gamma, kernel).contract(W))
    took, (_, found) = seconds(lambda: fused.contract(W), repeat=3)
    # Half of the pairs; an exponent is a product of 3 q + 6 columns filled up to 32, and S X three
    # products with d columns, filled up to a power of two.
    operations = 0.5 * float(n) ** 2 * 2.0 * (32 + 3 * max(16, 2 ** (d - 1).bit_length()))
    single = fused.in_single()
    single.contract(W)
    took_single, (_, rough) = seconds(lambda: single.contract(W), repeat=3)
    tiles = DevicePairs(X, gamma, kernel)
    seconds(lambda: tiles.contract(W) if n < 2**18 else None)
    took_tiles, (_, plain) = seconds(lambda: tiles.contract(W))
    share = operations / took / peak
    for name, time, matrix in (
        ("fused kernel", took, found),
        ("fused kernel, leading product alone", took_single, rough),
        ("plain tiles of torch, float32", took_tiles, plain),
        ("plain tiles of torch, float64", took_double, exact),
    ):
        yield {
            "how": name,
            "seconds": time,
            "times the fused": time / took,
            "error": difference(matrix, exact),
            "share of peak": share if name == "fused kernel" else None,
            "peak": peak if name == "fused kernel" else None,
        }


def fits(scale: float = 1.0) -> Iterator[Row]:
    """Whole fits with their certificates, at a fixed bandwidth, and one at defaults."""
    cases: list[tuple[str, str, int, int, int, dict[str, Any]]] = [
        ("all pairs", "groups", _FULL, 64, 8, {"engine": "fused"}),
        ("all pairs", "borders", _FULL, 64, 8, {"engine": "fused"}),
        ("linear time", "groups", 10_000_000, 50, 4, {"engine": "nystrom"}),
        ("default", "groups", 1_000_000, 50, 4, {}),
    ]
    for name, kind, rows, d, q, given in cases:
        n = int(scale * rows)
        X, y, basis = planted(n, d, q, kind)
        settings: dict[str, Any] = {"tol": 1e-5, **given}
        if given:
            settings |= {"bandwidth": typical_bandwidth(q), "objective": "dependence"}
            settings |= {"metric": "identity"}
        for turn in ("first", "again"):
            torch.cuda.empty_cache()
            took, (memory, model) = seconds(
                partial(extra_memory, partial(SupervisedHSIC(q, **settings).fit, X, y))
            )
            W = np.linalg.qr(model.components_.double().cpu().numpy().T)[0]
            certificate = model.certificate_
            yield {
                "fit": f"{name}, {kind}, {turn}",
                "rows": n,
                "columns": d,
                "directions": q,
                "engine": model.engine_,
                "seconds": took,
                "steps": model.n_iter_,
                "converged": bool(model.converged_),
                "gradient": certificate.stationarity,
                "second order": certificate.second_order,
                "error of Phi": model.result_.engine_error.relative,
                "sine to the truth": float(sine_of_largest_angle(W, basis)),
                "extra MB": memory,
                "MB of X": X.numel() * X.element_size() / 2**20,
            }
        del X, y, model
        torch.cuda.empty_cache()


def independence(n: int = 100_000, permutations: int = 1000) -> Iterator[Row]:
    """Exact tests by permutations on the device."""
    X, y, _ = planted(n, 20, 2)
    real = X[:, :1] * X[:, 1:2] + 3.0 * torch.randn(n, 1, device="cuda")
    for name, target in (("10 classes", y), ("a real column", real)):
        took, test = seconds(
            partial(
                hsic_test,
                X,
                target,
                method="permutation",
                n_permutations=permutations,
                engine="tiled",
            )
        )
        yield {
            "target": name,
            "rows": n,
            "permutations": permutations,
            "seconds": took,
            "p-value": test.pvalue,
        }


def growth(scale: float = 1.0) -> Iterator[Row]:
    """One Phi by rows, by columns and by directions."""
    cases = [("rows", 2**k, 64, 8) for k in range(15, 21)]
    cases += [("columns", 2**18, d, 8) for d in (16, 32, 64, 128, 256, 512)]
    cases += [("directions", 2**18, 64, q) for q in (1, 2, 4, 8, 16, 32)]
    for by, rows, d, q in cases:
        n = int(scale * rows)
        fused, W = _engine(n, d, q)
        fused.contract(W)
        took, _ = seconds(partial(fused.contract, W), repeat=3)
        tiles = DevicePairs(fused.X, fused.gamma, fused.kernel)
        tiles.contract(W)
        plain, _ = seconds(partial(tiles.contract, W)) if n <= 2**18 else (None, 0)
        error = fused.error(W, 1.0).relative
        yield {
            "by": by, "rows": n, "columns": d, "directions": q,
            "seconds": took, "tiles": plain, "error": error,
        }  # fmt: skip


def angles(n: int = 3000) -> Iterator[Row]:
    """The largest sine between answers on the host and on the device, at tight tolerances."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, 8))
    real = np.sin(2.0 * X[:, 0]) + X[:, 1] ** 2
    classes = np.digitize(real + 0.3 * rng.standard_normal(n), [0.5, 1.5])
    U = np.column_stack([real, X[:, 0] * X[:, 1], X[:, 1]])
    gammas = {
        "classes": ClassTable.centered(classes),
        "a real column": GaussianColumn(real, 1.0),
        "low rank": LowRank.centered(U),
    }
    kernels = (
        Gaussian(1.5), Cauchy(1.5), RationalQuadratic(1.5), InverseMultiquadratic(1.5),
        -Multiquadratic(1.0),
    )  # fmt: skip
    for kind, gamma in gammas.items():
        for kernel in kernels:
            host = solve(X, gamma, kernel, 2, tol=1e-10, engine="tiled")
            row: Row = {"target": kind, "kernel": repr(kernel), "gap": host.certificate.curvature}
            for name, dtype, engine, tol in (
                ("float64, tiled", torch.float64, "tiled", 1e-10),
                ("float32, tiled", torch.float32, "tiled", 1e-6),
                ("float32, fused", torch.float32, "fused", 1e-6),
                ("float64, nystrom", torch.float64, "nystrom", 1e-10),
            ):
                there = torch.as_tensor(X, dtype=dtype, device="cuda")
                found = solve(there, gamma, kernel, 2, tol=tol, engine=engine)
                row[name] = float(sine_of_largest_angle(found.W, host.W))
            yield row


PARTS: dict[str, Callable[[float], Iterator[Row]]] = {
    "phi": lambda scale: phi(int(scale * _FULL) // 256 * 256),
    "fits": fits,
    "independence": lambda scale: independence(int(scale * 100_000)),
    "growth": growth,
    "angles": lambda scale: angles(),
}
