"""FFI functions of `uir.transform`."""

from uir_nodes.transform._ffi_api import *  # noqa: F403
