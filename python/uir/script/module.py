"""Modules that are written in Python files."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, overload

from uir_nodes.ir import IRModule

from ..ir.definition import read_definition

if TYPE_CHECKING:
    from typing import Any

__all__ = ["ir_module"]


@overload
def ir_module(definition: type, /) -> IRModule: ...


@overload
def ir_module(*, attrs: Mapping[str, Any] | None = None) -> Callable[[type], IRModule]: ...


def ir_module(
    definition: type | None = None, /, *, attrs: Mapping[str, Any] | None = None
) -> IRModule | Callable[[type], IRModule]:
    """Read a module from the source of a class, as script.

    Parameters
    ----------
    definition
        The class, with the functions in its body.
    attrs
        The module's attributes.

    Returns
    -------
    IRModule
        What the source says.

    Raises
    ------
    ScriptError
        If something is wrong with the source: places in the file, the lines underlined.
    """
    del attrs  # They are read from the source.
    frame = sys._getframe(1)

    def decorate(decorated: type) -> IRModule:
        module = read_definition(decorated, frame)
        assert isinstance(module, IRModule)
        return module

    return decorate if definition is None else decorate(definition)
