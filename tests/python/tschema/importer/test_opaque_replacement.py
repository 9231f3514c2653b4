"""A second import declares an opaque class exactly once its missing facts are known."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..conftest import Project

CONFIG = 'package = "toy"\nroots = ["testing"]\nschema = ["schema"]\n'
REGISTRY = ("import", "--registry", "tvm_ffi", "--key", "testing.TestCxxClassHiddenField")
HEADER = """\
class TestCxxClassHiddenFieldNode : public tvm::ffi::Object {
 public:
  /*! \\brief A wide one. */
  int64_t v_i64;
  int64_t hidden;
  /*! \\brief A narrow one. */
  uint32_t v_i32;
  static void R() {
    namespace refl = tvm::ffi::reflection;
    refl::ObjectDef<TestCxxClassHiddenFieldNode>()
        .def_rw("v_i64", &TestCxxClassHiddenFieldNode::v_i64)
        .def_rw("v_i32", &TestCxxClassHiddenFieldNode::v_i32);
  }
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("testing.TestCxxClassHiddenField",
                                    TestCxxClassHiddenFieldNode, tvm::ffi::Object);
};
"""
REFERENCE = """\
class TestCxxClassHiddenField : public tvm::ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(TestCxxClassHiddenField, tvm::ffi::ObjectRef,
                                                TestCxxClassHiddenFieldNode);
};
"""
USER = '''

@declare
class UserNode(Object):
    """What people wrote below it."""

    type_key = "testing.User"
    hidden: TestCxxClassHiddenFieldNode = field(doc="Theirs.")
'''


@pytest.fixture
def opaque(project: Project) -> Project:
    """Return a project with an opaque class, its user, and a header that is not read yet."""
    project.schema.unlink()
    project.schema.parent.rmdir()
    (project.root / "tschema.toml").write_text(CONFIG)
    done = project.run(*REGISTRY)
    assert "0 declared, 0 described, 1 opaque, 0 not" in done.out
    path = schema(project)
    text = path.read_text()
    assert "    extern = True\n    v_i64: ty.int64_t\n" in text
    path.write_text(
        text.replace("import Object, declare, ty", "import Object, declare, field, ty") + USER
    )
    folder = project.root / "include"
    folder.mkdir()
    (folder / "hidden.h").write_text(f"namespace testing {{\n{HEADER}{REFERENCE}}}\n")
    return project


def schema(project: Project) -> Path:
    return next((project.root / "schema").rglob("*.py"))


def test_a_header_makes_it_exact(opaque: Project) -> None:
    path = schema(opaque)
    text = path.read_text()
    doc = 'v_i64: ty.int64_t = field(doc="As people say.")'
    path.write_text(text.replace("v_i64: ty.int64_t", doc))
    done = opaque.run(*REGISTRY, "--headers", "include")
    assert done.status == 0, done.err
    assert "1 declared, 0 described, 0 not; 1 layouts exact" in done.out
    text = path.read_text()
    assert "extern" not in text
    assert "As people say." in text
    assert "    v_i64: ty.int64_t\n    hidden: ty.int64_t = field(register=False)" in text
    assert "    v_i32: ty.uint32_t\n" in text
    assert text.endswith(USER.lstrip("\n"))
    assert opaque.run("ir").status == 0
    again = opaque.run(*REGISTRY, "--headers", "include")
    assert again.out.startswith("everything is up to date")


def test_the_registry_alone_changes_nothing(opaque: Project) -> None:
    before = schema(opaque).read_text()
    done = opaque.run(*REGISTRY)
    assert done.out.startswith("everything is up to date")
    assert "1 opaque" in done.out
    assert schema(opaque).read_text() == before


def test_a_class_that_others_could_not_use_stays_opaque(opaque: Project) -> None:
    (opaque.root / "include" / "hidden.h").write_text(f"namespace testing {{\n{HEADER}}}\n")
    before = schema(opaque).read_text()
    done = opaque.run(*REGISTRY, "--headers", "include")
    assert schema(opaque).read_text() == before
    assert "`UserNode` would be refused: field `hidden` cannot hold a" in done.out


@pytest.mark.parametrize("edit", ["    # Ours.\n", "    final = False\n"])
def test_what_people_wrote_stays(opaque: Project, edit: str) -> None:
    path = schema(opaque)
    text = path.read_text().replace("    extern = True\n", f"    extern = True\n{edit}")
    path.write_text(text)
    done = opaque.run(*REGISTRY, "--headers", "include")
    assert done.status == 0
    assert path.read_text() == text
    assert "take its declaration out of the schema" in done.out


def test_a_class_without_docs_gains_a_field_with_one(opaque: Project) -> None:
    """Its doc is an option, for which the file imports `field`."""
    path = schema(opaque)
    opaque.run(*REGISTRY, "--headers", "include")
    text = path.read_text().partition("\n\n\n@declare\nclass UserNode")[0]
    before, _, after = text.partition('    """\n')
    bare = before + after.partition('    """\n\n')[2]
    lines = [line for line in bare.splitlines() if "v_i32" not in line]
    path.write_text("\n".join(lines).replace("declare, field, ty", "declare, ty") + "\n")
    path.write_text(path.read_text().replace(" = field(register=False)", ""))
    done = opaque.run(*REGISTRY, "--headers", "include")
    assert done.status == 0, done.err
    text = path.read_text()
    assert 'v_i32: ty.uint32_t = field(doc="A narrow one.")' in text
    assert "import Object, declare, field, ty" in text
