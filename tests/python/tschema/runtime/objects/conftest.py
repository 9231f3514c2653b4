"""One object of every concrete type of uir, as `tests/python/nodes` describes them."""

from __future__ import annotations

from typing import Any

import pytest
import tvm_ffi

from tschema.ir.codec import decode
from tschema.ir.model import Schema
from tschema.runtime import post_order, structural_equal
from tschema.runtime.protocols import field_text
from uir.ir import Op, register_op

from ....nodes import python
from ....nodes.samples import SAMPLES
from ....support.project import ROOT


def leads_to_function(node: Any) -> bool:
    """Tell an object that can be neither saved nor copied."""
    return bool(post_order(node, tvm_ffi.Function))


def holds_tensors(node: Any) -> bool:
    """Tell an object that tvm-ffi's own reader and writer refuse."""
    return bool(post_order(node, tvm_ffi.Tensor))


def is_interned(node: Any) -> bool:
    """Tell an object of which there is one for its name, so that copies are the object itself."""
    return isinstance(node, Op)


def same(one: Any, other: Any) -> bool:
    """Return whether an object came back unchanged, although its identity did not."""
    if type(one) is not type(other) or field_text(one) != field_text(other):
        return False
    try:
        return structural_equal(one, other, map_free_vars=True)
    except TypeError as error:
        return "has no structural behaviour" in str(error)


@pytest.fixture(scope="session")
def schema() -> Schema:
    """Return uir's schema."""
    return decode((ROOT / "generated" / "schema.json").read_bytes())


@pytest.fixture(scope="session")
def nodes(schema: Schema) -> dict[str, Any]:
    """Make all samples; return them by their names."""
    made = python.make(schema, SAMPLES)
    register_op(made["op"])  # Or files that name it could not be loaded.
    return made


@pytest.fixture(params=[sample.name for sample in SAMPLES])
def node(request: pytest.FixtureRequest, nodes: dict[str, Any]) -> Any:
    """Return each sample in turn."""
    return nodes[request.param]
