"""Give one reader inputs from atheris, in a process of its own.

    python -m hsiclearn_benchmarks.trust.fuzz TARGET --runs N [--seed S] [--findings FOLDER]

The output is libFuzzer's own. An exception that is not documented is told once for each place it
comes from, in FOLDER, with the input; the rest of the inputs is tried all the same. A process that
dies leaves its input there, too.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import tempfile
import traceback
import warnings
from importlib import import_module
from pathlib import Path
from typing import Any

from .targets import TARGETS, Target

_READERS = ("_cli.tables", "_persistence", "_solvers.checkpoint")
_SECONDS, _MEGABYTES = 5, 2048
_LONGEST = 1 << 15  # bytes of an input
_ADDRESSES = 16 << 30  # bytes: libraries reserve more than they use


def main() -> None:
    """Seed a corpus, and never come back: libFuzzer ends the process."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("target", choices=TARGETS)
    parser.add_argument("--runs", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--findings", type=Path, default=Path("fuzz-findings"))
    given = parser.parse_args()
    import atheris

    with atheris.instrument_imports(include=["hsiclearn"]):
        for name in _READERS:
            import_module(f"hsiclearn.{name}")
    target = TARGETS[given.target]
    given.findings.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="corpus-", dir=given.findings))  # goes with these
    corpus = folder / "corpus"
    corpus.mkdir()
    for name, content in target.seeds().items():
        (corpus / name).write_bytes(content)
    resource.setrlimit(resource.RLIMIT_AS, (_ADDRESSES, _ADDRESSES))
    warnings.simplefilter("ignore")
    options = {
        "runs": given.runs,
        "seed": given.seed,
        "timeout": _SECONDS,
        "rss_limit_mb": _MEGABYTES,
        "max_len": _LONGEST,
        "print_final_stats": 1,
        "close_fd_mask": 3,  # libraries print when they panic
        "artifact_prefix": f"{given.findings}/",
    }
    words = [sys.argv[0], *(f"-{name}={value}" for name, value in options.items()), str(corpus)]
    atheris.Setup(words, _Once(target, folder / f"input{target.suffix}", given.findings))
    atheris.Fuzz()


class _Once:
    """One input: a file that is read. What should not be is kept, once for each place."""

    def __init__(self, target: Target, path: Path, findings: Path) -> None:
        self._target, self._path, self._findings = target, path, findings
        self._known: set[str] = set()

    def __call__(self, data: bytes) -> None:
        try:
            self._path.write_bytes(self._target.pack(data))
            self._target.read(self._path)
        except BaseException as error:
            if type(error).__name__ not in self._target.refused:
                self._keep(error, data)

    def _keep(self, error: BaseException, data: bytes) -> None:
        frames = traceback.extract_tb(error.__traceback__)
        ours = [f"{f.filename}:{f.lineno}" for f in frames if "hsiclearn" in f.filename]
        place = f"{type(error).__name__} at {ours[-1] if ours else 'nowhere of ours'}"
        if place in self._known:
            return
        self._known.add(place)
        number = len(self._known)
        (self._findings / f"input-{number}").write_bytes(data)
        told: dict[str, Any] = {"place": place, "message": str(error)[:500]}
        (self._findings / f"finding-{number}.json").write_text(json.dumps(told))


if __name__ == "__main__":
    main()
