"""What must hold of a package, whichever supported release of tvm-ffi is installed.

    python checks.py FOLDER

FOLDER has the package `toy_nodes` and, for each group of releases, the libraries in
`build/lib/<group>`. Prints the number of checks, and all failures.
"""

from __future__ import annotations

import copy
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(sys.argv[1]) / "python"))

import numpy as np
import tvm_ffi
from run_checks import run_checks
from toy_nodes.bindings import Lambda, Var
from toy_nodes.every_type import Containers, Kind, Leaf, Plain, Python, Values
from tvm_ffi import serialization

from tschema import runtime
from tschema.ffi_groups import ffi_group
from tschema.runtime import structural_equal, structural_hash

GROUP = ffi_group(tvm_ffi.__version__)
LEAF = Leaf()
SAMPLES: dict[str, Callable[[], Any]] = {
    "plain": lambda: Plain(tvm_ffi.Device("cpu", 1), a=-7, h=2**63 - 1, o=Kind.LEAST),
    "values": lambda: Values(s="text", b=b"\0\1", x=[1, "two"], o=5, p=None),
    "empty values": lambda: Values(o=None, u=Leaf()),
    "containers": lambda: Containers(
        (1, "one", LEAF),
        a=[LEAF, LEAF],
        b={"k": 0.5},
        c=[Kind.NONE],
        f={"f": [[1, "a"], None]},
    ),
    "python": lambda: Python(f=[1, 2], g={"a": LEAF}, h=-1, i=(1, "i"), k=[{"a": None}]),
    "binding": lambda: _identity("x"),
    "nothing": Leaf,
}
COPIES: dict[str, Callable[[Any], Any]] = {
    "json": lambda one: runtime.load_json(runtime.save_json(one)),
    "binary": lambda one: runtime.load_binary(runtime.save_binary(one)),
    "pickle": lambda one: pickle.loads(pickle.dumps(one)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "replace": lambda one: one.__replace__(),
    "tvm-ffi's reader": lambda one: serialization.from_json_graph_str(runtime.save_json(one)),
    "tvm-ffi's writer": lambda one: runtime.load_json(serialization.to_json_graph_str(one)),
}


def _identity(name: str) -> Any:
    var = Var(name)
    return Lambda(var, [var, 1])


def _refuses(call: Callable[[], object], *errors: type[Exception]) -> bool:
    try:
        call()
    except errors:
        return True
    return False


def _deep(levels: int) -> Any:
    made: Any = None
    for _ in range(levels):
        made = Values(x=made)
    return made


def _map_by_structural_key() -> bool:
    """Compare maps whose keys have registered hash functions, which inlined code of Map calls."""
    key = getattr(tvm_ffi, "StructuralKey", None)
    if key is None:
        return GROUP == "ffi-0.1.12"
    one, same = key(_identity("x")), key(_identity("y"))
    made = tvm_ffi.Map({one: 1, key(Leaf()): 2})
    again = runtime.load_json(runtime.save_json(Values(x=tvm_ffi.Map({"m": 1})))).x
    copied = copy.copy(Values(x=made)).x
    deep = copy.deepcopy(Values(x=made)).x
    return again["m"] == 1 and made[same] == 1 and copied[same] == 1 and deep[same] == 1


def _big_integers() -> bool:
    """Keep integers of more than 64 bits, which 0.1.14 brought, as keys too; refuse them before."""
    if not hasattr(tvm_ffi.core, "BigInt") and _refuses(
        lambda: tvm_ffi.convert([2**70]), OverflowError, TypeError, ValueError
    ):
        return True
    made = Values(x={2**70: 1, -(2**80): 2, 3: 3})
    return (
        structural_equal(copy.deepcopy(made), made)
        and len(copy.deepcopy(made).x) == 3
        and copy.copy(made).x[2**70] == 1
        and structural_hash(made) == structural_hash(copy.copy(made))
    )


def _tensors_by_tvm_ffis_reader() -> bool:
    """Have tvm-ffi read tensors in fields of any type, on which it crashed before 0.1.15."""
    tensor = tvm_ffi.from_dlpack(np.arange(3, dtype="int32"))
    made = Values(x=[tensor, {"a": Values(x=tensor)}])
    again = serialization.from_json_graph_str(runtime.save_json(made))
    return structural_equal(again, made) and _refuses(
        lambda: serialization.to_json_graph_str(made), TypeError
    )


def _checks() -> dict[str, Callable[[], object]]:
    checks: dict[str, Callable[[], object]] = {}
    for name, make in SAMPLES.items():
        checks[f"{name}: equal"] = lambda make=make: structural_equal(make(), make())
        checks[f"{name}: tvm-ffi's equality"] = lambda make=make: tvm_ffi.structural_equal(
            make(), make()
        )
        checks[f"{name}: hash"] = lambda make=make: (
            structural_hash(make()) == tvm_ffi.structural_hash(make())
        )
        checks[f"{name}: repr"] = lambda make=make: repr(make())
        for how, made in COPIES.items():
            checks[f"{name}: {how}"] = lambda make=make, made=made: structural_equal(
                made(make()), make()
            )
    return checks | {
        "names of variables": lambda: structural_equal(_identity("x"), _identity("y")),
        "free variables": lambda: not structural_equal(Var("x"), Var("x")),
        "mapped variables": lambda: structural_equal(Var("x"), Var("x"), map_free_vars=True),
        "too large": lambda: _refuses(
            lambda: Plain(tvm_ffi.Device("cpu", 0), a=128), ValueError, OverflowError
        ),
        "wrong type": lambda: _refuses(lambda: Values(s=1), TypeError),
        "wrong field": lambda: _refuses(lambda: setattr(Leaf(), "x", 1), AttributeError),
        "optional integers": lambda: [Values(o=one).o for one in (None, -3)] == [None, -3],
        "defaults": lambda: (Values().p, Values().u, Values().o) == ("x", 3, None),
        "deep": lambda: structural_equal(_deep(20000), copy.deepcopy(_deep(20000))),
        "maps by StructuralKey": _map_by_structural_key,
        "big integers": _big_integers,
        "tensors by tvm-ffi's reader": _tensors_by_tvm_ffis_reader,
        "group": lambda: GROUP in Path("/proc/self/maps").read_text(),
    }


sys.exit(min(run_checks(tvm_ffi.__version__, _checks()), 1))
