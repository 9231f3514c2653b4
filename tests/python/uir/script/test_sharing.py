"""Shared nodes: the length of a text is linear in its objects, not in its paths."""

from __future__ import annotations

import pytest
from tvm_ffi import Array, List, Map

from uir import ir, script, tir

X = tir.Var("x", "int32")
ONE = tir.const(1)


def sums(value: ir.PrimExpr, levels: int) -> ir.PrimExpr:
    for _ in range(levels):
        value = tir.Add(value, value)
    return value


def read_back(value: object) -> str:
    """Return the text, which reads back as the same value and prints as the same text."""
    text = script.print(value)
    copy = script.parse_value(text)
    assert ir.structural_equal(copy, value, map_free_vars=True)
    assert script.print(copy) == text
    return text


def test_sixty_shared_sums() -> None:
    text = read_back(sums(X, 60))
    assert len(text) < 4000
    assert "shared_1 = ir.shared(shared + shared)\n" in text


def test_a_short_text_stays_in_place() -> None:
    assert "shared" not in read_back(sums(X, 10))


def test_a_long_text_without_shared_parts_stays_in_place() -> None:
    value = tir.Add(X, ONE)
    for _ in range(20_000):
        value = tir.Add(value, tir.Mul(X, ONE))
    assert "shared" not in read_back(value)


def test_a_shared_part_may_use_what_is_bound_around_it() -> None:
    buffer = tir.decl_buffer([16], "int32", "A")
    i = tir.Var("i", "int32")
    value = tir.Add(tir.BufferLoad(buffer, [i]), i)
    store = tir.BufferStore(buffer, sums(value, 40), [i])
    loop = tir.For(i, tir.const(0), tir.const(16), tir.ForKind.SERIAL, store)
    handle = tir.Var("a", "handle")
    func = tir.PrimFunc([handle, X], loop, {handle: buffer})
    assert len(read_back(func)) < 4000
    assert len(read_back(ir.IRModule({ir.GlobalVar("main"): func}))) < 4000


def test_shared_statements() -> None:
    stmt: tir.Stmt = tir.Evaluate(tir.call_intrin("int32", "tir.likely", [X]))
    for _ in range(40):
        stmt = tir.IfThenElse(tir.LT(X, ONE), stmt, stmt)
    assert len(read_back(stmt)) < 12_000


def test_shared_loops() -> None:
    stmt: tir.Stmt = tir.Evaluate(X)
    for level in range(40):
        i = tir.Var(f"i{level}", "int32")
        loop = tir.For(i, tir.const(0), X, tir.ForKind.SERIAL, stmt)
        stmt = tir.IfThenElse(tir.LT(X, ONE), loop, stmt)
    assert len(read_back(stmt)) < 20_000


@pytest.mark.parametrize("container", [Array, List, lambda pair: Map({"a": pair[0], "b": pair[1]})])
def test_shared_containers(container: object) -> None:
    value: object = container([1, 2])
    for _ in range(40):
        value = container([value, value])
    assert len(read_back(value)) < 8000


def test_shared_types() -> None:
    shape: ir.Type = ir.PrimType("float32")
    for _ in range(40):
        shape = ir.TupleType([shape, shape])
    assert len(read_back(shape)) < 8000


def test_a_text_without_declarations_keeps_shared_parts() -> None:
    text = str(sums(X, 60))
    assert text.startswith("shared = ir.shared(x + x")
    assert "tir.Var" not in text


def test_a_shared_part_is_underlined_where_it_is_declared() -> None:
    part = tir.Add(X, ONE)
    text = script.underline(sums(part, 40), [part], ["here"])
    assert "^^^^^ here" in text


def test_a_list_that_holds_itself_has_no_text() -> None:
    loop = List([1])
    loop.append(loop)
    with pytest.raises(ValueError, match=r"`ffi.List` contains itself"):
        script.print(loop)
    loop.pop()


def test_a_name_keeps_the_place_where_a_statement_was_written() -> None:
    statements = script.parse_value("s = ir.shared(tir.Evaluate(value=1))\ns\ns")
    assert statements.seq[0].same_as(statements.seq[1])
    assert statements.seq[0].span.line == 1
