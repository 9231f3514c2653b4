"""`uir.ir` as script names it: with the decorator of modules, and their attributes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..ir import *  # noqa: F403
from ..tir import Var
from .module import ir_module as ir_module

if TYPE_CHECKING:
    pass


def dynamic(name: str, dtype: str = "int64") -> Var:
    """Make a symbolic dimension that functions of a file have in common.

    Parameters
    ----------
    name
        The name.
    dtype
        The data type.

    Returns
    -------
    Var
        The variable.
    """
    return Var(name, dtype)


def module_attrs(attrs: Mapping[str, object]) -> None:
    """State the attributes of a module in its class; script reads them from the source.

    Parameters
    ----------
    attrs
        The attributes by name.
    """
    del attrs
