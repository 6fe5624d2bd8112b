r"""All pairs in one kernel: exponents, kernel values, Gamma and the product with V in registers.

For a block of rows I and columns j, with matrices in half precision whose products the matrix
units add up in single precision (see ``splits.py``) ::

    t_ij = a_i . b_j                      -|z_i - z_j|^2 / 2 of rows in units of the kernel
    P_ij = 2^t_ij                         a Gaussian, or
         = (1 - 2 kappa t_ij)^power       another kernel of the family
    S_ij = P_ij Gamma_ij (d_i . e_j)      the last factor where there is one: betadot
    Gamma_ij = table[class_i, class_j]    one number of a tile, or
             = u_i . v_j                  factors, or
             = 2^(y_i . x_j) + u_i . v_j  a Gaussian of the target, less its means
    Y_I  = sum_j S_ij V_j,   rows_I = sum_j S_ij,   values_I = sum_j S_ij (1 - 2 kappa t_ij)

Pairs of a row with itself are left out: differences do not see them, and of a row far out they
would be all there is, to be subtracted from itself.

Three things make it exact. S and V are each split into two halves, of which three products are
taken, the small ones first. Matrix units *truncate* when they add, so that the error of a sum
grows with every product that goes into it: each tile begins a fresh one, which is then added to a
rounded sum. And sums down the columns are added up as integers, which no order changes: the same
input gives the same bits.

With ``HALF`` only columns from the first row of the block on are visited. The other half of
``X'SX`` is the transpose of this one; of the sums over rows it is the sums over columns.
"""

from __future__ import annotations

import triton
import triton.language as tl

LIFT = 14  # binary digits by which P is lifted, so that what is left of a half has digits, too
FIXED = 12  # and those that a sum down a column keeps below the units of lifted numbers

_LIFTED = tl.constexpr(2.0**LIFT)
_UNITS = tl.constexpr(2.0**FIXED)
_LOWERED = tl.constexpr(2.0**-26)  # of betadot, see ``lifted_products``
_NOWHERE = tl.constexpr(-800000.0)  # exponents of rows that only fill a block


@triton.jit
def pairs_kernel(
    # rows of a width of their own: a, b; u, v; y, x; d, e
    A, B, U, V, Y_LEFT, Y_RIGHT, D, E,
    # what S is multiplied with, in halves; the class of every block of columns, and their table
    HIGH, LOW, CLASS, TABLE,
    # sums
    OUT, ROWS, VALUES, COLS,
    first_block, n_cols, n_classes, stride_v, stride_out, two_kappa, power,
    KA: tl.constexpr, KU: tl.constexpr, KY: tl.constexpr, KD: tl.constexpr,
    BM: tl.constexpr, BN: tl.constexpr, BD: tl.constexpr,
    HALF: tl.constexpr, GAUSSIAN: tl.constexpr, CLASSES: tl.constexpr,
    WITH_VALUES: tl.constexpr, PRODUCTS: tl.constexpr,
):  # fmt: skip
    """One block of rows, and of columns of V, against the columns of pairs."""
    block, part = tl.program_id(0), tl.program_id(1)
    i0 = (first_block + block) * BM
    i = i0 + tl.arange(0, BM)
    c = part * BD + tl.arange(0, BD)
    ka = tl.arange(0, KA)
    a = tl.load(A + i[:, None] * KA + ka[None, :])
    if KU > 0:
        ku = tl.arange(0, KU)
        u = tl.load(U + i[:, None] * KU + ku[None, :])
    if KY > 0:
        ky = tl.arange(0, KY)
        y = tl.load(Y_LEFT + i[:, None] * KY + ky[None, :])
    if KD > 0:
        kd = tl.arange(0, KD)
        d = tl.load(D + i[:, None] * KD + kd[None, :])
    if CLASSES:
        own = tl.load(CLASS + i0 // BN) * n_classes
    out = tl.zeros((BM, BD), dtype=tl.float32)
    rows = tl.zeros((BM,), dtype=tl.float32)
    values = tl.zeros((BM,), dtype=tl.float32)
    for turn in tl.static_range(2 if HALF else 3):
        # First pairs within the block, then later rows, then those before.
        low = i0 if turn == 0 else (i0 + BM if turn == 1 else 0)
        high = i0 + BM if turn == 0 else (n_cols if turn == 1 else i0)
        once = 0.5 if HALF and turn == 0 else 1.0  # within the block both halves are visited
        for j0 in range(low, high, BN):
            j = j0 + tl.arange(0, BN)
            b = tl.load(B + j[:, None] * KA + ka[None, :])
            t = tl.dot(a, tl.trans(b))
            if GAUSSIAN:
                p = tl.exp2(t)
            else:
                base = 1.0 - two_kappa * tl.minimum(t, 0.0)
                p = tl.exp2(power * tl.log2(base)) * _LIFTED
                p = tl.where(t < _NOWHERE, 0.0, p)
            if turn == 0:
                p = tl.where(i[:, None] == j[None, :], 0.0, p)
            if KU > 0:
                v = tl.load(V + j[:, None] * KU + ku[None, :])
                gamma = tl.dot(u, tl.trans(v))
                if KY > 0:
                    x = tl.load(Y_RIGHT + j[:, None] * KY + ky[None, :])
                    gamma += tl.exp2(tl.dot(y, tl.trans(x)))
                p = p * gamma
            if KD > 0:
                e = tl.load(E + j[:, None] * KD + kd[None, :])
                p = p * (tl.dot(d, tl.trans(e)) * _LOWERED)
            g = 1.0
            if CLASSES:
                g = tl.load(TABLE + own + tl.load(CLASS + j0 // BN))
            rows += g * tl.sum(p, axis=1)
            if HALF and turn == 1:
                if part == 0:
                    down = (g * _UNITS) * tl.sum(p, axis=0)
                    tl.atomic_add(COLS + j, down.to(tl.int64), sem="relaxed")
            if WITH_VALUES:
                values += (g * once) * tl.sum(p * base, axis=1)
            w = tl.load(HIGH + j[:, None] * stride_v + c[None, :])
            p_high = p.to(tl.float16)
            if PRODUCTS == 1:
                fresh = tl.dot(p_high, w)
            else:
                p_low = (p - p_high.to(tl.float32)).to(tl.float16)
                fresh = tl.dot(p_low, w)
                w_low = tl.load(LOW + j[:, None] * stride_v + c[None, :])
                fresh = tl.dot(p_high, w_low, fresh)
                fresh = tl.dot(p_high, w, fresh)
            out += (g * once) * fresh
    own_rows = block * BM + tl.arange(0, BM)
    tl.store(OUT + own_rows[:, None] * stride_out + c[None, :], out)
    if part == 0:
        tl.store(ROWS + i, rows)
        if WITH_VALUES:
            tl.store(VALUES + i, values)
