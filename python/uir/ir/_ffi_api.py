"""FFI functions of `uir.ir`."""

from uir_nodes.ir._ffi_api import *  # noqa: F403
