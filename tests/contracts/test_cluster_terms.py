"""The parts of a clustering objective by hand: diagonal, bounds, guidance, what stands clear."""

from types import SimpleNamespace

import numpy as np
import pytest

from hsiclearn._counts import Counts
from hsiclearn._linalg import Spectrum
from hsiclearn._objective import ClusterObjective, ClusterPoint, Guidance, check_weights
from hsiclearn._objective.cluster_terms import Embedding, constant_diagonal
from hsiclearn.exceptions import DegenerateDataError
from hsiclearn.kernels import (
    Cauchy,
    Custom,
    Gaussian,
    InverseMultiquadratic,
    Linear,
    Multiquadratic,
    Polynomial,
    Squared,
)

ROWS = np.random.default_rng(0).standard_normal((12, 3))
U = np.repeat(np.array([[1.0], [-1.0]]), 6, axis=0)


def test_the_diagonal_is_the_weighted_sum_of_values_at_zero():
    assert constant_diagonal(3 * Cauchy() + 2 * InverseMultiquadratic(4.0), "It") == 3.5
    assert constant_diagonal(Multiquadratic(4.0) - Gaussian(), "It") == 3.0
    with pytest.raises(ValueError, match="It needs a kernel of differences"):
        constant_diagonal(Gaussian() + Linear(), "It")


@pytest.mark.parametrize(
    ("kernel", "is_taken"),
    [
        (Gaussian(), True),
        (2 * Gaussian() + Cauchy(), True),
        (-Gaussian(), False),
        (Gaussian() - 0.1 * Cauchy(), False),
        (Squared(), False),
        (Polynomial(2, 0.0), True),  # a square is never negative
        (Polynomial(3, 1.0), False),
        (Linear(), False),
        (Custom(lambda b: 1.0 - 1e-7 * b, lambda b: -1e-7 + 0 * b, lambda b: 0 * b), True),
        (Custom(lambda b: 1.0 - 2e-6 * b, lambda b: -2e-6 + 0 * b, lambda b: 0 * b), False),
    ],
)
def test_weights_of_a_graph_are_not_negative(kernel, is_taken):
    """As far as squared distances up to a million tell."""
    if is_taken:
        check_weights(kernel, "It")
    else:
        with pytest.raises(ValueError, match="It takes the values of the kernel for the weights"):
            check_weights(kernel, "It")


def test_guidance_by_hand():
    """``p = (n / Tr Psi) T / S``, T and S without the diagonal; away ``w p^2``, follow ``-w p``."""
    K = np.array([[2.0, 0.5, 0.25], [0.5, 2.0, 1.0], [0.25, 1.0, 2.0]])
    u = np.array([[1.0], [1.0], [-2.0]])
    T, S, trace = 2 * (0.5 - 2 * 0.25 - 2 * 1.0), 3.5, 6.0
    p = 3 / trace * T / S
    for follow, value, slope in ((False, 3.0 * p**2, -6.0 * p), (True, -3.0 * p, 3.0)):
        found = Guidance(u, 0.5, follow).evaluate(K @ u, S, 2.0, 6.0)
        assert found.assortativity == pytest.approx(p, rel=1e-14)
        assert found.value == pytest.approx(value, rel=1e-14)
        assert found.a == pytest.approx(slope * 0.5 / S, rel=1e-14)
        assert found.b == pytest.approx(-slope * 0.5 * T / S**2, rel=1e-14)


def test_a_graph_without_edges_guides_nobody():
    for mass, is_refused in ((1.9e-9, True), (2.1e-9, False)):
        if is_refused:
            with pytest.raises(DegenerateDataError, match="no edges"):
                Guidance(U, 1.0).evaluate(2.0 * U, mass, 2.0, 1.0)
        else:
            Guidance(U, 1.0).evaluate(2.0 * U, mass, 2.0, 1.0)


def test_guidance_of_some_rows_is_centred_on_those_that_have_any():
    scores = np.array([[1.0], [-1.0], [0.0], [0.5], [0.0]])
    taken = Guidance(scores, 2.0, follow=True).take(np.array([0, 2, 3]))
    np.testing.assert_allclose(taken.U, [[0.25], [0.0], [-0.25]])
    assert (taken.weight, taken.follow) == (2.0, True)
    np.testing.assert_array_equal(Guidance(scores, 2.0).take(np.array([2, 4])).U, np.zeros((2, 1)))


