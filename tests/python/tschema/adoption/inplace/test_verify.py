"""`tschema verify` in a project whose headers are its author's."""

from __future__ import annotations

import pytest

from tschema.verify import library

from .conftest import CUSTOM, SCHEMA, Project

EQUAL = "bool SEqualReduce(const GlobalVarNode* other, tschema::SEqualReducer equal) const"
SOURCE = """\
#include "../include/vars.h"

namespace toy {

void GlobalVarNode::PostInit() {}

int64_t GlobalVarNode::Uses() const { return 0; }

}  // namespace toy
"""
METHOD = '''
    @method
    def uses(self) -> int:
        """Return the number of uses."""
        ...
'''


@pytest.fixture
def filled(project: Project) -> Project:
    """Return the project with bodies to write, and its block filled in."""
    text = SCHEMA.replace("name_hint: ty.String\n", f"name_hint: ty.String\n{METHOD}")
    text = text.replace("import Object, declare, ty", "import Object, declare, method, ty")
    project.schema.write_text(text.replace("default_shash_reduce = False", "post_init = True"))
    project.header.write_text(project.header.read_text().replace(CUSTOM, f"  {EQUAL};\n"))
    (project.root / "src").mkdir()
    (project.root / "src" / "vars.cc").write_text(SOURCE)
    assert project.run("gen").status == 0
    return project


def edit(project: Project, path: str, before: str, after: str) -> None:
    text = (project.root / path).read_text()
    assert before in text
    (project.root / path).write_text(text.replace(before, after, 1))


def test_all_is_well(filled: Project) -> None:
    result = filled.run("verify", "-v")
    assert result.status == 0, result.err
    assert "no built library was found" in result.err


def test_bodies_that_nobody_has_written_are_located_in_the_schema(filled: Project) -> None:
    (filled.root / "src" / "vars.cc").unlink()
    result = filled.run("verify")
    assert result.status == 1
    assert "schema/vars.py:7:7: error[TS072]: no source defines `PostInit`" in result.err
    assert "schema/vars.py:25:9: error[TS072]: no source defines method `uses`" in result.err
    assert result.err.endswith("tschema: 2 errors in hand-written code\n")


def test_a_source_has_to_include_the_authors_header(filled: Project) -> None:
    edit(filled, "src/vars.cc", '#include "../include/vars.h"', "#include <vector>")
    result = filled.run("verify")
    assert result.status == 1
    assert "src/vars.cc:5:21: error[TS073]: `src/vars.cc` defines `PostInit`" in result.err
    assert "help: include `include/vars.h`" in result.err


def test_the_authors_header_may_be_included_through_the_sidecars(filled: Project) -> None:
    config = filled.root / "tschema.toml"
    config.write_text(config.read_text() + '[verify]\nsources = ["src/*.cc"]\n')
    edit(filled, "src/vars.cc", '"../include/vars.h"', '"tschema/vars.h"')
    sidecar = filled.root / "src" / "tschema" / "vars.h"
    assert '#include "../../include/vars.h"' in sidecar.read_text()
    result = filled.run("verify")
    assert (result.status, result.err) == (0, "")


def test_a_wrong_signature_is_located_in_the_authors_header(filled: Project) -> None:
    edit(filled, "include/vars.h", EQUAL, EQUAL.removesuffix(" const"))
    result = filled.run("verify")
    assert result.status == 1
    assert "error[TS071]: `SEqualReduce` of `GlobalVarNode` has another signature" in result.err
    assert result.err.startswith("include/vars.h:")
    assert f"help: write `{EQUAL}`" in result.err


def test_a_block_that_is_missing_or_not_filled_in(filled: Project) -> None:
    text = filled.header.read_text()
    filled.header.write_text("#pragma once\n// tschema: GlobalVarNode\n// tschema: end\n")
    result = filled.run("verify")
    assert result.status == 1
    where = "include/vars.h:2:1: error[TS074]"
    assert f"{where}: block `GlobalVarNode` has not been filled in" in result.err
    filled.header.write_text("#pragma once\n")
    result = filled.run("verify")
    assert "error[TS074]: no file that is written in place has a block of" in result.err
    filled.header.write_text(text)
    assert filled.run("verify").status == 0


def test_an_example_in_a_string_is_no_block(filled: Project) -> None:
    example = "// tschema: GlobalVarNode\nNot code.\n// tschema: end 01234567\n"
    (filled.root / "include" / "help.h").write_text(f'auto help = R"(\n{example})";\n')
    assert filled.run("verify").status == 0


