"""
How many directions are there?
==============================

A target may depend on one direction, on two, or on more. Three ways to ask are shown on a table
whose answer is known: the class says in which of three sectors of a plane a row lies, and the
plane is hidden among eight columns. The true number is two.

* ``n_components="auto"`` takes the number that explains most on rows held out. Start with it.
* ``hsic_path`` compares every number of directions at every bandwidth.
* ``dimension_test`` asks, for 0, 1, 2, ... directions, whether dependence is left outside them, and
  answers with a p-value.
"""

import matplotlib.pyplot as plt
import numpy as np

from hsiclearn import SupervisedHSIC, dimension_test, hsic_path
from hsiclearn.datasets import make_planted
from hsiclearn.plotting import SpectrumDisplay

X, y, _ = make_planted("sectors", 240, 8)
model = SupervisedHSIC(n_components="auto", objective="dependence").fit(X, y)
print(f"n_components='auto' takes {model.n_components_}")
print(model.selection_.in_words())

# %%
# The whole grid. Bandwidths run from smooth (left) to fine (right). This is a comparison of
# its own, with other rows held out: shares differ a little from the one above.

path = hsic_path(X, y, n_components=(1, 2, 3, 4))
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.9), layout="constrained")
image = left.imshow(path.explained_share, cmap="cividis", vmin=0.0, aspect="auto")
left.set_xticks(range(path.scales.size), [f"{scale:g}" for scale in path.scales])
left.set_yticks(range(path.n_components.size), path.n_components)
left.set(
    title="Explained on rows held out",
    xlabel="bandwidth, times the typical distance",
    ylabel="directions",
)
for (i, j), share in np.ndenumerate(path.explained_share):
    colour = "white" if share < 0.5 * path.explained_share.max() else "black"
    left.text(j, i, f"{share:.0%}", ha="center", va="center", color=colour, fontsize=9)
figure.colorbar(image, ax=left)
SpectrumDisplay.from_estimator(model, ax=right)

# %%
# On the right is the spectrum of Phi at the solution: as many low eigenvalues as directions were
# fitted, then a gap. Only HSIC has one, so it was asked for; directions made to predict have not.
#
# And the test. Each p-value is that of "nothing is left outside the first q directions". It stops
# at the first one above 5 %.

test = dimension_test(X, y, n_permutations=39)
for q, pvalue in enumerate(test.pvalues):
    print(f"outside {q} directions: p = {pvalue:.3f}")
print(f"directions needed, by the test: {test.n_components}")
