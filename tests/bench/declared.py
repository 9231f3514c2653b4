"""Creation of a node of a loaded type, against `py_class`."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import tvm_ffi
from report import interleaved, report
from tvm_ffi.dataclasses import py_class

from tschema.runtime import load_types

__all__ = ["report_declared"]

SCHEMA = '''"""Nodes."""

from tschema import Object, declare, ty


@declare
class LeafNode(Object):
    """
    A leaf.

    Attributes
    ----------
    value
        A number.
    """

    type_key = "declared.Leaf"
    value: ty.int64_t


@declare
class PairNode(Object):
    """
    Two leaves.

    Attributes
    ----------
    first
        One.
    second
        The other.
    """

    type_key = "declared.Pair"
    first: LeafNode
    second: LeafNode
'''
CONFIG = 'package = "declared"\nschema = ["schema"]\nir = "schema.json"\n'


def report_declared() -> None:
    """Print `create.declared` in nanoseconds for one object with two children."""
    with tempfile.TemporaryDirectory() as folder:
        types = load_types(_schema(Path(folder)))
    peer_pair, peer_leaf = _peer()
    leaf, other = types.Leaf(1), peer_leaf(1)
    times = interleaved(
        lambda: types.Pair(leaf, leaf), lambda: peer_pair(other, other), rounds=25, calls=4000
    )
    report("create.declared", *times, "ns")


def _schema(root: Path) -> Path:
    """Write the JSON IR of two declarations."""
    (root / "schema").mkdir()
    (root / "schema" / "nodes.py").write_text(SCHEMA)
    (root / "tschema.toml").write_text(CONFIG)
    command = [sys.executable, "-m", "tschema", "gen", "--config", str(root / "tschema.toml")]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return root / "schema.json"


def _peer() -> tuple[type[Any], type[Any]]:
    @py_class("bench.py.Leaf")
    class PeerLeaf(tvm_ffi.Object):
        value: int

    @py_class("bench.py.Pair")
    class PeerPair(tvm_ffi.Object):
        first: tvm_ffi.Object
        second: tvm_ffi.Object

    return PeerPair, PeerLeaf
