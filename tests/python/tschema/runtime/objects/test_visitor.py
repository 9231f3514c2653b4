"""Visitors walk what nodes are made of, in declared order; mutators copy what changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import tvm_ffi

from uir.ir import FuncType, IntImm, PrimExpr, PrimType, Range, TupleType, TypeMutator, TypeVisitor
from uir.tir import (
    Add,
    AllocBuffer,
    Block,
    BlockRealize,
    Broadcast,
    Buffer,
    BufferLoad,
    BufferRegion,
    BufferStore,
    Evaluate,
    For,
    ForKind,
    IfThenElse,
    IterVar,
    IterVarType,
    Let,
    PrimExprMutator,
    SeqStmt,
    SizeVar,
    Stmt,
    StmtMutator,
    StmtVisitor,
    Var,
    decl_buffer,
)

from ....support.project import Project

X, Y = Var("x", "int32"), Var("y", "int32")
N = SizeVar("n", "int32")
ONE = IntImm("int32", 1)


class Names(StmtVisitor):
    """Collects the names of variables, in the order in which they are met."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def visit_var(self, node: Var, /) -> None:
        self.names.append(node.name)


class Rename(StmtMutator):
    """Puts one variable in the place of another."""

    def __init__(self, old: Var, new: PrimExpr) -> None:
        self.old = old
        self.new = new

    def visit_var(self, node: Var, /) -> PrimExpr:
        return self.new if node.same_as(self.old) else node


@pytest.fixture(scope="module")
def toy(build_package: Callable[[str], Project]) -> Any:
    """Return a package with an expression of its own, `toy.Clamp`."""
    build_package("toy")
    import toy_nodes

    return toy_nodes


def names_in(node: tvm_ffi.Object) -> str:
    visitor = Names()
    visitor.visit(node)
    return " ".join(visitor.names)


def variable(name: str) -> Var:
    return Var(name, "int32")


def loop(var: Var, extent: PrimExpr, body: Stmt) -> For:
    return For(var, IntImm("int32", 0), extent, ForKind.SERIAL, body)


def test_children_are_visited_in_declared_order() -> None:
    i, a, b, c, d = map(variable, "iabcd")
    body = SeqStmt(
        [
            IfThenElse(a < b, Evaluate(c)),
            IfThenElse(a < b, Evaluate(c), Evaluate(d)),
            Evaluate(a + b),
        ]
    )
    assert names_in(loop(i, N, body)) == "i n a b c a b c d a b"


def test_arrays_optionals_and_parts_are_entered() -> None:
    m = variable("m")
    buffer = decl_buffer([N, m], "float32", name="B")
    load = BufferLoad(buffer, [X, Y])
    assert names_in(load) == "x y"
    region = BufferRegion(buffer, [Range(X, N), Range(Y, m)])
    assert names_in(region) == "x n y m"


def test_a_buffer_is_visited_where_it_is_bound() -> None:
    buffer = decl_buffer([N], "float32", name="B")
    store = BufferStore(buffer, BufferLoad(buffer, [X]), [Y])
    assert names_in(store) == "x y"
    assert names_in(SeqStmt([AllocBuffer(buffer), store])) == "B n x y"


def test_blocks() -> None:
    v = variable("v")
    buffer = decl_buffer([N], "int32", name="B")
    axis = IterVar(v, Range(ONE, N), IterVarType.DATA_PAR)
    block = Block(
        [axis], [], [BufferRegion(buffer, [Range(v, ONE)])], "b", BufferStore(buffer, v, [v]),
        alloc_buffers=[buffer],
    )  # fmt: skip
    realize = BlockRealize([X], IntImm("bool", 1), block)
    assert names_in(realize) == "x B n v n v v v"


def test_a_shared_node_is_visited_for_every_path() -> None:
    shared = X + Y
    assert names_in(shared + shared) == "x y x y"


def test_an_override_decides_what_is_below() -> None:
    class Shallow(Names):
        def visit_let(self, node: Let, /) -> None:
            self.visit(node.body)

        def visit_add(self, node: Add, /) -> None:
            self.names.append("(")
            super().visit_add(node)
            self.names.append(")")

    visitor = Shallow()
    visitor.visit(Let(X, Y + 1, X + X))
    assert visitor.names == ["(", "x", "x", ")"]


def test_a_node_of_another_package_is_entered(toy: Any) -> None:
    clamp = toy.Clamp(X + Y, 8)
    assert names_in(clamp + N) == "x y n"
    renamed = Rename(Y, N).visit(clamp + N)
    assert isinstance(renamed, Add)
    assert type(renamed.a) is toy.Clamp
    assert (renamed.a.bits, renamed.a.rounding) == (8, toy.Rounding.NEAREST)
    assert names_in(renamed) == "x n n"
    assert Rename(N, Y).visit(clamp) is clamp


