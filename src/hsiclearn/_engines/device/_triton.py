r"""All pairs in one kernel: exponents, kernel values, Gamma and the product with V in registers.

For a block of rows I, over columns j, of matrices in half precision whose products are added in
single precision on the matrix units::

    t_ij = a_i . b_j                                  -|z_i - z_j|^2 / 2, see ``splits.py``
    P_ij = 2^t_ij                                     a Gaussian, or
         = (1 - 2 kappa t_ij)^power                   another kernel of the family
    S_ij = g P_ij (l_i . r_j) (m_i . o_j)             g one number of the tile, factors where given
    Y_I  = sum_j S_ij V_j,  rows_I = sum_j S_ij,  values_I = sum_j g P_ij (1 - 2 kappa t_ij) ...

Three things make it exact. S and V are each split into two halves, of which three products are
taken, the small ones first. Matrix units *truncate* when they add, so that the error of a sum
grows with every product that goes into it: each tile begins a fresh one, which is then added to a
rounded sum. And sums down the columns are integers, which no order of addition changes: the same
input gives the same bits.

With ``HALF`` only columns from the first row of the block on are visited. The other half of
``X'SX`` is the transpose of this one, of the sums over rows it is the sums over columns.
"""

from __future__ import annotations

import triton
import triton.language as tl

LIFT = tl.constexpr(2.0**14)  # of P, so that what is left of a half has digits, too
FIXED = tl.constexpr(2.0**12)  # units of a sum down a column, of lifted numbers


@triton.jit
def pairs_kernel(
    A,
    B,
    V_HIGH,
    V_LOW,
    L,
    R,
    M,
    O,
    CLASS,
    TABLE,
    Y,
    ROWS,
    VALUES,
    COLS,
    first_block,
    n_cols,
    n_classes,
    stride_v,
    stride_y,
    two_kappa,
    power,
    K: tl.constexpr,
    KL: tl.constexpr,
    KM: tl.constexpr,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BD: tl.constexpr,
    HALF: tl.constexpr,
    GAUSSIAN: tl.constexpr,
    CLASSES: tl.constexpr,
    WITH_VALUES: tl.constexpr,
    PRODUCTS: tl.constexpr,
):
    """One block of rows and of columns of V against all columns of pairs."""
    block = tl.program_id(0)
    i0 = (first_block + block) * BM
    part = tl.program_id(1)
    i = i0 + tl.arange(0, BM)
    k = tl.arange(0, K)
    d = part * BD + tl.arange(0, BD)
    a = tl.load(A + i[:, None] * K + k[None, :])
    if KL > 0:
        kl = tl.arange(0, KL)
        left = tl.load(L + i[:, None] * KL + kl[None, :])
    if KM > 0:
        km = tl.arange(0, KM)
        left2 = tl.load(M + i[:, None] * KM + km[None, :])
    if CLASSES:
        own = tl.load(CLASS + i0 // BN)
    y = tl.zeros((BM, BD), dtype=tl.float32)
    rows = tl.zeros((BM,), dtype=tl.float32)
    values = tl.zeros((BM,), dtype=tl.float32)
    start = i0 if HALF else 0
    for j0 in range(start, n_cols, BN):
        j = j0 + tl.arange(0, BN)
        b = tl.load(B + j[:, None] * K + k[None, :])
        t = tl.dot(a, tl.trans(b))
        if GAUSSIAN:
            p = tl.exp2(t)
        else:
            base = 1.0 - two_kappa * tl.minimum(t, 0.0)
            p = tl.exp2(power * tl.log2(base)) * LIFT
        if KL > 0:
            right = tl.load(R + j[:, None] * KL + kl[None, :])
            p = p * tl.dot(left, tl.trans(right))
        if KM > 0:
            right2 = tl.load(O + j[:, None] * KM + km[None, :])
            p = p * tl.dot(left2, tl.trans(right2))
        g = 1.0
        if CLASSES:
            g = tl.load(TABLE + own * n_classes + tl.load(CLASS + j0 // BN))
        rows += g * tl.sum(p, axis=1)
        once = 1.0
        if HALF:
            is_later = j0 >= i0 + BM
            once = tl.where(is_later, 1.0, 0.5)
            if part == 0:
                if is_later:
                    down = (g * FIXED) * tl.sum(p, axis=0)
                    tl.atomic_add(COLS + j, down.to(tl.int64), sem="relaxed")
        if WITH_VALUES:
            values += (g * 2.0 * once) * tl.sum(p * base, axis=1)
        v = tl.load(V_HIGH + j[:, None] * stride_v + d[None, :])
        high = p.to(tl.float16)
        if PRODUCTS == 1:
            fresh = tl.dot(high, v)
        else:
            low = (p - high.to(tl.float32)).to(tl.float16)
            fresh = tl.dot(low, v)
            v_low = tl.load(V_LOW + j[:, None] * stride_v + d[None, :])
            fresh = tl.dot(high, v_low, fresh)
            fresh = tl.dot(high, v, fresh)
        y += (g * once) * fresh
    out = block * BM + tl.arange(0, BM)
    tl.store(Y + out[:, None] * stride_y + d[None, :], y)
    if part == 0:
        tl.store(ROWS + i, rows)
        if WITH_VALUES:
            tl.store(VALUES + i, values)
