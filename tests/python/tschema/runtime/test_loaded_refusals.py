"""What `load_types` refuses: code that it has not got, wrong layouts, types with other owners."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ...support.process import run_python
from ...support.project import ROOT
from .conftest import make_schema

LOAD = """
import sys
from tschema.runtime import load_types
try:
    load_types(sys.argv[1])
except Exception as error:
    print(type(error).__name__, error, sep="\\n")
import tvm_ffi
keys = set(tvm_ffi.registry.get_registered_type_keys())
assert not [key for key in keys if key.startswith(("small.", "uir."))], keys
"""

LEAF = '''
from tschema import Object, declare, field, function, method, ty

@declare
class LeafNode(Object):
    """
    A leaf.

    Attributes
    ----------
    value
        Its value.
    text
        Its text.
    """
    type_key = "small.Leaf"
    value: ty.int8_t
    text: ty.String = ""
'''

TWIG = LEAF.replace("from tschema import Object, declare, field, function, method, ty", "")
TWIG = TWIG.replace("Leaf", "Twig")

NEEDS_CODE = (
    LEAF
    + '''
@declare
class CheckedNode(LeafNode):
    """Checked."""
    type_key = "small.Checked"
    post_init = True

    @method
    def total(self) -> ty.int64_t:
        """Return the sum."""
        ...

    @method
    def name(self) -> ty.String:
        """Return the name."""
        ...

@declare
class OwnNode(LeafNode):
    """Compares in its own way."""
    type_key = "small.Own"
    default_sequal_reduce = False

@declare
class BaseNode(Object):
    """Has no structure of its own, and no objects."""
    type_key = "small.Base"
    abstract = True
    default_visit_attrs = False
    default_sequal_reduce = False
    default_shash_reduce = False

@declare
class FineNode(BaseNode):
    """Needs nothing."""
    type_key = "small.Fine"

@function
def make_leaf() -> LeafNode:
    """Make one."""
    ...
'''
)


@pytest.fixture(scope="module")
def leaf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_schema(tmp_path_factory.mktemp("leaf"), LEAF)


def refused(schema: Path) -> list[str]:
    """Load a schema that is refused; return the error's kind and its lines, paths shortened."""
    return run_python(LOAD, schema).replace(str(schema), "schema.json").splitlines()


def test_all_code_that_is_missing_is_named_at_once(tmp_path: Path) -> None:
    schema = make_schema(tmp_path / "project", NEEDS_CODE)
    assert refused(schema) == [
        "TypeError",
        "schema.json declares what only compiled code can do; build package `small` with `tschema "
        "build`, or load its library first",
        "type `small.Checked` needs methods `total`, `name`, `post_init`",
        "type `small.Own` needs structural methods of its own",
        "function `small.make_leaf` is not registered",
    ]


def test_uir_without_its_library_is_refused(tmp_path: Path) -> None:
    schema = tmp_path / "schema.json"
    schema.write_bytes((ROOT / "generated" / "schema.json").read_bytes())
    kind, _, *lines = refused(schema)
    assert kind == "TypeError"
    assert "type `uir.ir.IntImm` needs `post_init`" in lines
    assert "type `uir.tir.For` needs methods `trip_count`, `post_init`" in lines


def change_field(name: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda type_: type_["fields"][1].update({name: value})


def change_layout(name: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda type_: type_["layout"].update({name: value})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (change_field("offset", 25), "the place of field `text`"),
        (change_field("offset", 24), "the place of field `text`"),
        (change_field("offset", 2**40), "the place of field `text`"),
        (change_field("offset", -8), "the place of field `text`"),
        (change_field("size", 8), "the place of field `text`"),
        (change_field("type", {"kind": "int64"}), "the place of field `text`"),
        (change_field("structural", "ignore"), "its digest is"),
        (change_layout("size", 40), "its size"),
        (change_layout("size", 49), "its size"),
        (change_layout("size", 2**40), "its size"),
        (change_layout("depth", 2), "its depth"),
        (change_layout("offset", 32), "its fields do not follow its parent's"),
        (change_layout("child_slots", 2**30), "its number of child slots"),
        (change_layout("child_slots", 1), "its digest is"),
        (lambda type_: type_["options"].update(mutable=True), "its digest is"),
    ],
)  # fmt: skip
def test_layouts_are_checked(
    change: Callable[[dict[str, Any]], None], message: str, leaf: Path, tmp_path: Path
) -> None:
    document = json.loads(leaf.read_text())
    change(document["namespaces"][0]["types"][0])
    path = tmp_path / "schema.json"
    path.write_text(json.dumps(document))
    kind, text = refused(path)
    assert kind == "ValueError"
    assert text.startswith("the layout of type `small.Leaf` is wrong: ")
    assert message in text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "schema.json is not the JSON IR of tschema: "),
        ("[]", "schema.json is not the JSON IR of tschema: "),
        ("{}", "schema.json is not the JSON IR of tschema: 'package'"),
        ('{"version": 2, "package": "small"}', "the JSON IR has version 2"),
        ('{"version": 1, "package": "small", "namespaces": [1]}', "schema.json is not the JSON IR"),
    ],
)
def test_other_files_are_refused(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "schema.json"
    path.write_text(text)
    kind, found = refused(path)
    assert (kind, found[: len(message)]) == ("ValueError", message)


OWNERS = """
import ctypes, sys
import tvm_ffi
from tschema.runtime import load_types
for path in sys.argv[1:]:
    try:
        if path.endswith(".so"):
            ctypes.CDLL(path)
            print(*tvm_ffi.get_global_func("tschema.registration_errors")(), sep="\\n")
        else:
            print(load_types(path).Leaf(1))
    except RuntimeError as error:
        print(error)
"""


def test_the_same_twice_does_nothing(leaf: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.json"
    copy.write_bytes(leaf.read_bytes())
    printed = run_python(OWNERS, leaf, leaf, copy)
    assert printed.splitlines() == ['small.Leaf(value=1, text="")'] * 3


def test_another_layout_is_refused_by_the_names_of_both_owners(leaf: Path, tmp_path: Path) -> None:
    other = make_schema(tmp_path / "project", LEAF.replace("int8_t", "int16_t"))
    more = make_schema(tmp_path / "more", LEAF + TWIG)
    _, first, second = run_python(OWNERS, leaf, other, more).splitlines()
    assert first == (
        f"type `small.Leaf` is registered by {leaf} with another layout; "
        f"{other} (package `small`) is refused"
    )
    assert second == (
        f"package `small` of {more} declares types besides those that are registered under its name"
    )


def test_a_library_with_another_layout_is_refused(
    zoo_schema: Path, zoo_loaded: Path, tmp_path: Path
) -> None:
    library = zoo_schema.parents[1] / "build" / "libzoo.so"
    declarations = LEAF.replace("small", "zoo")
    other = make_schema(tmp_path / "project", declarations, package="zoo")
    made, errors = run_python(OWNERS, other, library).splitlines()[:2]
    assert made == 'zoo.Leaf(value=1, text="")'
    assert errors == (
        f"type `zoo.Leaf` is registered by {other} with another layout; "
        f"{library} (package `zoo`) is refused"
    )
    refused, *_ = run_python(OWNERS, library, other).splitlines()[1:]
    assert refused == (
        f"type `zoo.Leaf` is registered by {library} with another layout; "
        f"{other} (package `zoo`) is refused"
    )
