"""What a schema says of found classes, in which order, and in which file."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

from tschema.importer.choice import Chosen, choose
from tschema.importer.layouts import place
from tschema.importer.ordering import Cycle, in_order
from tschema.importer.plan import plan_files
from tschema.importer.project import new_project
from tschema.importer.records import Found, FoundClass, FoundField, FoundMethod
from tschema.ir.model import TypeKind, TypeRef


def ref(key: str) -> TypeRef:
    return TypeRef(kind="node", key=key)


def member(name: str, type_: TypeRef | TypeKind, offset: int | None = None) -> FoundField:
    whole = TypeRef(kind=type_) if isinstance(type_, str) else type_
    return FoundField(name=name, type=whole, offset=offset)


def class_(
    key: str, *fields: FoundField, parent: str = "ffi.Object", size: int | None = None
) -> FoundClass:
    return FoundClass(key=key, parent=parent, fields=fields, size=size)


def chosen(*classes: FoundClass) -> Chosen:
    return choose(Found(source="a test", classes=classes), lambda _key: True)


def test_a_class_comes_after_those_that_it_names() -> None:
    result = chosen(
        class_("toy.Add", member("a", ref("toy.Expr")), parent="toy.Expr"), class_("toy.Expr")
    )
    assert [one.key for one in result.classes] == ["toy.Expr", "toy.Add"]


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        (
            class_("toy.A", member("x", "int64", 32), size=40),
            "8 bytes before `x` belong to members that are not registered",
        ),
        (
            class_("toy.A", member("x", "int64", 24), size=48),
            "the last 16 bytes belong to members that are not registered",
        ),
        (
            class_("toy.A", member("x", "int64", 24), size=40),
            "the last 8 bytes belong to a table of virtual functions, or to a member that is not "
            "registered",
        ),
        (
            class_("toy.A", member("two words", "int64", 24), size=32),
            "`two words` cannot be a name in Python, in which schema files are written",
        ),
        (
            class_("toy.A", FoundField(name="x", unknown_type="NestedMsg", offset=24, size=8)),
            "`x` has the type `NestedMsg`, which no type of a schema stands for",
        ),
        (class_("toy.A", parent="toy.Base"), "its parent `toy.Base` is not declared"),
        (class_("ffi.String"), "it is `ty.String` in a schema"),
        (class_("toy.A", member("next", ref("toy.A"), 24)), "`next` has its own type"),
    ],
)
def test_what_cannot_be_said_has_a_reason(found: FoundClass, reason: str) -> None:
    assert chosen(found).unsaid == {found.key: (reason,)}


def test_classes_that_need_each_other() -> None:
    result = chosen(
        class_("toy.A", member("b", ref("toy.B"), 24), size=32),
        class_("toy.B", member("a", ref("toy.A"), 24), size=32),
    )
    assert [one.key for one in result.classes if one.key not in result.extern] == ["toy.A"]
    assert result.extern == {"toy.B"}
    assert result.unsaid == {"toy.B": ("`a` has the type `toy.A`, which needs it in turn",)}


def test_a_class_that_cannot_be_said_is_extern_for_those_that_need_it() -> None:
    hidden = class_("toy.Hidden", member("x", "int64", 40), size=48)
    result = chosen(hidden, class_("toy.User", member("of", ref("toy.Hidden"), 24), size=32))
    assert result.extern == result.opaque == {"toy.Hidden"}
    assert [(one.key, one.size, len(one.fields)) for one in result.classes] == [
        ("toy.Hidden", None, 1),
        ("toy.User", 32, 1),
    ]
    child = class_("toy.Child", member("y", "int64", 48), parent="toy.Hidden", size=56)
    result = chosen(hidden, child)
    assert (result.extern, result.opaque) == ({"toy.Hidden"}, frozenset())
    assert [(one.key, one.size) for one in result.classes] == [
        ("toy.Hidden", 48),
        ("toy.Child", 56),
    ]


def test_a_class_without_a_layout_is_opaque_and_read_through_the_registry() -> None:
    """Each field has a type that is right: that of an unknown one is `ty.Any`."""
    parts = (
        member("name", "String"),
        member("own", ref("toy.Opaque")),
        member("user", ref("toy.User")),
        FoundField(name="odd", unknown_type="NestedMsg"),
        member("raw", TypeRef(kind="foreign", key="std::mutex")),
        member("class", "int64"),
        member("_hidden", "int64"),
        FoundField(name="cpp_only", type=TypeRef(kind="int64"), registered=False),
    )
    result = chosen(
        class_("toy.Opaque", *parts, parent="toy.Gone"),
        class_("toy.Below", member("x", "bool"), parent="toy.Opaque"),
        class_("toy.User", member("of", ref("toy.Opaque"), 24), member("b", ref("toy.Below"), 32)),
    )
    assert result.opaque == {"toy.Opaque", "toy.Below"}
    classes = {one.key: one for one in result.classes}
    kinds = {field.name: field.type.kind for field in classes["toy.Opaque"].fields if field.type}
    unknown = dict.fromkeys(("own", "user", "odd", "raw"), "Any")
    assert kinds == unknown | {"name": "String", "class": "int64", "_hidden": "int64"}
    assert classes["toy.Opaque"].parent == "ffi.Object"
    assert classes["toy.Below"].parent == "toy.Opaque"
    assert [one.key for one in result.declared()] == ["toy.User"]
    assert result.reasons["toy.Opaque"]


def test_virtual_functions_add_to_the_size_alone() -> None:
    found = FoundClass(key="toy.A", fields=(member("x", "int64", 24),), polymorphic=True, size=40)
    placed = place(found, 24)
    assert (placed.reasons, placed.end) == ((), 32)


def test_a_member_of_unknown_size_fills_what_is_left() -> None:
    hidden = FoundField(name="state", type=TypeRef(kind="foreign", key="State"), registered=False)
    placed = place(class_("toy.A", hidden, member("x", "int64", 40), size=48), 24)
    assert (placed.fields[0].offset, placed.fields[0].size, placed.reasons) == (24, 16, ())


def test_a_method_that_names_a_later_class_is_left_out() -> None:
    early = FoundClass(
        key="toy.A",
        parent="ffi.Object",
        methods=(FoundMethod(name="make", returns=ref("toy.B")),),
    )
    result = chosen(early, class_("toy.B", parent="toy.A"))
    assert result.classes[0].methods == ()
    assert result.classes[0].omitted == ("method `make`, which names `toy.B`",)


def test_a_cycle_is_an_error_that_names_it() -> None:
    with pytest.raises(Cycle, match="a -> b"):
        in_order("ab", {"a": ["b"], "b": ["a"]})


def files(*classes: FoundClass) -> dict[str, tuple[str, ...]]:
    project = new_project(Path("/nowhere"), "toy", classes, PurePosixPath("schema"))
    plan = plan_files(classes, (), project, {})
    return {str(path): keys for path, keys in plan.files.items()}


def test_a_namespace_has_a_file_and_a_header_too() -> None:
    expr = FoundClass(key="toy.ir.Expr", parent="ffi.Object", header="acme/ir/expr.h")
    assert files(expr, class_("toy.tir.For"), class_("relax.If"), class_("toy.Span")) == {
        "schema/ir/expr.py": ("toy.ir.Expr",),
        "schema/relax/relax.py": ("relax.If",),
        "schema/tir/tir.py": ("toy.tir.For",),
        "schema/toy.py": ("toy.Span",),
    }


def test_namespaces_that_need_each_other_are_split() -> None:
    classes = (
        class_("toy.ir.Expr"),
        class_("toy.tir.Stmt", member("value", ref("toy.ir.Expr"))),
        class_("toy.ir.Func", member("body", ref("toy.tir.Stmt"))),
        class_("toy.tir.Call", member("callee", ref("toy.ir.Func"))),
    )
    assert files(*classes) == {
        "schema/ir/func.py": ("toy.ir.Func",),
        "schema/ir/ir.py": ("toy.ir.Expr",),
        "schema/tir/call.py": ("toy.tir.Call",),
        "schema/tir/tir.py": ("toy.tir.Stmt",),
    }


def test_a_file_does_not_have_the_name_of_a_folder_beside_it() -> None:
    expr = FoundClass(key="relax.Expr", parent="ffi.Object", header="tvm/relax/expr.h")
    assert files(expr, class_("relax.expr.Call")) == {
        "schema/expr/expr.py": ("relax.expr.Call",),
        "schema/expr_classes.py": ("relax.Expr",),
    }


def test_a_class_of_another_library_has_a_file_of_its_own_kind() -> None:
    classes = (class_("other.Base", size=24), class_("toy.A", parent="other.Base"))
    project = new_project(Path("/nowhere"), "toy", classes[1:], PurePosixPath("schema"))
    plan = plan_files(classes, (), project, {})
    assert plan.homes["other.Base"] == PurePosixPath("schema/other_libraries.py")
