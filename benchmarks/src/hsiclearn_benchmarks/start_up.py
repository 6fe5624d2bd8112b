"""How long the package and its command take to be there, beside scikit-learn.

``python -m hsiclearn_benchmarks.start_up`` prints the table.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from .parts import markdown

_REPEATS = 5
_IMPORTS = (
    "import sklearn.linear_model",
    "import hsiclearn",
    "from hsiclearn import SupervisedHSIC",
)
_SCRIPT = Path(sys.executable).with_name("hsiclearn")
COMMANDS: dict[str, Sequence[str]] = {
    **{f"`{code}`": (sys.executable, "-c", code) for code in _IMPORTS},
    **{f"`hsiclearn {word}`": (str(_SCRIPT), word) for word in ("--help", "--version")},
}


def seconds_of(commands: dict[str, Sequence[str]], repeats: int = _REPEATS) -> dict[str, float]:
    """The best of some runs of each command, in turns: all of them share a machine's moods.

    A run before them leaves compiled modules behind, as an installation does.
    """
    best = dict.fromkeys(commands, float("inf"))
    for name, command in commands.items():
        _run(name, command)
    for _ in range(repeats):
        for name, command in commands.items():
            best[name] = min(best[name], _run(name, command))
    return best


def _run(name: str, command: Sequence[str]) -> float:
    environment = {key: v for key, v in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    began = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    seconds = time.perf_counter() - began
    if done.returncode:
        raise RuntimeError(f"{name} ended with {done.returncode}: {done.stderr}")
    return seconds


def main() -> None:
    """Print the table."""
    rows = [(name, f"{seconds:.2f}") for name, seconds in seconds_of(COMMANDS).items()]
    print(markdown(("command", f"best of {_REPEATS}, seconds"), rows))


if __name__ == "__main__":
    main()
