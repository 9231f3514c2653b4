"""Bodies of what C++ spells otherwise than the schema, and how the reference names it."""

from __future__ import annotations

from ..conftest import Project

CONFIG = """\
package = "toy"
schema = ["schema"]

[cpp]
include = "generated/include"
source = "generated/src"

[docs]
dir = "docs"
"""
SCHEMA = '''\
"""Points."""

from tschema import Object, declare, field, function, method, ty


@declare
class NULL(Object):
    """A point."""

    type_key = "toy.ir.delete"
    unique: ty.int64_t = field(doc="Its place.")

    @method
    def post_init(self) -> ty.int64_t:
        """Return a number."""
        ...


@function
def template(x: NULL) -> NULL:
    """Return another one."""
    ...
'''
SOURCE = """\
#include <toy/ir/shape.h>
namespace toy::ir {
int64_t NULL_::PostInit_() const { return unique_; }
delete_ template_(delete_ x) { return x; }
}  // namespace toy::ir
"""


def test_bodies_have_the_names_that_cpp_declares(project: Project) -> None:
    (project.root / "tschema.toml").write_text(CONFIG)
    project.schema.write_text(SCHEMA)
    assert project.run("gen").status == 0
    missing = project.run("verify").err
    assert "`toy::ir::NULL_::PostInit_`" in missing
    assert "`toy::ir::template_`" in missing
    (project.root / "src").mkdir()
    (project.root / "src" / "shape.cc").write_text(SOURCE)
    found = project.run("verify")
    assert (found.status, found.err) == (0, "")


def test_the_reference_says_what_languages_call_a_class(project: Project) -> None:
    (project.root / "tschema.toml").write_text(CONFIG)
    project.schema.write_text(SCHEMA)
    assert project.run("gen").status == 0
    page = (project.root / "docs" / "toy.ir.md").read_text()
    assert "- It is `delete_` in C++.\n" in page
    assert "- C++: `toy::ir::delete_(unique)`\n- Rust: `toy::ir::delete::new(unique)`\n" in page
    assert "It is `PostInit_` in C++.\n" in page
    assert "`toy::ir::template_` in C++, `toy::ir::template` in Rust" in page
