"""`tschema gen` in files of the user's: the RFC's example, and what can be wrong."""

from __future__ import annotations

import subprocess

import pytest

from .conftest import CUSTOM, Project

FILLED = """\
// tschema: GlobalVarNode
/*!
 * \\brief Global variable that lives in the top-level module.
 *
 * A GlobalVar only refers to function definitions.
 */
class GlobalVarNode : public ::tvm::ffi::Object {
 public:
  /*! \\brief The name of the variable, this only acts as a hint. */
  ::tvm::ffi::String name_hint;
"""


def replace(project: Project, before: str, after: str) -> None:
    data = project.header.read_bytes()
    assert before.encode() in data
    project.header.write_bytes(data.replace(before.encode(), after.encode(), 1))


def test_the_block_of_the_rfc_is_filled_in(project: Project) -> None:
    before = project.header.read_text()
    made = project.run("gen")
    assert (made.status, made.err) == (0, "")
    text = project.header.read_text()
    assert FILLED in text
    assert f"  // tschema: custom-begin\n{CUSTOM}  // tschema: custom-end\n}};\n" in text
    assert text.startswith(before.partition("// tschema")[0])
    assert text.endswith("\n\n}\n")
    assert project.run("gen", "--check").status == 0
    assert (project.root / "src" / "tschema" / "vars.cc").is_file()
    assert (project.root / "src" / "tschema" / "registry.cc").is_file()


def test_a_block_that_holds_nothing_is_filled_in(project: Project) -> None:
    replace(project, CUSTOM, "")
    replace(project, "// tschema: custom-begin\n// tschema: custom-end\n", "")
    assert project.run("gen").status == 0
    assert FILLED in project.header.read_text()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("#pragma once\n", "#pragma once\r\n\x0c\t \r\n"),
        ("#pragma once\n", "\ufeff#pragma once\r"),
        ("\n\n}\n", "\n\n}"),
        ("\n\n}\n", '\n\n}\n/*\n// tschema: end\n*/\nauto s = R"(\n// tschema: Other\n)";\x00'),
    ],
)
def test_bytes_outside_the_block_stay(project: Project, before: str, after: str) -> None:
    replace(project, before, after)
    data = project.header.read_bytes() + b"\xff\xfe"
    project.header.write_bytes(data)
    made = project.run("gen")
    assert made.status == 0, made.err
    filled = project.header.read_bytes()
    assert filled.partition(b"// tschema")[0] == data.partition(b"// tschema")[0]
    assert (
        filled.partition(b"// tschema: end ")[2].partition(b"\n")[2]
        == (data.partition(b"// tschema: end\n")[2])
    )
    assert project.run("gen", "--check").status == 0


def test_lines_take_the_line_end_and_the_indentation_of_the_marker(project: Project) -> None:
    replace(project, "// tschema: GlobalVarNode\n", "  // tschema: GlobalVarNode\r\n")
    assert project.run("gen").status == 0
    text = project.header.read_bytes()
    assert b"\r\n  class GlobalVarNode : public ::tvm::ffi::Object {\r\n   public:\r\n" in text
    assert project.run("gen", "--check").status == 0


def test_a_missing_include_is_reported(project: Project) -> None:
    replace(project, "#include <tvm/ffi/string.h>\n", "")
    warned = project.run("gen")
    assert warned.status == 0
    assert "include/vars.h:9:1: warning[TS069]" in warned.err
    assert "`#include <tvm/ffi/string.h>`" in warned.err
    assert project.run("gen").err == warned.err


def test_all_missing_includes_are_one_block_to_paste(project: Project) -> None:
    replace(project, "#include <tvm/ffi/string.h>\n", "")
    replace(project, "#include <tvm/ffi/memory.h>\n", "")
    warned = project.run("gen").err
    assert warned.count("TS069") == 1
    assert "warning[TS069]: the file lacks 2 lines that its blocks need\n" in warned
    assert (
        "  help: add these lines outside the blocks: tschema changes nothing there\n"
        "    #include <tvm/ffi/memory.h>\n"
        "    #include <tvm/ffi/string.h>\n"
    ) in warned


def test_text_that_is_not_tschemas_is_not_dropped_unasked(project: Project) -> None:
    replace(project, "// tschema: custom-begin", "class GlobalVarNode {\n// tschema: custom-begin")
    before = project.header.read_bytes()
    stopped = project.run("gen")
    assert stopped.status == 1
    assert "+class GlobalVarNode {\n" in stopped.err
    assert project.header.read_bytes() == before
    assert not (project.root / "src").exists()
    assert project.run("gen", "--discard").status == 0


