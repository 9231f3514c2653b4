"""The outcome of a command: exit status and messages.

In: results and exceptions of the stages.  Out: `Outcome`s.  It prints nothing, and does not know
which command ran.
"""

from __future__ import annotations

import errno
import tempfile
from typing import Literal

from msgspec import Struct

from tschema import __version__
from tschema.diagnostics.errors import Diagnostic, SchemaError

DONE, FOUND, WRONG_INPUT, FAILED = 0, 1, 2, 3
"""The exit statuses."""
_DISK_FAULTS = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO, errno.EACCES, errno.EPERM}
)
"""Failures of the disk, and folders that may not be written, where temporary files are too."""


class Piece(Struct, frozen=True):
    """Something to say."""

    stream: Literal["out", "err"]
    """`out` for the requested output, `err` for remarks on it."""
    text: str
    is_diff: bool = False
    """Whether the text is a unified diff, which a terminal shows in colours."""
    is_data: bool = False
    """Whether a program reads the text: UTF-8, and not a byte else."""


class Outcome(Struct, frozen=True):
    """The outcome of one run of a command."""

    status: int = DONE
    diagnostics: tuple[Diagnostic, ...] = ()
    pieces: tuple[Piece, ...] = ()
    """The text after the diagnostics."""


def out(text: str) -> Piece:
    """Return a piece of the requested output; a line end is added."""
    return Piece("out", f"{text}\n")


def remark(text: str) -> Piece:
    """Return a remark; a line end is added."""
    return Piece("err", f"tschema: {text}\n")


def counted(count: int, word: str, ending: str = "s") -> str:
    """Return how many things there are, with the word for them: `2 files`."""
    return f"{count} {word}{ending if count != 1 else ''}"


def failure(error: Exception) -> Outcome:
    """
    Return the outcome of an exception.

    Parameters
    ----------
    error
        A `SchemaError`, a failure of a tool or of the disk, or a bug: only a bug shows where.
    """
    if isinstance(error, SchemaError):
        summary = f"{counted(len(error.diagnostics), 'error')}, nothing was written"
        return Outcome(WRONG_INPUT, error.diagnostics, (remark(summary),))
    if _is_expected(error):
        return Outcome(FAILED, pieces=(remark(str(error)),))
    if isinstance(error, OSError) and error.errno in _DISK_FAULTS:
        place = error.filename or tempfile.gettempdir()
        return Outcome(FAILED, pieces=(remark(f"cannot write `{place}`: {error.strerror}"),))
    import traceback

    bug = f"tschema {__version__}: internal error, a bug of tschema itself\n"
    trace = "".join(traceback.format_exception(error))
    return Outcome(FAILED, pieces=(Piece("err", trace + bug),))


def _is_expected(error: Exception) -> bool:
    from tschema.emit.format import FormatError
    from tschema.output.files import OutputError
    from tschema.pipeline.plugin import PluginError

    return isinstance(error, FormatError | OutputError | PluginError)
