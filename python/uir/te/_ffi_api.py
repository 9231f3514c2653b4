"""FFI functions of `uir.te`."""

from uir_nodes.te._ffi_api import *  # noqa: F403