def test_a_hand_edit_stops_the_run_and_is_adopted(project: Project) -> None:
    project.run("gen")
    replace(project, " public:\n", " public:\n  int mine;\n")
    assert project.run("gen").status == 1
    assert project.run("gen", "--adopt").status == 0
    assert f"{CUSTOM}  int mine;\n  // tschema: custom-end" in project.header.read_text()
    assert project.run("gen", "--check").status == 0


def test_a_class_that_left_takes_its_block_along_if_nobody_wrote_in_it(project: Project) -> None:
    project.run("gen")
    text = project.schema.read_text()
    project.schema.write_text(text.replace("GlobalVar", "Other"))
    refused = project.run("gen")
    assert refused.status == 2
    assert "`toy.OtherNode` has no block" in refused.err
    other = project.header.with_name("other.h")
    includes = project.header.read_text().partition("namespace")[0]
    other.write_text(f"{includes}namespace toy {{\n// tschema: OtherNode\n// tschema: end\n}}\n")
    refused = project.run("gen")
    assert refused.status == 2
    assert "FreeVarEqualImpl" in refused.err
    replace(project, CUSTOM, "")
    assert project.run("gen").status == 0
    assert "// tschema" not in project.header.read_text()
    assert "class OtherNode" in other.read_text()


BY_HAND = """\
// tschema: GlobalVarNode
class GlobalVarNode : public ::tvm::ffi::Object {
 public:
  ::tvm::ffi::String name_hint;

  // The length of the name.
  size_t Length() const {
    return name_hint.size();
  }

 private:
  int uses_ = 0;
};
"""
OWN = BY_HAND.partition("name_hint;\n\n")[2].removesuffix("};\n")


@pytest.mark.parametrize("has_region", [True, False])
def test_the_members_of_a_first_adoption_are_moved_to_the_region(
    project: Project, has_region: bool
) -> None:
    replace(project, "// tschema: GlobalVarNode\n", BY_HAND)
    if not has_region:
        replace(project, f"// tschema: custom-begin\n{CUSTOM}// tschema: custom-end\n", "")
    refused = project.run("gen")
    assert refused.status == 1
    assert "include/vars.h:10:1: error[TS065]" in refused.err
    assert "`--adopt` moves your members there" in refused.err
    assert project.run("gen", "--adopt").status == 0
    kept = f"{CUSTOM}{OWN}" if has_region else OWN
    assert f"  // tschema: custom-begin\n{kept}  // tschema: custom-end\n}};\n" in (
        project.header.read_text()
    )
    assert project.run("gen", "--check").status == 0


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("  // The length of the name.\n", "  // The name.\n  ::tvm::ffi::String name_hint;\n"),
        ("public ::tvm::ffi::Object {", "public Base {"),
    ],
)
def test_a_first_adoption_drops_neither_docs_nor_a_base_class(
    project: Project, before: str, after: str
) -> None:
    replace(project, "// tschema: GlobalVarNode\n", BY_HAND)
    replace(project, before, after)
    for option in ([], ["--adopt"]):
        refused = project.run("gen", *option)
        assert refused.status in (1, 2)
        assert "include/vars.h:10:1: error[TS065]" in refused.err
        assert "move the lines that are yours between `tschema: custom-begin`" in refused.err


def test_a_renamed_class_keeps_its_block(project: Project) -> None:
    project.run("gen")
    text = project.schema.read_text()
    text = text.replace("GlobalVar", "Name")
    text = text.replace('"Name"', '"Name"\n    renamed_from = "GlobalVarNode"')
    project.schema.write_text(text)
    renamed = project.run("gen")
    assert renamed.status == 0, renamed.err
    text = project.header.read_text()
    assert "// tschema: NameNode\n" in text
    assert "GlobalVar" not in text.replace(CUSTOM, "")
    assert CUSTOM in text


def test_a_block_in_two_files_is_an_error(project: Project) -> None:
    project.header.with_name("again.h").write_text("// tschema: GlobalVarNode\n// tschema: end\n")
    refused = project.run("gen")
    assert refused.status == 2
    assert "include/vars.h:10:1: error[TS062]: a second block `GlobalVarNode`" in refused.err
    assert "note: include/again.h:1:1: the first one is here" in refused.err


def test_a_misspelt_block_is_an_error(project: Project) -> None:
    replace(project, "// tschema: GlobalVarNode", "// tschema: GlobalVaNode")
    refused = project.run("gen")
    assert refused.status == 2
    assert "include/vars.h:10:1: error[TS060]" in refused.err
    assert "did you mean `GlobalVarNode`?" in refused.err


def test_a_class_without_a_block_is_an_error(project: Project) -> None:
    project.header.write_text("#pragma once\n")
    refused = project.run("gen")
    assert refused.status == 2
    assert "error[TS068]: `toy.GlobalVarNode` has no block" in refused.err
    assert "add the lines `tschema: GlobalVarNode` and `tschema: end`" in refused.err
    assert not (project.root / "src").exists()


