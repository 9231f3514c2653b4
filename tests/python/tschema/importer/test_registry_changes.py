"""What a library registers otherwise than an older build of it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tschema.importer.registry import Registry, is_requested, registry_changes
from tschema.importer.registry.ask import ProbedDefault, ProbedField, ProbedMethod, ProbedType
from tschema.pipeline.run import build_schema
from tschema.project.config import load_config

from ..conftest import Project

FIELD = ProbedField(
    name="x",
    doc="",
    metadata='{"type_schema":"int"}',
    flags=frozenset({"writable"}),
    size=8,
    align=8,
    offset=24,
    default=ProbedDefault(literal=1),
)
METHOD = ProbedMethod(name="f", doc="", metadata='{"type_schema":"g"}', flags=frozenset())
TYPE = ProbedType(
    key="toy.Point",
    index=70,
    parent="ffi.Object",
    own=True,
    registered=True,
    doc="",
    size=40,
    child_slots=0,
    structural="tree",
    creator=True,
    fields=(FIELD, replace(FIELD, name="y", offset=32)),
    methods=(METHOD,),
    hooks={"__s_equal__": "a value of type ffi.Function", "toy.level": "3"},
)
OLD = Registry(
    tvm_ffi="0.1.15",
    types=(TYPE,),
    functions=("toy.make",),
    signatures={"toy.make": '{"type":"int"}'},
)


def changes(type_: ProbedType) -> list[str]:
    return [*map(str, registry_changes(OLD, replace(OLD, types=(type_,))))]


def test_equal_and_new_things_are_no_changes() -> None:
    new = replace(TYPE, doc="A point.", index=71, methods=(METHOD, replace(METHOD, name="g")))
    assert changes(new) == []


@pytest.mark.parametrize(
    ("new", "change"),
    [
        (replace(TYPE, structural="dag"), "its structural kind was tree, and is dag"),
        (replace(TYPE, parent="toy.Base"), "its parent was ffi.Object, and is toy.Base"),
        (replace(TYPE, child_slots=4), "its number of child slots was 0, and is 4"),
        (replace(TYPE, fields=TYPE.fields[::-1]), "its fields are registered in another order"),
        (replace(TYPE, fields=TYPE.fields[:1]), "field `y` is not registered any more"),
        (replace(TYPE, methods=()), "method `f` is not registered any more"),
        (
            replace(TYPE, hooks={"toy.level": "3", "__s_hash__": "new"}),
            "hook `__s_equal__` is not registered any more",
        ),
        (replace(TYPE, hooks={**TYPE.hooks, "toy.level": "4"}), "hook `toy.level` was 3, and is 4"),
    ],
)
def test_changes_of_a_type(new: ProbedType, change: str) -> None:
    assert changes(new) == [f"`toy.Point`: {change}"]


@pytest.mark.parametrize(
    ("field", "change"),
    [
        (replace(FIELD, offset=32), "the offset of field `x` was 24, and is 32"),
        (replace(FIELD, flags=frozenset()), "set of flags of field `x` was writable, and is empty"),
        (replace(FIELD, metadata="{}"), "the type of field `x` was int, and is "),
    ],
)
def test_changes_of_a_field(field: ProbedField, change: str) -> None:
    (found,) = changes(replace(TYPE, fields=(field, TYPE.fields[1])))
    assert found.endswith(change)


def test_defaults_types_and_functions() -> None:
    named = '{"named_args":{"return":[{"type":"int"}],"params":[{"type":"A"}]}}'
    plain = '{"type":"ffi.Function","args":[{"type":"int"},{"type":"A"}]}'
    functions = [replace(OLD, signatures={"toy.make": one}) for one in (named, plain)]
    assert [*registry_changes(*functions)] == []
    (found,) = map(str, registry_changes(OLD, replace(OLD, signatures={"toy.make": "other"})))
    assert found == 'the type of function `toy.make` was {"type":"int"}, and is other'
    (found,) = changes(replace(TYPE, fields=(replace(FIELD, default=None), TYPE.fields[1])))
    assert "the default of field `x` was" in found
    gone = [*map(str, registry_changes(OLD, Registry(tvm_ffi="0.1.15", types=())))]
    assert gone == [
        "`toy.Point` is not registered any more",
        "function `toy.make` is not registered any more",
    ]


def test_overloads_are_compared_each_with_its_own() -> None:
    other = replace(METHOD, metadata='{"type_schema":"h"}')
    two = replace(TYPE, methods=(METHOD, other))
    old = replace(OLD, types=(two,))
    assert not [*registry_changes(old, old)]
    one = replace(OLD, types=(replace(TYPE, methods=(METHOD,)),))
    assert [*map(str, registry_changes(old, one))] == [
        "`toy.Point`: method `f` is not registered any more",
    ]


ASKED = '''\
"""Points."""

from tschema import Object, declare, field, ty


@declare
class PointNode(Object):
    """A point."""

    type_key = "toy.ir.Point"
    x: ty.int64_t = field(default=1)
    y: ty.int64_t = field(structural="ignore")
'''


def test_what_a_schema_asks_for(project: Project) -> None:
    """Once generated code registers a class, as its declaration says, and not before."""
    old = replace(FIELD, default=None, flags=frozenset())
    fields = (old, replace(old, name="y", offset=32))
    bare = replace(TYPE, key="toy.ir.Point", fields=fields, creator=False)
    default = replace(old, default=FIELD.default, flags=frozenset({"has_default"}))
    given = replace(bare.fields[1], default=FIELD.default, flags=frozenset({"has_default"}))
    ignored = replace(bare.fields[1], flags=frozenset({"compare_off", "hash_off"}))
    moved = replace(bare.fields[1], offset=40)
    new = {
        True: [
            replace(bare, creator=True),
            replace(bare, fields=(default, bare.fields[1])),
            replace(bare, fields=(old, ignored)),
        ],
        False: [
            replace(bare, fields=(old, given)),
            replace(bare, fields=(old, moved)),
            replace(bare, structural="dag"),
        ],
    }
    for text in (ASKED, ASKED.replace("    x:", '    register = "hand"\n    x:')):
        project.schema.write_text(text)
        schema, _ = build_schema(load_config(project.root / "tschema.toml"))
        for is_asked, types in new.items():
            for one in types:
                registries = (replace(OLD, types=(type_,)) for type_ in (bare, one))
                answers = {is_requested(one, schema) for one in registry_changes(*registries)}
                assert answers == {is_asked and text is ASKED}
