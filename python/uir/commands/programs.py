"""The files of programs: script, JSON, binary, models of ONNX."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from uir_nodes.ir import IRModule

from .. import ir, script

__all__ = [
    "FILES",
    "add_program",
    "check_file",
    "fixed_sizes",
    "import_onnx",
    "read_program",
    "several_sizes",
    "whole_file",
    "write_text",
]

STANDARD_INPUT = "-"
SCRIPT = (".py", ".uir")
"""The suffixes of script."""
FILES = "a file .onnx, .py or .uir (script), .json or .bin"


def add_program(
    parser: argparse.ArgumentParser,
    dim_help: str = "the size of a symbolic dimension of a model",
    several: bool = False,
) -> None:
    """Add the arguments that name a program.

    Parameters
    ----------
    parser
        The parser.
    dim_help
        The help of `--dim`.
    several
        Whether `--dim` takes several sizes.
    """
    parser.add_argument(
        "--shape",
        action="append",
        default=[],
        metavar="NAME=D,D,...",
        type=named_shape,
        help="the shape of an input of a model; a name is a symbolic dimension",
    )
    parser.add_argument(
        "--dim",
        action="append",
        default=[],
        type=named_sizes if several else named_size,
        metavar="NAME=N,..." if several else "NAME=N",
        help=dim_help,
    )
    parser.add_argument(
        "--constant",
        action="append",
        default=[],
        metavar="NAME=FILE.npy",
        type=named_array,
        help="the value of an input of a model, which becomes part of the library",
    )


def read_program(path: Path, options: argparse.Namespace) -> IRModule:
    """Return the module of a file.

    `options.sources` has the text of script, and `options.is_model` tells whether it is a model,
    whose dimensions `--dim` has fixed.

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If it is malformed, or its kind is not known.
    """
    options.sources = ir.SourceMap()
    shapes, constants = dict(options.shape), dict(options.constant)
    if str(path) == STANDARD_INPUT:
        data = sys.stdin.buffer.read()
        options.reproducer.keep_input(data)
        name, suffix = "<stdin>", suffix_of(data)
    else:
        check_file(path)
        data, name, suffix = None, str(path), path.suffix
    options.is_model = suffix == ".onnx"
    if options.is_model:
        return from_model(path if data is None else data, shapes, constants, fixed_sizes(options))
    if shapes or constants:
        raise ValueError("--shape and --constant are for models")
    if fixed_sizes(options) and not options.has_random_inputs:
        raise ValueError("--dim with one size is for models")
    if suffix not in (*SCRIPT, ".json", ".bin"):
        raise ValueError(f"`{path}`: expected {FILES}")
    module = decoded(path.read_bytes() if data is None else data, name, suffix, options.sources)
    if isinstance(module, IRModule):
        return module
    raise ValueError(f"`{name}` holds `{type(module).__name__}`, not a module")


def suffix_of(data: bytes) -> str:
    """Return the suffix of the files with such contents: `.bin`, `.json`, `.py` or `.onnx`."""
    if data.startswith(b"\x89TSB"):
        return ".bin"
    if data.lstrip().startswith(b"{"):
        return ".json"
    # A model is a message of protobuf, which starts with the number of its version.
    return ".onnx" if data.startswith(b"\x08") else ".py"


def decoded(data: bytes, name: str, suffix: str, sources: ir.SourceMap) -> object:
    """Return the value of a script, which becomes a source, of JSON, or of the binary form."""
    try:
        if suffix == ".bin":
            return ir.load_binary(data)
        text = data.decode("utf-8").replace("\r\n", "\n")
        if suffix not in SCRIPT:
            return ir.load_json(text)
    except ValueError as error:
        raise ValueError(f"`{name}`: {error}") from error
    sources.add(name, text)
    return script.parse_value(text, name)


def write_text(path: Path | None, text: str) -> None:
    """Write a text to a file, all of it or none, or to the standard output if there is no path."""
    if path is None:
        sys.stdout.write(text)
        return
    with whole_file(path) as part:
        part.write_text(text, "utf-8")


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Give the path of a file to write, which becomes that of `path` at the end, or is removed."""
    part = path.with_name(f".{os.getpid()}-{path.name}")
    try:
        yield part
        part.replace(path)
    except OSError as error:
        if error.filename == str(part):
            error.filename = str(path)  # Users know nothing of the other one.
        raise
    finally:
        part.unlink(missing_ok=True)


def check_file(path: Path) -> None:
    """Reject pipes and devices, which may never end; a missing file fails when it is read.

    Raises
    ------
    OSError
        If the path names something other than a file.
    """
    if path.exists() and not path.is_file():
        raise OSError(f"`{path}` is not a regular file")


def from_model(
    model: Path | bytes,
    shapes: Mapping[str, Any],
    constants: Mapping[str, Any],
    sizes: Mapping[str, int],
) -> IRModule:
    """Import a model of ONNX; `ImportError` names the missing package."""
    with import_onnx():
        from ..frontend.onnx import from_onnx
    return from_onnx(model, shapes, constants, sizes)


@contextmanager
def import_onnx() -> Iterator[None]:
    """Say how to install the package `onnx` if a module that needs it cannot be imported.

    Raises
    ------
    ImportError
        If it cannot.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise ImportError("models of ONNX need the package `onnx`: install `uir[onnx]`") from error


def named(text: str) -> tuple[str, str]:
    """Return the parts of `NAME=VALUE`; names may contain `=`."""
    name, equals, value = text.rpartition("=")
    if not (name and equals and value):
        raise argparse.ArgumentTypeError(f"expected NAME=VALUE, got `{text}`")
    return name, value


def named_shape(text: str) -> tuple[str, tuple[int | str, ...]]:
    """Return the name and the dimensions of `NAME=DIM,...`; a dimension may be a symbol."""
    name, value = named(text)
    dims = [dim.strip() for dim in value.split(",") if dim.strip()]
    return name, tuple(int(dim) if dim.isdecimal() else dim for dim in dims)


def named_array(text: str) -> tuple[str, Any]:
    """Return the name and the array of `NAME=FILE.npy`, which is checked before it is read."""
    import numpy as np

    name, value = named(text)
    try:
        check_file(Path(value))
        return name, np.load(value, allow_pickle=False)
    except (EOFError, OSError, ValueError) as error:
        raise argparse.ArgumentTypeError(f"`{value}`: {error}") from error


def named_size(text: str) -> tuple[str, tuple[int, ...]]:
    """Return the name and the positive number of `NAME=NUMBER`."""
    name, value = named(text)
    return name, (positive(value),)


def named_sizes(text: str) -> tuple[str, tuple[int, ...]]:
    """Return the name and the positive numbers of `NAME=NUMBER,...`."""
    name, value = named(text)
    return name, tuple(positive(one.strip()) for one in value.split(","))


def fixed_sizes(options: argparse.Namespace) -> dict[str, int]:
    """Return the dimensions that have one size."""
    return {name: sizes[0] for name, sizes in options.dim if len(sizes) == 1}


def several_sizes(options: argparse.Namespace) -> dict[str, tuple[int, ...]]:
    """Return the dimensions that have several sizes, of which each gets code of its own."""
    return {name: sizes for name, sizes in options.dim if len(sizes) > 1}


def positive(text: str) -> int:
    """Return a positive number; `ArgumentTypeError` refuses other texts."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a positive number, got `{text}`")
    return int(text)
