"""Refresh the pictures that the README and some pages show, from the gallery's own.

Run after the pages were built: ``python docs/pictures.py``.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent
GALLERY = DOCS / "auto_examples" / "images"
PICTURES = {  # the figure of an example, counted from 1, that a picture shows
    "wine.png": ("plot_ring", 2),
    "alternative.png": ("plot_alternative", 1),
    "semi_supervised.png": ("plot_semi_supervised", 1),
    "unsupervised.png": ("plot_unsupervised", 1),
}


def main() -> int:
    """Copy every picture, at twice the size for sharp screens; 1 if one is missing."""
    missing = 0
    for name, (example, number) in PICTURES.items():
        source = GALLERY / f"sphx_glr_{example}_{number:03}_2_00x.png"
        if not source.exists():
            print(f"{source.name} is not there: build the pages first (make docs)", file=sys.stderr)
            missing += 1
            continue
        shutil.copyfile(source, DOCS / "images" / name)
        print(f"docs/images/{name} from {example}, figure {number}")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
