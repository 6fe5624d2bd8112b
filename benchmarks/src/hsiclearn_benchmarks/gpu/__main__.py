"""What a GPU makes of fits: measured where one is, written down anywhere.

    python -m hsiclearn_benchmarks.gpu [PART ...] [--scale 0.1] --json FILE
    python -m hsiclearn_benchmarks.gpu --json FILE --markdown FILE --plot FILE

Parts are phi, fits, independence, growth and angles; all of them take some five minutes of an
NVIDIA GPU. With ``--markdown`` or ``--plot`` nothing is measured: what FILE holds is written.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from pathlib import Path
from typing import Any


def main() -> None:
    """Print every row when it is measured, and keep all in a file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="PART")
    parser.add_argument("--scale", type=float, default=1.0, help="share of the rows")
    parser.add_argument("--json", type=Path, required=True, help="where measurements are kept")
    parser.add_argument("--markdown", type=Path, help="write tables there, and measure nothing")
    parser.add_argument("--plot", type=Path, help="write a picture there, and measure nothing")
    given = parser.parse_args()
    known: dict[str, Any] = json.loads(given.json.read_text()) if given.json.exists() else {}
    if given.markdown or given.plot:
        from .page import save_picture, tables

        if given.markdown:
            given.markdown.write_text(tables(known))
        if given.plot:
            save_picture(known["growth"], given.plot)
        return
    _measure(given.parts, given.scale, known, given.json)


def _measure(parts: list[str], scale: float, known: dict[str, Any], path: Path) -> None:
    import torch

    from .measure import PARTS

    warnings.simplefilter("ignore")
    known["machine"] = f"{torch.cuda.get_device_name()}, torch {torch.__version__}"
    for name in parts or list(PARTS):
        known[name], start = [], time.perf_counter()
        print(f"== {name}", flush=True)
        for row in PARTS[name](scale):
            known[name].append(row)
            path.write_text(json.dumps(known, indent=1))
            shown = {k: f"{v:.3g}" if isinstance(v, float) else v for k, v in row.items()}
            print(shown, flush=True)
        print(f"   {time.perf_counter() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main()
