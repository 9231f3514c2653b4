"""`uir run`: runs a library, a program or a model on arrays of files."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tschema.command_line import CONTROLS, nearest

from .. import runtime
from ..driver import MachinePeak, machine_peak
from ..runtime.units import time_text
from .compile import add_c_file, add_target, compile_program
from .json_output import add_json, print_json
from .passes import add_passes
from .programs import add_program, positive, whole_file
from .run_arguments import FILLS, library_arguments, program_arguments
from .run_result import array_text, bound_rows, json_result
from .table import rows_text

__all__ = ["add_run"]

LIBRARIES = (".so", ".tar", ".o")
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
    if options.output and options.output.suffix != ".npz":
        raise ValueError(f"`{options.output}`: expected a file .npz")
    if options.threads:
        runtime.set_num_threads(options.threads)
    call = library_call if options.program.suffix in LIBRARIES else program_call
    library, args = call(options)
    outputs = results_of(library[options.function](*args), args)
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


def results_of(result: Any, args: Sequence[Any]) -> list[Any]:
    """Return the results of a call; without any, copies of its arguments, which calls change."""
    import numpy as np
    import tvm_ffi

    if result is None:
        return [np.array(runtime.as_array(one)) for one in args if isinstance(one, tvm_ffi.Tensor)]
    tensors = [result] if isinstance(result, tvm_ffi.Tensor) else list(result)
    return [runtime.as_array(tensor) for tensor in tensors]


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
    args = [runtime.as_tensor(arg) for arg in program_arguments(compiled, options)]
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


def function_names(library: Path) -> list[str]:
    """Return the functions of a library, by the names in its table of symbols."""
    found = re.findall(rb"\0__tvm_ffi_([A-Za-z]\w*)(?=\0)", library.read_bytes())
    return sorted({name.decode() for name in found} - {"uir_profile_v1"})
