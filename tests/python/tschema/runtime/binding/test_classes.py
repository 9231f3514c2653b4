"""The generated classes, as Python code uses them."""

from __future__ import annotations

import copy
import inspect
import pickle
import re
from enum import IntEnum
from typing import Any

import pytest
import tvm_ffi

from tschema.runtime.protocols import field_text
from uir import ir, relay
from uir.ir import BaseExpr, IntImm, PrimExpr, SourceName, Span
from uir.tir import Add, Buffer, BufferType, Evaluate, For, ForKind, IterVar, IterVarType, Sub, Var

from ....support.process import run_python

X = Var("x", "int32")
ONE = IntImm("int32", 1)
SUM_SHOWN = (
    'uir.tir.Add(dtype=int32, a=uir.tir.Var(dtype=int32, name="x", type_annotation=None), '
    "b=uir.ir.IntImm(dtype=int32, value=1))"
)


def test_the_first_expression() -> None:
    code = (
        "from uir.ir import IntImm; from uir.tir import Add, Var; x = Var('x', 'int32'); "
        "print(Add(x, IntImm('int32', 1)))"
    )
    assert run_python(code) == "x + 1\n"


class Lazy(IntImm):
    """A class that forgets its parent's constructor."""

    def __init__(self) -> None:
        pass


class Renewed(IntImm):
    def __new__(cls, *_args: object) -> Renewed:
        return super().__new__(cls)


def test_an_object_without_content_cannot_be_made() -> None:
    with pytest.raises(TypeError, match=r"^`IntImm.__new__` would make an object without content"):
        IntImm.__new__(IntImm)
    with pytest.raises(AttributeError, match=r"^`IntImm.__new__` cannot be set$"):
        IntImm.__new__ = object.__new__  # type: ignore[assignment]


def test_the_fields_of_an_object_without_content_cannot_be_used() -> None:
    with pytest.raises(TypeError, match="the object has no content: its constructor has not run"):
        _ = Lazy().value
    assert repr(Lazy()) == "Lazy(chandle=None)"


def test_a_field_that_cannot_be_set_is_named() -> None:
    with pytest.raises(AttributeError, match="'value'"):
        ONE.value = 2  # type: ignore[misc]


def test_a_subclass_may_have_a_new_of_its_own() -> None:
    assert Renewed("int32", 4).value == 4
    assert isinstance(Renewed.__new__(Renewed), Renewed)
    assert str(inspect.signature(IntImm)).startswith("(dtype: ")


def test_an_error_names_both_types_and_both_operands() -> None:
    with pytest.raises(TypeError) as caught:
        Add(X, IntImm("int64", 1))
    for part in ("`a`", "`b`", "`int32`", "`int64`", 'Var(dtype=int32, name="x")', "value=1"):
        assert part in str(caught.value)


def test_the_text_of_fields_has_every_one_but_those_that_are_left_out() -> None:
    span = Span(SourceName("a.py"), 1, 2)
    total = Add(X, ONE, span=span)
    assert field_text(total) == SUM_SHOWN
    assert repr(span) == (
        'uir.ir.Span(source_name=uir.ir.SourceName(name="a.py"), line=1, column=2, end_line=0, '
        "end_column=0)"
    )


def test_match_binds_the_positional_arguments() -> None:
    match Add(X, ONE):
        case Sub():
            pytest.fail("a sum is not a difference")
        case Add(Var(name, dtype), IntImm(value=value)):
            assert (name, dtype, value) == ("x", "int32", 1)
        case _:
            pytest.fail("a sum is a sum")


def test_match_args_are_the_positional_parameters() -> None:
    classes: list[Any] = [Add, IntImm, Var, For, Buffer, Span]
    for cls in classes:
        parameters = list(inspect.signature(cls.__init__).parameters.values())[1:]
        positional = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
        assert list(cls.__match_args__) == positional
        assert [p.name for p in parameters if p.kind is p.KEYWORD_ONLY] in (["span"], [])


@pytest.mark.parametrize(
    "make",
    [
        lambda: IntImm(),
        lambda: IntImm("int32"),
        lambda: IntImm("int32", 1, None),
        lambda: IntImm("int32", 1, value=2),
        lambda: IntImm("int32", valeu=1),
        lambda: Add(X, ONE, None),
    ],
)
def test_arguments_are_those_of_the_signature(make: Any) -> None:
    with pytest.raises(TypeError, match=r"(IntImm|Add).__init__\(\)"):
        make()


