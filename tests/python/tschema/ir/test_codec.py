"""The bytes of the JSON IR: canonical, complete, described by the JSON Schema, refused if wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tschema.diagnostics.errors import SchemaError, render
from tschema.ir.codec import decode, encode, json_schema, load
from tschema.ir.model import Schema

Build = Callable[..., Schema]
TESTS = Path(__file__).parents[3]
CASES = sorted(TESTS.glob("schema/pass/*.json"))

BODY = '''
@declare
class FooNode(Object):
    """A node."""

    type_key = "toy.Foo"
    value: ty.Optional[ty.String] = field(default=None, doc="Ein schöner Wert.")
'''

NAMES = """\
Import: namespaces package
Namespace: cpp_namespace dialect doc enums file functions name operators source types
Enum: doc key members name
EnumMember: doc name value
Type: accessors doc fields former_keys init key layout methods name options parent ref
    removed_fields restated see_also unregistered
Options: abstract cow cpp_base cpp_namespace default_constructible default_sequal_reduce
    default_shash_reduce default_visit_attrs dispatch extern final mutable polymorphic post_init
    ref ref_init ref_name register renamed_from reserve script structural
Field: access align cpp_init cpp_name cpp_type default doc init kw_only mutable name offset
    renamed_from repr size stored_default structural type
TypeRef: args key kind
Default: cast factory initializer value
Restatement: default doc init kw_only name
Method: cpp doc name params raises returns returns_doc static
Parameter: default doc kw_only name number type
Raised: doc name
Layout: child_slots depth digest offset padded size
Function: api doc key makes_pass name params raises returns returns_doc
Dialect: attributes doc make name number operand prefix shapes span tests traits
Trait: default doc name type
Operator: attributes attrs builds compute custom decompose effect key kind name onnx operands
    relation require result scalar since stored_calls torch traits
