"""What does not change an answer: of each kernel what ``invariances.py`` says, and no more."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hsiclearn.kernels
from hsiclearn import Objective, cka, hsic
from hsiclearn.kernels import AbstractKernel, Combination, Custom
from properties.honest import RefusedError, honest
from properties.invariances import CENTRED, INVARIANCES, NEVER, as_markdown
from properties.strategies import SEEDS, gammas, tables, typical_length
from properties.trials import examples

NAMES = st.sampled_from(tuple(INVARIANCES))
EXACT = ("classes", "low rank", "signed", "dense", "sum")  # others are rounded by more than digits
PAGE = Path(__file__).parents[2] / "docs" / "trust.md"


@st.composite
def problems(draw):
    """A plain table, weights, the name of a kernel, and W."""
    table = draw(tables(plain=True, fewest=4))
    rng = np.random.default_rng(draw(SEEDS))
    d = len(table.columns)
    W = np.linalg.qr(rng.standard_normal((d, min(2, d))))[0]
    return table.X, draw(gammas(table.n, EXACT)).both[0], draw(NAMES), W, rng


def values(X, gamma, kernel, W):
    """Cost and Phi, and what of each rounding is relative to."""
    objective = Objective(X, gamma, kernel)
    phi = objective.phi(W)
    size = 1e-300 + np.abs(gamma.to_dense()).sum()
    beta = np.sum(X * X)
    return objective.cost(W), phi, size * float(1.0 + abs(kernel.f(np.array([beta])).item()))


def same(found, expected, factor=1.0, turn=None):
    """Whether cost and Phi are those expected, times a factor, turned back."""
    cost, phi, size = expected
    assert found[0] == pytest.approx(factor * cost, rel=1e-8, abs=1e-9 * abs(factor) * size)
    if turn is not None:
        scale = max(np.linalg.norm(phi), 1e-9 * size)
        assert np.linalg.norm(found[1] - turn(phi)) <= 1e-7 * scale


def made(name, X):
    """The kernel at a length that suits the rows; problems without one are refused."""
    return INVARIANCES[name].make(typical_length(X))


@examples(15, 8000)
@given(problems())
def test_the_order_of_rows(problem):
    X, gamma, name, W, rng = problem
    try:
        with honest():
            before = values(X, gamma, made(name, X), W)
    except RefusedError:
        return
    order = rng.permutation(X.shape[0])
    same(values(X[order], gamma.take(order), made(name, X), W), before, turn=lambda phi: phi)


@examples(15, 8000)
@given(problems(), st.booleans())
def test_the_order_of_columns_and_rotations(problem, rotated):
    X, gamma, name, W, rng = problem
    d = X.shape[1]
    Q = np.eye(d)[rng.permutation(d)]
    Q = np.linalg.qr(rng.standard_normal((d, d)))[0] if rotated else Q
    try:
        with honest():
            before = values(X, gamma, made(name, X), W)
            kernel = made(name, X)
            found = values(X @ Q, gamma, kernel, Q.T @ W)
    except RefusedError:
        return
    same(found, before, turn=lambda phi: Q.T @ phi @ Q)


@examples(15, 8000)
@given(problems(), st.sampled_from((0.01, 1.0, 100.0)))
def test_translations(problem, far):
    """Of kernels that see them the cost changes: the table claims no less than there is."""
    X, gamma, name, W, rng = problem
    shift = far * np.max(np.abs(X)) * rng.standard_normal(X.shape[1])
    kernel, known = made(name, X), INVARIANCES[name].shift
    try:
        with honest():
            before = values(X, gamma, kernel, W)
            found = values(X + shift, gamma, kernel, W)
    except RefusedError:
        return
    if known == NEVER or (known == CENTRED and not gamma.is_centered):
        assert not kernel.ignores_shifts(centered=gamma.is_centered)
    else:
        same(found, before)


@examples(15, 8000)
@given(problems(), st.sampled_from((1e-30, 0.5, 3.0, 1e20)))
def test_units(problem, a):
    X, gamma, name, W, _ = problem
    known = INVARIANCES[name]
    try:
        with honest():
            before = values(X, gamma, made(name, X), W)
            found = values(a * X, gamma, known.make(a * typical_length(X)), W)
    except RefusedError:
        return
    if known.power is not None:
        factor = a**known.power
        cost, _, size = before
        assert found[0] == pytest.approx(factor * cost, rel=1e-8, abs=1e-9 * factor * size)


@examples(10, 4000)
@given(
    tables(plain=True, fewest=5),
    SEEDS,
    st.sampled_from((hsic, cka)),
    st.sampled_from(("gaussian", "distance", "relative_gaussian")),
)
def test_the_measure(table, seed, measure, kernel):
    """Sides, order of rows, rotations, translations; units where a bandwidth goes with them."""
    rng = np.random.default_rng(seed)
    X, Y = table.X, rng.standard_normal((table.n, 2))
    Q = np.linalg.qr(rng.standard_normal((X.shape[1],) * 2))[0]
    order, a = rng.permutation(table.n), 10.0 ** rng.integers(-20, 20)
    settings = {"kernel_x": kernel, "kernel_y": "gaussian"}
    try:
        with honest():
            value = measure(X, Y, **settings)
            others = [
                measure(Y, X, kernel_x="gaussian", kernel_y=kernel),
                measure(X[order], Y[order], **settings),
                measure(X @ Q, Y, **settings),
                measure(X + rng.standard_normal(X.shape[1]), Y, **settings),
            ]
            scaled = measure(a * X, Y, **settings)
    except RefusedError:
        return
    if measure is cka:
        assert -1e-9 <= value <= 1.0 + 1e-9 or kernel == "relative_gaussian"
    size = max(abs(value), 1e-9)
    assert others == pytest.approx([value] * len(others), rel=1e-7, abs=1e-9 * size)
    power = 1.0 if kernel == "distance" and measure is hsic else 0.0
    assert scaled == pytest.approx(a**power * value, rel=1e-7, abs=1e-9 * size * a**power)


def test_every_kernel_is_in_the_table():
    built_in = {
        name
        for name, cls in vars(hsiclearn.kernels).items()
        if isinstance(cls, type)
        and issubclass(cls, AbstractKernel)
        and cls not in (AbstractKernel, Combination, Custom)
    }
    assert built_in == INVARIANCES.keys()


def test_the_documentation_prints_the_table():
    assert as_markdown() in PAGE.read_text()
