"""The commands: a command is one line here, its arguments in `arguments.py`, and one module.

In: parsed arguments.  Out: `Outcome`s, which `cli.py` prints.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING

Progress = Callable[[str], None]
"""Told of each stage as it begins."""

if TYPE_CHECKING:
    import argparse

    from tschema.cli.outcome import Outcome

    Run = Callable[[argparse.Namespace, Progress], Iterator[Outcome]]

__all__ = ["COMMANDS", "Progress", "load_command"]

COMMANDS = {
    "gen": "generate code from the declarations",
    "new": "make a project that builds, in a folder of its own",
    "init": "begin in a repository that is there",
    "ir": "print the declarations as JSON",
    "build": "build a library that can be loaded from the declarations",
    "verify": "check hand-written code against the declarations",
    "import": "write declarations of what existing code declares",
    "merge-driver": "merge a generated file for git, which `--install` sets up",
    "breaking": "compare the declarations with an older version of them",
    "rename": "rename a declaration in all schema files",
    "fix": "apply the helps of diagnostics to schema files",
    "stub": "write the bodies that hand-written C++ misses",
    "unadopt": "take the blocks around C++ classes out again",
    "lsp": "serve an editor: diagnostics, completion, rename and more in schema files",
    "explain": "explain the code of a diagnostic",
    "completion": "print a script that completes the command line",
    "cmake-args": "print the arguments by which `cmake` finds tschema",
    "cxx-args": "print the arguments by which a C++ compiler finds tschema",
    "link-args": "print the arguments by which a linker finds tschema",
}
"""The summary of each command."""


_MODULES = {"import": "import_"}
"""The modules of commands whose names no module can have."""


def load_command(name: str) -> Run:
    """Return the `run` function of a command."""
    plain = "build_args" if name.endswith("-args") else name.replace("-", "_")
    module = _MODULES.get(name, plain)
    run: Run = import_module(f"tschema.cli.commands.{module}").run
    return run
