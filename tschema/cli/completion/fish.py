"""The script of fish."""

from __future__ import annotations

from collections.abc import Iterator

from tschema.cli.completion.words import Command, Option, Values

__all__ = ["script"]

_HEAD = """\
# Completion of tschema for fish; try it with: tschema completion fish | source
complete -c tschema -f
complete -c tschema -n __fish_use_subcommand -l help -d 'show the help'
complete -c tschema -n __fish_use_subcommand -l version -d 'show the version'
"""


def script(commands: tuple[Command, ...]) -> str:
    """Return the script."""
    return _HEAD + "".join(f"{line}\n" for command in commands for line in _lines(command))


def _lines(command: Command) -> Iterator[str]:
    start = f"complete -c tschema -n __fish_use_subcommand -a {command.name}"
    yield f"{start} -d {_quoted(command.help)}"
    within = f"complete -c tschema -n '__fish_seen_subcommand_from {command.name}'"
    for option in command.options:
        yield f"{within}{_names(option)}{_values(option.values, '-x')} -d {_quoted(option.help)}"
    if command.arguments is not None:
        yield f"{within}{_values(command.arguments, '')}"


def _names(option: Option) -> str:
    return "".join(
        f" -l {name[2:]}" if name.startswith("--") else f" -s {name[1:]}" for name in option.names
    )


def _values(values: Values, exclusive: str) -> str:
    """Return what may follow; `exclusive` is the flag that keeps files out."""
    if values is None:
        return ""
    if isinstance(values, tuple):
        return f" {exclusive} -a {_quoted(' '.join(values))}".replace("  ", " ")
    return {"folders": " -x -a '(__fish_complete_directories)'", "files": " -r -F"}.get(
        values, " -x"
    )


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
