"""hsic-learn: linear directions that depend most on a target, measured by HSIC.

The public names are those in ``__all__``; anything else may change without notice.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._version import __version__ as __version__

if TYPE_CHECKING:
    from ._public import *  # noqa: F403  (type checkers see the names, and no others)
else:
    _PARTS = ("datasets", "gamma", "inspection", "kernels")
    _NAMES = {
        "_certificate": ("certify",),
        "_estimators": (
            *("AlternativeHSIC", "SemiSupervisedHSIC", "SupervisedHSIC", "UnsupervisedHSIC"),
            "find_views",
        ),
        "_measure": (
            *("HsicEstimate", "HsicTestResult", "cka", "hsic", "hsic_estimate", "hsic_test"),
        ),
        "_objective": ("Objective",),
        "_persistence": ("load", "save", "trusted_types"),
        "_result": ("Agreement", "Certificate", "Levels", "Record", "Result", "Status"),
        "_rows": ("Spread",),
        "_selection": (
            *("CountPath", "DimensionTest", "FeaturePath", "HsicPath", "KnownRows", "Neighbours"),
            *("OutOfFold", "Selection", "dimension_test", "feature_path", "hsic_path"),
        ),
        "_solvers.solve": ("solve",),  # not the module of that name, whoever imported it first
    }  # what each part adds to the public names, as in ``_public``
    _HOMES = {name: home for home, names in _NAMES.items() for name in names}
    __all__ = sorted((*_PARTS, *_HOMES, "__version__"))  # noqa: PLE0605  (checkers read `_public`)

    def __getattr__(name: str) -> Any:
        """Load a name, or a part of the package, when it is first asked for.

        A second or two pass while numpy, scipy and scikit-learn are loaded. The command must be
        there before: it has to answer Ctrl-C, and ``--help`` needs none of them.
        """
        if name in _HOMES:
            globals()[name] = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
            return globals()[name]
        part = f"{__name__}.{name}"
        if not name.startswith("__"):  # names that Python asks every module for
            try:
                return import_module(part)
            except ModuleNotFoundError as error:
                if error.name != part:  # it is there, and lacks what it needs
                    raise
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return list(__all__)
