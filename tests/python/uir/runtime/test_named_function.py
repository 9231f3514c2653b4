"""Functions of libraries that are called with inputs by name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tvm_ffi
from tvm_ffi.core import TypeSchema

import uir
from uir.runtime import TensorInfo, named_function

from ...support.process import run_new_python

PROGRAM = """
@uir.script.ir_module
class Module:
    @relay.function
    def main(x: relay.Tensor((n, 4), "float32"), y: relay.Tensor((4,), "float32")):
        n = tir.SizeVar("n", "int64")
        relay.func_attr({"input_names": ["tokens", "bias.1"], "output_names": ["sum", "rows"]})
        return x + y, relay.sum(x, [1])

    @relay.function
    def twice(x: relay.Tensor((2, 3), "int8")):
        return x + x

    @tir.prim_func
    def scale(k: tir.float32, A: tir.Buffer((n,), "float32"), b: tir.bool):
        n = tir.SizeVar("n", "int64")
        for i in range(n):
            A[i] = tir.Select(b, A[i] * k, A[i])

    @tir.prim_func
    def total(A: tir.Buffer((3,), "float32")) -> tir.float32:
        return A[0] + A[1] + A[2]
"""
# A process without uir reads the same.
READER = """
import json, sys
import tvm_ffi
library = tvm_ffi.load_module(sys.argv[1])
print(json.dumps({name: library.get_function_metadata(name) for name in sys.argv[2:]}))
"""


@pytest.fixture(scope="module")
def library() -> tvm_ffi.Module:
    return uir.build(uir.script.parse(PROGRAM))


def test_inputs_have_names(library: tvm_ffi.Module) -> None:
    run = named_function(library)
    x, y = np.ones((3, 4), "float32"), np.arange(4, dtype="float32")
    for results in (run(x, y), run(tokens=x, **{"bias.1": y}), run(x, **{"bias.1": y})):
        assert list(results) == ["sum", "rows"]
        np.testing.assert_array_equal(np.from_dlpack(results["sum"]), x + y)
        np.testing.assert_array_equal(np.from_dlpack(results["rows"]), [4, 4, 4])


def test_the_signature_is_known(library: tvm_ffi.Module) -> None:
    run = named_function(library)
    assert run.inputs == (
        TensorInfo("tokens", "float32", ("n", 4)),
        TensorInfo("bias.1", "float32", (4,)),
    )
    assert run.outputs == (
        TensorInfo("sum", "float32", ("n", 4)),
        TensorInfo("rows", "float32", ("n",)),
    )
    assert repr(run) == (
        "main(`tokens`: float32 (n, 4), `bias.1`: float32 (4)) -> "
        "(`sum`: float32 (n, 4), `rows`: float32 (n))"
    )


def test_names_of_parameters_serve_without_others(library: tvm_ffi.Module) -> None:
    (result,) = named_function(library, "twice")(x=np.ones((2, 3), "int8")).values()
    np.testing.assert_array_equal(np.from_dlpack(result), np.full((2, 3), 2))
    a = np.ones(2, "float32")
    assert named_function(library, "scale")(A=a, b=True, k=3.0) == {}
    np.testing.assert_array_equal(a, [3, 3])
    assert named_function(library, "total")(A=np.ones(3, "float32")) == {"result": 3.0}


def test_a_process_without_uir_reads_the_metadata(library: tvm_ffi.Module, tmp_path: Path) -> None:
    path = tmp_path / "library.so"
    uir.runtime.export_library(library, path)
    names = ["main", "twice", "scale", "total", "main_into"]
    found = json.loads(run_new_python(READER, path, *names))
    assert found == {name: library.get_function_metadata(name) for name in names}
    assert found["main_into"] is None
    schemas = {
        name: str(TypeSchema.from_json_str(found[name]["type_schema"])) for name in names[:4]
    }
    assert schemas == {
        "main": "Callable[[Tensor, Tensor], Array[Any]]",
        "twice": "Callable[[Tensor], Tensor]",
        "scale": "Callable[[float, Tensor, bool], None]",
        "total": "Callable[[Tensor], float]",
    }


@pytest.mark.parametrize(
    ("args", "named", "message"),
    [
        (0, ["tokens"], "input `bias.1` of main.* is missing"),
        (1, ["tokens", "bias.1"], "input `tokens` of main.* is given twice"),
        (2, ["z"], "main.* has no input `z`"),
        (3, [], "main.* takes 2 inputs, got 3"),
    ],
)
def test_wrong_inputs_are_named(
    library: tvm_ffi.Module, args: int, named: list[str], message: str
) -> None:
    x: Any = np.ones((3, 4), "float32")
    with pytest.raises(TypeError, match=message):
        named_function(library)(*[x] * args, **dict.fromkeys(named, x))


def test_what_has_no_names_is_refused(library: tvm_ffi.Module) -> None:
    with pytest.raises(ValueError, match="the module has no function `mian`"):
        named_function(library, "mian")
    with pytest.raises(ValueError, match="does not say which inputs `main_into` has"):
        named_function(library, "main_into")
