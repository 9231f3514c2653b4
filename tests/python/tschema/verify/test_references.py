"""What `tschema verify` finds of reference classes that are written by hand, in both modes."""

from __future__ import annotations

import pytest

from ..conftest import Project

FILES = """\
package = "toy"
schema = ["schema"]

[cpp]
include = "generated/include"
source = "generated/src"
"""
IN_PLACE = """\
package = "toy"
schema = ["schema"]

[cpp]
mode = "in_place"
files = ["generated/include/**/*.h"]
sidecar = "generated/sidecar"

[verify]
sources = ["generated/**/*.h"]
"""
SCHEMA = '''\
"""References."""

from tschema import Object, declare


@declare
class WholeNode(Object):
    """Its reference is written by hand."""

    type_key = "toy.ir.Whole"
    ref = "hand"


@declare
class MadeNode(Object):
    """The constructor of its reference is written by hand."""

    type_key = "toy.ir.Made"
    ref_init = "hand"
'''
HEADER = """\
namespace toy::ir {
// tschema: WholeNode
// tschema: end
// tschema: Whole
// tschema: end
// tschema: MadeNode
// tschema: end
// tschema: Made
// tschema: end
}  // namespace toy::ir
"""


def write_region(project: Project, block: str, text: str) -> None:
    """Write text into the custom region of a block."""
    path = project.root / "generated" / "include" / "toy" / "ir" / "shape.h"
    head, marker, rest = path.read_text().partition(f"// tschema: {block}\n")
    before, begin, after = rest.partition("// tschema: custom-begin\n")
    path.write_text(head + marker + before + begin + text + after)


@pytest.mark.parametrize("config", [FILES, IN_PLACE], ids=["files", "in_place"])
def test_what_is_missing_in_custom_regions_is_told(project: Project, config: str) -> None:
    (project.root / "tschema.toml").write_text(config)
    project.schema.write_text(SCHEMA)
    if config is IN_PLACE:
        header = project.root / "generated" / "include" / "toy" / "ir" / "shape.h"
        header.parent.mkdir(parents=True)
        header.write_text(HEADER)
    assert project.run("gen").status == 0
    write_region(project, "Whole", "class Whole;\n")
    found = project.run("verify")
    assert found.status == 1
    assert "the custom region of `Whole` lacks the class `Whole`" in found.err + found.out
    assert "the custom region of `Made` lacks a constructor" in found.err + found.out
    write_region(project, "Whole", "class Whole : public tvm::ffi::ObjectRef {};\n")
    write_region(project, "Made", "  Made() : Made(tvm::ffi::UnsafeInit{}) {}\n")
    assert project.run("verify").status == 0
