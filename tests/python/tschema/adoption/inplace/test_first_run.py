"""The first `tschema gen --adopt` over a code base: it adds lines, and changes none."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from tschema.importer.headers import read_headers
from tschema.verify.hand_registrations import find_registrations

from .conftest import Project


def sources(root: Path) -> dict[Path, list[str]]:
    """Return the lines of the author's files."""
    found = [*root.glob("include/**/*.h"), *root.glob("src/*.cc")]
    return {path: path.read_text().splitlines(keepends=True) for path in found}


class Everything:
    """A container that has every name."""

    def __contains__(self, _name: object) -> bool:
        return True


def _take_over(atlas: Project) -> None:
    """Let generated code register all classes."""
    for path in (atlas.root / "schema").rglob("*.py"):
        path.write_text(path.read_text().replace('    register = "hand"\n', ""))


def is_subsequence(lines: Sequence[object], longer: Sequence[object]) -> bool:
    rest = iter(longer)
    return all(line in rest for line in lines)


def test_the_first_run_adds_lines_and_the_second_changes_nothing(atlas: Project) -> None:
    before = sources(atlas.root)
    done = atlas.run("gen", "--adopt")
    assert (done.status, "error" in done.err) == (0, False)
    after = sources(atlas.root)
    assert before.keys() == after.keys()
    for path, lines in before.items():
        assert is_subsequence(lines, after[path]), path
    # The author's own code goes on to register the classes.
    unchanged = {path.name for path in before if before[path] == after[path]}
    assert unchanged == {"geometry.cc", "expr.cc", "options.cc"}
    markers = [line for lines in after.values() for line in lines if "// tschema: " in line]
    assert sum(map(len, after.values())) - sum(map(len, before.values())) == len(markers)
    again = atlas.run("gen", "--adopt")
    assert (again.status, again.out) == (0, "")
    assert atlas.run("gen", "--check").status == 0
    assert sources(atlas.root) == after


@pytest.mark.parametrize(
    "style", ["{BasedOnStyle: LLVM, NamespaceIndentation: All}", "WebKit", "windows"]
)
def test_any_layout_stays(atlas: Project, style: str) -> None:
    (atlas.root / ".clang-format").unlink()
    paths = list(sources(atlas.root))
    if style == "windows":
        for path in paths:
            path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    else:
        subprocess.run(["clang-format", "-i", f"--style={style}", *paths], check=True)
    before = {path: path.read_bytes().splitlines(keepends=True) for path in paths}
    assert atlas.run("gen", "--adopt").status == 0
    for path, lines in before.items():
        after = path.read_bytes().splitlines(keepends=True)
        assert is_subsequence(lines, after), path
        assert not [line for line in after if line.startswith(b" ") and not line.strip()]
    assert atlas.run("gen", "--check").status == 0


def test_classes_of_each_idiom_are_adopted(atlas: Project) -> None:
    atlas.run("gen", "--adopt")
    text = "".join("".join(lines) for lines in sources(atlas.root).values())
    assert text.count("// tschema: end ") == 30 * 2 + 1
    assert text.count("refl::ObjectDef<") == 30
    assert len(find_registrations(text.encode(), Everything())) == 30


def read(root: Path) -> dict[str | None, tuple[list[str], list[str]]]:
    """Return the registered fields and the methods of each class, as an import finds them."""
    found = read_headers([root / "include", root / "src"], root)
    return {
        one.key: (
            [field.name for field in one.fields if field.registered],
            [method.name for method in one.methods],
        )
        for one in found.classes
    }


def test_an_import_finds_in_adopted_classes_what_it_found_before(atlas: Project) -> None:
    before = read(atlas.root)
    assert before["atlas.options.Margin"] == (["left", "right", "top", "bottom"], ["fill"])
    atlas.run("gen", "--adopt")
    assert read(atlas.root) == before


def test_other_folders_and_dry_runs_leave_the_files_alone(atlas: Project) -> None:
    before = sources(atlas.root)
    planned = atlas.run("gen", "--adopt", "--dry-run")
    assert "would write include/acme/expr.h\n" in planned.out
    assert sources(atlas.root) == before
    assert atlas.run("gen", "--adopt", "--out-dir", "elsewhere").status == 0
    assert sources(atlas.root) == before
    assert "// tschema: " in (atlas.root / "elsewhere" / "include/acme/expr.h").read_text()


