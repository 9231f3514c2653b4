"""FFI functions of `uir.arith`."""

from uir_nodes.arith._ffi_api import *  # noqa: F403
