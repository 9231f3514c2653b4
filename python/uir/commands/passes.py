"""The passes of a command: the sequence, its options, and packages with passes of users."""

from __future__ import annotations

import argparse
import ast
import errno
import importlib.util
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import tvm_ffi

from tschema.command_line import nearest
from uir_nodes.target import Target
from uir_nodes.transform import Pass, PassContext

from ..transform import list_options, parse_pass_pipeline

__all__ = ["add_passes", "chosen_passes", "load_packages", "pass_context"]

_loaded: list[object] = []
"""Libraries of users, which stay loaded."""


def add_passes(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that choose passes and set their options."""
    parser.add_argument(
        "--passes",
        metavar="TEXT",
        help="the passes, such as 'Simplify, UnrollLoop{auto_max_step=4}'; "
        "`default_pipeline` is those of `compile`",
    )
    parser.add_argument(
        "--config",
        action="append",
        default=[],
        type=named_option,
        metavar="NAME=VALUE",
        help="an option of passes, such as UnrollLoop.auto_max_step=4",
    )
    parser.add_argument(
        "--disable-pass",
        action="append",
        default=[],
        metavar="NAME",
        help="a pass that does not run",
    )
    parser.add_argument(
        "--load",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="a file .py or a library .so that registers dialects and passes",
    )


def chosen_passes(options: argparse.Namespace, target: Target) -> list[Pass] | None:
    """Return the passes that `--passes` names; None without it.

    Raises
    ------
    ValueError
        If the text is malformed or names an unknown pass; the message underlines each mistake.
    """
    if options.passes is None:
        return None
    return list(parse_pass_pipeline(options.passes, target, source_name="--passes").passes)


def pass_context(
    options: argparse.Namespace, passes: Sequence[Pass], instruments: Sequence[Any]
) -> PassContext:
    """Return the context of a run, whose level enables all passes.

    Raises
    ------
    TypeError, ValueError
        If there is no such option or pass, or an option has another type.
    """
    config = dict(options.config)
    known = list_options()
    for name in config:
        if hint := "" if name in known else nearest(name, known):
            raise ValueError(f"--config: there is no option `{name}`{hint}")
    return PassContext(
        opt_level=max([2, *(one.pass_info.opt_level for one in passes)]),
        disabled_pass=options.disable_pass,
        config=config,
        instruments=[options.reproducer, *instruments],
    )


def load_packages(files: Iterable[Path]) -> None:
    """Load files of users, which register their dialects and passes.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ImportError
        If a file cannot be imported.
    ValueError
        If a file is neither Python nor a library.
    """
    for file in files:
        if file.suffix not in (".py", ".so"):
            raise ValueError(f"`{file}`: expected a file .py or .so")
        if not file.exists():
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(file))
        if file.suffix == ".py":
            import_file(file)
        else:
            _loaded.append(load_library(file))


def load_library(file: Path) -> object:
    """Return a library, which tvm-ffi refuses by an internal error."""
    try:
        return tvm_ffi.load_module(str(file))
    except RuntimeError as error:
        raise ImportError(f"`{file}`: {error}") from error


def import_file(file: Path) -> None:
    """Import a file, which may import its neighbours; a second import does nothing."""
    name, folder = file.stem, str(file.resolve().parent)
    known = sys.modules.get(name)
    if known is not None and getattr(known, "__file__", None) == str(file.resolve()):
        return
    spec = importlib.util.spec_from_file_location(name, file.resolve())
    assert spec is not None and spec.loader is not None
    if folder not in sys.path:
        sys.path.append(folder)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise ImportError(f"`{file}`: {type(error).__name__}: {error}") from error


def named_option(text: str) -> tuple[str, Any]:
    """Return the name and the value of `NAME=VALUE`; a value that is not a constant is a text."""
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise argparse.ArgumentTypeError(f"expected NAME=VALUE, got `{text}`")
    try:
        return name, ast.literal_eval(value)
    except (SyntaxError, ValueError):
        return name, value
