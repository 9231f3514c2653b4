"""The command line: the only module that prints and sets the exit status.

In: arguments.  Out: text, and 0 (done, or up to date), 1 (the check found something), 2 (the input
is invalid), 3 (tschema or the disk failed) or 130 (Ctrl-C).  The commands are in `commands/`; a
module that takes long to import is imported where it is used.
"""

from __future__ import annotations

import io
import os
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from tschema.cli.arguments import make_parser
from tschema.cli.commands import load_command
from tschema.cli.completion import answer_shell
from tschema.cli.interrupted import INTERRUPTED, finish_interrupted, unfinished
from tschema.cli.outcome import DONE, FAILED, Outcome, Piece, failure
from tschema.cli.report import DOCUMENTS, FORMATS, load_format

if TYPE_CHECKING:
    import argparse

    from tschema.cli.commands import Progress

_PATIENCE = 1.0
"""Seconds before progress is shown."""


def main(arguments: Sequence[str] | None = None) -> int:
    """
    Run the command.

    Parameters
    ----------
    arguments
        Those of the command line; `sys.argv` if None.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    given = list(sys.argv[1:] if arguments is None else arguments)
    parser = make_parser(given[0] if given else None)
    answer_shell(parser)
    options = parser.parse_args(given)
    try:
        return _run(options)
    except KeyboardInterrupt:
        if getattr(options, "watch", False):
            return DONE  # A watch has no other end than this one.
        _print(unfinished(options), FORMATS[0])
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED


def _run(options: argparse.Namespace) -> int:
    """Print each outcome as it comes; the last one sets the exit status."""
    status = DONE
    for outcome in finish_interrupted(options):
        # The command has an outcome of its own, which a document may be.
        _print(outcome, FORMATS[0])
        if outcome.status != DONE:
            return outcome.status
    with _progress() as progress:
        for outcome in _outcomes(options, progress):
            status = outcome.status
            progress.clear()
            _print(outcome, getattr(options, "format", FORMATS[0]))
    return status


def _outcomes(options: argparse.Namespace, progress: Progress) -> Iterator[Outcome]:
    try:
        yield from load_command(options.command)(options, progress)
    except BrokenPipeError:
        raise
    except Exception as error:
        yield failure(error)


def _print(outcome: Outcome, format: str) -> None:
    """Print an outcome; where the diagnostics are a document, all the rest is a remark."""
    is_document = format in DOCUMENTS
    if outcome.diagnostics or is_document:
        text = load_format(format)(outcome.diagnostics)
        _write(sys.stderr if format == FORMATS[0] else sys.stdout, text)
    for piece in outcome.pieces:
        stream = sys.stdout if piece.stream == "out" and not is_document else sys.stderr
        if piece.is_data:
            _write_bytes(stream, piece.text.encode())
        else:
            _write(stream, _coloured(piece, stream))


def _coloured(piece: Piece, stream: TextIO) -> str:
    if not piece.is_diff or not stream.isatty() or os.environ.get("NO_COLOR"):
        return piece.text
    from tschema.cli.report.diff import colour

    return colour(piece.text)


def _write(stream: TextIO, text: str) -> None:
    stream.write(text)
    stream.flush()


def _write_bytes(stream: TextIO, data: bytes) -> None:
    """Write bytes unchanged, regardless of the stream's encoding and line endings."""
    stream.flush()
    stream.buffer.write(data)
    stream.buffer.flush()


@contextmanager
def _progress() -> Iterator[_Progress]:
    """Give what shows the stage of a run, and take it away at the end."""
    progress = _Progress()
    try:
        yield progress
    finally:
        progress.clear()


class _Progress:
    """A progress line on a terminal, shown once a run has taken a while."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None
        self._stage = ""
        self._is_shown = False

    def __call__(self, stage: str) -> None:
        """Note the stage that begins."""
        if not sys.stderr.isatty():
            return
        with self._lock:
            self._stage = stage
            if self._is_shown:
                self._write(f"tschema: {stage} ...")
        if self._timer is None:
            self._timer = threading.Timer(_PATIENCE, self._show)
            self._timer.daemon = True
            self._timer.start()

    def _show(self) -> None:
        with self._lock:
            self._is_shown = True
            self._write(f"tschema: {self._stage} ...")

    def clear(self) -> None:
        """Remove the line; the next stage is the first of another run."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer.join()
            self._timer = None
        if self._is_shown:
            self._is_shown = False
            self._write("")

    def _write(self, text: str) -> None:
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()
