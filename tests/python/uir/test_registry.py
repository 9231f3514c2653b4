"""What the schema declares is what libuir registers: types, functions, methods, fields."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import tvm_ffi
from tvm_ffi.registry import list_global_func_names

from tschema.ir.codec import decode
from tschema.ir.model import Enum, Schema, Type

from ..support.project import ROOT

TYPE_KEYS = Path(__file__).with_name("type_keys.txt").read_text().split()


@pytest.fixture(scope="module")
def schema() -> Schema:
    """Return uir's schema."""
    importlib.import_module("uir.transform")
    return decode((ROOT / "generated" / "schema.json").read_bytes())


def types(schema: Schema) -> Iterator[Type]:
    for space in schema.namespaces:
        yield from space.types


def enums(schema: Schema) -> Iterator[Enum]:
    for space in schema.namespaces:
        yield from space.enums


def class_of(key: str) -> Any:
    module, _, name = key.rpartition(".")
    return getattr(importlib.import_module(module), name)


def info_of(key: str) -> Any:
    return class_of(key).__tvm_ffi_type_info__


def test_types_are_those_of_the_list(schema: Schema) -> None:
    keys = [type_.key for type_ in types(schema)]
    assert sorted(keys) == TYPE_KEYS
    assert len(keys) >= 75


def test_global_functions_are_those_that_are_declared(schema: Schema) -> None:
    constructors = {type_.key for type_ in types(schema) if not type_.options.abstract}
    functions = {function.key for space in schema.namespaces for function in space.functions}
    assert not constructors & functions
    registered = {name for name in list_global_func_names() if name.startswith("uir.")}
    # The pool of threads, which libraries that run without uir have too.
    pool = {"uir.pool.v2", "uir.pool.num_threads"}
    assert pool <= registered
    assert registered - pool == constructors | functions


def test_ffi_api_has_every_function_of_its_namespace(schema: Schema) -> None:
    for namespace in {space.name for space in schema.namespaces}:
        api = importlib.import_module(f"{namespace}._ffi_api")
        prefix = f"{namespace}."
        names = {n.removeprefix(prefix) for n in list_global_func_names() if n.startswith(prefix)}
        assert {name for name in names if callable(getattr(api, name, None))} == names


def test_methods_are_those_that_are_declared(schema: Schema) -> None:
    for type_ in types(schema):
        methods = {method.name for method in info_of(type_.key).methods}
        declared = {method.name for method in type_.methods}
        assert {name for name in methods if not name.startswith("__")} == declared, type_.key
        assert all(callable(getattr(class_of(type_.key), name)) for name in declared)


def test_fields_are_those_that_are_declared(schema: Schema) -> None:
    for type_ in types(schema):
        registered = [(field.name, field.offset, field.size) for field in info_of(type_.key).fields]
        declared = [(field.name, field.offset, field.size) for field in type_.fields]
        assert registered == declared, type_.key


def test_hierarchy_and_size_are_those_that_are_declared(schema: Schema) -> None:
    for type_ in types(schema):
        info = info_of(type_.key)
        assert info.type_key == type_.key
        assert info.parent_type_info.type_key == type_.parent
        assert info.total_size == type_.layout.size


def test_every_class_is_public_at_its_key(schema: Schema) -> None:
    for key in [*(type_.key for type_ in types(schema)), *(enum.key for enum in enums(schema))]:
        found = class_of(key)
        assert f"{found.__module__}.{found.__qualname__}" == key


def test_enums_have_the_declared_members(schema: Schema) -> None:
    for enum in enums(schema):
        members = {member.name: member.value for member in enum.members}
        assert {member.name: member.value for member in class_of(enum.key)} == members


def test_everything_has_a_doc(schema: Schema) -> None:
    declared = [
        *((space.source, space.doc) for space in schema.namespaces),
        *((type_.key, type_.doc) for type_ in types(schema)),
        *((f"{type_.key}.{f.name}", f.doc) for type_ in types(schema) for f in type_.fields),
        *((f"{type_.key}.{m.name}", m.doc) for type_ in types(schema) for m in type_.methods),
        *((enum.key, enum.doc) for enum in enums(schema)),
        *((f"{enum.key}.{m.name}", m.doc) for enum in enums(schema) for m in enum.members),
        *((f.key, f.doc) for space in schema.namespaces for f in space.functions),
    ]
    assert [name for name, doc in declared if not doc.strip()] == []


def test_parameters_and_results_have_a_doc(schema: Schema) -> None:
    callables = [
        *((f.key, f) for space in schema.namespaces for f in space.functions),
        *((f"{type_.key}.{m.name}", m) for type_ in types(schema) for m in type_.methods),
    ]
    missing = [
        *(f"{key}({p.name})" for key, f in callables for p in f.params if not p.doc.strip()),
        *(key for key, f in callables if f.returns.kind != "None" and not f.returns_doc.strip()),
    ]
    assert missing == []


def test_python_shows_the_docs(schema: Schema) -> None:
    for type_ in types(schema):
        assert class_of(type_.key).__doc__.startswith(type_.doc.splitlines()[0]), type_.key


def tschema(*arguments: str) -> bytes:
    command = [sys.executable, "-m", "tschema", *arguments]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout


def test_the_command_prints_the_json_ir() -> None:
    printed = tschema("ir")
    assert printed == (ROOT / "generated" / "schema.json").read_bytes()
    rules = json.loads(tschema("ir", "--json-schema"))
    validator = jsonschema.validators.validator_for(rules)
    validator.check_schema(rules)
    ir = json.loads(printed)
    validator(rules).validate(ir)
    ir["namespaces"][0]["surprise"] = 1
    with pytest.raises(jsonschema.ValidationError, match="surprise"):
        validator(rules).validate(ir)


def test_type_indices_of_children_lie_behind_their_parent(schema: Schema) -> None:
    for type_ in types(schema):
        parent = schema.type(type_.parent) if type_.parent.startswith("uir.") else None
        if parent is not None:
            first = info_of(parent.key).type_index
            last = first + parent.layout.child_slots
            assert first < info_of(type_.key).type_index <= last, type_.key


def test_a_key_is_registered_once(schema: Schema) -> None:
    indices = {info_of(type_.key).type_index for type_ in types(schema)}
    assert len(indices) == len(TYPE_KEYS)
    assert isinstance(tvm_ffi.get_global_func("uir.ir.IntImm"), tvm_ffi.Function)