def test_types_are_visited_and_mutated() -> None:
    int8, int16 = PrimType("int8"), PrimType("int16")

    class Wider(TypeMutator):
        def visit_prim_type(self, node: PrimType, /) -> PrimType:
            return int16 if node.dtype == "int8" else node

    class Count(TypeVisitor):
        count = 0

        def visit_prim_type(self, node: PrimType, /) -> None:
            self.count += 1

    type_ = FuncType([int8, TupleType([int16])], int8)
    wide: Any = Wider().visit(type_)
    assert [one.dtype for one in (wide.arg_types[0], wide.ret_type)] == ["int16", "int16"]
    assert wide.arg_types[1].same_as(type_.arg_types[1])
    counter = Count()
    counter.visit(wide)
    assert counter.count == 3


# -- Mutators -------------------------------------------------------------------------------------


def test_a_node_that_does_not_change_is_returned_itself() -> None:
    buffer = decl_buffer([N], "int32", name="B")
    store = BufferStore(buffer, Let(X, Y, X + Y), [Broadcast(X, 4).value])
    program = SeqStmt([AllocBuffer(buffer), loop(X, N, store)])
    assert Rename(variable("absent"), Y).visit(program) is program
    assert StmtMutator().visit(program) is program


def test_another_reference_to_the_same_object_is_no_change() -> None:
    pair = Add(X, Y)

    class Again(PrimExprMutator):
        def visit_var(self, node: Var, /) -> PrimExpr:
            return pair.a if node.same_as(X) else pair.b

    assert Again().visit(pair) is pair


def test_what_changes_is_constructed_and_the_rest_is_kept() -> None:
    left, right = Add(X, ONE), Add(Y, ONE)
    total = Add(left, right)
    renamed = Rename(X, Y).visit(total)
    assert isinstance(renamed, Add)
    assert renamed.b.same_as(right)
    assert names_in(renamed) == "y y"
    assert names_in(total) == "x y"


def test_what_changes_is_checked() -> None:
    class Widen(PrimExprMutator):
        def visit_int_imm(self, node: IntImm, /) -> PrimExpr:
            return IntImm("int64", node.value)

    with pytest.raises(TypeError, match="int32"):
        Widen().visit(X + 1)

    class Drop(PrimExprMutator):
        def visit_var(self, node: Var, /) -> Any:
            return None

    with pytest.raises(TypeError):
        Drop().visit(X + 1)


def test_derived_fields_follow() -> None:
    class Widen(PrimExprMutator):
        def visit_var(self, node: Var, /) -> PrimExpr:
            return Var(node.name, "int64")

    assert X.dtype == "int32"
    assert Widen().visit(X + Y).dtype == "int64"


def test_spans_and_other_fields_are_kept() -> None:
    i = variable("i")
    before = For(
        i, IntImm("int32", 0), X, ForKind.UNROLLED, Evaluate(i), annotations={"hint": 1}
    )  # fmt: skip
    after = Rename(X, Y).visit(before)
    assert isinstance(after, For)
    assert (after.kind, dict(after.annotations)) == (ForKind.UNROLLED, {"hint": 1})
    assert after.extent.same_as(Y)
    assert after.body.same_as(before.body)


def test_uses_of_a_buffer_follow_its_definition() -> None:
    buffer = decl_buffer([X], "int32", name="B")
    store = BufferStore(buffer, BufferLoad(buffer, [ONE]), [ONE])
    before = SeqStmt([AllocBuffer(buffer), store])
    mutator = Rename(X, N)
    after: Any = mutator.visit(before)
    new = after.seq[0].buffer
    assert isinstance(new, Buffer)
    assert not new.same_as(buffer)
    assert new.shape[0].same_as(N)
    assert after.seq[1].buffer.same_as(new)
    assert after.seq[1].value.buffer.same_as(new)
    # Without the definition in sight, uses stay.
    assert Rename(X, N).visit(store) is store


def test_variables_are_replaced_where_they_are_bound_too() -> None:
    i = variable("i")
    after: Any = Rename(i, X).visit(loop(i, N, Evaluate(i + 1)))
    assert names_in(after) == "x n x"
    with pytest.raises(TypeError):
        Rename(i, ONE).visit(loop(i, N, Evaluate(i)))


def test_a_subclass_needs_no_init_of_its_base() -> None:
    class WithState(StmtMutator):
        def __init__(self, *names: str, flag: bool = False) -> None:
            self.names = names

    assert WithState("a", flag=True).visit(X) is X


@pytest.mark.parametrize(("result", "shown"), [(None, "None"), (1, "a `int`")])
def test_a_method_of_a_mutator_that_returns_no_node(result: Any, shown: str) -> None:
    class Forgetful(PrimExprMutator):
        def visit_var(self, node: Var, /) -> Any:
            return result

    message = (
        "visit_var` must return a node, what becomes of the `uir.tir.Var` that it is given; "
        f"it returned {shown}$"
    )
    with pytest.raises(TypeError, match=message):
        Forgetful().visit(Add(X, ONE))
