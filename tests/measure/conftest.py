"""Settings of the libraries that values are compared with."""

import os

# What is compiled there are calls of numpy: compiling takes a minute, and saves nothing here.
os.environ.setdefault("NUMBA_DISABLE_JIT", "1")
