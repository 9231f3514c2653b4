"""What must hold of modules that TVM makes, and of our objects that TVM takes.

    python beside_tvm.py FOLDER MODULE MODULE

FOLDER has the package `toy_nodes`, as for `checks.py`; the modules, `tvm` and
`toy_nodes.every_type`, are imported in this order. Prints the number of checks, and all failures.
"""

# ruff: noqa: E402 (the order of imports is tried)

from __future__ import annotations

import copy
import importlib
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
from tschema.runtime import structural_equal, structural_hash


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
    # A field `Optional<Array<ir.Type>>` of TVM refuses its copy, an array whose element is None.
    "copies are refused": lambda: _is_refused(lambda: copy.deepcopy(Values(x=MADE)), "Array"),
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


ORDER = " before ".join(sys.argv[2:])
sys.exit(min(run_checks(f"{tvm_ffi.__version__}, {ORDER}", CHECKS), 1))
