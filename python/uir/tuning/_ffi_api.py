"""FFI functions of `uir.tuning`."""

from uir_nodes.tuning._ffi_api import *  # noqa: F403
