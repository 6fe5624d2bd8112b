"""The same measurement by another copy of hsiclearn, in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

__all__ = ["figures_of"]


def figures_of(module: str, arguments: Sequence[str], source: Path | None = None) -> Any:
    """What ``python -m module arguments`` prints in its last line, as JSON.

    ``source`` is the ``src`` folder of another copy; the benchmarks are always these.
    """
    places = [*([] if source is None else [source.resolve()]), Path(__file__).parents[1]]
    path = os.pathsep.join([*map(str, places), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        env=os.environ | {"PYTHONPATH": path},
        check=False,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise RuntimeError(f"{module} {' '.join(arguments)} failed:\n{done.stderr[-2000:]}")
    return json.loads(done.stdout.splitlines()[-1])
