"""No argument of any type's constructor ends the process: it is refused, or the object works."""

from __future__ import annotations

import pytest

from uir import ir
from uir.relay import Constant, const

from ..support.process import run_python

PROGRAM = """
import importlib
import sys
from contextlib import suppress
from pathlib import Path

import numpy as np
import tvm_ffi

from tests.python.nodes.python import class_of, make
from tests.python.nodes.samples import SAMPLES
from tschema.ir.codec import decode
from uir import ir

schema = decode(Path("generated/schema.json").read_bytes())
for namespace in {space.name for space in schema.namespaces}:
    importlib.import_module(namespace)

made = make(schema, SAMPLES)
EMPTY = tvm_ffi.from_dlpack(np.zeros(0, "float32"))
VALUES = [None, -1, 2**62, "", [], {}, EMPTY, ir.IRModule({})]
if sys.argv[1] == "deep":
    function = tvm_ffi.get_global_func("uir.ir.describe")
    pixels = tvm_ffi.from_dlpack(np.zeros((2, 3), "uint16"))
    VALUES += [0, 1.5, True, float("nan"), -(2**63), 2**31 - 1, [None], [[]], {"a": None}]
    VALUES += ["a\\0b", "int0", "handle", function, pixels, *list(made.values())[:9]]
USES = (
    repr,
    str,
    ir.structural_hash,
    lambda node: ir.structural_equal(node, node),
    lambda node: ir.load_json(ir.save_json(node)),
    lambda node: ir.load_binary(ir.save_binary(node)),
    ir.verify,
)

count = 0
for sample in SAMPLES:
    fields = {name: getattr(made[sample.name], name) for name in sample.arguments}
    for name in sample.arguments:
        for value in VALUES:
            print(f"{sample.key}.{name} = {value!r}", file=sys.stderr)
            count += 1
            with suppress(Exception):
                node = class_of(sample.type_key)(**{**fields, name: value})
                for use in USES:
                    with suppress(Exception):
                        use(node)
print(count)
"""


@pytest.mark.parametrize("depth", ["plain", pytest.param("deep", marks=pytest.mark.deep)])
def test_every_value_is_refused_or_works(depth: str) -> None:
    assert int(run_python(PROGRAM, depth)) > 2000


def test_a_constant_without_elements_is_refused() -> None:
    with pytest.raises(TypeError, match="argument `data` must be `Tensor`, not `None`"):
        Constant(None)  # type: ignore[arg-type]
    stored = ir.save_json(const(1.0, "float32"))
    with pytest.raises(TypeError, match="the field cannot hold `None`; `Tensor` is expected"):
        ir.load_json(stored.replace('"data":3}', '"data":0}'))