@pytest.mark.parametrize(
    ("normalize", "guidance", "lower", "proven"),
    [
        ("degree", [], -3.0, -3.0),
        ("degree", [Guidance(U, 0.5)], -3.0, -3.0),
        ("degree", [Guidance(U, 0.5, follow=True)], -3.5, None),
        ("none", [], -12.0, None),
        ("none", [Guidance(U, 0.5, follow=True)], -14.0, None),
    ],
)
def test_bounds(normalize, guidance, lower, proven):
    """A separated cluster adds 1 to the normalised cut, and n / k to the other."""
    objective = ClusterObjective(ROWS, Gaussian(1.0), 3, guidance, normalize)
    assert objective.lower_bound == pytest.approx(lower)
    assert objective.proven_bound == proven
    assert objective.saturates == (normalize == "degree")


def point(values, k=2, normalize="degree", degree=(3.0, 3.0), bound=-2.0, kernel=None):
    """A point with these eigenvalues."""
    objective = SimpleNamespace(
        n_clusters=k,
        normalize=normalize,
        lower_bound=bound,
        kernel=kernel or Gaussian(),
        is_of_differences=kernel is None or kernel.pair.is_difference,
        counts=Counts(len(degree)),
    )
    values = np.array(values)
    spectrum = Spectrum(values, np.ones((2, values.size)))
    embedding = Embedding(spectrum, np.ones((2, k)), None)
    return ClusterPoint(objective, np.eye(2), (), False, np.array(degree), embedding, ())


def test_tightness_by_hand():
    """``(1 - l_k) / (1 - l_{k+1})`` beside the largest; of ``H K H`` one eigenvalue less."""
    assert point([2.0, 1.5, 1.0]).tightness == pytest.approx(0.25 / 0.5)
    assert point([2.0, 1.5, 1.0], normalize="none").tightness == pytest.approx(0.0 / 0.25)
    assert point([2.0, 1.5, 1.0], k=3, normalize="none").tightness == pytest.approx(0.25 / 0.5)
    assert point([2.0, 1.5], k=2).tightness == 0.0
    assert point([2.0, 1.5], k=1, normalize="none").tightness == 0.0
    assert point([1.0, 1.0 + 1e-13, 0.5]).tightness == 0.0
    assert point([1.0, 0.81, 0.0]).stands_clear
    assert not point([1.0, 0.79, 0.0]).stands_clear


@pytest.mark.parametrize(
    ("values", "bound", "is_good"),
    [
        ([1.0, 0.9981, 0.0], -2.0, True),  # a thousandth of the bound
        ([1.0, 0.9979, 0.0], -2.0, False),
        ([1.0, 0.9981, 0.999], -2.0, False),  # no cluster stands clear
        ([1.0, 0.9981, 0.0], -np.inf, False),
    ],
)
def test_as_good_as_any(values, bound, is_good):
    assert point(values, bound=bound).is_as_good_as_any == is_good


def test_rows_that_are_alone():
    """Others together weigh no more than a thousandth of a row's own weight."""
    degree = (1.0, 1.0009, 1.0011, 2.0)
    assert point([1.0, 0.5, 0.1], degree=degree).n_alone == 2
    twice = point([1.0, 0.5, 0.1], degree=(2.0, 2.0019, 2.0021), kernel=InverseMultiquadratic(0.5))
    assert twice.n_alone == 2
    assert point([1.0, 0.5, 0.1], degree=degree, kernel=Squared()).n_alone == 0
    assert point([1.0, 0.5, 0.1], degree=degree, kernel=Linear()).n_alone == 0


def test_the_cost_is_minus_the_largest_eigenvalues_and_what_guides():
    assert point([1.0, 0.5, 0.1]).cost == -1.5
    assert point([1.0, 0.5, 0.1], k=1).cost == -1.0


def test_an_eigenvalue_of_nothing_has_no_eigenvector():
    embedding = point([1.0, 0.9e-10, 0.0]).embedding
    np.testing.assert_array_equal(embedding, [[1.0, 0.0], [1.0, 0.0]])
    assert point([1.0, 1.1e-10, 0.0]).embedding.all()
