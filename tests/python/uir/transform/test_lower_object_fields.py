"""`LowerObjectFields`: reads of fields become loads, with checks where they are needed."""

from __future__ import annotations

import re

import pytest

from tschema.runtime import layout
from uir import tir
from uir.transform import LowerObjectFields

from .script_checks import becomes, parse_body, stays

LOOP = 'loop: tir.handle("uir.tir.For")'
KIND = layout("uir.tir.For").field("kind").offset
BODY = layout("uir.tir.For").field("body").offset
BINDING = layout("uir.tir.For").field("thread_binding").offset
ITER_TYPE = layout("uir.tir.IterVar").field("iter_type").offset


def test_a_field_is_read_at_its_offset() -> None:
    load = f'tir.object_field(loop, "uir.tir.For", "kind", tir.int64({KIND}), dtype="int32")'
    assert becomes(
        LowerObjectFields(), "tir.evaluate(loop.kind)", f"tir.evaluate({load})", params=LOOP
    )
    assert stays(LowerObjectFields(), f"tir.evaluate({load})", params=LOOP)


def test_a_reference_that_may_be_null_is_checked() -> None:
    binding = (
        f'tir.object_field(loop, "uir.tir.For", "thread_binding", tir.int64({BINDING}), '
        'dtype="handle")'
    )
    checked = f'tir.as_object({binding}, "uir.tir.IterVar", "loop.thread_binding")'
    field = (
        f'tir.object_field({checked}, "uir.tir.IterVar", "iter_type", tir.int64({ITER_TYPE}), '
        'dtype="int32")'
    )
    assert becomes(
        LowerObjectFields(),
        "tir.evaluate(loop.thread_binding.iter_type)",
        f"tir.evaluate({field})",
        params=LOOP,
    )


def test_bindings_are_checked_where_their_types_are_narrower() -> None:
    body = f'tir.object_field(loop, "uir.tir.For", "body", tir.int64({BODY}), dtype="handle")'
    for annotation, value in [
        ('tir.handle("uir.tir.Stmt")', body),
        ('tir.handle("uir.tir.Stmt", nullable=True)', body),
        ('tir.handle("uir.tir.For")', f'tir.as_object({body}, "uir.tir.For", "loop.body")'),
    ]:
        assert becomes(
            LowerObjectFields(),
            f"inner: {annotation} = loop.body\ntir.evaluate(tir.isnullptr(inner))",
            f"inner: {annotation} = {value}\ntir.evaluate(tir.isnullptr(inner))",
            params=LOOP,
        )


@pytest.mark.parametrize(
    ("read", "kind", "message"),
    [
        ('tir.get_field(loop, "bodi", dtype="handle")', ValueError, "has no field `bodi`; did you"),
        ('tir.get_field(loop, "kind", dtype="int64")', TypeError, "is a `int32`, not a `int64`"),
        ('tir.get_field(loop, "annotations", dtype="int64")', TypeError, "not a `int64`"),
        (
            'tir.object_field(loop, "uir.tir.For", "kind", tir.int64(8), dtype="int32")',
            TypeError,
            f"is at byte {KIND}, not 8",
        ),
        ('tir.get_field(other, "kind", dtype="int32")', TypeError, "type of `other` is not known"),
        (
            'tir.get_field(lost, "kind", dtype="int32")',
            TypeError,
            "type `uir.tir.Fro` is not regis",
        ),
        ('tir.get_field(source, "name", dtype="handle")', TypeError, "is a `String`, which code"),
    ],
)
def test_what_cannot_be_read_is_located(read: str, kind: type[Exception], message: str) -> None:
    types = 'lost: tir.handle("uir.tir.Fro"), source: tir.handle("uir.ir.SourceName")'
    module = parse_body(f"tir.evaluate({read})", f"{LOOP}, other: tir.handle, {types}")
    with pytest.raises(kind, match=re.escape(message)) as raised:
        LowerObjectFields()(module)
    assert "LowerObjectFields" in str(raised.value) and "^^^" in str(raised.value)


def test_near_names_of_types() -> None:
    with pytest.raises(TypeError, match=r"`uir\.tir\.Fro` is not registered; did you mean `uir"):
        tir.object_field(tir.Var("x", "handle"), "uir.tir.Fro", "kind")


def test_types_of_references() -> None:
    loop = tir.Var("loop", "handle", tir.reference_to("uir.tir.For"))
    for read, key, nullable in [
        (loop, "uir.tir.For", False),
        (tir.get_field(loop, "thread_binding"), "uir.tir.IterVar", True),
        (tir.object_field(loop, "uir.tir.For", "extent"), "uir.ir.PrimExpr", False),
        (tir.get_field(loop, "annotations"), "ffi.Map", False),
        (tir.as_object(tir.Var("p", "handle"), "uir.tir.For"), "uir.tir.For", False),
    ]:
        found = tir.object_type_of(read)
        assert found is not None and (found.key, found.nullable) == (key, nullable)
    assert tir.object_type_of(tir.Var("p", "handle")) is None
    with pytest.raises(TypeError, match="get_field: the type of .* is not known"):
        tir.get_field(tir.Var("p", "handle"), "kind")
