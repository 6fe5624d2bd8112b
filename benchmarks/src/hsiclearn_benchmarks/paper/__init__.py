"""The paper's tables and claims, measured.

Three nouns: *data* (:mod:`.data`), *methods* (:mod:`.methods`, :mod:`.solvers`), and the
*objective*, which alone computes figures (:mod:`.measure`).
"""
