"""Which directions add nothing to a kernel."""

import pytest

from hsiclearn.inspection._spread import hardly_vary


@pytest.mark.parametrize(
    ("deviations", "bandwidth", "expected"),
    [
        ([1.59, 0.019], 1.24, [False, True]),  # breast cancer: CKA is the same without the second
        ([1.0, 0.06], 1.0, [False, False]),
        ([1.0, 0.04], 1.0, [False, True]),
        ([1.0, 0.06], 100.0, [False, False]),  # beside the others, where the kernel is wide
        ([1.0, 0.01], None, [False, False]),
        ([1.0, 1e-9], None, [False, True]),
        ([0.0], 1.0, [True]),
    ],
)
def test_a_direction_counts_beside_the_bandwidth_or_the_widest(deviations, bandwidth, expected):
    assert hardly_vary(deviations, bandwidth).tolist() == expected
