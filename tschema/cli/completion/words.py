"""What may stand on the command line: commands, their options, and the values of these.

In: the parser.  Out: plain values, in the order of the help.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from tschema.backends import BACKENDS
from tschema.diagnostics.errors import CODES

__all__ = ["Command", "Option", "Values", "read_commands"]

Values = tuple[str, ...] | Literal["files", "folders", "any"] | None
"""The words that may follow; None where nothing follows."""

_KINDS: dict[str, Values] = {
    "LANGS": tuple(BACKENDS),
    "CODE": tuple(CODES),
    "DIR": "folders",
    "NAME": "any",
}
"""What a metavar of the parser stands for; any other is a file."""


class Option(Struct, frozen=True):
    """An option, under all of its names."""

    names: tuple[str, ...]
    help: str
    values: Values


class Command(Struct, frozen=True):
    """A command."""

    name: str
    help: str
    options: tuple[Option, ...]
    arguments: Values
    """What stands without an option's name."""


def read_commands(parser: argparse.ArgumentParser) -> tuple[Command, ...]:
    """Return the commands of a parser."""
    (commands,) = (one for one in parser._actions if isinstance(one, argparse._SubParsersAction))
    helps = {choice.dest: choice.help or "" for choice in commands._choices_actions}
    return tuple(_command(name, helps[name], one) for name, one in commands.choices.items())


def _command(name: str, help: str, parser: argparse.ArgumentParser) -> Command:
    positional = [_values(action) for action in parser._actions if not action.option_strings]
    return Command(name, help, tuple(_options(parser)), positional[0] if positional else None)


def _options(parser: argparse.ArgumentParser) -> Iterator[Option]:
    for action in parser._actions:
        if action.option_strings:
            yield Option(tuple(action.option_strings), action.help or "", _values(action))


def _values(action: argparse.Action) -> Values:
    if action.nargs == 0:
        return None
    if action.choices is not None:
        return tuple(map(str, action.choices))
    return _KINDS.get(str(action.metavar), "files")
