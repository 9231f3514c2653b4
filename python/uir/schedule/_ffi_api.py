"""FFI functions of `uir.schedule`."""

from uir_nodes.schedule._ffi_api import *  # noqa: F403