def test_classes_that_the_schema_lacks_stay_as_they_are(atlas: Project) -> None:
    before = sources(atlas.root)
    for folder in ("ir", "options"):
        shutil.rmtree(atlas.root / "schema" / folder)
    config = atlas.root / "tschema.toml"
    config.write_text(config.read_text().partition("[cpp.namespaces]")[0])
    assert atlas.run("gen", "--adopt").status == 0
    changed = {path.name for path, lines in sources(atlas.root).items() if lines != before[path]}
    assert changed == {"geometry.h"}


def test_without_adopt_the_missing_blocks_are_told(atlas: Project) -> None:
    assert atlas.run("gen").status == 0
    _take_over(atlas)
    refused = atlas.run("gen")
    assert refused.status == 2
    assert "`atlas.PointNode` has no block" in refused.err
    assert "`tschema gen --adopt` puts a block around the class" in refused.err


def test_a_member_that_the_schema_gains_goes_above_the_region(atlas: Project) -> None:
    atlas.run("gen", "--adopt")
    schema = atlas.root / "schema" / "geometry.py"
    text = schema.read_text().replace("        Its radius, not negative.", "        Its radius.")
    schema.write_text(text)
    assert atlas.run("gen").status == 0
    header = (atlas.root / "include/atlas/geometry.h").read_text()
    assert "  /*! \\brief Its radius. */\n  double radius;\n" in header
    assert "Its radius, not negative. */" not in header


def test_a_field_that_the_schema_gains_is_all_that_is_added(atlas: Project) -> None:
    atlas.run("gen", "--adopt")
    path = atlas.root / "include/atlas/geometry.h"
    before = sources(atlas.root)[path]
    schema = atlas.root / "schema" / "geometry.py"
    text = schema.read_text().replace(
        "    radius: ty.float64\n", "    radius: ty.float64\n    turns: ty.int64_t = 1\n"
    )
    schema.write_text(text)
    assert atlas.run("gen").status == 0
    after = sources(atlas.root)[path]
    added = [line for line in after if line not in before and "// tschema: end " not in line]
    assert added == ["  int64_t turns = 1;\n"]
    assert len(after) == len(before) + 1


def test_an_enum_with_other_values_is_told(atlas: Project) -> None:
    header = atlas.root / "include/acme/expr.h"
    text = header.read_text()
    name = re.search(r"enum class (\w+)[^{]*\{[^}]*", text)
    assert name is not None
    header.write_text(text[: name.end()] + "  kUnknown = 77,\n" + text[name.end() :])
    done = atlas.run("gen", "--adopt")
    what = f"`{name[1]}` stays by hand: its members have other names or values than in the schema"
    assert what in done.err


def test_a_field_of_another_type_is_told(atlas: Project) -> None:
    schema = atlas.root / "schema" / "geometry.py"
    schema.write_text(schema.read_text().replace("radius: ty.float64", "radius: ty.float32"))
    before = sources(atlas.root)
    what = "warning[TS154]: `CircleNode` stays by hand: it differs from"
    strict = atlas.run("gen", "--adopt", "--strict")
    assert strict.status == 1
    assert what in strict.err
    assert sources(atlas.root) == before
    done = atlas.run("gen", "--adopt")
    assert done.status == 0
    assert what in done.err
    assert "`float radius;`" in done.err
    header = (atlas.root / "include/atlas/geometry.h").read_text()
    assert "tschema: CircleNode" not in header
    assert "tschema: Circle\n" not in header
    assert "tschema: BoxNode" in header
    assert atlas.run("gen", "--check").status == 0


def test_a_class_is_taken_out_of_its_block_again(atlas: Project) -> None:
    before = sources(atlas.root)
    atlas.run("gen", "--adopt")
    gone = atlas.run("unadopt", "CircleNode", "atlas.Box")
    assert gone.status == 0
    assert gone.out.count("has no block any more") == 4
    header = (atlas.root / "include/atlas/geometry.h").read_text()
    assert "tschema: CircleNode" not in header
    assert atlas.run("gen", "--check").status == 0
    names = [f"{key}Node" for key in ("Point", "Shape", "Segment", "Polyline", "Text", "Group")]
    assert atlas.run("unadopt", *names, "MarkerNode", "SceneNode").status == 0
    path = atlas.root / "include/atlas/geometry.h"
    assert sources(atlas.root)[path] == before[path]
    assert "declares no class `Nothing`" in atlas.run("unadopt", "Nothing").err


