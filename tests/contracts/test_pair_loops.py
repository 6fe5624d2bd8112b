"""The loops of ISM compute what the objective does."""

import numpy as np
import pytest

import registry
from hsiclearn import Objective
from hsiclearn._objective import CurvedPoint, PairLoops, vectorised
from hsiclearn.kernels import Cauchy, Gaussian, Linear, RelativeGaussian


@pytest.mark.parametrize("kernel", [Gaussian(0.7), Gaussian(3.0), -2.5 * Gaussian(1.5)], ids=repr)
@pytest.mark.parametrize("name", ["classes-unsorted", "low-rank-signed", "dense", "sum-signed"])
def test_cost_phi_and_gradient_are_those_of_the_objective(name, kernel):
    objective = Objective(registry.X, registry.GAMMAS[name][0], kernel)
    loops = PairLoops(objective)
    assert (loops.engine, loops.n_samples, loops.n_features) == ("loops", registry.N, registry.D)
    scale = np.abs(objective.phi(registry.W)).max()
    np.testing.assert_allclose(
        loops.phi(registry.W), objective.phi(registry.W), rtol=0, atol=1e-10 * scale
    )
    assert loops.cost(registry.W) == pytest.approx(objective.cost(registry.W), rel=1e-10)
    np.testing.assert_allclose(
        loops.gradient(registry.W), objective.gradient(registry.W), rtol=0, atol=1e-10 * scale
    )


def test_a_point_of_the_loops_has_a_vectorised_twin():
    objective = Objective(registry.X, registry.GAMMAS["dense"][0], Gaussian(2.0))
    point = PairLoops(objective).point(registry.W)
    twin = vectorised(point)
    assert isinstance(twin, CurvedPoint)
    assert not isinstance(point, CurvedPoint)
    assert twin.objective is objective
    assert twin.cost == pytest.approx(point.cost, rel=1e-12)
    assert vectorised(twin) is twin


@pytest.mark.parametrize(
    "kernel", [Linear(), Cauchy(), RelativeGaussian(), Gaussian(1.0) + Gaussian(2.0)], ids=repr
)
def test_other_kernels_are_refused(kernel):
    objective = Objective(registry.X, registry.GAMMAS["dense"][0], kernel)
    with pytest.raises(ValueError, match="one Gaussian kernel"):
        PairLoops(objective)