def test_classes_of_one_name_are_told_apart(filled: Project) -> None:
    """The markers say whose the blocks are; each source includes the header of its own."""
    for folder in ("ir", "tir"):
        schema = filled.root / "schema" / folder / "vars.py"
        schema.parent.mkdir()
        key = f'"toy.{folder}.GlobalVar"'
        schema.write_text(filled.schema.read_text().replace('"GlobalVar"', key))
        header = f"#include <tvm/ffi/tvm_ffi.h>\nnamespace toy::{folder} {{\n"
        header += f"// tschema: {folder}.GlobalVarNode\n"
        region = f"// tschema: custom-begin\n{EQUAL};\n// tschema: custom-end\n"
        path = filled.root / "include" / "toy" / folder / "vars.h"
        path.parent.mkdir(parents=True)
        path.write_text(f"{header}{region}// tschema: end\n}}\n")
        source = SOURCE.replace("toy {", f"toy::{folder} {{")
        source = source.replace('"../include/vars.h"', f"<toy/{folder}/vars.h>")
        (filled.root / "src" / f"{folder}.cc").write_text(source)
    filled.schema.unlink()
    filled.header.unlink()
    (filled.root / "src" / "vars.cc").unlink()
    assert filled.run("gen").status == 0
    result = filled.run("verify")
    assert (result.status, result.err) == (0, "")
    edit(filled, "src/tir.cc", "<toy/tir/vars.h>", "<toy/ir/vars.h>")
    result = filled.run("verify")
    assert result.status == 1
    assert "does not include `include/toy/tir/vars.h`" in result.err
    assert "help: write `#include <toy/tir/vars.h>`" in result.err


MACRO = "  TVM_FFI_DECLARE_OBJECT_INFO_FINAL({}, GlobalVarNode, ::tvm::ffi::Object);\n"


def test_the_key_of_a_macro_is_the_one_of_the_schema(filled: Project) -> None:
    region = "  // tschema: custom-begin\n"
    edit(filled, "include/vars.h", region, region + MACRO.format('"toy.GlobalVar"'))
    assert filled.run("gen").status == 0
    assert filled.run("verify").status == 0
    edit(filled, "include/vars.h", '"toy.GlobalVar"', '"toy.Global"')
    wrong = filled.run("verify")
    assert wrong.status == 1
    line = filled.header.read_text().split('"toy.Global"')[0].count("\n") + 1
    place = f"include/vars.h:{line}:37: error[TS160]"
    assert f"{place}: `GlobalVarNode` has the type key `toy.Global` here" in wrong.err
    assert 'write `"toy.GlobalVar"`' in wrong.err


def test_the_key_of_a_class_without_a_block_too(filled: Project) -> None:
    edit(filled, "schema/vars.py", "default_sequal_reduce = False", 'register = "hand"')
    head = filled.header.read_text().partition("// tschema: GlobalVarNode")[0]
    macro = MACRO.format('"toy.Other"')
    class_text = f"class GlobalVarNode : public ::tvm::ffi::Object {{\n{macro}}};\n}}\n"
    filled.header.write_text(head + class_text)
    wrong = filled.run("verify")
    assert "error[TS160]: `GlobalVarNode` has the type key `toy.Other` here" in wrong.err


def test_a_renamed_class_keeps_no_old_key_unnoticed(filled: Project) -> None:
    region = "  // tschema: custom-begin\n"
    edit(filled, "include/vars.h", region, region + MACRO.format('"toy.GlobalVar"'))
    renamed = filled.run("rename", "toy.GlobalVar", "Symbol")
    assert "`GlobalVar` is named here" in renamed.err
    assert filled.run("gen").status == 0
    wrong = filled.run("verify")
    assert "error[TS160]: `SymbolNode` has the type key `toy.GlobalVar` here" in wrong.err


def test_what_a_library_registers_of_a_class_by_hand(
    filled: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(filled, "schema/vars.py", "default_sequal_reduce = False", 'register = "hand"')
    edit(filled, "schema/vars.py", 'type_key = "GlobalVar"', 'type_key = "toy.Var"')
    found = library._Registered(None, None, frozenset({"uses"}), frozenset({"name_hint"}))
    answer = {"toy.Var": found}
    monkeypatch.setattr(library, "_probe", lambda *_: (answer, frozenset()))
    (filled.root / "libtoy.so").touch()

    def faults() -> str:
        return filled.run("verify", "--library", "libtoy.so").err

    assert "libtoy.so" not in faults()
    answer["toy.Var"] = library._Registered(None, None, frozenset(), frozenset({"hint"}))
    told = faults()
    assert "`libtoy.so` does not register field `name_hint` of `toy.Var`" in told
    assert "`libtoy.so` does not register method `uses` of `toy.Var`" in told
    answer["toy.Variable"] = answer.pop("toy.Var")
    assert "`libtoy.so` does not register type `toy.Var`" in faults()


def test_a_class_inside_of_another_has_a_key_of_its_own(filled: Project) -> None:
    region = "  // tschema: custom-begin\n"
    inner = MACRO.replace("GlobalVarNode", "Inner").format('"toy.Inner"')
    nested = f"  class Inner : public ::tvm::ffi::Object {{\n  {inner}  }};\n"
    edit(filled, "include/vars.h", region, region + nested)
    assert filled.run("gen").status == 0
    assert "TS160" not in filled.run("verify").err
