"""
How many rows are too many?
===========================

HSIC is a sum over all pairs of rows, and pairs grow with the square of the rows. Up to 5000 rows
the pairs are visited. Above, they are replaced by sums over rows: each row is described by a few
hundred numbers at most, and the fit says how far its sums can be from the exact ones.

Nothing has to be switched on. The same table is fitted at four sizes, and the fitted object says
who computed the sums, why, and how exactly. Times are left out here, because they depend on the
machine; :doc:`/scale` has them up to a million rows.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.linalg import subspace_angles

from hsiclearn import SupervisedHSIC
from hsiclearn.datasets import make_planted

SIZES = (300, 3000, 10_000, 40_000)
X, y, truth = make_planted("sectors", SIZES[-1], 10)
angles = []
for n in SIZES:
    model = SupervisedHSIC(n_components=2, bandwidth="median").fit(X[:n], y[:n])
    error = model.result_.engine_error
    angles.append(np.degrees(subspace_angles(model.components_.T, truth)[0]))
    print(f"{n:6} rows: {model.engine_}, {model.result_.engine_reason}")
    if error.n_features:
        print(f"        Phi is off by at most {error.relative:.1e}, proven: {error.guaranteed}")

# %%
# More rows pay: the subspace comes closer to the true one.

figure, ax = plt.subplots(figsize=(6, 3.6), layout="constrained")
ax.loglog(SIZES, angles, "o-", color="#0072B2")
ax.set_xticks(SIZES, [f"{n:,}" for n in SIZES])
ax.minorticks_off()
ax.set(title="Angle to the true plane", xlabel="rows", ylabel="degrees")
ax.set_yticks(angles, [f"{angle:.1f}" for angle in angles])
ax.grid(alpha=0.3)
