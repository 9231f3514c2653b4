"""What adoption never adds to a class that its author wrote, by hand and taken over."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from ...conftest import IN_PLACE_CONFIG
from .conftest import Project

HEAD = """\
#pragma once
#include "toy/base.h"

#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/reflection/registry.h>

#include <string>

namespace toy {
namespace ffi = tvm::ffi;
namespace refl = tvm::ffi::reflection;
"""
TAIL = """
TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<PointNode>(){chain};
}
}  // namespace toy
"""

Adopt = Callable[..., tuple[str, str]]


@pytest.fixture
def adopt(project: Project) -> Adopt:
    """Return what imports and adopts a class: its header afterwards, and what was said."""
    for folder in ("schema", "include"):
        for path in (project.root / folder).rglob("*.*"):
            path.unlink()
    (project.root / "tschema.toml").write_text(IN_PLACE_CONFIG)

    def one(body: str, chain: str = "", *, takes_over: bool) -> tuple[str, str]:
        header = project.root / "include" / "toy" / "point.h"
        header.parent.mkdir(exist_ok=True)
        (header.parent / "base.h").write_text("#pragma once\n")
        text = f"{HEAD}class PointNode : public ffi::Object {{\n public:\n{body}}};\n"
        header.write_text(text + TAIL.replace("{chain}", chain))
        before = header.read_text()
        imported = project.run("import", "--headers", "include")
        assert imported.status == 0, imported.err
        (schema,) = (project.root / "schema").rglob("*.py")
        if takes_over:
            schema.write_text(schema.read_text().replace('    register = "hand"\n', ""))
        done = project.run("gen", "--adopt")
        assert done.status == 0, done.err
        after = header.read_text()
        if not takes_over:
            # Nothing at all is added but markers.
            lines = [line for line in after.splitlines(keepends=True) if "// tschema: " not in line]
            assert "".join(lines) == before
        assert project.run("gen", "--adopt", "--check").status == 0
        return _added(before, after), done.err

    return one


def _added(before: str, after: str) -> str:
    """Return the lines that are new, without markers."""
    standing = before.splitlines()
    new: list[str] = []
    for line in after.splitlines():
        if "// tschema: " in line:
            continue
        if line in standing:
            standing.remove(line)
        else:
            new.append(line)
    return "\n".join(new)


FINAL = '  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("toy.Point", PointNode, ffi::Object);\n'
OPEN = '  TVM_FFI_DECLARE_OBJECT_INFO("toy.Point", PointNode, ffi::Object);\n'
X = "  int64_t x = 0;\n"
RO = '.def_ro("x", &PointNode::x)'
BOTH = pytest.mark.parametrize("takes_over", [False, True], ids=["by hand", "taken over"])


@BOTH
@pytest.mark.parametrize("macro", [FINAL, OPEN])
def test_no_child_slots(adopt: Adopt, macro: str, takes_over: bool) -> None:
    added, _ = adopt(X + macro, RO, takes_over=takes_over)
    assert "_type_child_slots" not in added


@BOTH
def test_no_structural_kind_and_no_mutability(adopt: Adopt, takes_over: bool) -> None:
    added, _ = adopt(X + FINAL, RO, takes_over=takes_over)
    assert "constexpr" not in added


@BOTH
@pytest.mark.parametrize(
    "constructor", ["  PointNode() = default;\n", "  PointNode() : x(1) {}\n", ""]
)
def test_no_second_default_constructor(adopt: Adopt, constructor: str, takes_over: bool) -> None:
    added, _ = adopt(X + constructor + FINAL, RO, takes_over=takes_over)
    assert "PointNode(" not in added


@pytest.mark.parametrize(
    "constructor",
    [
        "  template <typename T>\n  explicit PointNode(T x) : x(x) {}\n",
        "  explicit PointNode(int32_t x) : x(x) {}\n",
        "  PointNode(int64_t x, int64_t scale = 1) : x(x * scale) {}\n",
    ],
)
@BOTH
def test_no_constructor_beside_one_that_a_call_could_mean(
    adopt: Adopt, constructor: str, takes_over: bool
) -> None:
    added, said = adopt(X + constructor + FINAL, RO, takes_over=takes_over)
    assert "PointNode(" not in added
    reason = "`PointNode` stays by hand: a call of the constructor that it lacks could mean one"
    assert (reason in said) == takes_over


@BOTH
def test_no_protected_access(adopt: Adopt, takes_over: bool) -> None:
    added, _ = adopt(X + "  PointNode() = default;\n" + OPEN, RO, takes_over=takes_over)
    assert "protected:" not in added


@BOTH
def test_no_copy_constructor_for_a_class_that_deletes_it(adopt: Adopt, takes_over: bool) -> None:
    body = X + "  PointNode() = default;\n  PointNode(const PointNode&) = delete;\n" + FINAL
    added, said = adopt(body, RO, takes_over=takes_over)
    assert added == ""
    assert ("`PointNode` stays by hand: it deletes its copy constructor" in said) == takes_over


@BOTH
def test_no_writable_field_where_one_was_read_only(adopt: Adopt, takes_over: bool) -> None:
    body = X + "  int64_t y = 0;\n  static constexpr bool _type_mutable = true;\n" + FINAL
    added, said = adopt(body, f'{RO}.def_rw("y", &PointNode::y)', takes_over=takes_over)
    assert added == ""
    assert ("it registers `x` read-only, and the schema has it writable" in said) == takes_over


@BOTH
def test_no_default_where_the_registration_has_none(
    adopt: Adopt, project: Project, takes_over: bool
) -> None:
    body = "  int64_t x;\n  explicit PointNode(int64_t x) : x(x) {}\n" + FINAL
    adopt(body, RO, takes_over=takes_over)
    source = "".join(path.read_text() for path in (project.root / "src").rglob("*.cc"))
    assert "HasDefault" not in source


@BOTH
def test_no_second_doc_above_a_member(adopt: Adopt, takes_over: bool) -> None:
    body = "  int64_t x = 0;  ///< Its place.\n  int64_t y = 0;  //!< The other one.\n" + FINAL
    added, _ = adopt(body, f'{RO}.def_ro("y", &PointNode::y)', takes_over=takes_over)
    assert "place" not in added
    assert "other one" not in added


@BOTH
def test_no_include_of_the_file_itself_and_none_in_the_wrong_group(
    adopt: Adopt, project: Project, takes_over: bool
) -> None:
    body = X + "\n private:\n  std::string name_;\n\n public:\n" + FINAL
    added, _ = adopt(body, RO, takes_over=takes_over)
    assert "point.h" not in added
    text = (project.root / "include/toy/point.h").read_text()
    kinds = [
        "own" if line.startswith('"') else "library" if "/" in line else "standard"
        for line in re.findall(r"#include ([<\"].*)", text)
    ]
    assert kinds == sorted(kinds, key=["own", "library", "standard"].index)


@BOTH
def test_no_destructor_and_no_visitor(adopt: Adopt, takes_over: bool) -> None:
    body = "  ffi::ObjectRef child;\n" + FINAL
    added, _ = adopt(body, '.def_ro("child", &PointNode::child)', takes_over=takes_over)
    for word in ("~PointNode", "VisitAttrs", "SEqualReduce", "SHashReduce", "Release"):
        assert word not in added
    assert "#include" not in added


def test_a_generated_child_gets_the_constructors_that_it_calls(
    adopt: Adopt, project: Project
) -> None:
    body = "  int64_t x;\n  explicit PointNode(int64_t x) : x(x) {}\n" + OPEN
    adopt(body, RO, takes_over=True)
    (schema,) = (project.root / "schema").rglob("*.py")
    schema.write_text(
        schema.read_text()
        + '\n\n@declare\nclass PixelNode(PointNode):\n    """A pixel."""\n\n'
        + '    type_key = "toy.Pixel"\n    y: ty.int64_t = field(doc="Its row.")\n'
    )
    text = schema.read_text()
    schema.write_text(
        re.sub(r"(from tschema import Object, declare)(?!.*field)", r"\1, field", text)
    )
    header = project.root / "include/toy/pixel.h"
    names = ("PixelNode", "Pixel")
    blocks = "".join(f"// tschema: {name}\n// tschema: end\n" for name in names)
    header.write_text(f'#pragma once\n#include "point.h"\nnamespace toy {{\n{blocks}}}\n')
    done = project.run("gen")
    assert done.status == 0, done.err
    assert "~PointNode" not in (project.root / "include/toy/point.h").read_text()
    assert (
        "explicit PointNode(::tvm::ffi::UnsafeInit)"
        in (project.root / "include/toy/point.h").read_text()
    )
    assert "PixelNode(" in header.read_text()
