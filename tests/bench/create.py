"""Creation of nodes from Python: generated `__init__` against the derived one of `c_class`.

Prints `create.python.Add` and `create.python.IntImm` in nanoseconds for one object; objects.py
calls it.
"""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tvm_ffi
import tvm_ffi.libinfo
from report import interleaved, report
from tvm_ffi import Object
from tvm_ffi.dataclasses import c_class

from uir.ir import IntImm
from uir.tir import Add, Var

__all__ = ["report_create"]

SOURCE = Path(__file__).resolve().parent / "create_peer" / "peer.cc"


def report_create() -> None:
    """Build the peer, time both sides in turns, print."""
    with tempfile.TemporaryDirectory() as folder:
        _load_peer(Path(folder) / "libpeer.so")
    peer_add, peer_int = _peer_classes()
    int32 = tvm_ffi.dtype("int32")
    x, peer_x = Var("x", int32), peer_int(int32, 1)
    times = interleaved(lambda: Add(x, x), lambda: peer_add(peer_x, peer_x), rounds=25, calls=4000)
    report("create.python.Add", *times, "ns")
    times = interleaved(lambda: IntImm(int32, 1), lambda: peer_int(int32, 1), rounds=25, calls=4000)
    report("create.python.IntImm", *times, "ns")


def _load_peer(library: Path) -> None:
    lib_dir = Path(tvm_ffi.libinfo.find_libtvm_ffi()).parent
    includes = [f"-I{folder}" for folder in tvm_ffi.libinfo.include_paths()]
    command = ["g++", "-std=c++17", "-O2", "-fPIC", "-shared", *includes, SOURCE, "-o", library]
    subprocess.run([*command, f"-L{lib_dir}", "-ltvm_ffi"], check=True)
    ctypes.CDLL(str(library))


def _peer_classes() -> tuple[type[Any], type[Any]]:
    @c_class("peer.Expr", init=False)
    class Expr(Object):
        span: Object | None

    @c_class("peer.IntImm")
    class PeerIntImm(Expr):
        dtype: tvm_ffi.dtype
        value: int

        if TYPE_CHECKING:

            def __init__(self, dtype: tvm_ffi.dtype, value: int) -> None: ...

    @c_class("peer.Add")
    class PeerAdd(Expr):
        a: Expr
        b: Expr

        if TYPE_CHECKING:

            def __init__(self, a: Expr, b: Expr) -> None: ...

    return PeerAdd, PeerIntImm
