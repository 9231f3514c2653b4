"""Completion of the command line in a shell, by argcomplete.

In: the parser of the arguments, or the name of a shell.  Out: what a shell asks for, on the stream
that it reads; or the script that makes it ask.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Mapping, Sequence

from tschema.backends import BACKENDS
from tschema.diagnostics.errors import CODES

__all__ = ["SHELLS", "answer_shell", "completion_script"]

SHELLS = ("bash", "zsh", "fish")
_WORDS: Mapping[str, Sequence[str]] = {
    "lang": tuple(BACKENDS),
    "code": tuple(CODES),
    **dict.fromkeys(("depfile_targets", "package", "jobs"), ()),
}
"""What may stand for some arguments; files may for the others."""
_FOLDERS = ("out_dir", "keep", "folder")


def answer_shell(parser: argparse.ArgumentParser) -> None:
    """Answer the question of a shell, if that is why it runs this program, and exit."""
    if "_ARGCOMPLETE" not in os.environ:
        return
    from argcomplete import autocomplete
    from argcomplete.completers import DirectoriesCompleter

    for action in _actions(parser):
        if action.dest in _FOLDERS:
            setattr(action, "completer", DirectoriesCompleter())  # noqa: B010
        elif action.dest in _WORDS:
            words = _WORDS[action.dest]
            setattr(action, "completer", lambda words=words, **_: words)  # noqa: B010
    autocomplete(parser, always_complete_options=False)


def completion_script(shell: str) -> str:
    """Return the script of a shell, one of `SHELLS`."""
    from argcomplete.shell_integration import shellcode

    return shellcode(["tschema"], shell=shell)


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield the arguments of a parser, and those of its commands."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _actions(command)
