"""Modules written in Python files."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, overload

from uir_nodes.ir import IRModule

from ..ir.definition import read_definition

if TYPE_CHECKING:
    pass

__all__ = ["ir_module"]


@overload
def ir_module(definition: type, /) -> IRModule: ...


@overload
def ir_module(
    *,
    attrs: Mapping[str, object] | None = None,
    check_well_formed: bool = True,
    s_tir: bool = False,
) -> Callable[[type], IRModule]: ...


def ir_module(
    definition: type | None = None,
    /,
    *,
    attrs: Mapping[str, object] | None = None,
    check_well_formed: bool = True,
    s_tir: bool = False,
) -> IRModule | Callable[[type], IRModule]:
    """Parse the source of a class as a module.

    Parameters
    ----------
    definition
        The class, with the functions in its body.
    attrs
        The module's attributes.
    check_well_formed, s_tir
        Options of TVM without effect: the parser does not run `verify_well_formed`, and each
        function says by itself whether it has a root block.

    Returns
    -------
    IRModule
        The parsed node.

    Raises
    ------
    ScriptError
        If the source is malformed; the message underlines the errors in the file.
    """
    del attrs, check_well_formed, s_tir  # The parser reads them from the source.
    frame = sys._getframe(1)

    def decorate(decorated: type) -> IRModule:
        module = read_definition(decorated, frame)
        assert isinstance(module, IRModule)
        return module

    return decorate if definition is None else decorate(definition)
