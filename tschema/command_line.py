"""The parts that the commands `tschema` and `uir` share: checks of options, completion in a shell.

Imports nothing of tschema, because each command imports it first.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NoReturn

__all__ = [
    "CONTROLS",
    "SHELLS",
    "CommandParser",
    "Words",
    "answer_shell",
    "completion_script",
    "nearest",
]

SHELLS = ("bash", "zsh", "fish")
"""The shells with completion of command lines."""

Words = Sequence[str] | Callable[[str], Iterable[str]]
"""The words that an argument accepts, or a function that returns them for the start of one."""

CONTROLS = {
    code: f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
    for code in (
        *(code for code in range(0x20) if chr(code) not in "\t\n"),
        *range(0x7F, 0xA0),
        *range(0x202A, 0x202F),
        *range(0x2066, 0x206A),
    )
}
"""Characters that change the output of a terminal, to their escape codes."""
_CHOICE = re.compile(r"invalid choice: '([^']*)' \(choose from (.*)\)$")


class CommandParser(argparse.ArgumentParser):
    """Parses a command line, and names the option or the choice that a misspelt one is near."""

    def parse_known_args(  # type: ignore[override]  # The overloads of typeshed differ.
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[Any, list[str]]:
        """Parse arguments; all that are left over are an error of this command."""
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            options = [option for action in self._actions for option in action.option_strings]
            hints = [nearest(word.partition("=")[0], options) for word in unknown]
            self.error(f"unrecognized arguments: {' '.join(unknown)}{''.join(hints)}")
        return found, unknown

    def error(self, message: str) -> NoReturn:
        """Print an error and the usage, and exit with status 2."""
        choice = _CHOICE.search(message)
        if choice:
            message += nearest(choice[1], re.findall(r"[^', ]+", choice[2]))
        super().error(message)


def nearest(name: str, candidates: Iterable[str]) -> str:
    """Return `; did you mean ...?` for a misspelt name.

    Returns
    -------
    hint
        The end of a message; empty if no candidate is near.
    """
    from difflib import get_close_matches  # For errors alone.

    matches = get_close_matches(name, list(candidates), n=1, cutoff=0.6)
    return f"; did you mean `{matches[0]}`?" if matches else ""


def answer_shell(
    parser: argparse.ArgumentParser,
    words: Mapping[str, Words],
    folders: Sequence[str] = (),
) -> None:
    """Answer a shell that asks for completions, by argcomplete, and exit.

    Parameters
    ----------
    parser
        The arguments of the command.
    words
        The words that arguments accept, by the name of the argument; those of all others are files.
    folders
        The names of the arguments that accept folders.
    """
    from argcomplete import autocomplete
    from argcomplete.completers import DirectoriesCompleter

    for action in _actions(parser):
        if action.dest in folders:
            setattr(action, "completer", DirectoriesCompleter())  # noqa: B010
        elif action.dest in words:
            setattr(action, "completer", _completer(words[action.dest]))  # noqa: B010
    autocomplete(parser, always_complete_options=False)


def _completer(known: Words) -> Callable[..., Iterable[str]]:
    """Return the words of an argument as argcomplete asks for them."""
    return lambda prefix, **_: known(prefix) if callable(known) else known


def completion_script(command: str, shell: str) -> str:
    """Return the script by which a shell, one of `SHELLS`, completes a command."""
    from argcomplete.shell_integration import shellcode

    return shellcode([command], shell=shell)


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield the arguments of a parser, and those of its commands."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _actions(command)
