"""The arguments of the command, and its exit status."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from tschema.command_line import CONTROLS, CommandParser, nearest

from ..frontend.errors import InternalError
from .bisect import add_bisect
from .compile import add_compile
from .completion import add_completion, answer
from .explain import add_explain
from .lsp import add_lsp
from .opt import add_opt
from .quantize import add_quantize
from .reduce import add_reduce
from .reproducer import REPORT, Reproducer
from .run import add_run
from .targets import add_cache, add_targets
from .tune import add_tune
from .tune_db import add_tune_db

__all__ = ["main", "make_parser"]

COMMANDS = (
    add_compile,
    add_run,
    add_opt,
    add_reduce,
    add_bisect,
    add_explain,
    add_lsp,
    add_quantize,
    add_tune,
    add_tune_db,
    add_targets,
    add_cache,
    add_completion,
)

EPILOG = """exit status: 0 if all went well; 1 if the program or the model cannot be read, compiled
or run, which a message on the standard error explains; 2 if the arguments or a variable `UIR_...`
of the environment are wrong; 3 if uir itself is at fault; 130 after Ctrl-C"""

VARIABLES = (
    "UIR_CACHE_DIR",
    "UIR_CACHE_LIMIT",
    "UIR_CC",
    "UIR_CC_TIMEOUT",
    "UIR_ISA",
    "UIR_NUM_THREADS",
)

# A KeyError or an AttributeError is a fault of uir, whose traceback is of use.
EXPECTED: tuple[type[Exception], ...] = (
    ArithmeticError,
    ImportError,
    IndexError,
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
    parser = make_parser()
    answer(parser)
    words = sys.argv[1:] if arguments is None else arguments
    options = parser.parse_args(with_joined_name(words))
    check_variables(parser)
    options.reproducer = Reproducer(words, getattr(options, "program", None))
    if arguments is None:  # This process has no other purpose.
        options.reproducer.watch()
    try:
        options.run(options)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Who reads the output has enough of it, and gets nothing more when the process ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if isinstance(error, EXPECTED) and not is_internal(error):
            print(f"error: {said(error).translate(CONTROLS)}", file=sys.stderr)
            return 1
        # A fault of uir, which the exit status tells apart.
        traceback.print_exc()
        problem, advice = whose_fault(error, getattr(options, "load", ()))
        options.reproducer.say(problem, traceback.format_exc(), advice)
        return 3
    return 0


def with_joined_name(words: Sequence[str]) -> Sequence[str]:
    """Return the arguments of the command, with `tune db` as the one word `tune-db`."""
    return ["tune-db", *words[2:]] if list(words[:2]) == ["tune", "db"] else words


def whose_fault(error: Exception, loaded: Sequence[Path]) -> tuple[str, str]:
    """Return the problem behind an exception, which a file of users may raise, and the advice."""
    frames = traceback.extract_tb(error.__traceback__)
    for file in loaded:
        if frames and frames[-1].filename == str(file.resolve()):
            return f"`{file}` raised {type(error).__name__}", "repeat it"
    return "this is a fault of uir", REPORT


def said(error: Exception) -> str:
    """Return the message of an error; that of the system about a file starts with its name."""
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        return f"`{error.filename}`: {error.strerror[0].lower()}{error.strerror[1:]}"
    return str(error) or type(error).__name__


def is_internal(error: Exception) -> bool:
    """Return whether an importer, or an internal check in C++, has found a fault of uir."""
    kind = getattr(getattr(error, "__tvm_ffi_error__", None), "kind", None)
    return isinstance(error, InternalError) or kind == InternalError.__name__


def make_parser() -> CommandParser:
    """Return the parser of the command line, which leaves what to run in `run`."""
    parser = CommandParser("uir", epilog=EPILOG)
    parser.add_argument("--version", action="version", version=f"uir {version('uir')}")
    parser.description = "Compile and run programs and models, and work on their passes."
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for add_command in COMMANDS:
        add_command(commands)
    return parser


def check_variables(parser: CommandParser) -> None:
    """Reject unknown variables `UIR_...` of the environment, as options are."""
    for name in os.environ:
        if name.startswith("UIR_") and name not in VARIABLES:
            hint = nearest(name, VARIABLES)
            parser.error(f"unknown variable `{name}` of the environment{hint}")