Operand: dtype name optional variadic
TraitValue: name value
StoredCall: arguments name num_arguments
StoredArgument: constant stored
"""
"""The names of the properties, by which projects read files that other versions wrote."""


def violations(
    value: Any, rule: dict[str, Any], root: dict[str, Any], at: str = "$"
) -> Iterator[str]:
    """Yield where a value breaks the keywords of JSON Schema that the description uses."""
    if "$ref" in rule:
        yield from violations(value, root["$defs"][rule["$ref"].rpartition("/")[2]], root, at)
    if "anyOf" in rule and all(any(violations(value, one, root)) for one in rule["anyOf"]):
        yield f"{at} is none of the alternatives"
    if ("const" in rule and value != rule["const"]) or value not in rule.get("enum", [value]):
        yield f"{at} is {value!r}"
    kinds: dict[str, Any] = {
        "object": dict, "array": list, "string": str, "integer": int, "number": (int, float),
        "boolean": bool, "null": type(None),
    }  # fmt: skip
    if "type" in rule and not isinstance(value, kinds[rule["type"]]):
        yield f"{at} is not of type {rule['type']}"
    elif isinstance(value, dict):
        properties = rule.get("properties", {})
        yield from (f"{at} lacks {name}" for name in rule.get("required", []) if name not in value)
        for name, member in value.items():
            if name not in properties and rule.get("additionalProperties") is False:
                yield f"{at} has {name}"
            yield from violations(member, properties.get(name, {}), root, f"{at}.{name}")
    elif isinstance(value, list):
        for index, element in enumerate(value):
            yield from violations(element, rule.get("items", {}), root, f"{at}[{index}]")


@pytest.mark.parametrize("path", CASES, ids=str)
def test_round_trip(path: Path) -> None:
    data = path.read_bytes()
    assert encode(decode(data)) == data
    assert encode(decode(b"\xef\xbb\xbf" + data)) == data
    assert encode(load(path)) == data


@pytest.mark.parametrize("path", CASES, ids=str)
def test_validates_against_the_json_schema(path: Path) -> None:
    rule = json_schema()
    document = json.loads(path.read_text(encoding="utf-8"))
    assert list(violations(document, rule, rule)) == []


def test_the_names_of_properties_stay() -> None:
    entries = re.split(r"\n(?! )", NAMES.strip())
    names = {name: sorted(words.split()) for name, words in (one.split(":") for one in entries)}
    described: Any = json_schema()["$defs"]
    assert {name: sorted(one["properties"]) for name, one in described.items()} == names


def test_the_json_schema_refuses_what_is_wrong(build: Build) -> None:
    rule = json_schema()
    document = json.loads(encode(build(BODY)))
    del document["version"]
    document["namespaces"][0]["types"][0]["fields"][0]["size"] = "8"
    assert list(violations(document, rule, rule)) == [
        "$ lacks version",
        "$.namespaces[0].types[0].fields[0].size is not of type integer",
    ]


def test_reads_well(build: Build) -> None:
    text = encode(build(BODY)).decode()
    head = r'\{\n "version": 1,\n "digest": "[0-9a-f]{8}",\n "package": "toy",\n "namespaces": \[\n'
    assert re.match(head, text)
    assert json.loads(text)["namespaces"][0]["types"][0]["fields"][0]["default"] == {"value": None}
    assert "Ein schöner Wert." in text
    assert '"mutable"' not in text
    assert text.endswith("}\n")


def refused(data: bytes) -> list[str]:
    with pytest.raises(SchemaError) as raised:
        decode(data, "generated/schema.json")
    return [render(diagnostic).splitlines()[0] for diagnostic in raised.value.diagnostics]


def test_refuses_another_version(build: Build) -> None:
    data = encode(build(BODY)).replace(b'"version": 1', b'"version": 2')
    assert refused(data) == [
        "generated/schema.json:2:13: error[TS041]: the JSON IR has version `2`, expected `1`"
    ]
    assert refused(b'{"version": true}') == [
        "generated/schema.json:1:13: error[TS041]: the JSON IR has version `true`, expected `1`"
    ]
    assert refused(b"{}") == [
        "generated/schema.json:1:1: error[TS041]: the JSON IR has version `null`, expected `1`"
    ]


def test_refuses_what_is_no_json() -> None:
    assert refused(b"\xff") == ["error[TS040]: `generated/schema.json` is not UTF-8"]
    assert refused(b'{\n "version" 1}') == [
        "generated/schema.json:2:12: error[TS040]: malformed JSON: expecting ':' delimiter"
    ]
    assert refused(b"[" * 100_000) == [
        "generated/schema.json:1:1: error[TS040]: malformed JSON: too deeply nested"
    ]


def test_refuses_what_is_no_schema(build: Build) -> None:
    data = encode(build(BODY))
    assert refused(data.replace(b'"key": "toy.Foo"', b'"key": 3')) == [
        "generated/schema.json:14:13: error[TS040]: malformed JSON IR: "
        "`namespaces[0].types[0].key`: expected `str`, got `int`"
    ]
    assert refused(data.replace(b'"package"', b'"bag"'))[0].startswith("generated/schema.json:")


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('"parent": "ffi.Object"', '"parent": "toy.Bar"', "stands before its parent `toy.Bar`"),
        ('"kind": "Optional"', '"kind": "Map"', "gives 1 arguments to `Map`"),
        ('"kind": "String"', '"kind": "node"', "names the unknown node `None`"),
        ('"init": [\n      "value"', '"init": [\n      "other"', "`toy.Foo` has no field `other`"),
    ],
)
def test_refuses_what_does_not_fit_together(build: Build, old: str, new: str, problem: str) -> None:
    text = encode(build(BODY)).decode()
    assert old in text
    (message,) = refused(text.replace(old, new).encode())
    assert problem in message


def test_refuses_a_registered_member_of_a_foreign_type(build: Build) -> None:
    body = BODY.replace(
        'ty.Optional[ty.String] = field(default=None, doc="',
        'ty.foreign("std::mutex") = field(doc="',
    )
    document = json.loads(encode(build(body)))
    type_ = document["namespaces"][0]["types"][0]
    assert [member["type"]["key"] for member in type_["unregistered"]] == ["std::mutex"]
    type_["fields"] = type_.pop("unregistered")
    with pytest.raises(SchemaError, match="`toy.Foo` registers a member of a foreign type"):
        decode(json.dumps(document).encode())


def test_a_file_that_is_missing(tmp_path: Path) -> None:
    with pytest.raises(SchemaError, match="no such file"):
        load(tmp_path / "schema.json")
