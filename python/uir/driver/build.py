"""From a program to a library: the pipeline of passes, the code generator and the compiler."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from tvm_ffi import Module

from uir_nodes.ir import BaseFunc, IRModule
from uir_nodes.target import Target
from uir_nodes.te import Tensor
from uir_nodes.tir import Var
from uir_nodes.transform import Pass

from . import _ffi_api

__all__ = ["build", "default_pipeline", "lower"]

TunedRows: TypeAlias = "str | os.PathLike[str] | Sequence[Mapping[str, Any]]"


def default_pipeline(target: Target | str | None = None) -> list[Pass]:
    """Return the passes that `lower` runs by default, in order.

    Parameters
    ----------
    target
        The machine, or its kind (`"c"`); None for this one.

    Returns
    -------
    pipeline
        The passes: a list to edit and to give to `lower` and `build`.

    Raises
    ------
    ValueError
        If there is no such kind of target.
    """
    return list(_ffi_api.default_pipeline(_target(target)))


def lower(
    input: IRModule | BaseFunc | Sequence[Tensor | Var],
    target: Target | str | None = None,
    pipeline: Sequence[Pass] | None = None,
    tuned: TunedRows | None = None,
) -> IRModule:
    """Lower a program to functions that a code generator takes.

    Parameters
    ----------
    input
        A module, a function, or the parameters of a function: tensors and variables of tensor
        expressions, the results last.
    target
        The machine, or its kind (`"c"`); None for this one.
    pipeline
        The passes to run; None for those of `default_pipeline`.
    tuned
        Rows of parameters that come before those of the library, as `schedule.ScheduleOptions.rows`
        has them; or the path of a file of JSON with an array of rows, or with the tuned kernels
        that `uir tune` wrote. None for the rows of the context.

    Returns
    -------
    module
        The lowered module. A single function is `main` in it, or as its `global_symbol` says.

    Raises
    ------
    TypeError
        If `input` has an element that is neither a tensor nor a variable.
    ValueError
        If `tuned` is wrong or for another machine, `input` is empty, there is no such kind of
        target, or a pass finds a mistake in the program.
    """
    return _ffi_api.lower(input, _target(target), pipeline, _rows(tuned))


def build(
    input: IRModule | BaseFunc | Sequence[Tensor | Var],
    target: Target | str | None = None,
    pipeline: Sequence[Pass] | None = None,
    tuned: TunedRows | None = None,
    checks: str | None = None,
) -> Module:
    """Compile a program into a module, and load it.

    Parameters
    ----------
    input
        A module, a function, or the parameters of a function: tensors and variables of tensor
        expressions, the results last.
    target
        The machine, or its kind (`"c"`); None for this one.
    pipeline
        The passes to run; None for those of `default_pipeline`.
    tuned
        Rows of parameters that come before those of the library, as `schedule.ScheduleOptions.rows`
        has them; or the path of a file of JSON with an array of rows, or with the tuned kernels
        that `uir tune` wrote. None for the rows of the context.
    checks
        The checks of the code at run time, as in `Target.checks`: `"bounds"` for the index of each
        access of a buffer; None for what `target` says.

    Returns
    -------
    module
        The module. It has a function for each one of the program with the attribute
        `global_symbol`; a single function without it is called `main`. Functions take NumPy
        arrays, tensors of other libraries that speak DLPack, and numbers.

    Raises
    ------
    TypeError
        If `input` has an element that is neither a tensor nor a variable.
    ValueError
        If `tuned` is wrong or for another machine, `input` is empty, there is no such kind of
        target or of checks, a pass finds a mistake in the program, no function has a
        `global_symbol`, or the code generator refuses the result of the passes.
    RuntimeError
        If there is no compiler, or it fails; `compile_c` describes the message.
    """
    machine = _target(target)
    if checks is not None:
        machine = machine or Target()
        machine = Target(
            machine.kind, machine.isa, checks, division=machine.division, glibc=machine.glibc
        )
    return _ffi_api.build(input, machine, pipeline, _rows(tuned))


def _target(target: Target | str | None) -> Target | None:
    return Target(target) if isinstance(target, str) else target


def _rows(tuned: TunedRows | None) -> str | Sequence[Mapping[str, Any]] | None:
    return os.fspath(tuned) if isinstance(tuned, os.PathLike) else tuned
