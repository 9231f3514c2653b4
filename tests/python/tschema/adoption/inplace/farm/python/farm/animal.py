"""Animals, written by hand.

A block begins like this:
# tschema: Nothing
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from tschema.runtime import c_class
from tvm_ffi import Object

from ._tschema import _ffi_api

if TYPE_CHECKING:
    from collections.abc import Sequence
    from tvm_ffi import Array

BUCKET  =  10.0  # our own style stays

# tschema: Mood
# tschema: end


# tschema: Animal
# tschema: end


# tschema: Cow
# tschema: custom-begin
    def buckets(self) -> float:
        return self.litres / BUCKET
# tschema: custom-end
# tschema: end
