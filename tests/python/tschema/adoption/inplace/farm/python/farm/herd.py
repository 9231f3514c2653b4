from __future__ import annotations

from typing import TYPE_CHECKING

from tschema.runtime import c_class
from tvm_ffi import Object

from ._tschema import _ffi_api

if TYPE_CHECKING:
    from collections.abc import Sequence
    from tvm_ffi import Array

    from .animal import Animal

# tschema: Herd
# tschema: custom-begin
    def milk(self, leader=None):
        return _ffi_api.milk(self, leader)
# tschema: custom-end
# tschema: end