def test_two_namespaces_may_have_a_class_of_one_name(project: Project) -> None:
    for folder in ("ir", "tir"):
        path = project.root / "schema" / folder / "vars.py"
        path.parent.mkdir()
        key = f'"toy.{folder}.GlobalVar"'
        path.write_text(project.schema.read_text().replace('"GlobalVar"', key))
    project.schema.unlink()
    ambiguous = project.run("gen")
    assert ambiguous.status == 2
    assert "may be `toy.ir.GlobalVarNode` and `toy.tir.GlobalVarNode`" in ambiguous.err
    replace(project, "// tschema: GlobalVarNode", "// tschema: ir.GlobalVarNode")
    replace(project, "namespace toy {", "namespace toy::ir {")
    other = "namespace toy::tir {\n// tschema: tir.GlobalVarNode\n// tschema: end\n}\n"
    replace(project, "\n\n}\n", f"\n\n}}\n{other}")
    assert project.run("gen").status == 0
    assert "// tschema: tir.GlobalVarNode\n/*!" in project.header.read_text()
    assert project.run("gen", "--check").status == 0
    # The namespace around a block tells the two apart as well.
    replace(project, "// tschema: ir.GlobalVarNode", "// tschema: GlobalVarNode")
    assert project.run("gen").status == 0
    assert project.run("gen", "--check").status == 0


@pytest.mark.parametrize(
    ("table", "file", "comment", "names"),
    [("python", "py/vars.py", "#", ["GlobalVar"]), ("rust", "rs/vars.rs", "//", ["GlobalVarNode"])],
)
def test_two_classes_of_one_name_in_one_module_are_an_error(
    project: Project, table: str, file: str, comment: str, names: list[str]
) -> None:
    for folder in ("ir", "tir"):
        path = project.root / "schema" / folder / "vars.py"
        path.parent.mkdir()
        key = f'"toy.{folder}.GlobalVar"'
        path.write_text(project.schema.read_text().replace('"GlobalVar"', key))
    project.schema.unlink()
    folder = file.partition("/")[0]
    (project.root / "tschema.toml").write_text(
        f'package = "toy"\nschema = ["schema"]\n[{table}]\nmode = "in_place"\n'
        f'files = ["{folder}/*"]\nsidecar = "{folder}/sidecar"\n'
    )
    (project.root / folder).mkdir()
    blocks = [f"{comment} tschema: {space}.{one}" for space in ("ir", "tir") for one in names]
    (project.root / file).write_text("".join(f"{one}\n{comment} tschema: end\n" for one in blocks))
    refused = project.run("gen")
    assert refused.status == 2
    assert (
        f"{file}:3:1: error[TS022]: `{names[0]}` of `toy.tir` and that of `toy.ir`" in refused.err
    )
    assert f"note: {file}:1:1: the other one is here" in refused.err
    assert not (project.root / folder / "sidecar").exists()
    (project.root / file).with_stem("more").write_text(f"{blocks[1]}\n{comment} tschema: end\n")
    (project.root / file).write_text(f"{blocks[0]}\n{comment} tschema: end\n")
    assert project.run("gen").status == 0


def test_an_unknown_mode_or_key_is_an_error(project: Project) -> None:
    config = project.root / "tschema.toml"
    config.write_text(config.read_text().replace("files =", "include = 'x'\nfiles ="))
    assert "unknown key `include` of `[cpp]`" in project.run("gen").err


STYLE = "BasedOnStyle: LLVM\nIndentWidth: 4\nAccessModifierOffset: -4\n"


def test_blocks_are_laid_out_by_the_style_of_the_project(project: Project) -> None:
    (project.root / ".clang-format").write_text(STYLE)
    assert project.run("gen").status == 0
    text = project.header.read_text()
    assert "\npublic:\n    /*! \\brief The name" in text
    assert f"\n    // tschema: custom-begin\n{CUSTOM}" in text
    assert project.run("gen", "--check").status == 0


def test_what_a_formatter_does_to_a_file_is_no_hand_edit(project: Project) -> None:
    project.run("gen")
    before = project.header.read_bytes()
    style = "{BasedOnStyle: LLVM, IndentWidth: 8, ColumnLimit: 60}"
    subprocess.run(["clang-format", "-i", f"--style={style}", project.header], check=True)
    formatted = project.header.read_bytes()
    assert formatted != before
    assert project.run("gen").status == 0
    text = project.header.read_bytes()
    ends = [line for line in text.splitlines() if b"tschema: end" in line]
    assert [line for line in text.splitlines() if line not in formatted.splitlines()] == ends
    assert project.run("gen", "--check").status == 0


def test_a_style_that_is_wrong_is_told(project: Project) -> None:
    (project.root / ".clang-format").write_text("ColumnLimit: many\n")
    refused = project.run("gen")
    assert refused.status == 3
    assert ".clang-format:1:14: error: invalid number" in refused.err
    assert not (project.root / "src").exists()


