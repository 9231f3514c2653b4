"""Scripts that complete the command line in a shell, made from the parser of the arguments.

In: the parser.  Out: text.  A shell is one module beside this file, named in `arguments.SHELLS`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tschema.cli.completion.words import Command

__all__ = ["completion_script"]


def completion_script(shell: str, parser: argparse.ArgumentParser) -> str:
    """Return the script of a shell: `bash`, `zsh` or `fish`."""
    from tschema.cli.completion.words import read_commands

    script: Callable[[tuple[Command, ...]], str]
    script = import_module(f"tschema.cli.completion.{shell}").script
    return script(read_commands(parser))
