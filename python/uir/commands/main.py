"""The arguments of the command, and its exit status."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from .compile import add_compile
from .run import add_run

__all__ = ["main"]

EPILOG = """exit status: 0 if all went well; 1 if the program or the model cannot be read, compiled
or run, which a message on the standard error explains; 2 if the arguments are wrong; 130 after
Ctrl-C"""

EXPECTED: tuple[type[Exception], ...] = (
    ArithmeticError,
    ImportError,
    LookupError,
    MemoryError,
    OSError,
    RuntimeError,  # NotImplementedError too
    SyntaxError,
    TypeError,
    ValueError,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    arguments
        Those of the command line; `sys.argv` if None.

    Returns
    -------
    int
        The exit status.
    """
    parser = argparse.ArgumentParser("uir", description=__doc__, epilog=EPILOG)
    parser.description = "Compile programs and models into libraries, and run them."
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    add_compile(commands)
    add_run(commands)
    options = parser.parse_args(arguments)
    try:
        options.run(options)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Who reads the output has enough of it, and gets nothing more when the process ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except EXPECTED as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0
