"""
Does this column depend on that one?
====================================

Pearson's correlation sees how well a straight line fits. Many dependences have no straight line
in them: a column may rise and fall again, or two columns may lie on a circle. The HSIC test asks
whether two columns depend on each other *in any way*, and answers with a p-value.

Five pairs of columns, 150 rows each. In the last one there is nothing to find.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.stats import pearsonr

from hsiclearn import cka, hsic_test

rng = np.random.default_rng(0)
n = 150
x = rng.uniform(-1, 1, n)
turn = rng.uniform(0, 2 * np.pi, n)
noise = rng.standard_normal((5, n))
pairs = {
    "line": (x, x + 0.5 * noise[0]),
    "parabola": (x, x**2 + 0.15 * noise[1]),
    "circle": (np.cos(turn) + 0.1 * noise[2], np.sin(turn) + 0.1 * noise[3]),
    "spread": (x, np.abs(x) * noise[4]),
    "nothing": (x, rng.standard_normal(n)),
}

figure, axes = plt.subplots(1, 5, figsize=(11, 2.9), layout="constrained")
for ax, (name, (left, right)) in zip(axes, pairs.items(), strict=True):
    line, any_kind = pearsonr(left, right).pvalue, hsic_test(left, right).pvalue
    strength = cka(left, right, estimator="unbiased")
    print(f"{name:9} Pearson p = {line:8.2g}   HSIC p = {any_kind:8.2g}   CKA = {strength:.3f}")
    ax.plot(left, right, ".", color="#0072B2", markersize=4)
    ax.set(title=f"{name}\nPearson p = {line:.1g}\nHSIC p = {any_kind:.1g}", xticks=[], yticks=[])
    ax.title.set_fontsize(10)

# %%
# Either side may have several columns, or hold labels. Two more questions to one small table: does
# the place of a point on the circle (two columns) tell which half it is in (labels), and does the
# upper or lower half tell anything about the left or right one?

circle = np.stack(pairs["circle"], axis=1)
upper = np.where(circle[:, 1] > 0, "upper", "lower")
right_half = np.where(circle[:, 0] > 0, "right", "left")
print(f"place and upper half: p = {hsic_test(circle, upper).pvalue:.2g}")
print(f"upper half and right half: p = {hsic_test(upper, right_half).pvalue:.2g}")

# %%
# A small p-value says that there is dependence, not how strong it is: with rows enough the
# slightest one is found. For the strength look at CKA.
