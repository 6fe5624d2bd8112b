"""What a part of the quality suite is given, and which code its figures are of."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import hsiclearn

from .._types import Figures, Progress
from ..units import Store, Unit, perform

__all__ = ["Suite", "our_code", "rivals_code", "their_code"]

_PACKAGE = Path(hsiclearn.__file__).resolve().parent
_RIVALS = Path(__file__).resolve().parent / "rivals"
_NO_PART_IN_A_FIT = ("_cli", "plotting")


@dataclass(frozen=True)
class Suite:
    """How much of it, over how many processes, and the one way to have units done.

    ``only`` are the names of data sets; none stands for all. A quick suite has one seed and small
    sets.
    """

    store: Store = field(default_factory=Store)
    jobs: int = 1
    only: tuple[str, ...] = ()
    quick: bool = False
    tell: Progress = lambda done, total, name: None

    def run(self, part: str, units: Sequence[Unit], *, alone: bool = False) -> dict[str, Figures]:
        """The figures of all units by name, from the store where it has them."""
        return perform(part, units, self.store, jobs=self.jobs, tell=self.tell, alone=alone)

    def some(self, items: Sequence[Any]) -> Sequence[Any]:
        """All of them; of a quick suite the first."""
        return items[:1] if self.quick else items


@cache
def our_code() -> str:
    """A digest of the library's files, and what it stands on."""
    paths = sorted(_PACKAGE.rglob("*.py"))
    fitted = [p for p in paths if p.relative_to(_PACKAGE).parts[0] not in _NO_PART_IN_A_FIT]
    return f"hsic-learn {_digest(fitted, _PACKAGE)}, {their_code()}"


@cache
def rivals_code(package: str = "") -> str:
    """A digest of the rivals written here, what they stand on, and the package that runs one."""
    code = f"rivals {_digest(sorted(_RIVALS.glob('*.py')), _RIVALS)}, {their_code()}"
    return f"{code}, {_installed(package)}" if package else code


@cache
def their_code() -> str:
    """The version of what the rivals and the predictors come from."""
    return f"scikit-learn {version('scikit-learn')}"


def _digest(paths: Sequence[Path], folder: Path) -> str:
    digest = hashlib.sha256()
    for path in paths:
        name = path.relative_to(folder)
        digest.update(name.as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def _installed(package: str) -> str:
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:  # the rival fails, and says so itself
        return f"no {package}"
