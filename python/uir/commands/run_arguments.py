"""The arguments of a call: arrays of files, random ones, or zeros."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tschema.command_line import nearest
from uir_nodes.ir import IntImm, TensorType
from uir_nodes.relay import Function

from .. import runtime
from .compile import Compiled
from .programs import check_file, fixed_sizes

__all__ = ["FILLS", "library_arguments", "program_arguments"]

FILLS = ("random", "zeros")


def program_arguments(compiled: Compiled, options: argparse.Namespace) -> list[Any]:
    """Return an array for each parameter of a function: from a file, or random.

    Raises
    ------
    ValueError
        If there is no such function, or an input names no parameter.
    """
    func = compiled.source.lookup(options.function)
    if not isinstance(func, Function):
        return library_arguments(compiled.library, options)
    names = list(func.get_attr("input_names") or [param.name for param in func.params])
    inputs = [
        input_of(name, param.checked_type) for name, param in zip(names, func.params, strict=True)
    ]
    return arrays_of(inputs, options)


def library_arguments(library: runtime.Module, options: argparse.Namespace) -> list[Any]:
    """Return an array for each input of a library's function: from a file, or random.

    Raises
    ------
    ValueError
        If an input or a dimension has another name.
    """
    if library.get_function_metadata(options.function) is None:
        # An older release has compiled it.
        return in_order(options.input)
    inputs = runtime.named_function(library, options.function).inputs
    return arrays_of(list(inputs), options)


def in_order(given: Sequence[str]) -> list[Any]:
    """Return the arrays of files, without names.

    Raises
    ------
    ValueError
        If an input has a name.
    """
    for text in given:
        if "=" in text and not Path(text).exists():
            raise ValueError(f"`{text}`: the inputs of such a function are in order, without names")
    return [load(text) for text in given]


def input_of(name: str, type: object) -> runtime.TensorInfo:
    """Describe a parameter as a library does."""
    if not isinstance(type, TensorType):
        return runtime.TensorInfo(name, str(type))
    shape = tuple(int(dim.value) if isinstance(dim, IntImm) else str(dim) for dim in type.shape)
    return runtime.TensorInfo(name, str(type.dtype), shape)


def arrays_of(inputs: Sequence[runtime.TensorInfo], options: argparse.Namespace) -> list[Any]:
    """Return an array for each input: from a file, or random.

    Raises
    ------
    ValueError
        If an input or a dimension has another name.
    """
    if options.program.suffix != ".onnx":  # The importer has checked those of a model.
        check_dims(inputs, [name for name, _ in options.dim])
    files, dims = by_name(options.input, [one.name for one in inputs]), fixed_sizes(options)
    return [
        load(files[one.name]) if one.name in files else filled_array(options.fill, one, dims, place)
        for place, one in enumerate(inputs)
    ]


def check_dims(inputs: Sequence[runtime.TensorInfo], given: Sequence[str]) -> None:
    """Reject sizes of dimensions that no input has."""
    dims = {str(dim) for one in inputs for dim in one.shape or ()}
    known = sorted(dim for dim in dims if dim.isidentifier())
    for name in given:
        if name not in known:
            names = ", ".join(f"`{one}`" for one in known) or "none"
            raise ValueError(
                f"no input has a dimension `{name}`; there are {names}{nearest(name, known)}"
            )


def by_name(given: Sequence[str], names: Sequence[str]) -> dict[str, str]:
    """Return files by the names of inputs; those without a name are in order."""
    files: dict[str, str] = {}
    for text in given:
        name, equals, path = text.rpartition("=")
        if not equals:
            free = [one for one in names if one not in files]
            if not free:
                raise ValueError(f"`{text}`: there are {len(names)} inputs only")
            name, path = free[0], text
        if name not in names:
            known = ", ".join(f"`{one}`" for one in names)
            raise ValueError(
                f"there is no input `{name}`; the inputs are {known}{nearest(name, names)}"
            )
        files[name] = path
    return files


def filled_array(fill: str, given: runtime.TensorInfo, dims: dict[str, int], seed: int) -> Any:
    """Return zeros, or random numbers from 0 to 1 (integers 0 and 1), the same in every run."""
    import numpy as np

    if given.shape is None:
        raise ValueError(f"input `{given.name}` of type {given.dtype} needs a file")
    shape = [dim if isinstance(dim, int) else dims.get(dim, 1) for dim in given.shape]
    generator, dtype = np.random.default_rng(seed), runtime.numpy_dtype(given.dtype)
    if fill == "zeros":
        return np.zeros(shape, dtype)
    # That of bfloat16 is `V`.
    if dtype.kind in "fV":
        return generator.random(shape, np.float32).astype(dtype)
    return generator.integers(0, 2, shape).astype(dtype)


def load(path: str) -> Any:
    """Return the array of a file .npy, which needs no pickle."""
    import numpy as np

    check_file(Path(path))
    try:
        return np.load(path, allow_pickle=False)
    except (EOFError, ValueError) as error:
        raise ValueError(f"`{path}`: {error}") from error
