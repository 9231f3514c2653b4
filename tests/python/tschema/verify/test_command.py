"""`tschema verify`, through the whole command and on the project itself."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from tschema.diagnostics.errors import Diagnostic
from tschema.ir.codec import decode
from tschema.ir.locate import Locator
from tschema.ir.model import Function, Method, Schema, Type, TypeRef
from tschema.verify import library
from tschema.verify.library import check_library

from ..conftest import Project, Result

ROOT = Path(__file__).resolve().parents[4]
LIBRARY = ROOT / "build" / "lib" / "libuir.so"
CONFIG = """\
package = "toy"
schema = ["schema"]

[cpp]
include = "generated/include"
source = "generated/src"
"""
SCHEMA = '''\
"""Points."""

from tschema import Object, declare, field, function, method, ty


@declare
class PointNode(Object):
    """
    A point.

    Attributes
    ----------
    x
        Its place.
    """

    type_key = "toy.ir.Point"
    post_init = True
    x: ty.int64_t

    @method
    def square_norm(self) -> int:
        """Return the norm, squared."""
        ...


@function
def origin() -> PointNode:
    """Return the origin."""
    ...
'''
SOURCE = """\
#include <toy/ir/shape.h>

namespace toy::ir {

void PointNode::PostInit() {}

int64_t PointNode::SquareNorm() const { return x * x; }

Point origin() { return Point(0); }

}  // namespace toy::ir
"""
EQUAL = "bool SEqualReduce(const PointNode* other, tschema::SEqualReducer equal) const"

Verify = Callable[..., Result]


@pytest.fixture
def verify(project: Project) -> Verify:
    """Return a function that verifies a project with a C++ source and a custom region."""
    (project.root / "tschema.toml").write_text(CONFIG)
    project.schema.write_text(SCHEMA)
    assert project.run("gen").status == 0

    def run(*arguments: str, region: str = "", off: str = "", **sources: str) -> Result:
        lines = "".join(f"    default_{one} = False\n" for one in off.split())
        project.schema.write_text(SCHEMA.replace("    x: ty", f"{lines}    x: ty"))
        assert project.run("gen").status == 0
        header = project.root / "generated" / "include" / "toy" / "ir" / "shape.h"
        head, begin, tail = header.read_text().partition("// tschema: PointNode\n")
        before, mark, after = tail.partition("  // tschema: custom-begin\n")
        after = after[after.index("  // tschema: custom-end") :]
        header.write_text(head + begin + before + mark + region + after)
        shutil.rmtree(project.root / "src", ignore_errors=True)
        for name, text in (sources or {"shape": SOURCE}).items():
            path = project.root / "src" / f"{name}.cc"
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        return project.run("verify", *arguments)

    return run


def test_all_is_well(verify: Verify) -> None:
    result = verify()
    assert (result.status, result.out, result.err) == (0, "", "")
    said = verify("-v").err
    assert "C++ files were read" in said
    assert "no built library was found: its registrations were not checked" in said


def test_each_missing_body_is_located(verify: Verify) -> None:
    result = verify(shape="#include <toy/ir/shape.h>\n")
    assert result.status == 1
    assert result.err == (
        "schema/ir/shape.py:7:7: error[TS072]: no source defines `PostInit` of `PointNode`\n"
        "    7 | class PointNode(Object):\n"
        "      |       ^^^^^^^^^\n"
        "  help: write `toy::ir::PointNode::PostInit` in one of the `sources` of `[verify]`\n"
        "schema/ir/shape.py:22:9: error[TS072]: no source defines method `square_norm` of "
        "`PointNode`\n"
        "   22 |     def square_norm(self) -> int:\n"
        "      |         ^^^^^^^^^^^\n"
        "  help: write `toy::ir::PointNode::SquareNorm` in one of the `sources` of `[verify]`\n"
        "schema/ir/shape.py:28:5: error[TS072]: no source defines function `origin`\n"
        "   28 | def origin() -> PointNode:\n"
        "      |     ^^^^^^\n"
        "  help: write `toy::ir::origin` in one of the `sources` of `[verify]`\n"
        "tschema: 3 errors in hand-written code\n"
    )


@pytest.mark.parametrize(
    "noise", ["// {}", "/* {} */", 'const char* s = R"({})";', "#if 0\n{}\n#endif"]
)
def test_comments_and_strings_are_no_definitions(verify: Verify, noise: str) -> None:
    body = "void PointNode::PostInit() {}"
    assert body in SOURCE
    result = verify(shape=SOURCE.replace(body, noise.replace("{}", body, 1)))
    assert result.status == 1
    assert result.err.count("error[TS072]") == 1


def test_a_similar_name_is_shown(verify: Verify) -> None:
    result = verify(shape=SOURCE.replace("SquareNorm", "SquaredNorm"))
    assert "note: src/shape.cc:7:20: `SquaredNorm` is defined here" in result.err


def test_a_body_may_be_in_the_custom_region(verify: Verify) -> None:
    region = "  int64_t SquareNorm() const { return x * x; }\n"
    line = next(line for line in SOURCE.splitlines() if "SquareNorm" in line)
    assert verify(region=region, shape=SOURCE.replace(line, "")).status == 0


def test_a_source_has_to_include_the_header(verify: Verify) -> None:
    result = verify(shape=SOURCE.replace("#include <toy/ir/shape.h>", '#include "other.h"'))
    assert result.status == 1
    assert "src/shape.cc:5:17: error[TS073]: `src/shape.cc` defines `PostInit`" in result.err
    assert "help: write `#include <toy/ir/shape.h>`" in result.err


def test_a_header_may_be_included_through_others(verify: Verify, project: Project) -> None:
    for name, include in (("one.h", '"./two.h"'), ("two.h", "<toy/ir/shape.h>")):
        (project.root / name).write_text(f"#include {include}\n")
    text = SOURCE.replace("<toy/ir/shape.h>", '"../one.h"')
    assert verify(shape=text).status == 0
    (project.root / "two.h").write_text('#include "one.h"\n')
    assert verify(shape=text).status == 1


@pytest.mark.parametrize(
    "written",
    [
        f"{EQUAL} {{ return true; }}",
        f"inline {EQUAL}\n  {{\n    return equal(x, other->x);\n  }}",
        "bool SEqualReduce(const PointNode *, tschema::SEqualReducer) const { return true; }",
        "bool SEqualReduce(const PointNode* o, ::tschema::SEqualReducer e) const { return 1; }",
        f"// {EQUAL.replace('bool', 'int')};\n  {EQUAL};",
    ],
)
def test_signatures_that_are_right(verify: Verify, written: str) -> None:
    region = f"  int Other() {{ return 1; }}\n  {written}\n"
    result = verify(region=region, off="sequal_reduce")
    assert (result.status, result.err) == (0, "")


@pytest.mark.parametrize(
    "written",
    [
        f"{EQUAL.replace('bool', 'void')} {{}}",
        f"{EQUAL.removesuffix(' const')} {{ return true; }}",
        f"static {EQUAL.removesuffix(' const')} {{ return true; }}",
        EQUAL.replace("const PointNode*", "const Point&") + ";",
        EQUAL.replace("tschema::", "") + ";",
        EQUAL.replace("SEqualReducer equal", "SEqualReducer& equal") + ";",
        EQUAL.replace("PointNode* other, ", "") + ";",
        f"{EQUAL};\n  void SHashReduce(tschema::SHashReducer hash_reduce) {{ }}",
        f"{EQUAL};\n  void VisitAttrs(AttrVisitor* v) {{ }}",
    ],
)
def test_signatures_that_are_wrong(verify: Verify, written: str) -> None:
    off = "sequal_reduce"
    off += " shash_reduce" if "SHash" in written else " visit_attrs" if "Visit" in written else ""
    result = verify(region=f"\n  // Mine.\n  {written}\n", off=off)
    assert result.status == 1
    assert result.err.count("error[TS071]") == 1
    assert "generated/include/toy/ir/shape.h:" in result.err
    assert "help: write `" in result.err


def test_a_method_that_is_turned_off_is_required(verify: Verify) -> None:
    result = verify(off="sequal_reduce")
    assert result.status == 1
    assert "error[TS070]: the custom region of `PointNode` lacks `SEqualReduce`" in result.err
    assert "note: schema/ir/shape.py:7:7: `default_sequal_reduce = False` requires it" in result.err
    assert f"help: write `{EQUAL}`" in result.err
    assert verify(region=f"  {EQUAL};\n", off="sequal_reduce").status == 0


def test_a_method_that_is_emitted_is_not_written(verify: Verify) -> None:
    result = verify(region=f"  {EQUAL};\n")
    assert result.status == 1
    message = "error[TS078]: `SEqualReduce` of `PointNode` is both generated and written by hand"
    assert message in result.err
    assert "help: declare the class with `default_sequal_reduce = False`" in result.err


def test_a_class_without_structural_behaviour(verify: Verify) -> None:
    off = "visit_attrs sequal_reduce shash_reduce"
    assert verify(off=off).status == 0
    result = verify(off=off, region=f"  {EQUAL};\n")
    assert result.err.count("error[TS070]") == 2


def test_classes_of_one_name_are_told_apart(verify: Verify, project: Project) -> None:
    twin = project.root / "schema" / "tir" / "shape.py"
    twin.parent.mkdir()
    twin.write_text(SCHEMA.replace("toy.ir.", "toy.tir."))
    assert project.run("gen").status == 0
    other = SOURCE.replace("toy/ir/", "toy/tir/").replace("toy::ir", "toy::tir")
    assert verify(ir=SOURCE, tir=other).status == 0
    result = verify(ir=SOURCE, tir=other.replace("<toy/tir/shape.h>", "<toy/ir/shape.h>"))
    assert result.err.count("does not include `generated/include/toy/tir/shape.h`") == 2


def test_missing_generated_code(verify: Verify, project: Project) -> None:
    header = project.root / "generated" / "include" / "toy" / "ir" / "shape.h"
    verify()
    header.unlink()
    result = project.run("verify")
    assert result.status == 1
    assert "schema/ir/shape.py:1:1: error[TS074]: the header" in result.err
    assert "PointNode" not in result.err


def test_wrong_markers_are_wrong_input(verify: Verify, project: Project) -> None:
    assert verify(shape=f"{SOURCE}// tschema: custom-begin\n").status == 2


def test_a_project_without_cpp(project: Project) -> None:
    result = project.run("verify", "-v")
    assert result.status == 0
    assert "there is no table `[cpp]`" in result.err


def test_builds_and_other_projects_are_left_out(verify: Verify, project: Project) -> None:
    for folder, mark in (("build", "CMakeCache.txt"), ("other", "tschema.toml"), (".hidden", "x")):
        (project.root / folder).mkdir()
        (project.root / folder / mark).touch()
        (project.root / folder / "bad.cc").write_text("// tschema: custom-begin\n")
    assert verify().status == 0


def test_the_sources_can_be_configured(verify: Verify, project: Project) -> None:
    config = project.root / "tschema.toml"
    config.write_text(CONFIG + '\n[verify]\nsources = ["source/*.cc"]\n')
    assert verify().status == 1
    (project.root / "source").mkdir()
    (project.root / "src" / "shape.cc").rename(project.root / "source" / "shape.cc")
    assert project.run("verify").status == 0


def test_a_library_that_is_none(verify: Verify, project: Project) -> None:
    built = project.root / "build" / "libtoy.so"
    built.parent.mkdir()
    built.write_text("no library")
    result = verify()
    assert result.status == 1
    assert "error[TS075]" in result.err
    assert "libtoy.so" in result.err
    assert "there is no such file" in verify("--library", "x/nothing.so").err


def test_a_library_of_something_else(verify: Verify) -> None:
    result = verify("--library", "libm.so.6")
    assert result.status == 1
    assert "error[TS076]: `libm.so.6` registers no type of package `toy`" in result.err


def test_uir_is_right(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    result = project.run("verify", "-v")
    assert result.status == 0, result.err
    assert "libuir.so` were checked" in result.err


@pytest.fixture(scope="module")
def schema() -> Schema:
    return decode((ROOT / "generated" / "schema.json").read_bytes())


def changed(schema: Schema, key: str, change: Callable[[Type], Type]) -> Schema:
    """Return a schema with one type changed."""
    spaces = tuple(
        replace(space, types=tuple(change(one) if one.key == key else one for one in space.types))
        for space in schema.namespaces
    )
    return replace(schema, namespaces=spaces)


def found(schema: Schema) -> list[Diagnostic]:
    return list(check_library(schema, LIBRARY, Locator(ROOT, schema)))


def test_the_registry_is_compared_with_the_schema(schema: Schema) -> None:
    assert found(schema) == []


def test_another_layout(schema: Schema) -> None:
    def change(one: Type) -> Type:
        return replace(one, layout=replace(one.layout, digest="0" * 16))

    (fault,) = found(changed(schema, "uir.ir.IntImm", change))
    assert fault.code == "TS076"
    assert "registers type `uir.ir.IntImm` with another layout" in fault.message
    assert str(fault.span).startswith("schema/ir/expr.py:")


def test_a_type_that_is_not_registered(schema: Schema) -> None:
    def change(one: Type) -> Type:
        return replace(one, key="uir.ir.IntIm")

    (fault,) = found(changed(schema, "uir.ir.IntImm", change))
    assert (fault.code, fault.message) == (
        "TS076",
        "`libuir.so` does not register type `uir.ir.IntIm`",
    )


def test_a_method_and_a_function_that_are_not_registered(schema: Schema) -> None:
    method = Method(name="nothing", returns=TypeRef(kind="None"))
    altered = changed(schema, "uir.ir.Span", lambda one: replace(one, methods=(method,)))
    first, *rest = altered.namespaces
    function = Function(name="nil", key="uir.ir.nil", returns=TypeRef(kind="None"))
    first = replace(first, functions=(*first.functions, function))
    faults = found(replace(altered, namespaces=(first, *rest)))
    assert sorted(fault.message for fault in faults) == [
        "`libuir.so` does not register function `uir.ir.nil`",
        "`libuir.so` does not register method `nothing` of `uir.ir.Span`",
    ]
    assert {fault.code for fault in faults} == {"TS077"}


def test_types_of_another_library(schema: Schema, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = library._probe(schema, LIBRARY)
    assert not isinstance(answer, str)
    types, functions = answer
    types["uir.ir.IntImm"] = replace(types["uir.ir.IntImm"], owner="/lib/libother.so")
    monkeypatch.setattr(library, "_probe", lambda *_: (types, functions))
    (fault,) = found(schema)
    assert fault.message == (
        "type `uir.ir.IntImm` is registered by `/lib/libother.so`, not by `libuir.so`"
    )