def test_enums_read_back_as_members() -> None:
    nothing = Evaluate(ONE)
    fields: list[tuple[IntEnum, IntEnum]] = [
        (For(X, ONE, ONE, ForKind.UNROLLED, nothing).kind, ForKind.UNROLLED),
        (For(X, ONE, ONE, 2, nothing).kind, ForKind.VECTORIZED),  # type: ignore[arg-type]
        (IterVar(X, None, IterVarType.ORDERED).iter_type, IterVarType.ORDERED),
        (Buffer(Var("p", "handle"), "int8", []).buffer_type, BufferType.DEFAULT),
    ]
    for found, expected in fields:
        assert found is expected


def test_no_integer_beyond_an_enum() -> None:
    for kind in (5, -1, 2**40):
        message = (
            f"uir.tir.For: argument `kind` must be a member of `enum uir.tir.ForKind`, not {kind}"
        )
        with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
            For(X, ONE, ONE, kind, Evaluate(ONE))  # type: ignore[arg-type]


def test_nodes_do_not_change() -> None:
    total = Add(X, ONE)
    for name in ("a", "dtype", "span"):
        with pytest.raises(AttributeError):
            setattr(total, name, X)
    with pytest.raises(AttributeError):
        total.nonsense = 1  # type: ignore[attr-defined]
    assert total.a.same_as(X)


def test_classes_are_those_of_the_hierarchy() -> None:
    assert [cls.__name__ for cls in Add.__mro__[:5]] == [
        "Add", "BinaryOp", "PrimExpr", "BaseExpr", "Object",
    ]  # fmt: skip
    assert isinstance(Add(X, ONE), PrimExpr)
    assert isinstance(tvm_ffi.convert([X])[0], BaseExpr)
    assert not isinstance(Add(X, ONE), Sub)


def test_a_copy_shares_the_fields() -> None:
    total = Add(X, ONE, span=Span(SourceName("a.py"), 1, 2))
    copied = copy.copy(total)
    assert type(copied) is Add
    assert not copied.same_as(total)
    assert copied.a.same_as(X)
    assert copied.span is not None and copied.span.same_as(total.span)


def test_a_deep_copy_shares_nothing_but_among_itself() -> None:
    copied = copy.deepcopy(Add(X, Add(X, ONE)))
    assert not copied.a.same_as(X)
    assert isinstance(copied.b, Add)
    assert copied.a.same_as(copied.b.a)


def test_pickle() -> None:
    loaded = pickle.loads(pickle.dumps(Add(X, ONE)))
    assert field_text(loaded) == SUM_SHOWN


def test_equality_is_identity() -> None:
    total = Add(X, ONE)
    again = tvm_ffi.convert([total])[0]
    assert again == total
    assert hash(again) == hash(total)
    assert Add(X, ONE) != total
    assert len({total, again, Add(X, ONE)}) == 2


def test_a_copy_with_changes() -> None:
    two = IntImm("int32", 2)
    total = Add(X, ONE)
    changed = total.__replace__(b=two)
    assert changed.a.same_as(X) and changed.b.same_as(two)
    assert total.b.same_as(ONE)
    loop = For(X, ONE, two, ForKind.SERIAL, Evaluate(ONE)).__replace__(kind=ForKind.PARALLEL)
    assert loop.kind is ForKind.PARALLEL
    with pytest.raises(TypeError):
        total.__replace__(b=None)
    with pytest.raises(TypeError, match="must have the same data type, got `int32` and `int64`"):
        total.__replace__(b=IntImm("int64", 1))
    with pytest.raises(TypeError, match="Add has no field `dtype` that can be replaced"):
        total.__replace__(dtype="int8")


def test_a_copy_with_changes_derives_what_the_constructor_derives() -> None:
    x, half = (relay.Var("x", relay.Tensor((2,), dtype)) for dtype in ("float32", "float16"))
    call = relay.exp(x).__replace__(args=[half])
    assert ir.structural_equal(call.checked_type, half.checked_type)
    module = ir.IRModule({}).__replace__(functions={ir.GlobalVar("f"): ir.ExternFunc("f")})
    assert module.contains("f")
