"""The page of the commands `tschema` and `uir`.

In: their parsers.  Out: Markdown with an anchor for each command and argument.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from tschema.cli.arguments import make_parser as make_tschema_parser
from uir.commands.main import make_parser as make_uir_parser

from .cells import cell, row_anchor, sentence

__all__ = ["commands_page"]


def commands_page() -> str:
    """Return the page of the commands `tschema` and `uir`, each with its arguments."""
    parts = [
        part
        for parser in (make_tschema_parser(), make_uir_parser())
        for part in _command_parts(parser, "")
    ]
    return "# Commands\n\nLook up a command and its arguments.\n\n" + "".join(parts)


def _command_parts(parser: argparse.ArgumentParser, help_text: str) -> Iterator[str]:
    """Yield the part of a command, then those of the commands that it has."""
    level = "##" if " " not in parser.prog else "###"
    said = parser.description or help_text
    # The lines below the first are as far to the right as that prefix is wide.
    usage = parser.format_usage().removeprefix("usage: ").replace("\n" + " " * 7, "\n")
    yield f"{level} {parser.prog}\n\n{sentence(said)}\n\n```text\n{usage}```\n\n"
    yield _arguments_table(parser)
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            helps = {one.dest: one.help or "" for one in action._choices_actions}
            for name, command in action.choices.items():
                yield from _command_parts(command, helps.get(name, ""))


def _arguments_table(parser: argparse.ArgumentParser) -> str:
    formatter: Any = parser._get_formatter()
    rows = ""
    for action in parser._actions:
        if isinstance(action, (argparse._HelpAction, argparse._SubParsersAction)):
            continue
        shown = formatter._format_action_invocation(action)
        name = action.option_strings[-1] if action.option_strings else action.dest
        anchor = f"{parser.prog.replace(' ', '-')}.{name.lstrip('-')}"
        text = cell(formatter._expand_help(action)) if action.help else ""
        rows += f"| {row_anchor(anchor)}`{shown}` | {text} |\n"
    return f"| argument | does |\n|---|---|\n{rows}\n" if rows else ""
