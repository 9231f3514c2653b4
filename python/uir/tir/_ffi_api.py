"""FFI functions of `uir.tir`."""

from uir_nodes.tir._ffi_api import *  # noqa: F403
