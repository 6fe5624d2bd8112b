"""What the library says, in the words of the command: advice names options that exist."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .._advice import Advice
from .._result import Levels

_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
_INSTEAD = {("test", "--target-kind"): "--y-kind"}  # of options that another verb has
_PARAMETERS = {
    "n_components": "--components",
    "n_clusters": "--clusters",
    "bandwidth": "--bandwidth",
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
    if isinstance(said.about, Levels) and columns is not None:
        said = said.about.named(columns).in_words()
    return _OPTION.sub(lambda found: _of_fit(found[0], verb), said.for_command)


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
