"""How much of the package a default fit walks through: modules, functions, and how deep.

A reader who follows a fit has to open as many files. Beside it, scikit-learn's NCA.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from sklearn.datasets import load_wine
from sklearn.neighbors import NeighborhoodComponentsAnalysis
from sklearn.preprocessing import StandardScaler

import hsiclearn
from hsiclearn import AlternativeHSIC, SupervisedHSIC
from hsiclearn.datasets import make_two_views


def walked(package: str, fit: Callable[[], object]) -> tuple[int, int, int]:
    """Modules and functions of ``package`` that ``fit`` enters, and the deepest nesting of them."""
    entered: set[tuple[str, str, int]] = set()
    depth = deepest = 0

    def watch(frame: FrameType, event: str, _: object) -> None:
        nonlocal depth, deepest
        module = str(frame.f_globals.get("__name__", ""))
        if module.partition(".")[0] != package:
            return
        if event == "call":
            depth += 1
            deepest = max(deepest, depth)
            entered.add((module, frame.f_code.co_name, frame.f_code.co_firstlineno))
        elif event == "return":
            depth -= 1

    sys.setprofile(watch)
    try:
        fit()
    finally:
        sys.setprofile(None)
    functions = {place for place in entered if place[1] != "<module>"}
    return len({module for module, _, _ in functions}), len(functions), deepest


def main() -> None:
    warnings.simplefilter("ignore")
    X, y = load_wine(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    views, given, _ = make_two_views(n_samples=200)
    fits: dict[str, tuple[str, Callable[[], object]]] = {
        "SupervisedHSIC, wine": ("hsiclearn", lambda: SupervisedHSIC().fit(X, y)),
        "AlternativeHSIC, two views": ("hsiclearn", lambda: AlternativeHSIC().fit(views, given)),
        "NCA, wine": ("sklearn", lambda: NeighborhoodComponentsAnalysis(2).fit(X, y)),
    }
    print("| fit | modules | functions | depth |\n|---|---|---|---|")
    for name, (package, fit) in fits.items():
        fit()  # imports are no part of a fit
        print(f"| {name} | {' | '.join(str(figure) for figure in walked(package, fit))} |")
    files = sorted(Path(hsiclearn.__file__).parent.rglob("*.py"))
    lines = sum(len(file.read_text().splitlines()) for file in files)
    print(f"\n{len(files)} modules and {lines:,} lines in the package.")


if __name__ == "__main__":
    main()
