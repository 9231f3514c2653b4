"""FFI functions of `uir.runtime`."""

from uir_nodes.runtime._ffi_api import *  # noqa: F403
