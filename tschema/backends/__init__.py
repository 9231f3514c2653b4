"""The table of backends: a language is one line here and one folder beside this file."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tschema.backends.base import InPlaceOutput, OutputFile, Places
    from tschema.emit.render import Renderer
    from tschema.ir.model import Schema
    from tschema.project.config import InPlaceTarget, Target

    Emit = Callable[[Schema, Target, Renderer], list[OutputFile]]
    EmitInPlace = Callable[[Schema, InPlaceTarget, Renderer, Places], InPlaceOutput]

__all__ = ["BACKENDS", "load_backend", "load_in_place"]

BACKENDS = {
    "cpp": "tschema.backends.cpp.backend",
    "python": "tschema.backends.python.backend",
    "rust": "tschema.backends.rust.backend",
    "docs": "tschema.backends.docs.backend",
}
"""Language to the module with its `emit`; also the order in which they run."""


def load_backend(language: str) -> Emit:
    """Return the `emit` function of a language of the table."""
    emit: Emit = import_module(BACKENDS[language]).emit
    return emit


def load_in_place(language: str) -> EmitInPlace:
    """Return the `emit_in_place` function of a language of the table."""
    module = BACKENDS[language].rpartition(".")[0]
    emit: EmitInPlace = import_module(f"{module}.in_place").emit_in_place
    return emit
