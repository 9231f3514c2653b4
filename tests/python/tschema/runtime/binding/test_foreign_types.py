"""Nothing is registered on the types of tvm-ffi: another library may register the same."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ....support.process import run_python
from ....support.project import ROOT

PROGRAM = """
import ctypes
import sys

import tvm_ffi


class Name(ctypes.Structure):
    _fields_ = [("data", ctypes.c_char_p), ("size", ctypes.c_size_t)]


class Value(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int32), ("padding", ctypes.c_int32), ("data", ctypes.c_int64)]


class Column(ctypes.Structure):
    _fields_ = [
        ("values", ctypes.POINTER(Value)), ("size", ctypes.c_int32), ("begin", ctypes.c_int32)
    ]


api = ctypes.CDLL(tvm_ffi.libinfo.find_libtvm_ffi())
api.TVMFFIGetTypeAttrColumn.restype = ctypes.POINTER(Column)
END = 128  # `kTVMFFIDynObjectBegin`: those before it are the static types of tvm-ffi.


def registered():
    for name in sys.argv[1:]:
        column = api.TVMFFIGetTypeAttrColumn(ctypes.byref(Name(name.encode(), len(name))))
        for at in range(column.contents.size if column else 0):
            value, index = column.contents.values[at], column.contents.begin + at
            if value.kind != 0 and index < END:
                yield name, index


before = {*registered()}
import uir
print(len(before), *sorted({*registered()} - before))
"""


def _attributes() -> Iterator[str]:
    """Yield the names of type attributes in the sources of the object runtime."""
    for folder in (ROOT / "cpp/include/tschema", ROOT / "cpp/src/tschema"):
        for file in folder.rglob("*.*"):
            yield from re.findall(r'"(__[a-z_]+__)"', file.read_text())


def test_no_attribute_is_registered_on_types_of_tvm_ffi() -> None:
    names = sorted({*_attributes(), "__any_hash__", "__any_equal__", "__ffi_convert__"})
    known, *added = run_python(PROGRAM, *names).split()
    assert int(known) > 0 and added == []
