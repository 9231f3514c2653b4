"""FFI functions of `uir.target`."""

from uir_nodes.target._ffi_api import *  # noqa: F403