@pytest.mark.parametrize(
    ("around", "where"),
    [
        ("namespace toy { namespace inner {", "in namespace `toy::inner`"),
        ("namespace other {", "in namespace `other`"),
        ("}  namespace {", "outside of any namespace"),
    ],
)
def test_a_block_outside_of_its_namespace_is_an_error(
    project: Project, around: str, where: str
) -> None:
    replace(project, "namespace toy {", around)
    before = project.header.read_bytes()
    for arguments in (("gen",), ("gen", "--adopt"), ("gen", "--check")):
        refused = project.run(*arguments)
        assert refused.status == 2
        assert (
            "include/vars.h:10:1: error[TS161]: block `GlobalVarNode` stands "
            f"{where}, and its class is in `toy`\n"
        ) in refused.err
    assert project.header.read_bytes() == before


@pytest.mark.parametrize(
    "around",
    [
        "namespace toy { inline namespace v1 {",
        "namespace toy {\nstruct Farm { int x; };\nnamespace detail { }",
        'extern "C++" { namespace toy {',
        "namespace toy { namespace {",
        "TOY_NAMESPACE_BEGIN",
    ],
)
def test_a_block_inside_of_its_namespace(project: Project, around: str) -> None:
    replace(project, "namespace toy {", around)
    assert project.run("gen").status == 0


def test_a_qualified_block_in_the_namespace_of_the_configuration(project: Project) -> None:
    config = project.root / "tschema.toml"
    config.write_text(config.read_text() + '\n[cpp.namespaces]\n"toy" = "acme::toy"\n')
    assert "TS161" in project.run("gen").err
    replace(project, "namespace toy {", "namespace acme::toy {")
    assert project.run("gen").status == 0


MACRO = '  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("toy.GlobalVar", GlobalVarNode, ::tvm::ffi::Object);\n'


def test_a_macro_that_the_region_gains_is_not_generated_twice(project: Project) -> None:
    project.run("gen")
    replace(project, f"{CUSTOM}", f"{CUSTOM}{MACRO}")
    assert project.header.read_text().count(MACRO.strip()) == 2
    assert project.run("gen").status == 0
    assert project.header.read_text().count(MACRO.strip()) == 1
    assert f"{CUSTOM}{MACRO}  // tschema: custom-end" in project.header.read_text()
    replace(project, MACRO, "")
    assert project.run("gen").status == 0
    assert project.header.read_text().count(MACRO.strip()) == 1


@pytest.mark.parametrize("style", ["merge", "diff3"])
@pytest.mark.parametrize("by_hand", ["", '    register = "hand"\n'])
def test_a_conflict_around_a_macro_resolves_to_one_macro(
    project: Project, style: str, by_hand: str
) -> None:
    def git(*arguments: str) -> int:
        who = ("-c", "user.name=Ann", "-c", "user.email=ann@example.com")
        command = ["git", *who, "-c", f"merge.conflictStyle={style}", *arguments]
        return subprocess.run(command, cwd=project.root, check=False).returncode

    text = project.schema.read_text()
    project.schema.write_text(text.replace("    default_seq", f"{by_hand}    default_seq"))
    replace(project, CUSTOM, f"{CUSTOM}{MACRO}")
    assert project.run("gen").status == 0
    assert project.header.read_text().count(MACRO.strip()) == 1
    git("init", "-q", "--initial-branch=main")
    git("add", "--all")
    git("commit", "-qm", "main")
    for name, body in (
        ("ours", "  int A() { return 1; }\n"),
        ("theirs", "  int B() { return 2; }\n"),
    ):
        git("checkout", "-q", "-b", name, "main")
        changed = MACRO.replace(", GlobalVarNode", f",  /* {name} */ GlobalVarNode")
        replace(project, MACRO, body + changed)
        assert project.run("gen").status == 0
        git("commit", "-qam", name)
    git("checkout", "-q", "ours")
    assert git("merge", "-q", "theirs") == 1
    left = project.run("gen")
    assert left.status == 1
    assert "error[TS170]" in left.err
    lines = project.header.read_text().splitlines(keepends=True)
    first = next(index for index, line in enumerate(lines) if line.startswith("<<<<<<<"))
    last = next(index for index, line in enumerate(lines) if line.startswith(">>>>>>>"))
    # Above and below the conflict, no macro is generated.
    assert "OBJECT_INFO" not in "".join(lines[:first] + lines[last + 1 :])
    resolved = [*lines[:first], MACRO, *lines[last + 1 :]]
    project.header.write_text("".join(resolved))
    assert project.run("gen").status == 0
    assert project.header.read_text().count("OBJECT_INFO_FINAL") == 1
    assert project.run("gen", "--check").status == 0
