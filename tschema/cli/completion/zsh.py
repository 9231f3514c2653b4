"""The script of zsh."""

from __future__ import annotations

from tschema.cli.completion.words import Command, Option, Values

__all__ = ["script"]

_SCRIPT = """\
#compdef tschema
# Completion of tschema for zsh: put it into a file `_tschema` in a folder of $fpath.
_tschema() {{
  local context state line
  typeset -A opt_args
  _arguments -C '--help[show the help]' '--version[show the version]' \\
    '1:command:->command' '*::argument:->argument'
  case $state in
  command)
    local -a commands=(
{commands}
    )
    _describe 'command' commands
    ;;
  argument)
    case $line[1] in
{cases}
    esac
    ;;
  esac
}}
if [[ $funcstack[1] == _tschema ]]; then
  _tschema "$@"
else
  compdef _tschema tschema
fi
"""


def script(commands: tuple[Command, ...]) -> str:
    """Return the script."""
    return _SCRIPT.format(
        commands="\n".join(
            f"      {_quoted(f'{command.name}:{command.help}')}" for command in commands
        ),
        cases="\n".join(_case(command) for command in commands),
    )


def _case(command: Command) -> str:
    specs = [_spec(option, name) for option in command.options for name in option.names]
    if command.arguments is not None:
        specs.append(f"*:argument:{_action(command.arguments)}")
    lines = " \\\n        ".join(["_arguments", *map(_quoted, specs)])
    return f"    {command.name})\n      {lines}\n      ;;"


def _spec(option: Option, name: str) -> str:
    help = option.help.replace("[", "(").replace("]", ")").replace(":", ",")
    value = "" if option.values is None else f":value:{_action(option.values)}"
    return f"{name}[{help}]{value}"


def _action(values: Values) -> str:
    if isinstance(values, tuple):
        return f"({' '.join(values)})"
    return {"folders": "_files -/", "files": "_files"}.get(values or "", " ")


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
