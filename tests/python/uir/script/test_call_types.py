"""Calls without `dtype=` have the data type that the declaration of their operator says."""

from __future__ import annotations

from typing import Any

import pytest

from uir import ir, script, tir
from uir.script import ScriptError

OPERANDS = {
    "any": "tir.float32(2)",
    "bool": "n < 3",
    "float": "tir.float32(2)",
    "handle": "tir.address_of(A[n])",
    "int": "n",
    "number": "n",
    "int64": "tir.int64(2)",
    "String": '"shared"',
    "Optional[int64]": "tir.int64(8)",
}
DTYPES = {"any": "float32", "bool": "bool", "float": "float32", "int": "int32", "number": "int32"}
SPECIAL = {
    "tir.address_of": "tir.address_of(A[n])",
    "tir.is_object": 'tir.is_object(node, "uir.tir.For")',
    "tir.parallel_for": "tir.parallel_for(tir.call_extern('void', 'f', n, n))",
    "tir.prefetch": "tir.prefetch(A[n])",
    "tir.nonzero": 'tir.nonzero(n, "no")',
}
"""Calls whose operands are of a kind that their data types do not say."""


def parsed(call: str) -> Any:
    """Return the value of a statement that evaluates a call."""
    text = f"""
@tir.prim_func
def main(A: tir.Buffer((16,), "int8"), n: tir.int32, node: tir.handle):
    tir.evaluate({call})
"""
    return script.parse_value(text).body.value


def classes_of(name: str) -> list[tuple[str, str]]:
    """Return the type variable and the class of data types of each operand."""
    known: dict[str, str] = {}
    found = []
    for info in ir.get_op(name).arguments:
        variable, _, class_ = info.type_info.partition(": ")
        known.setdefault(variable, class_ or variable)
        found.append((variable, known[variable]))
    return found


def expected(name: str) -> str:
    """Return the data type that the declaration of an operator says."""
    rule = str(ir.op_attr(ir.get_op(name), "result") or "")
    classes = classes_of(name)
    if rule == "void" or not (rule or classes):
        return ""
    of_rule = [class_ for variable, class_ in classes if not rule or variable == rule == "T"]
    return DTYPES[of_rule[0]] if of_rule else rule


DECLARED = [
    name
    for name in ir.list_op_names()
    if name.startswith("tir.") and ir.get_op(name).num_inputs >= 0
]


@pytest.mark.parametrize("name", DECLARED)
def test_calls_have_the_types_of_declarations(name: str) -> None:
    operands = ", ".join(OPERANDS[class_] for _, class_ in classes_of(name))
    text = SPECIAL.get(name, f"{name}({operands})")
    if ir.op_attr(ir.get_op(name), "result") == "dtype":
        with pytest.raises(ScriptError, match="the call needs `dtype=`"):
            parsed(text)
        return
    call = parsed(text)
    assert str(call.dtype) == expected(name)
    printed = script.print(call)
    # The call that is an operand states its type.
    assert "dtype=" not in printed.removesuffix(', dtype="void"))')
    assert ir.structural_equal(script.parse_value(printed), call, map_free_vars=True)


def test_an_atomic_addition_has_the_type_of_what_is_added() -> None:
    call = parsed("tir.atomic_add(tir.address_of(A[n]), tir.int8(1))")
    assert call.dtype == "int8"
    first = tir.BufferLoad(tir.decl_buffer([16], "int8"), [tir.const(0)])
    assert call.dtype == tir.atomic_add(tir.address_of(first), tir.const(1, "int8")).dtype


def test_a_load_of_a_vector_states_its_type() -> None:
    call = parsed('tir.vload(A.data, 0, dtype="int8x4")')
    assert call.dtype == "int8x4"
    assert 'dtype="int8x4"' in str(call)


def test_calls_of_c_that_are_statements_return_nothing() -> None:
    func = script.parse_value(
        "@tir.prim_func\ndef main(n: tir.int32):\n    tir.call_extern('f', n)\n"
    )
    assert str(func.body.value.dtype) in ("", "void")
