"""Tables on a device: rows of normal numbers, and classes that a few directions of them tell."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numpy as np
import torch

A = TypeVar("A")


class Planted(NamedTuple):
    """X (n, d) on the device, labels there, and the basis of the directions that tell them."""

    X: torch.Tensor
    y: torch.Tensor
    basis: np.ndarray  # (d, q)


def planted(n: int, d: int, q: int, kind: str = "groups", *, device: str = "cuda") -> Planted:
    """Ten classes that q directions tell.

    ``"groups"``: rows around centres, of half of the classes narrower ones. ``"borders"``: a cloud
    of rows, each of the class of its nearest centre; the cost hardly tells some of the directions.
    """
    n_classes = 10
    draw = torch.Generator(device=device).manual_seed(n + d + q)
    X = torch.randn(n, d, device=device, generator=draw)
    rng = np.random.default_rng(q)
    basis = np.linalg.qr(rng.standard_normal((d, q)))[0]
    centres = torch.as_tensor(1.2 * rng.standard_normal((n_classes, q)), device=device).float()
    turn = torch.as_tensor(basis, device=device).float()
    if kind == "groups":
        y = torch.randint(n_classes, (n,), device=device, generator=draw)
        width = torch.where(y % 2 == 0, 1.0, 0.5)[:, None]
        for i in range(0, n, 2**20):
            own = slice(i, i + 2**20)
            w = X[own] @ turn
            X[own] += ((width[own] - 1.0) * w + 2.0 * centres[y[own]]) @ turn.T
        return Planted(X, y, basis)
    labels = [
        torch.cdist(X[i : i + 2**20] @ turn, centres).argmin(dim=1) for i in range(0, n, 2**20)
    ]
    return Planted(X, torch.cat(labels), basis)


def directions(d: int, q: int) -> np.ndarray:
    """Random orthonormal columns."""
    return np.linalg.qr(np.random.default_rng(0).standard_normal((d, q)))[0]


def typical_bandwidth(q: int) -> float:
    """The median distance of normal rows in q directions, nearly."""
    return float((2.0 * q) ** 0.5)


def seconds(run: Callable[[], A], repeat: int = 1) -> tuple[float, A]:
    """The least time of a few, after everything that was asked of the device before is done."""
    best = np.inf
    for _ in range(repeat):
        torch.cuda.synchronize()
        start = time.perf_counter()
        found = run()
        torch.cuda.synchronize()
        best = min(best, time.perf_counter() - start)
    return best, found


def extra_memory(run: Callable[[], A]) -> tuple[float, A]:
    """The most bytes a call takes on the device beside what is there, in MB."""
    torch.cuda.synchronize()
    before = torch.cuda.memory_allocated()
    torch.cuda.reset_peak_memory_stats()
    found = run()
    return (torch.cuda.max_memory_allocated() - before) / 2**20, found


def matrix_peak() -> float:
    """Operations a second of a large product in half precision, of random numbers."""
    A: Any = torch.randn(8192, 8192, device="cuda", dtype=torch.float16)
    for _ in range(3):
        A @ A
    return 2.0 * 8192.0**3 / seconds(lambda: A @ A, repeat=10)[0]


def difference(found: np.ndarray, exact: np.ndarray) -> float:
    """``|found - exact|_F / |exact|_F``."""
    return float(np.linalg.norm(found - exact) / np.linalg.norm(exact))
