"""What the library says in the words of the command, and how text is laid out."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence

from .._advice import Advice

_NARROWEST = 12  # characters that the first column of a table always has
_GAP = "  "  # between two columns
_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
_INSTEAD = {("test", "--target-kind"): "--y-kind"}  # of options that another verb has
_PARAMETERS = {
    "n_components": "--components",
    "n_clusters": "--clusters",
    "bandwidth": "--bandwidth",
    "metric": "--metric",
    "objective": "--objective",
    "n_features_to_select": "--select",
    "tol": "--tol",
    "max_iter": "--max-iter",
    "n_init": "--starts",
    "engine": "--engine",
    "random_state": "--seed",
}  # and the options of ``hsiclearn fit`` for them
_PARAMETER = re.compile(
    rf"(?<![\w.-])`?(?:({'|'.join(_PARAMETERS)})`?=['\"]?([\w.+-]*\w)['\"]?"
    rf"|({'|'.join(_PARAMETERS.keys() - {'bandwidth', 'engine'})})`?(?![\w(=]))"
)  # with a value, or alone; bandwidth and engine are words as well


def in_command_words(said: str, verb: str, columns: Sequence[str] | None = None) -> str:
    """A sentence of the library as a verb of the command says it.

    :class:`Advice` has a remedy for the command. In other sentences parameters become options:
    ``engine='tiled'`` is ``--engine tiled``. A verb that does not fit advises ``hsiclearn fit
    --engine tiled``. ``columns`` names those that the library knows by number.
    """
    if not isinstance(said, Advice):
        return _PARAMETER.sub(lambda found: _option(found, verb), said)
    if columns is not None:
        said = _with_names(said, columns)
    return _OPTION.sub(lambda found: _of_fit(found[0], verb), said.for_command)


def _with_names(said: Advice, columns: Sequence[str]) -> Advice:
    from .._result import Levels  # with numpy, which help must not wait for

    return said.about.named(columns).in_words() if isinstance(said.about, Levels) else said


def _option(found: re.Match[str], verb: str) -> str:
    words = [_of_fit(_PARAMETERS[found[1] or found[3]], verb), found[2] or ""]
    return " ".join(words).rstrip()


def _of_fit(option: str, verb: str) -> str:
    instead = option if verb == "fit" else f"hsiclearn fit {option}"
    return _INSTEAD.get((verb, option), instead)


def said_by(error: Exception | str) -> str:
    """The text of a warning or an error; advice stays advice."""
    first = error.args[0] if isinstance(error, Exception) and error.args else None
    return first if isinstance(first, Advice) else str(error)


def one_line(text: str) -> str:
    """A message on one line, with nothing in it that moves the cursor."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in " ".join(text.split()))


def counted(count: int, what: str) -> str:
    """A number of things: ``1 row``, ``2 rows``."""
    return f"{count} {what}{'' if count == 1 else 's'}"


def plain(name: str) -> str:
    """A name as it is if it can be told from the text around it, else in quotes."""
    is_plain = name.isprintable() and name.strip() == name and bool(name)
    return name if is_plain else repr(name)


def text_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The first column to the left, the others to the right; the first is cut to fit."""
    widths = [max(len(row[j]) for row in (head, *rows)) for j in range(len(head))]
    room = shutil.get_terminal_size().columns - sum(widths[1:]) - len(_GAP) * len(widths)
    widths[0] = min(widths[0], max(_NARROWEST, room))
    lines = []
    for first, *others in (head, *rows):
        cut = first if len(first) <= widths[0] else f"{first[: widths[0] - 3]}..."
        cells = [f"{cell:>{width}}" for cell, width in zip(others, widths[1:], strict=True)]
        lines.append(_GAP + _GAP.join([f"{cut:<{widths[0]}}", *cells]).rstrip())
    return "\n".join(lines)
