"""FFI functions of `uir.driver`."""

from uir_nodes.driver._ffi_api import *  # noqa: F403
