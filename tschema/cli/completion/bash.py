"""The script of bash."""

from __future__ import annotations

from collections.abc import Iterator

from tschema.cli.completion.words import Command, Values

__all__ = ["script"]

_SCRIPT = """\
# Completion of tschema for bash; try it with: source <(tschema completion bash)
_tschema() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}} command= word
  # bash takes the sign of `--format=json` for a word.
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = ]]; then
    previous=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD - 1}}"; do
    case $word in
    {names})
      command=$word
      break
      ;;
    esac
  done
  COMPREPLY=()
  case $command:$previous in
{values}
  esac
  case $command in
{options}
  esac
}}
complete -o filenames -F _tschema tschema
"""


def script(commands: tuple[Command, ...]) -> str:
    """Return the script."""
    top = _words((*(command.name for command in commands), "--help", "--version"))
    cases = [f"  '')\n    {top}\n    ;;"]
    return _SCRIPT.format(
        names=" | ".join(command.name for command in commands),
        values="\n".join(case for command in commands for case in _value_cases(command)),
        options="\n".join(cases + [_command_case(command) for command in commands]),
    )


def _value_cases(command: Command) -> Iterator[str]:
    """Yield what follows the options of a command that take a value."""
    for option in command.options:
        if option.values is not None:
            patterns = " | ".join(f"{command.name}:{name}" for name in option.names)
            yield f"  {patterns})\n    {_reply(option.values)}\n    return\n    ;;"


def _command_case(command: Command) -> str:
    names = tuple(name for option in command.options for name in option.names)
    lines = [f"  {command.name})", "    if [[ $current == -* ]]; then", f"      {_words(names)}"]
    if command.arguments is not None:
        lines += ["    else", f"      {_reply(command.arguments)}"]
    return "\n".join([*lines, "    fi", "    ;;"])


def _reply(values: Values) -> str:
    if isinstance(values, tuple):
        return _words(values)
    flag = {"folders": "-d", "files": "-f"}.get(values or "")
    # One name on each line: a name may hold blanks.
    return f'mapfile -t COMPREPLY < <(compgen {flag} -- "$current")' if flag else ":"


def _words(words: tuple[str, ...]) -> str:
    return f'mapfile -t COMPREPLY < <(compgen -W "{" ".join(words)}" -- "$current")'
