"""FFI functions of `uir.relay`."""

from uir_nodes.relay._ffi_api import *  # noqa: F403
