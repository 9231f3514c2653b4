"""FFI functions of `uir.script`."""

from uir_nodes.script._ffi_api import *  # noqa: F403
