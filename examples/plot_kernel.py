"""
What does the kernel see before and after?
==========================================

A kernel matrix says for every two rows how alike they are. With all columns of a noisy table, rows
of one class are hardly more alike than rows of two. The directions that ``SupervisedHSIC`` finds
are those in which the picture gets its blocks: alike within a class, unlike between classes.
"""

import numpy as np
from sklearn.preprocessing import StandardScaler

from hsiclearn import SupervisedHSIC, cka
from hsiclearn.datasets import make_planted
from hsiclearn.plotting import KernelDisplay

X, y, _ = make_planted("sectors", 300, 12)
X = StandardScaler().fit_transform(X)
model = SupervisedHSIC(n_components=2).fit(X, y)

display = KernelDisplay.from_estimator(model, X, y)

# %%
# The same in a number each: CKA of the rows with the classes, and the mean of the kernel over
# pairs of the same and of different classes, in the plane found.

print(f"CKA with the classes, all columns:  {cka(X, y, estimator='unbiased'):.3f}")
print(f"CKA with the classes, in the plane: {cka(model.transform(X), y, estimator='unbiased'):.3f}")

Z = model.transform(X)
squares = np.sum((Z[:, None] - Z[None]) ** 2, axis=2)
K = model.kernel_.f(squares)
same = y[:, None] == y[None]
np.fill_diagonal(K, np.nan)
print(
    f"mean kernel value, same class: {np.nanmean(K[same]):.3f}, other: {np.nanmean(K[~same]):.3f}"
)

# %%
# The first CKA is on all twelve columns, ten of which are noise. The second is on the rows that the
# plane was fitted to, so it flatters a little.
