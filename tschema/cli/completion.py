"""Completion of the command line in a shell, by argcomplete.

In: the parser of the arguments, or the name of a shell.  Out: completions on the stream that the
shell reads, or the script for the shell.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from tschema.backends import BACKENDS

SHELLS = ("bash", "zsh", "fish")
_FOLDERS = ("out_dir", "keep", "folder")
_NEW_WORDS = ("depfile_targets", "package", "jobs", "new_name")
"""Arguments that name neither a file nor anything known."""


def answer_shell(parser: argparse.ArgumentParser) -> None:
    """Answer the question of a shell, if that is why it runs this program, and exit."""
    if "_ARGCOMPLETE" not in os.environ:
        return
    from argcomplete import autocomplete
    from argcomplete.completers import DirectoriesCompleter

    from tschema.diagnostics.explain import titles

    known: dict[str, Sequence[str]] = dict.fromkeys(_NEW_WORDS, ())
    known |= {"lang": tuple(BACKENDS), "code": tuple(titles())}
    if "tschema rename" in os.environ.get("COMP_LINE", ""):
        known["declaration"] = _declarations()
    for action in _actions(parser):
        if action.dest in _FOLDERS:
            setattr(action, "completer", DirectoriesCompleter())  # noqa: B010
        elif action.dest in known:
            words = known[action.dest]
            setattr(action, "completer", lambda words=words, **_: words)  # noqa: B010
    autocomplete(parser, always_complete_options=False)


def completion_script(shell: str) -> str:
    """Return the script of a shell, one of `SHELLS`."""
    from argcomplete.shell_integration import shellcode

    return shellcode(["tschema"], shell=shell)


def _declarations() -> tuple[str, ...]:
    """Return the declarations that `rename` accepts in the project of the working directory."""
    from tschema.diagnostics.errors import SchemaError
    from tschema.editing.rename.target import spellings
    from tschema.pipeline.schema import build_schema
    from tschema.project.config import find_config, load_config

    try:
        schema, _warnings = build_schema(load_config(find_config(Path.cwd())))
    except SchemaError:
        return ()
    return tuple(spellings(schema))


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield the arguments of a parser, and those of its commands."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _actions(command)
