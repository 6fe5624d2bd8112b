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

    def __getattr__(name: str) -> Any:
        """Load everything when something is first asked for.

        Seconds pass while numpy, scipy and scikit-learn are loaded. The command must be there
        before: it has to answer Ctrl-C.
        """
        if name == "tables":  # of old: it warns when it is used
            return import_module(f"{__name__}.tables")
        if not name.startswith("__") or name == "__all__":  # others Python asks for, and we lack
            public = import_module(f"{__name__}._public")
            if name in globals():  # a part of the package, which came with the others
                return globals()[name]
            if hasattr(public, name):
                globals()[name] = getattr(public, name)
                return globals()[name]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return sorted(__getattr__("__all__"))
