"""A compiler core in which C++, Python and Rust share every node as one object.

Its import loads the library and `uir.ir`; another namespace is imported on first use, or before
a graph is loaded.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tschema.runtime import bind_types_later

from . import ir
from .ir import IRModule

if TYPE_CHECKING:
    from . import (
        arith,
        driver,
        relay,
        runtime,
        schedule,
        script,
        target,
        te,
        testing,
        tir,
        transform,
        tuning,
        viz,
    )
    from .driver import build, clear_cache, lower

__all__ = [
    "IRModule",
    "arith",
    "build",
    "clear_cache",
    "driver",
    "ir",
    "lower",
    "relay",
    "runtime",
    "schedule",
    "script",
    "target",
    "te",
    "testing",
    "tir",
    "transform",
    "tuning",
    "viz",
]

_WITH_TYPES = ("arith", "relay", "schedule", "script", "target", "te", "tir", "transform")
_IMPORTED_LATER = (*_WITH_TYPES, "driver", "runtime", "testing", "tuning", "viz")
_FROM_DRIVER = ("build", "clear_cache", "lower")

bind_types_later(f"{__name__}.{name}" for name in _WITH_TYPES)


def __getattr__(name: str) -> Any:
    """Import a namespace on first use."""
    if name in _FROM_DRIVER:
        return getattr(import_module(f"{__name__}.driver"), name)
    if name not in _IMPORTED_LATER:
        raise AttributeError(f"module `{__name__}` has no attribute `{name}`")
    return import_module(f"{__name__}.{name}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
