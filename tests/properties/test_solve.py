"""``solve``: any rows, Gamma, kernel, engine and start; an honest answer or a documented error."""

from hypothesis import given
from hypothesis import strategies as st

from hsiclearn import solve
from properties.honest import (
    RefusedError,
    check_certificate,
    check_directions,
    check_monotone,
    honest,
)
from properties.strategies import SEEDS, gammas, kernels_for, tables
from properties.trials import examples

ROUGH = ("column", "columns")  # whose components stand for pairs of rows: not as exact as a sum
INITS = ("phi-zero", "phi-zero", "second-moments", "phi-identity", "random")


@st.composite
def problems(draw, **limits):
    """X, Gamma, a kernel and a number of directions."""
    table = draw(tables(**limits))
    weights = draw(gammas(table.n))
    kernel = draw(kernels_for(table))
    return table, weights, kernel, draw(st.integers(1, min(3, len(table.columns))))


def answer(problem, **settings):
    """The result, judged, or None where the problem was refused."""
    table, weights, kernel, q = problem
    gamma = weights.both[0]
    try:
        with honest():
            result = solve(table.X, gamma, kernel, q, **settings)
    except RefusedError:
        return None
    check_directions(result.W)
    return result


def judge(problem, result):
    """No step uphill, and a certificate that holds again."""
    table, weights, kernel, _ = problem
    if result is not None:
        check_monotone(result.history)
        check_certificate(result.certificate, table.floats, weights.both[0], kernel, result.W)


@examples(30, 12_000)
@given(problems(), st.sampled_from(INITS), SEEDS)
def test_spectral_is_honest(problem, init, seed):
    judge(problem, answer(problem, init=init, random_state=seed))


@examples(10, 3000)
@given(problems(), st.sampled_from(("tiled", "nystrom", "features")), SEEDS)
def test_every_engine_is_honest(problem, engine, seed):
    """Engines in linear time take rows in single precision as they are: figures are of those.

    Where one gives way to exact sums, or to double precision, a cost is another one: only the
    history of the exact engine is judged.
    """
    result = answer(problem, engine=engine, random_state=seed)
    if engine == "tiled":
        judge(problem, result)
    elif result is not None and problem[0].dtype != "float32" and problem[1].kind not in ROUGH:
        table, weights, kernel, _ = problem
        gamma, error = weights.both[0], result.engine_error.relative
        check_certificate(result.certificate, table.floats, gamma, kernel, result.W, error)


@examples(5, 1000)
@given(problems(), st.integers(2, 6), st.sampled_from(INITS), SEEDS)
def test_several_starts_are_no_worse_than_the_first(problem, n_init, init, seed):
    one = answer(problem, init=init, random_state=seed)
    several = answer(problem, init=init, n_init=n_init, random_state=seed)
    assert (one is None) == (several is None)
    if one is not None:
        judge(problem, several)
        assert several.cost <= one.cost + 1e-9 * abs(one.cost)


@examples(10, 2000)
@given(problems(), st.sampled_from(("ism+", "ism", "dg", "stiefel")), SEEDS)
def test_rivals_are_honest(problem, solver, seed):
    """They may stop anywhere and say so; what they claim holds."""
    table, weights, kernel, _ = problem
    result = answer(problem, solver=solver, random_state=seed, max_iter=30)
    if result is not None:
        check_certificate(result.certificate, table.floats, weights.both[0], kernel, result.W)