def test_a_body_goes_to_the_source_of_its_header(atlas: Project) -> None:
    (atlas.root / "src" / "expr.cc").rename(atlas.root / "src" / "other.cc")
    atlas.run("gen", "--adopt")
    schema = atlas.root / "schema" / "geometry.py"
    schema.write_text(
        schema.read_text().replace(
            '    @method(cpp="&PointNode::Norm")\n',
            "    @method\n    def scaled(self, by: ty.float64) -> ty.float64:\n"
            '        """Scaled."""\n        ...\n\n    @method(cpp="&PointNode::Norm")\n',
        )
    )
    header = atlas.root / "include/atlas/geometry.h"
    header.write_text(
        header.read_text().replace(
            "  PointNode(double x, double y) :",
            "  double Scaled(double by) const;\n  PointNode(double x, double y) :",
        )
    )
    assert atlas.run("gen").status == 0
    source = atlas.root / "src" / "geometry.cc"
    before = source.read_text()
    done = atlas.run("stub")
    assert (done.status, "is new" in done.err) == (0, False), done.err
    text = source.read_text()
    assert "double PointNode::Scaled(double by) const {" in text
    assert text.count("geometry.h") == before.count("geometry.h")


def test_a_registered_class_keeps_its_block(atlas: Project) -> None:
    _take_over(atlas)
    atlas.run("gen", "--adopt")
    refused = atlas.run("unadopt", "PointNode")
    assert refused.status == 2
    assert "generated code registers `PointNode`" in refused.err


def test_registrations_that_are_taken_over_go(atlas: Project) -> None:
    _take_over(atlas)
    geometry = atlas.root / "schema" / "geometry.py"
    geometry.write_text(
        re.sub(r"    @method[^\n]*\n    def norm.*?\n\n\n", "\n", geometry.read_text(), flags=re.S)
    )
    taken = atlas.run("gen", "--adopt")
    assert taken.status == 0
    assert "`PointNode` stays by hand: its chain registers `norm` here" in taken.err
    text = "".join("".join(lines) for lines in sources(atlas.root).values())
    assert text.count("ObjectDef<") == 2
    # A class is mutable as a whole: this one has a field that nobody may write.
    assert "`OpNode` stays by hand: it registers `name` read-only, and the schema has" in taken.err
    assert "#if 0" not in text
    assert atlas.run("gen", "--check").status == 0


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        (
            "    radius: ty.float64\n",
            "    radius: ty.float64 = 1.5\n",
            "it registers `radius` with no default, and the schema has the default 1.5",
        ),
        (
            "    radius: ty.float64\n",
            '    radius: ty.float64 = field(structural="ignore")\n',
            "it registers `radius` with structural = None, and the schema has ignore",
        ),
        (
            '    type_key = "atlas.Circle"\n',
            '    type_key = "atlas.Circle"\n    structural = "dag"\n',
            "its structural kind is tree, and would be dag",
        ),
        (
            '    type_key = "atlas.Circle"\n',
            '    type_key = "atlas.Circle"\n    mutable = True\n',
            "it registers `center` read-only, and the schema has it writable",
        ),
    ],
)
def test_a_class_that_would_be_registered_otherwise_stays(
    atlas: Project, before: str, after: str, reason: str
) -> None:
    _take_over(atlas)
    geometry = atlas.root / "schema" / "geometry.py"
    text = geometry.read_text().replace(
        "import Object, declare, method", "import Object, declare, field, method"
    )
    assert before in text
    geometry.write_text(text.replace(before, after))
    taken = atlas.run("gen", "--adopt")
    assert taken.status == 0
    assert f"`CircleNode` stays by hand: {reason}" in taken.err
    header = (atlas.root / "include/atlas/geometry.h").read_text()
    assert "ObjectDef<CircleNode>" in header
    assert "ObjectDef<PointNode>" not in header


def test_a_doc_that_says_otherwise_stays_above_the_block(atlas: Project) -> None:
    schema = atlas.root / "schema" / "geometry.py"
    schema.write_text(schema.read_text().replace("    A circle.\n", "    A round thing.\n"))
    assert atlas.run("gen", "--adopt").status == 0
    header = (atlas.root / "include/atlas/geometry.h").read_text()
    assert "/*! \\brief A circle. */\n// tschema: CircleNode\nclass CircleNode :" in header
    assert "A round thing" not in header
    assert atlas.run("gen", "--check").status == 0


def test_a_field_that_would_change_the_layout_is_told(atlas: Project) -> None:
    atlas.run("gen", "--adopt")
    expr = atlas.root / "schema" / "ir" / "expr.py"
    expr.write_text(
        expr.read_text().replace(
            '    value: ty.int64_t = field(cpp_type="Index")\n',
            '    value: ty.int64_t = field(cpp_type="Index")\n    width: ty.int64_t = 0\n',
        )
    )
    before = sources(atlas.root)
    refused = atlas.run("gen")
    assert refused.status == 2
    assert "error[TS153]: field `width` follows `value` in the schema" in refused.err
    assert sources(atlas.root) == before
