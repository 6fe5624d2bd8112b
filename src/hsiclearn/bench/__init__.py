"""Benchmarks anyone can run: the paper's tables and claims, measured.

Three nouns: *data* (:mod:`.data`), *methods* (:mod:`.methods`), and the *objective*, which alone
computes figures (:mod:`.measure`). A data set or a method is one file. Many rows have a benchmark
of their own (:mod:`.scale`): there every fit is a process, and a part of it is one file. So has
the quality of the answers at defaults, beside rivals' (:mod:`.quality`).
"""

from __future__ import annotations

from .complexity import Complexity, measure_complexity
from .paper import Cell, PaperRun, run_paper
from .part import Goal, Part
from .quality import QUALITY_PARTS, run_quality
from .scale import PARTS, ScalePart, run_scale
from .starts import StartsRow, compare_starts, starts_report
from .tables import paper_report

__all__ = [
    "PARTS",
    "QUALITY_PARTS",
    "Cell",
    "Complexity",
    "Goal",
    "PaperRun",
    "Part",
    "ScalePart",
    "StartsRow",
    "compare_starts",
    "measure_complexity",
    "paper_report",
    "run_paper",
    "run_quality",
    "run_scale",
    "starts_report",
]
