"""Half-written files of a killed run, which are finished before the next command reads any.

In: the arguments.  Out: an outcome for each folder with a journal; after Ctrl-C, the unfinished
folders.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from tschema.cli.outcome import Outcome, failure, remark
from tschema.incremental.stamp import JOURNAL
from tschema.project.folders import find_config_file

if TYPE_CHECKING:
    import argparse

INTERRUPTED = 130
"""The exit status after Ctrl-C, as shells have it."""
_NO_PROJECT = frozenset({"explain", "completion", "lsp", "merge-driver"})
"""Commands that read no project at once; git runs the last one once for each file."""


def finish_interrupted(options: argparse.Namespace) -> Iterator[Outcome]:
    """
    Finish what earlier runs began to write where a command is about to read.

    Parameters
    ----------
    options
        The arguments of the command.

    Yields
    ------
    outcome
        The finished work, or why it failed; the command must not run after a failure.
    """
    if options.command in _NO_PROJECT:
        return
    for folder in _folders(options):
        if os.path.lexists(folder / JOURNAL):
            yield _finish(folder)


def unfinished(options: argparse.Namespace) -> Outcome:
    """Return the remarks on a command that Ctrl-C has ended while it put files in place."""
    left = [folder for folder in _folders(options) if os.path.lexists(folder / JOURNAL)]
    said = "some files are in place, some are not; the next command of tschema goes on from there"
    return Outcome(INTERRUPTED, pieces=tuple(remark(f"`{folder}`: {said}") for folder in left))


def _finish(folder: Path) -> Outcome:
    from tschema.output.files import OutputError
    from tschema.output.files import finish_interrupted as finish

    try:
        count = finish(folder)
    except OutputError as error:
        return failure(error)
    if not count:
        return Outcome()
    files = f"{count} file{'s' * (count != 1)}"
    return Outcome(pieces=(remark(f"finished an interrupted run in `{folder}`: {files}"),))


def _folders(options: argparse.Namespace) -> Iterator[Path]:
    """Yield the folders that the command may write below, each once."""
    given = getattr(options, "config", None)
    config = given or find_config_file(os.getcwd())
    named = (getattr(options, name, None) for name in ("out_dir", "folder"))
    folders = [Path.cwd(), *([Path(config).absolute().parent] if config else [])]
    folders += [one.absolute() for one in named if isinstance(one, Path)]
    yield from dict.fromkeys(folders)
