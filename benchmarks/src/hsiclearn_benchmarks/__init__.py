"""Benchmarks of hsic-learn: ``hsiclearn bench ...``, and the scripts behind ``make bench-...``.

:mod:`.paper` has the tables and claims of the paper, :mod:`.scale` many rows, :mod:`.quality` the
answers at defaults beside rivals', :mod:`.dependence` the test of independence, and
:mod:`.clustering` the clusterers.
"""
