"""Classes whose layout is not known: what each language has of them, and of their users."""

from __future__ import annotations

import pytest

from ...support.configs import config
from ..conftest import Project

CONFIG = config("generated/", options='roots = ["vendor"]\n')
SCHEMA = '''\
"""Users of a library whose classes have no layout here."""

from tschema import Object, declare, field, ty


@declare
class ThingNode(Object):
    """A thing."""

    type_key = "vendor.Thing"
    extern = "vendor/thing.h"
    anything: ty.Any = field(doc="Of any type.")
    name: ty.String = field(doc="Its name.")


@declare
class PartNode(ThingNode):
    """A part of one."""

    type_key = "vendor.Part"
    extern = True


@declare
class UserNode(Object):
    """What uses it."""

    type_key = "toy.User"
    thing: ThingNode = field(doc="What it uses.")
    parts: ty.Array[ThingNode] = field(doc="More of it.")
'''


@pytest.fixture
def generated(project: Project) -> Project:
    project.schema.unlink()
    (project.root / "schema" / "user.py").write_text(SCHEMA)
    (project.root / "tschema.toml").write_text(CONFIG)
    made = project.run("gen")
    assert (made.status, made.err) == (0, "")
    return project


def read(project: Project, path: str) -> str:
    return (project.root / "generated" / path).read_text()


def test_users_are_typed_in_each_language(generated: Project) -> None:
    header = read(generated, "cpp/include/toy/user.h")
    assert "#include <vendor/thing.h>\n" in header
    assert "  ::vendor::Thing thing;\n" in header
    assert "  ffi::Array<::vendor::Thing> parts;\n" in header
    module = read(generated, "python/toy_nodes/user.py")
    assert "    anything: Any\n    name: str\n" in module
    assert '@extern_class("vendor.Part")\nclass Part(Thing):\n' in module
    assert "    parts: Array[Thing]\n" in module
    crate = read(generated, "rust/user.rs")
    assert "tschema::assert_layout!(ThingNode: 24);\n" in crate
    assert "    pub parts: ffi::Array<Thing>,\n" in crate
    assert "pub Thing, ffi::object::ObjectRef, ThingNode" in crate


def test_nothing_is_asserted_of_what_is_not_known(generated: Project) -> None:
    source = read(generated, "cpp/src/user.cc")
    assert "sizeof(UserNode) == 40" in source
    assert "ThingNode" not in source
    assert "Part" not in source
    page = read(generated, "docs/toy.md")
    assert "A class of another library: `vendor/thing.h`, of unknown layout." in page
    assert "| `anything` | `Any` |  | Of any type. |" in page
