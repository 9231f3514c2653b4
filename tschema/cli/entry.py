"""The entry of the command, with the fast paths: for a run that changes nothing, and for git.

In: arguments.  Out: the exit status.  Most runs of a build change nothing, so this module imports
nothing slow, not even the parser of the arguments.
"""

from __future__ import annotations

import gc
import os
import sys

from tschema.incremental.stamp import JOURNAL, is_current, run_key
from tschema.project.folders import find_config_file
from tschema.project.git import is_merging

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_FLAGS = ("--check", "--diff", "--dry-run", "--discard", "-v", "--verbose")
"""Options that make no difference if nothing changed, except the last two."""
_VALUES = ("--config", "--lang", "--out-dir")


def main(arguments: Sequence[str] | None = None) -> int:
    """
    Run the command; `gen` as a program of its own does not return, but ends the process.

    Parameters
    ----------
    arguments
        Those of the command line; `sys.argv` if None, as in a program of its own.
    """
    try:
        return _run(list(sys.argv[1:] if arguments is None else arguments), arguments is None)
    except KeyboardInterrupt:
        return 130  # Ctrl-C before the command began.


def _run(given: list[str], is_program: bool) -> int:
    if given[:1] == ["merge-driver"] and not given[-1].startswith("-"):
        return _merge(given[1:])
    options = plain_options(given)
    config = _config(options) if options is not None else None
    is_plain = options is not None and config is not None
    if options is not None and config is not None:
        if _changes_nothing(options, config):
            return 0
        # The process ends before there is garbage worth the time to look for it.
        gc.disable()
    from tschema.cli.main import main as run

    status = run(given)
    if is_plain and is_program:
        # All output is flushed. To destroy all objects one by one takes a fifth of the run.
        os._exit(status)
    return status


def _merge(versions: list[str]) -> int:
    """Merge a file for git, which starts a process for each; no argument of git's is an option."""
    from tschema.cli.commands.merge_driver import FEWEST, merge

    outcome = merge(*versions) if len(versions) >= FEWEST else None
    if outcome is None:
        from tschema.cli.main import main as run

        return run(["merge-driver", *versions])
    for piece in outcome.pieces:
        sys.stderr.write(piece.text)
    return outcome.status


def plain_options(arguments: list[str]) -> dict[str, str] | None:
    """Return the options of a plain `gen`; None for commands that `cli.py` must parse."""
    if arguments[:1] != ["gen"]:
        return None
    options: dict[str, str] = {}
    rest = iter(arguments[1:])
    for argument in rest:
        name, equals, value = argument.partition("=")
        if name in options:
            return None
        if name in _FLAGS and not equals:
            options[name] = ""
        elif name in _VALUES:
            options[name] = value if equals else next(rest, "")
            if not options[name]:
                return None
        else:
            return None
    if len({"--check", "--diff", "--dry-run"}.intersection(options)) > 1:
        return None
    return options


def _config(options: dict[str, str]) -> str | None:
    return options.get("--config") or find_config_file(os.getcwd())


def _changes_nothing(options: dict[str, str], config: str) -> bool:
    """Return whether the command is known to change nothing; say so if asked to."""
    languages = options.get("--lang")
    chosen = filter(None, languages.split(",")) if languages is not None else None
    folder, name = os.path.split(os.path.abspath(config))
    written = (folder, options.get("--out-dir") or folder)
    if is_merging(folder) or any(map(os.path.lexists, (f"{one}/{JOURNAL}" for one in written))):
        return False
    found = is_current(folder, run_key(name, chosen, options.get("--out-dir")))
    if found is None:
        return False
    count, warnings = found
    if warnings:
        sys.stderr.write(warnings)
    if "-v" in options or "--verbose" in options:
        print(f"{count} files are up to date")
    return True
