"""Arguments that are not captured programs, and how to capture them."""

from __future__ import annotations

import importlib
import inspect
from typing import Any

__all__ = ["check_program"]

# The kinds of arguments, with help; `{name}` is the name of its class or its own.
SCRIPTED = """a scripted module; export the module that it was made from
help: from_exported_program(torch.export.export(module, args))"""
MODULE = """the module `{name}`; capture it first
help: from_exported_program(torch.export.export(module.eval(), args))"""
FUNCTION = """the function `{name}`; capture it as the `forward` of a module first
help: from_exported_program(torch.export.export(module.eval(), args))"""
FILE = """a path; load the program first
help: from_exported_program(torch.export.load(path))"""


def check_program(program: object) -> None:
    """Check that a program is one of `torch.export`.

    Parameters
    ----------
    program
        The argument that was given as a program.

    Raises
    ------
    ImportError
        If PyTorch is not installed.
    TypeError
        If it is not an `ExportedProgram`; the message says how to make one of it.
    """
    try:
        torch = importlib.import_module("torch")
    except ModuleNotFoundError as error:
        message = "`from_exported_program` needs PyTorch: install `uir[torch]`"
        raise ImportError(message) from error
    if isinstance(program, torch.export.ExportedProgram):
        return
    name = getattr(program, "__name__", type(program).__name__)
    found = kind_of(program, torch).format(name=name)
    raise TypeError(
        f"from_exported_program: expected a `torch.export.ExportedProgram`, got {found}"
    )


def kind_of(program: Any, torch: Any) -> str:
    """Return the kind of an argument, with help."""
    if isinstance(program, (torch.jit.ScriptModule, torch.jit.ScriptFunction)):
        return SCRIPTED
    if isinstance(program, torch.nn.Module):
        return MODULE
    if inspect.isroutine(program):
        return FUNCTION
    return FILE if isinstance(program, str) or hasattr(program, "__fspath__") else "a `{name}`"
