"""The order of the gallery: what most readers ask first comes first."""

from __future__ import annotations

__all__ = ["ByQuestion"]

_ORDER = (
    "wine",
    "ring",
    "diabetes",
    "grid_search",
    "mixed_table",
    "biplot",
    "independence",
    "dimension",
    "certificate",
    "kernel",
    "digits",
    "unsupervised",
    "semi_supervised",
    "alternative",
    "many_rows",
)


class ByQuestion:
    """A sort key for sphinx-gallery; an example that is not listed comes last, by its name."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def __call__(self, filename: str) -> tuple[int, str]:
        """The place of a file."""
        name = filename.removeprefix("plot_").removesuffix(".py")
        return (_ORDER.index(name) if name in _ORDER else len(_ORDER)), name

    def __repr__(self) -> str:
        return "ByQuestion"  # no address in it: sphinx compares settings by their text
