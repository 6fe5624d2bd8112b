"""Small changes to the core, one at a time, and whether a test notices.

:mod:`.operators` says what may stand in the place of what, :mod:`.sites` where in a file,
:mod:`.project` which files and tests, :mod:`.choice` which mutants are tried on which tests, and
:mod:`.nursery` is the process that tries them. mutmut and the like leave out the methods of
dataclasses, as kernels, Gammas and the certificate are, and know no samples.
"""

from __future__ import annotations

from .measure import measure_mutants

__all__ = ["measure_mutants"]
