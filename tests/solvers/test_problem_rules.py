"""What a problem is made of: its settings, the basis it is solved in, and the way back."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from hsiclearn import Certificate, Objective, Status
from hsiclearn._linalg import IDENTITY, Basis
from hsiclearn._result import EngineError
from hsiclearn._rows import as_rows
from hsiclearn._solvers import Run, Settings, problem
from hsiclearn._solvers.problem import (
    Problem,
    _may_be_reduced,
    as_generator,
    result_of,
)
from hsiclearn._solvers.solve import _starts, warnings_for
from hsiclearn.exceptions import DependenceWarning, NotConvergedWarning
from hsiclearn.gamma import Dense, LowRank
from hsiclearn.kernels import Gaussian, Linear, Multiquadratic
from registry import orthonormal

SIZES = np.array([5.0, 3.0, 2.0, 1.0])
DIAGONAL = Objective(np.eye(4), Dense(np.diag(SIZES)), Linear(), "dense")


@pytest.mark.parametrize(
    "right",
    [
        {"tol": 1},
        {"tol": 1e-300},
        {"n_init": np.int64(1)},
        {"max_iter": 1},
        {"callback": print},
        {"checkpoint": "a"},
        {"checkpoint": Path("a"), "resume": True},
        {"resume": np.bool_(False)},
        {"on_interrupt": "return"},
        {"n_init": 3, "init": "random"},
        {"n_init": 1, "init": np.eye(2)},
    ],
    ids=str,
)
def test_settings_that_are_right(right):
    made = Settings(**right)
    assert all(getattr(made, name) is value for name, value in right.items())


@pytest.mark.parametrize(
    ("wrong", "rule"),
    [
        ({"tol": 0.0}, "a number > 0"),
        ({"tol": "1"}, "a number > 0"),
        ({"n_init": 0}, "`n_init` must be an integer >= 1"),
        ({"n_init": 1.0}, "`n_init` must be an integer >= 1"),
        ({"max_iter": 0}, "`max_iter` must be an integer >= 1"),
        ({"callback": 1}, "callable or None"),
        ({"checkpoint": 1}, "a path or None"),
        ({"resume": 1}, "`resume` must be a bool"),
        ({"on_interrupt": "stop"}, "'raise' or 'return'"),
        ({"n_init": 2, "init": np.eye(2)}, "needs `init` by name"),
        ({"resume": True}, "needs a file to resume from"),
        ({"checkpoint": "a", "solver": "ism+"}, r"one of \['spectral'\]"),
        ({"solver": "best"}, "`solver` must be one of"),
    ],
    ids=str,
)
def test_settings_that_are_refused(wrong, rule):
    with pytest.raises(ValueError, match=rule):
        Settings(**wrong)


def test_a_part_has_a_checkpoint_of_its_own():
    assert Settings(checkpoint="there/a.b.npz").for_part("x").checkpoint == Path("there/a.b.x.npz")
    plain = Settings()
    assert plain.for_part("x") is plain


def test_generators_of_any_kind():
    ours = np.random.default_rng(3)
    assert as_generator(ours) is ours
    assert as_generator(3).random() == np.random.default_rng(3).random()
    old = np.random.RandomState(3)
    expected = np.random.default_rng(np.random.RandomState(3).randint(2**31)).random()
    assert as_generator(old).random() == expected


@pytest.mark.parametrize("q", [0, 4, 1.5, None])
def test_a_dimension_that_is_refused(q):
    with pytest.raises(ValueError, match="Need an integer 1 <= n_components <= n_features"):
        Problem(np.eye(5, 3), Dense(np.eye(5)), Linear(), q, "dense")


@pytest.mark.parametrize("q", [1, 3, np.int64(2)])
def test_a_dimension_that_is_right(q):
    made = Problem(np.eye(5, 3), Dense(np.eye(5)), Linear(), q, "dense")
    assert (made.q, made.n_features) == (q, 3)
    assert made.basis is IDENTITY


def test_wide_rows_are_solved_in_their_row_space():
    X = np.random.default_rng(0).standard_normal((5, 30))
    made = Problem(X, Dense(np.eye(5)), "linear", 2, "dense")
    assert made.objective.n_features == 7
    V = np.eye(7, 2)
    assert made.objective.cost(V) == pytest.approx(-np.sum((X @ made.basis.lift(V)) ** 2))
    W = orthonormal(30, 2, seed=1)
    start = made.start_from(W)
    assert start.shape == (7, 2)
    inside = made.basis.lift(made.basis.coordinates(W))
    lifted = made.basis.lift(start)
    np.testing.assert_allclose(lifted @ (lifted.T @ inside), inside, atol=1e-12)


@pytest.mark.parametrize("kernel", [Gaussian(1.0), Linear()])
def test_rows_far_from_zero_are_centred_where_a_kernel_does_not_see_it(kernel):
    X = np.random.default_rng(0).standard_normal((5, 30)) + 1e9
    made = Problem(X, Dense(np.diag(np.arange(5.0)) - 2.0), kernel, 2, "dense")
    seen = made.objective.rows.take(np.arange(5))
    assert (np.abs(seen).max() < 1e3) == isinstance(kernel, Gaussian)


class Shape:
    """Rows that are elsewhere, of which the shape is all there is to see."""

    def __init__(self, n, d):
        self.shape = n, d


@pytest.mark.parametrize(
    ("n", "d", "reduced"),
    [
        (100, 1000, True),
        (100, 142, False),  # 1.4 (n + q) is 142.8
        (100, 143, True),
        (2**12 - 2, 2**13, True),  # 2^28 bytes with q = 2
        (2**12 - 1, 2**13, False),
        (10, 5, False),
        (10, 10, False),
    ],
)
def test_a_wide_table_elsewhere_is_reduced_where_it_fits(n, d, reduced):
    assert _may_be_reduced(Shape(n, d), 2) is reduced


def test_a_wide_table_in_memory_is_reduced_whatever_its_size(monkeypatch):
    wide = as_rows(np.ones((3, 9)))
    monkeypatch.setattr(problem, "_LARGEST_DENSE", 0)
    assert _may_be_reduced(wide, 2) is True
    assert _may_be_reduced(as_rows(np.ones((9, 3))), 2) is False  # a copy takes room


@pytest.mark.parametrize("copies", [True, False])
@pytest.mark.parametrize(("little", "asked"), [(8 * 40 * 3, False), (8 * 40 * 3 - 1, True)])
def test_of_a_large_narrow_table_its_gram_matrix_is_asked_first(copies, little, asked, monkeypatch):
    X = np.random.default_rng(0).standard_normal((40, 3)) + 1e3
    X[:, 2] = 2.0 * X[:, 0] if copies else X[:, 2]
    monkeypatch.setattr(problem, "_LITTLE", little)
    assert _may_be_reduced(as_rows(X), 1) is (copies or not asked)


@pytest.mark.parametrize(
    ("init", "message"),
    [
        (np.eye(3, 2), r"\(4, 2\)\. Got shape \(3, 2\)"),
        (np.full((4, 2), np.nan), "must be a finite array"),
        (np.where(np.eye(4, 2) > 0.0, 1.0, [0.0, np.inf]), "must be a finite array"),
        (np.ones((4, 2)), "Their rank is 1"),
    ],
)
def test_a_start_that_is_none(init, message):
    made = Problem(np.eye(6, 4), Dense(np.eye(6)), Linear(), 2, "dense")
    with pytest.raises(ValueError, match=message):
        made.start_from(init)
    scaled = made.start_from([[2.0, 2.0], [0.0, 3.0], [0.0, 0.0], [0.0, 0.0]])
    np.testing.assert_allclose(np.abs(scaled), np.eye(4, 2), atol=1e-15)


def as_run(W, status=Status.CONVERGED):
    return Run(DIAGONAL.point(W), status, (), "here")


def test_a_result_is_ordered_by_phi_and_its_signs_are_fixed():
    turn = orthonormal(2, 2, seed=4)
    W = np.eye(4, 2) @ turn
    plain = "certificate"
    found = result_of(as_run(W), "start", plain, error=EngineError(relative=0.5))
    np.testing.assert_allclose(found.W, np.eye(4, 2), atol=1e-14)
    assert (found.certificate, found.start, found.engine) == (plain, "start", "dense")
    assert found.engine_error.relative == 0.5
    np.testing.assert_allclose(found.eigenvalues, [-5.0, -3.0, -2.0, -1.0])
    as_it_is = result_of(as_run(-np.eye(4, 2)[:, ::-1]), "start", plain, ordered=False)
    np.testing.assert_allclose(as_it_is.W, np.eye(4, 2)[:, ::-1], atol=1e-14)
    B = orthonormal(9, 4, seed=5)
    lifted = result_of(as_run(W), "start", plain, Basis.of_matrix(B, is_orthonormal=True))
    np.testing.assert_allclose(np.abs(lifted.W), np.abs(B[:, :2]), atol=1e-14)
    assert lifted.engine_error == EngineError()


@pytest.mark.parametrize(
    ("status", "judged"),
    [(Status.CONVERGED, True), (Status.MAX_ITER, True), (Status.INTERRUPTED, False)],
)
def test_who_presses_ctrl_c_does_not_wait_for_curvatures(status, judged):
    made = Problem(np.eye(6, 4), Dense(np.diag(np.r_[SIZES, 0.0, 0.0])), Linear(), 2, "dense")
    run = Run(made.objective.point(np.eye(4, 2)), status, (), "here")
    certificate = made.result(run, 1e-3).certificate
    assert (certificate.second_order is None) is not judged
    assert certificate.tol == 1e-3


# Warnings ----------------------------------------------------------------------------------------


def verdict(status=Status.CONVERGED, rounding=0.0):
    certificate = Certificate(0.0, 0.0, 1.0, True, 1.0, True, True, True, 1e-6, "dense", rounding)
    result = SimpleNamespace(certificate=certificate, converged=status.converged, status=status)
    return lambda kernel, gamma: warnings_for(result, kernel, gamma)


def test_what_is_warned_of():
    gamma = LowRank.centered(np.arange(6.0)[:, None])
    assert verdict()(Linear(), gamma) == []
    [(kind, words)] = verdict(Status.MAX_ITER)("linear", gamma)
    assert (kind, words) == (NotConvergedWarning, Status.MAX_ITER.value)
    [(kind, words)] = verdict(Status.STALLED, rounding=1e-3)(Linear(), gamma)
    assert words.startswith("NOT verified: rounding")  # which is why it stalled
    found = verdict(Status.MAX_ITER, rounding=1e-3)(Linear(), gamma)
    assert [kind for kind, _ in found] == [NotConvergedWarning] * 2
    assert [words for _, words in verdict(Status.STALLED)(Linear(), gamma)] == [
        Status.STALLED.value
    ]


def test_a_kernel_that_flees_dependence_is_told():
    gamma = LowRank.centered(np.arange(6.0)[:, None])
    told = verdict()
    [(kind, words)] = told(Multiquadratic(1.0), gamma)
    assert kind is DependenceWarning
    assert "flees the dependence" in words
    assert told(-Multiquadratic(1.0), gamma) == []
    assert len(told(Multiquadratic(1.0), None)) == 1  # of clusters: centred and positive
    assert told(Multiquadratic(1.0), -1.0 * gamma) == []  # not positive
    assert told(Multiquadratic(1.0), Dense(np.eye(6))) == []  # not centred


# Starts ------------------------------------------------------------------------------------------


def rows(n=900):
    X = np.random.default_rng(0).standard_normal((n, 3))
    return X, LowRank.centered(X[:, :1] ** 2), Gaussian(1.0), 1


@pytest.mark.parametrize(("n", "screened"), [(400, False), (401, True)])
def test_beyond_400_rows_starts_are_compared_on_a_sample(n, screened):
    made = Problem(*rows(n), "dense")
    settings = Settings(n_init=3)
    ran = []

    class Stages:
        def __init__(self, costs):
            self.costs = costs

        def run(self, objective, starts, tol):
            rows = objective.rows.take(np.arange(400))
            assert len(np.unique(rows, axis=0)) == 400  # none twice
            runs = [
                Run(SimpleNamespace(cost=cost, W=W), Status.CONVERGED, (), name)
                for cost, (name, W) in zip(self.costs, starts, strict=True)
            ]
            ran.append((objective.n_samples, tol, [run.start for run in runs]))
            return runs

    names = ["phi-zero", "second-moments", "phi-identity"]
    for costs, kept in (([0.0, -2.0, -1.0], names[:2]), ([-3.0, -2.0, -1.0], names[:1])):
        found = _starts(made, settings, np.random.default_rng(0), Stages(costs))
        assert [name for name, _ in found] == (kept if screened else names)
    assert ran == ([(400, 1e-3, names)] * 2 if screened else [])
    if not screened:
        two = _starts(made, Settings(n_init=2), np.random.default_rng(0), None)
        assert [name for name, _ in two] == names[:2]
    one = _starts(made, Settings(init="random"), np.random.default_rng(7), None)
    drawn = np.random.default_rng(7).standard_normal((3, 1))
    np.testing.assert_allclose(np.abs(one[0][1]), np.abs(drawn) / np.linalg.norm(drawn))
    given = _starts(made, Settings(init=2.0 * np.eye(3, 1)), None, None)
    assert given[0][0] == "array"
    assert len(ran) == 2 * screened
