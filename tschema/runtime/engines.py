"""The functions of libtschema, which the Python API wraps.

In: the name of a function of `libtschema`.  Out: the function, looked up on the first call, so that
importing this package does not load a library.
"""

from __future__ import annotations

from typing import Any

import tvm_ffi

from tschema.runtime.loader import load_runtime

__all__ = ["Engine"]


class Engine:
    """A function of `libtschema`."""

    def __init__(self, name: str) -> None:
        """Name a function, without its prefix `tschema.`."""
        self._name = f"tschema.{name}"
        self._function: tvm_ffi.Function | None = None

    def __call__(self, *arguments: Any) -> Any:
        """Call it; load `libtschema` first if no library has."""
        function = self._function
        if function is None:
            function = self._function = self._find()
        return function(*arguments)

    def _find(self) -> tvm_ffi.Function:
        function = tvm_ffi.get_global_func(self._name, allow_missing=True)
        if function is not None:
            return function
        load_runtime()
        return tvm_ffi.get_global_func(self._name)
