"""One BLAS thread per worker, set before anything loads numpy.

Idle threads of a BLAS spin on the cores that the other workers need. Workers and commands started
by a test inherit the setting; tests of limits raise the number of threads themselves.
"""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"
