"""What must hold of modules that TVM makes, and of our objects that TVM takes.

    python beside_tvm.py FOLDER MODULE...

FOLDER has the package `toy_nodes`, as for `checks.py`; the modules, `tvm`, `toy_nodes.every_type`
and perhaps `uir`, are imported in this order. Prints the number of checks, and all failures.
"""

# ruff: noqa: E402 (the order of imports is tried)

from __future__ import annotations

import copy
import importlib
import os
import pickle
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(sys.argv[1]) / "python"))
warnings.simplefilter("ignore")  # Those of TVM.
for name in sys.argv[2:]:
    importlib.import_module(name)

import numpy as np
import tvm
import tvm_ffi
from run_checks import run_checks
from toy_nodes.every_type import Values
from tvm import relax
from tvm_ffi import serialization

from tschema import runtime
from tschema.runtime import post_order, structural_equal, structural_hash


def module_of_tvm(factor: float = 1.0) -> Any:
    """Return a module of TVM: its nodes refer to variables, types and a tensor."""
    builder = relax.BlockBuilder()
    x = relax.Var("x", relax.TensorType((2, 3), "float32"))
    with builder.function("main", [x]):
        scaled = relax.op.multiply(relax.op.exp(x), relax.const(factor, "float32"))
        builder.emit_func_output(builder.emit(relax.op.add(x, scaled)))
    return builder.get()


def _is_refused(call: Callable[[], object], message: str) -> bool:
    try:
        call()
    except TypeError as error:
        return message in str(error)
    return False


def _copies(made: Any) -> bool:
    """Tell whether a deep copy is equal, of other objects, and shares what TVM has one of."""
    copied = copy.deepcopy(made)
    operators, same = (
        {one.__chandle__() for one in post_order(root, tvm.ir.Op)} for root in (copied, made)
    )
    return (
        structural_equal(copied, made)
        and not copied.x.same_as(made.x)
        and not copied.x["main"].same_as(made.x["main"])
        and operators == same != set()
    )


def _is_pickle_refused() -> bool:
    """Load a pickle in a process without TVM: the error must name the missing types."""
    program = f"import pickle; pickle.loads({pickle.dumps(Values(x=MADE))!r})"
    path = os.pathsep.join([str(Path(sys.argv[1]) / "python"), os.environ["PYTHONPATH"]])
    environment = {**os.environ, "PYTHONPATH": path}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    return done.returncode == 1 and "there is no type `ir." in done.stderr


def _maps_by_type() -> bool:
    """Keep maps by types of TVM, which have a hash function of their own."""
    made = Values(x=tvm_ffi.Map({tvm.ir.PrimType(name): name for name in ("int8", "float32")}))
    key = tvm.ir.PrimType("float32")
    ways = (
        copy.copy,
        copy.deepcopy,
        lambda one: runtime.load_json(runtime.save_json(one)),
        lambda one: runtime.load_binary(runtime.save_binary(one)),
    )
    return all(way(made).x[key] == "float32" and structural_equal(way(made), made) for way in ways)


MADE = module_of_tvm()
OURS = Values(x=[tvm_ffi.from_dlpack(np.arange(3, dtype="int32")), "text"])
CHECKS: dict[str, Callable[[], bool]] = {
    "equal": lambda: structural_equal(MADE, module_of_tvm()),
    "unequal": lambda: not structural_equal(MADE, module_of_tvm(2.0)),
    "hash": lambda: structural_hash(MADE) == structural_hash(module_of_tvm()),
    "tvm-ffi's hash": lambda: structural_hash(MADE) == tvm_ffi.structural_hash(MADE),
    "JSON": lambda: structural_equal(runtime.load_json(runtime.save_json(MADE)), MADE),
    "TVM reads JSON": lambda: structural_equal(tvm.ir.load_json(runtime.save_json(MADE)), MADE),
    "binary": lambda: structural_equal(runtime.load_binary(runtime.save_binary(MADE)), MADE),
    "deepcopy": lambda: _copies(Values(x=MADE)),
    "a function cannot be copied": lambda: _is_refused(
        lambda: copy.deepcopy(Values(x=[MADE, tvm_ffi.convert(len)])), "`ffi.Function`"
    ),
    "pickle": lambda: structural_equal(pickle.loads(pickle.dumps(Values(x=MADE))), Values(x=MADE)),
    "pickle without TVM": _is_pickle_refused,
    "PrimType as a key": _maps_by_type,
    "a field": lambda: structural_equal(Values(x=MADE), Values(x=module_of_tvm())),
    "TVM reads ours": lambda: structural_equal(tvm.ir.load_json(runtime.save_json(OURS)), OURS),
    "tvm-ffi reads ours": lambda: structural_equal(
        serialization.from_json_graph_str(runtime.save_json(OURS)), OURS
    ),
    "a container of both": lambda: structural_equal(
        tvm_ffi.get_global_func("ffi.Array")(OURS, MADE), tvm_ffi.convert([OURS, MADE])
    ),
    "a wrong argument": lambda: _is_refused(
        lambda: tvm_ffi.get_global_func("ir.Module_Lookup_str")(OURS, "main"), "Mismatched type"
    ),
}


def _checks_of_uir() -> dict[str, Callable[[], bool]]:
    import uir
    from uir.ir import IntImm
    from uir.tir import Add, Var

    var = Var("x", "int32")
    made = Add(var, IntImm("int32", 1))
    a = uir.te.placeholder((8,), "float32", name="A")
    add = uir.build([a, uir.te.compute((8,), lambda i: a[i] + 1.0, name="B")])
    given = tvm.runtime.tensor(np.arange(8, dtype="float32"))
    result = tvm.runtime.tensor(np.zeros(8, "float32"))
    return {
        "TVM reads uir's": lambda: structural_equal(
            tvm.ir.load_json(runtime.save_json(made)), made, map_free_vars=True
        ),
        "tvm-ffi compares uir's": lambda: tvm_ffi.structural_equal(
            made, Add(var, IntImm("int32", 1))
        ),
        "an array of both": lambda: tvm_ffi.get_global_func("ffi.Array")(made, MADE)[0].same_as(
            made
        ),
        "tensors of TVM": lambda: (
            add(given, result) is None and (result.numpy() == given.numpy() + 1).all()
        ),
    }


if "uir" in sys.argv:
    CHECKS.update(_checks_of_uir())
ORDER = " before ".join(sys.argv[2:])
sys.exit(min(run_checks(f"{tvm_ffi.__version__}, {ORDER}", CHECKS), 1))
