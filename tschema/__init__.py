"""Declare IR nodes once, use them from C++, Python and Rust."""

from __future__ import annotations

# Not from `typing`, so that the fast path of the command does not import it.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from tschema import ty
    from tschema.dsl import (
        Object,
        declare,
        dialect,
        field,
        function,
        method,
        operand,
        operator,
    )

__all__ = [
    "Object",
    "__version__",
    "declare",
    "dialect",
    "field",
    "function",
    "method",
    "operand",
    "operator",
    "ty",
]

__version__ = "0.1.0"

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Import the schema language on first use."""
        if name not in __all__:
            raise AttributeError(f"module `tschema` has no attribute `{name}`")
        from tschema import dsl

        return getattr(dsl, name)
