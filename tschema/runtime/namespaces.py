"""Namespaces of a package that are imported when they are used.

tvm-ffi makes a class of its own for an object whose type has none, and the object keeps it. So
operations that may bring objects of any type import the namespaces first: loading a graph, and
loading the library of another package.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from threading import RLock
from typing import Final

__all__ = ["bind_types", "bind_types_later"]

_modules: list[str] = []
"""The modules that `bind_types` imports, the next one last."""

_binding: Final = RLock()
"""Held by the thread that imports them."""
_PATIENCE: Final = 5.0
"""How many seconds another thread waits. If it is importing one of the modules itself, the two wait
for each other, which is left to Python's own locks then."""


def bind_types_later(modules: Iterable[str]) -> None:
    """Name modules that bind types to classes and need not be imported before they are used.

    tvm-ffi makes a class of its own for an object whose type has none, and keeps it. So what makes
    objects of any type, such as the loading of a graph, calls `bind_types` first.

    Parameters
    ----------
    modules
        Their names.
    """
    _modules.extend(modules)


def bind_types() -> None:
    """Import the modules that `bind_types_later` has named.

    When it returns, their types have classes, also if another thread imports them.
    """
    is_held = _binding.acquire(timeout=_PATIENCE)
    try:
        while _modules:
            import_module(_modules.pop())
    finally:
        if is_held:
            _binding.release()
