"""What a user can mend is a line on stderr, not a traceback; exit codes say what it was."""

from __future__ import annotations

import errno
import shlex
import sys
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

from ..exceptions import ClusterError, MissingExtraError
from .wording import in_command_words, one_line, said_by

if TYPE_CHECKING:
    from .tables import TableError

CANNOT, TO_MEND, STOPPED = 1, 2, 130
_MOST_LINES = 20  # of problems of one table
_OF_THE_MACHINE = {errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EMFILE, errno.ENOMEM}
_MEND = "Mend such cells, or leave these rows out."  # where a verb lacks the option that helps
_MEND_GAPS = "Fill them or leave these rows out; a model of hsiclearn fit --impute fills them."

EXIT_CODES = """\b
Exit codes:
  0    done
  1    could not be done here: a missing package, a full disk, too little memory
  2    something in the input or the options is wrong
  130  stopped by Ctrl-C
"""


@contextmanager
def one_line_errors(verb: str, offered: Collection[str]) -> Iterator[None]:
    """Turn errors into a line and an exit code; ``offered`` are the options of the verb."""
    try:
        yield
        sys.stdout.flush()  # a reader that has gone is found out here, not while Python ends
    except BrokenPipeError:  # whoever read the output has had enough: the caller leaves quietly
        raise
    except KeyboardInterrupt:
        leave("stopped", STOPPED)
    except MissingExtraError as error:
        leave(str(error), CANNOT)
    except ClusterError as error:
        leave(str(error), CANNOT)
    except MemoryError as error:
        leave(f"there is not enough memory for this table. {error}", CANNOT)
    except OSError as error:
        leave(_in_words(error), CANNOT if error.errno in _OF_THE_MACHINE else TO_MEND)
    except ValueError as error:
        _leave_to_mend(error, verb, offered)


def _leave_to_mend(error: ValueError, verb: str, offered: Collection[str]) -> NoReturn:
    from .tables import TableError  # with numpy and scikit-learn, which help must not wait for

    if isinstance(error, TableError):
        leave(_with_remedy(error, offered), TO_MEND, _details(error, offered))
    leave(in_command_words(said_by(error), verb), TO_MEND)


def _with_remedy(error: TableError, offered: Collection[str]) -> str:
    """The message, with a remedy that the verb has; of several problems how many there are."""
    if error.parts:
        return f"the table has {len(error.parts)} problems:"
    lacking = error.lacking(offered)
    if not lacking:
        return error.for_command
    return f"{error.problem} {_MEND_GAPS if lacking[0] == '--impute' else _MEND}"


def _details(error: TableError, offered: Collection[str]) -> Iterator[str]:
    """A line for each of several problems, then the options that settle all they can."""
    if not error.parts:
        return
    for part in error.parts[:_MOST_LINES]:
        yield _with_remedy(part, offered)
    if len(error.parts) > _MOST_LINES:
        yield f"and {len(error.parts) - _MOST_LINES} more"
    if error.cure and all(word in offered for word in error.cure if word.startswith("--")):
        n_cured = sum(bool(part.cure) for part in error.parts)
        of_what = "All at once" if n_cured == len(error.parts) else f"For {n_cured} of them"
        yield f"{of_what}: {shlex.join(error.cure)}"


def _in_words(error: OSError) -> str:
    """Without the number of the error, which says nothing."""
    if error.strerror is None:
        return str(error)
    return error.strerror + (f": {str(error.filename)!r}" if error.filename is not None else "")


def leave(message: str, code: int, details: Iterable[str] = ()) -> NoReturn:
    """Say why on stderr, with a line for each detail, and leave with this code."""
    print(f"hsiclearn: {one_line(message)}", file=sys.stderr)
    for line in details:
        print(f"  {one_line(line)}", file=sys.stderr)
    raise SystemExit(code) from None
