"""How wrong a derivative of one's own may be: where it is looked at, and how closely."""

import numpy as np
import pytest

from hsiclearn.exceptions import InvalidKernelError
from hsiclearn.kernels import Custom, check_derivatives

BETA = np.linspace(0.0, 5.0, 12)


def slip(size, which, where=lambda b: True, pair="difference"):
    """``exp(-b / 3)`` with f' or f'' off by a share of itself, somewhere."""

    def off(number):
        return lambda b: 1.0 + size * (number == which) * where(b)

    return Custom(
        lambda b: np.exp(-b / 3),
        lambda b: -np.exp(-b / 3) / 3 * off(1)(b),
        lambda b: np.exp(-b / 3) / 9 * off(2)(b),
        pair=pair,
    )


def is_refused(kernel, beta=BETA, **given):
    try:
        check_derivatives(kernel, beta, **given)
    except InvalidKernelError as error:
        return str(error).partition("`")[2].partition("`")[0]
    return ""


@pytest.mark.parametrize("pair", ["difference", "inner"])
@pytest.mark.parametrize("which", [1, 2])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_four_digits_are_asked_for(pair, which, sign):
    assert not is_refused(slip(sign * 0.9e-4, 2, pair=pair))
    name = {1: "df", 2: "d2f"}[which]
    assert is_refused(slip(sign * 1.2e-4, which, pair=pair)) == name
    assert is_refused(slip(sign * 1.2e-3, which, pair=pair), rtol=1e-3) == name
    assert not is_refused(slip(sign * 0.8e-3, 2, pair=pair), rtol=1e-3)


@pytest.mark.parametrize(
    ("low", "high", "is_seen"),
    [
        (0.0, 0.9e-6, False),  # beside 5: nearer to 0 than any that is asked for
        (4e-6, 3e-5, True),  # twelve values from a millionth of the largest on
        (1e-3, 1e-2, True),
        (4.9, 5.1, True),
        (5.1, 9.0, False),
    ],
)
def test_distances_are_looked_at_closer_to_zero_than_the_data_are(low, high, is_seen):
    kernel = slip(1.0, 2, lambda b: (b > low) & (b < high))
    assert bool(is_refused(kernel)) == is_seen


def test_inner_products_are_looked_at_where_the_data_are():
    near = slip(1.0, 2, lambda b: (np.abs(b) > 1e-4) & (np.abs(b) < 0.1), "inner")
    assert not is_refused(near)
    assert is_refused(slip(1.0, 2, lambda b: np.abs(b) < 0.1, "inner")) == "d2f"
    assert not is_refused(slip(0.0, 1, pair="inner"), np.array([2.0]))  # of one value, too


def test_nothing_beside_the_steepest_slope_need_not_be_right():
    """A part of 1e-8 of it is allowed."""
    at = lambda b: b > 4.9  # noqa: E731
    for size, name in ((0.9e-8, ""), (1.2e-8, "df")):
        kernel = Custom(
            lambda b: np.exp(-8.0 * b),
            lambda b, size=size: -8.0 * np.exp(-8.0 * b) + 8.0 * size * at(b),
            lambda b: 64.0 * np.exp(-8.0 * b),
        )
        assert is_refused(kernel) == name


def test_without_data_distances_up_to_one_are_looked_at():
    assert not is_refused(slip(0.0, 1), np.zeros(0))
    assert is_refused(slip(1.0, 1, lambda b: b > 0.9), np.zeros(0)) == "df"
    assert not is_refused(slip(1.0, 1, lambda b: b > 1.1), np.zeros(0))


def test_rounding_of_a_large_value_is_forgiven():
    """``1e13 eps`` of f over a step: of a constant as large as that no slope is left."""
    kernel = Custom(lambda b: 1e9 + b, np.ones_like, np.zeros_like)
    assert not is_refused(kernel)
    assert is_refused(Custom(lambda b: 1e5 + b, lambda b: 1.01 + 0.0 * b, np.zeros_like)) == "df"


def test_whole_numbers_are_numbers():
    assert not is_refused(slip(0.0, 1, pair="inner"), np.arange(5))
    assert is_refused(slip(0.1, 1, pair="inner"), [0, 1, 2]) == "df"
