"""
Can the answer be trusted?
==========================

The objective is not convex. A solver may stop too early, at a saddle, or never settle at all, and
the figures alone do not show it. So every fit comes with a certificate: the gradient and the
curvature at the answer, computed and not assumed.

Two solvers are compared on handwritten digits in two directions, at the paper's bandwidth.
``"spectral"`` is the default: it never raises the cost. ``"ism+"`` is the algorithm as the paper
prints it. Its steps are the same eigenvector steps, without the safeguard: it takes the lowest
eigenvectors of a matrix, whatever happens to the cost.
"""

import warnings

from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import StandardScaler

from hsiclearn import SupervisedHSIC
from hsiclearn.plotting import ConvergenceDisplay

digits = load_digits()
X = StandardScaler().fit_transform(digits.data[:600])
y = digits.target[:600]

models = {}
for solver in ("spectral", "ism+"):
    model = SupervisedHSIC(2, bandwidth="median", init="phi-zero", solver=solver)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ConvergenceWarning)
        models[solver] = model.fit(X, y)
    print(f"{solver}: cost {model.cost_:.2f}, {model.n_iter_} steps, {len(caught)} warning(s)")
    print(f"  status: {model.result_.status.value}")
    print(f"  certificate: {model.certificate_.verdict}")

# %%
# Left the cost above the lowest one of the run, right the gradient and the tolerance.

display = ConvergenceDisplay.from_estimator(models["spectral"])
display.figure_.suptitle("The default solver, spectral")

# %%
# And Algorithm 1. The open marker is the iterate of lowest cost, which is returned.

display = ConvergenceDisplay.from_estimator(models["ism+"])
display.figure_.suptitle("Algorithm 1 of the paper, ism+")

# %%
# What a certificate does not say: it is a local statement. Another start may lead lower, and
# ``n_init`` tries several.

several = SupervisedHSIC(2, bandwidth="median", n_init=4, random_state=0).fit(X, y)
print(f"one start: {models['spectral'].cost_:.2f}; the best of four: {several.cost_:.2f}")
