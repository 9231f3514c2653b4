"""Importing our libraries changes no type of tvm-ffi or of another library."""

from __future__ import annotations

from ...support.process import run_python

PROGRAM = '''
import ctypes
import re
from pathlib import Path

import tschema
import tvm_ffi
from tschema.runtime.loader import find_library

class Column(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("size", ctypes.c_int32), ("begin", ctypes.c_int32)]

class Bytes(ctypes.Structure):
    _fields_ = [("data", ctypes.c_char_p), ("size", ctypes.c_size_t)]

def read(name):
    """Return the values of an attribute by type index, as 16 bytes each."""
    LIB.TVMFFIGetTypeAttrColumn.restype = ctypes.POINTER(Column)
    found = LIB.TVMFFIGetTypeAttrColumn(ctypes.byref(Bytes(name, len(name))))
    if not found or not found[0].data:
        return {}
    column = found[0]
    values = ctypes.string_at(column.data, column.size * 16)
    cells = [values[at : at + 16] for at in range(0, len(values), 16)]
    return {column.begin + at: cell for at, cell in enumerate(cells) if any(cell)}

def attributes():
    return {name: read(name) for name in NAMES}

tvm_ffi_library = tvm_ffi.libinfo.find_libtvm_ffi()
LIB = ctypes.CDLL(tvm_ffi_library)
files = (tvm_ffi_library, find_library("tschema", Path(tschema.__file__)))
text = b" ".join(Path(one).read_bytes() for one in files)
NAMES = sorted(set(re.findall(rb"__[a-z_]+__", text)))
before = attributes()
import uir
after = attributes()
taken = {index for cells in before.values() for index in cells}
own = tvm_ffi.core._object_type_key_to_index("tschema.Tensor")
first_own = min({own, *after[b"__tschema_digest__"]})
assert len(NAMES) > 20 and taken and first_own > max(taken)
print({
    (name.decode(), index)
    for name in NAMES
    for index in set(after[name]) | set(before[name])
    if index < first_own and after[name].get(index) != before[name].get(index)
})
'''


def test_attributes_of_other_types_stay_as_they_are() -> None:
    assert run_python(PROGRAM).strip() == "set()"
