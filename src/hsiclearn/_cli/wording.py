"""What the library says, in the words of the command: advice names options that exist.

Every warning and every :class:`hsiclearn._result.Status` goes through :func:`in_command_words`; a
test looks for those that are missed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["in_command_words", "with_column_names"]

_OPTIONS = {
    "n_components": "--components",
    "n_clusters": "--clusters",
    "bandwidth": "--bandwidth",
    "tol": "--tol",
    "max_iter": "--max-iter",
    "n_init": "--starts",
    "engine": "--engine",
    "random_state": "--seed",
}  # of ``hsiclearn fit``, by what the library calls them
_WORDS_TOO = {"bandwidth", "engine"}  # names that are words as well: an option only with a value
_KINDS = {"fit": "--target-kind", "test": "--y-kind"}

# What the library says that has no name among the options, and what to say instead. {fit} is
# nothing for hsiclearn fit itself and its name for other verbs, {kind} the option for the target.
_PHRASES = (
    (r"[Pp]ass floats or target='real'", "use {kind} real"),
    (r"\b[Pp]ass target='(classes|real)'", r"use {kind} \1"),
    (r"pass floats or kernel 'gaussian'; if they are classes, kernel 'delta'", "use {kind} real"),
    (r"\bhsic_test tells whether X and y depend", "hsiclearn test tells whether they depend"),
    (r"\bhsic_test\b", "hsiclearn test"),
    (r"\b([Rr])aise the bandwidth\b", r"\1aise {fit}--bandwidth"),
    (
        r"if the bandwidth is far below the median distance, raise it\b(?! by)",
        "if the bandwidth is far below the median distance, raise it by {fit}--bandwidth",
    ),
    (r"\bscale the columns of X\b", "leave {fit}--no-scale out, so that columns are standardised"),
    (r"\bstandardise the columns of X\b", "leave {fit}--no-scale out"),
    (r"\bengine_error\.angle says is tolerable", "is tolerable"),
    (r", or use solver='spectral'", ""),
    (r"\b[Uu]se solver='spectral'", "Fit it again by hsiclearn fit"),
    (
        r"\(a\) Fit again with the same checkpoint and resume=True; \(b\) without a checkpoint, "
        r"pass the components as init\.",
        "Run the command again.",
    ),
    (r"\b[Uu]se kernel=-\S+", "Use a kernel that falls with distance."),
    (r", or use kernel='relative_gaussian'", ", or leave it out"),
    (r"\bread agreement_(?!\w)", "read how well its labels agree"),
    (r" out \(in the command: --drop\)", " out by {fit}--drop"),
    (r", or target='precomputed', keep\b", " keep"),
    (r" or estimator='biased' will\b", " will"),
    (r"For a smaller one use .*", "With fewer rows it is exact."),
)


def with_column_names(text: str, names: Sequence[str]) -> str:
    """``'column 3'``, as the library numbers columns without a name, under its name."""
    return re.sub(r"'column (\d+)'", lambda found: repr(str(names[int(found[1])])), text)


def in_command_words(text: str, verb: str) -> str:
    """A sentence of the library as a verb of the command says it.

    Parameters may come with a value, ``engine='tiled'``, which is typed as ``--engine tiled``. A
    verb that does not fit advises ``hsiclearn fit --engine tiled``.
    """
    fit = "" if verb == "fit" else "hsiclearn fit "
    kind = _KINDS.get(verb, f"{fit}{_KINDS['fit']}")
    for phrase, instead in _PHRASES:
        text = re.sub(phrase, instead.replace("{fit}", fit).replace("{kind}", kind), text)
    for name, option in _OPTIONS.items():
        text = re.sub(
            rf"(?<![\w.-])`?{name}`?=['\"]?([\w.+-]*\w)['\"]?", rf"{fit}{option} \1", text
        )
        if name not in _WORDS_TOO:
            text = re.sub(rf"(?<![\w.-])`?{name}`?(?![\w(=])", f"{fit}{option}", text)
    return text
