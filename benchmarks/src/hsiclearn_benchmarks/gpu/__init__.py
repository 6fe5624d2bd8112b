"""All pairs, sums in linear time and tests of independence on a GPU: time, exactness, memory.

:mod:`.measure` has the parts, each a table; :mod:`.data` what they are measured on; :mod:`.page`
writes tables and a picture of what was measured, on whatever machine.
"""
