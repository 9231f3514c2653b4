"""`uir run`: runs a library, a program or a model on arrays of files."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tschema.command_line import CONTROLS, nearest
from uir_nodes.ir import IntImm, TensorType
from uir_nodes.relay import Function

from .. import runtime
from ..driver import MachinePeak, machine_peak
from ..runtime.units import time_text
from .compile import add_c_file, add_target, compile_program
from .json_output import add_json, print_json
from .passes import add_passes
from .programs import add_program, check_file, fixed_sizes, positive, whole_file
from .run_result import array_text, bound_rows, json_result
from .table import rows_text

if TYPE_CHECKING:
    from uir_nodes.ir import IRModule

__all__ = ["add_run"]

LIBRARIES = (".so", ".tar", ".o")
FILLS = ("random", "zeros")
OF_PROGRAMS = (
    "shape",
    "constant",
    "arch",
    "checks",
    "division",
    "glibc",
    "tuned",
    "explorer",
    "emit_c",
    "passes",
    "config",
    "disable_pass",
    "load",
)
"""The arguments that say how a program is compiled."""


def add_run(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "run",
        help="run a library, or compile and run a program or a model",
        description="Run a function, and print its results and its time.",
    )
    parser.add_argument("program", type=Path, help="a library .so, or what `compile` takes")
    parser.add_argument(
        "--input",
        action="append",
        default=[],
        metavar="[NAME=]FILE.npy",
        help="an input, by its name or in order; those that are left out are random",
    )
    parser.add_argument("--function", default="main", help="the function; by default `main`")
    parser.add_argument(
        "--output", type=Path, metavar="FILE.npz", help="write the results, as `output0` and so on"
    )
    parser.add_argument(
        "--profile",
        action="store_true",
        help="print the time of each kernel, and how near it is to the peak of this machine",
    )
    parser.add_argument("--number", type=positive, default=10, help="how many calls are measured")
    parser.add_argument(
        "--fill",
        choices=FILLS,
        default="random",
        help="the elements of inputs that are left out: random (the default) or zeros",
    )
    parser.add_argument(
        "--threads", type=positive, metavar="N", help="how many threads run parallel loops"
    )
    add_target(parser)
    add_c_file(parser)
    add_passes(parser)
    add_program(
        parser, "a symbolic dimension: its size in a model, and in random inputs, by default 1"
    )
    add_json(parser)
    parser.set_defaults(run=run, has_random_inputs=True)


def run(options: argparse.Namespace) -> None:
    """Run a function; print its results, and its time."""
    import tvm_ffi

    if options.output and options.output.suffix != ".npz":
        raise ValueError(f"`{options.output}`: expected a file .npz")
    if options.threads:
        runtime.set_num_threads(options.threads)
    call = library_call if options.program.suffix in LIBRARIES else program_call
    library, args = call(options)
    result = library[options.function](*args)
    tensors = [result] if isinstance(result, tvm_ffi.Tensor) else list(result or [])
    outputs = [runtime.as_array(tensor) for tensor in tensors]
    timing = runtime.time_evaluator(library, options.function, number=options.number)(*args)
    profile = peak = None
    if options.profile:
        profile = runtime.profile(library, options.function, number=options.number)(*args)
        peak = known_peak()
    if options.output:
        results: dict[str, Any] = {f"output{place}": one for place, one in enumerate(outputs)}
        write_arrays(options.output, results)
    if options.json:
        print_json(json_result(options, outputs, timing, profile, peak))
        return
    rows = [(f"output {place}", array_text(one)) for place, one in enumerate(outputs)]
    print(rows_text([*rows, ("time", f"{time_text(timing.min)}, the least of {options.number}")]))
    if profile is not None:
        print(str(profile).translate(CONTROLS))
    if profile is not None and peak is not None:
        print(rows_text(bound_rows(profile, peak)))


def known_peak() -> MachinePeak | None:
    """Return the peak of this machine; None where it cannot be measured, with a note."""
    try:
        return machine_peak()
    except (MemoryError, RuntimeError) as error:
        reason = str(error).partition("\n")[0]
        print(f"note: the peak of this machine is not known: {reason}", file=sys.stderr)
        return None


def write_arrays(path: Path, arrays: dict[str, Any]) -> None:
    """Write a file .npz, all of it or none."""
    import numpy as np

    with whole_file(path) as part:
        np.savez(part, **arrays)


def program_call(options: argparse.Namespace) -> tuple[runtime.Module, list[Any]]:
    """Return the module of a program that is compiled, and the arguments of the call."""
    compiled = compile_program(options.program, options)
    args = [runtime.as_tensor(arg) for arg in arguments(compiled.source, options)]
    return compiled.library, args


def library_call(options: argparse.Namespace) -> tuple[runtime.Module, list[Any]]:
    """Return the module of a library, and the arguments of the call.

    Raises
    ------
    ValueError
        If an option is for programs, or there is no such function.
    """
    for name in OF_PROGRAMS:
        if getattr(options, name) not in (None, []):
            option = name.replace("_", "-")
            raise ValueError(f"--{option} is for programs and models, and not for libraries")
    library = runtime.load_module(options.program)
    if not library.implements_function(options.function):
        names = function_names(options.program)
        known = ", ".join(f"`{name}`" for name in names)
        raise ValueError(
            f"`{options.program}` has no function `{options.function}`; it has {known}"
            f"{nearest(options.function, names)}"
        )
    return library, [runtime.as_tensor(arg) for arg in library_arguments(library, options)]


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


def function_names(library: Path) -> list[str]:
    """Return the functions of a library, by the names in its table of symbols."""
    found = re.findall(rb"\0__tvm_ffi_([A-Za-z]\w*)(?=\0)", library.read_bytes())
    return sorted({name.decode() for name in found} - {"uir_profile_v1"})


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


def arguments(module: IRModule, options: argparse.Namespace) -> list[Any]:
    """Return an array for each parameter of a function: from a file, or random.

    Raises
    ------
    ValueError
        If there is no such function, or an input names no parameter.
    """
    func = module.lookup(options.function)
    if not isinstance(func, Function):
        if options.dim:
            raise ValueError("--dim is for random inputs, and this function needs files")
        return in_order(options.input)
    names = list(func.get_attr("input_names") or [param.name for param in func.params])
    inputs = [
        input_of(name, param.checked_type) for name, param in zip(names, func.params, strict=True)
    ]
    return arrays_of(inputs, options)


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
