"""Linear algebra on small matrices: nothing here knows about kernels."""

from __future__ import annotations

from .basis import IDENTITY, Basis, is_wide, may_depend, row_space
from .distances import (
    gaussian_kernel,
    median_pair_distance,
    typical_distance,
    weighted_median,
)
from .eigen import lowest_eigenpairs, pivoted_cholesky, top_eigenpairs
from .importance import column_importances, column_weights, deviations_of
from .krylov import Eigenpair, Spectrum, block_krylov, restarted_krylov, smallest_eigenpair
from .operator import OperatorSymmetric, symmetric_matrix
from .subspace import (
    completed,
    fix_signs,
    in_units_near_one,
    independent_columns,
    nearest_basis,
    orthonormal_basis,
    safe_norm,
    sine_of_largest_angle,
    sines_of_angles,
    units_near_one,
)
from .symmetric import (
    AbstractSymmetric,
    DenseSymmetric,
    SplitSpectrum,
    fits_in_memory,
    null_space_of,
)

__all__ = [
    "IDENTITY",
    "AbstractSymmetric",
    "Basis",
    "DenseSymmetric",
    "Eigenpair",
    "OperatorSymmetric",
    "Spectrum",
    "SplitSpectrum",
    "block_krylov",
    "column_importances",
    "column_weights",
    "completed",
    "deviations_of",
    "fits_in_memory",
    "fix_signs",
    "gaussian_kernel",
    "in_units_near_one",
    "independent_columns",
    "is_wide",
    "lowest_eigenpairs",
    "may_depend",
    "median_pair_distance",
    "nearest_basis",
    "null_space_of",
    "orthonormal_basis",
    "pivoted_cholesky",
    "restarted_krylov",
    "row_space",
    "safe_norm",
    "sine_of_largest_angle",
    "sines_of_angles",
    "smallest_eigenpair",
    "symmetric_matrix",
    "top_eigenpairs",
    "typical_distance",
    "units_near_one",
    "weighted_median",
]
