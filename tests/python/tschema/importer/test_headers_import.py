"""`tschema import --headers`: schema files of C++, alone and together with a registry."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ..conftest import Project

CONFIG = """\
package = "toy"
schema = ["schema"]

[cpp]
include = "generated/include"
source = "generated/src"

[cpp.namespaces]
"toy" = "acme"
"""
HEADER = """\
#pragma once
#include <tvm/ffi/reflection/registry.h>
#include <vector>

namespace acme {
namespace graph {

namespace ffi = tvm::ffi;
using Index = int64_t;

/*! \\brief How a loop runs. */
enum class LoopKind : int { kSerial = 0, kParallel = 1 };

/*!
 * \\brief Base of statements.
 */
class StmtNode : public ffi::Object {
 public:
  static constexpr uint32_t _type_child_slots = 2;
  static void RegisterReflection() { ffi::reflection::ObjectDef<StmtNode>(); }
  TVM_FFI_DECLARE_OBJECT_INFO("toy.graph.Stmt", StmtNode, ffi::Object);
};
class Stmt : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Stmt, ffi::ObjectRef, StmtNode);
};

/*! \\brief A loop. */
class LoopNode : public StmtNode {
 public:
  Index extent;             //!< How often it runs.
  uint32_t unroll = 1;      //!< Copies of the body.
  LoopKind kind;
  ffi::Array<Stmt> body;    //!< What it runs.

  int64_t Depth(int64_t limit) const;

  static void RegisterReflection() {
    namespace refl = tvm::ffi::reflection;
    refl::ObjectDef<LoopNode>()
        .def_ro("extent", &LoopNode::extent)
        .def_ro("unroll", &LoopNode::unroll, refl::DefaultValue(1))
        .def_ro("kind", &LoopNode::kind, refl::DefaultValue(LoopKind::kParallel))
        .def_ro("body", &LoopNode::body, refl::AttachFieldFlag::SEqHashIgnore())
        .def("depth", &LoopNode::Depth);
  }
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("toy.graph.Loop", LoopNode, StmtNode);

 private:
  std::vector<int> cache_;
};
class Loop : public Stmt {
 public:
  explicit Loop(Index extent, uint32_t unroll, LoopKind kind, ffi::Array<Stmt> body);
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Loop, Stmt, LoopNode);
};

template <typename T>
class BoxNode : public ffi::Object {
  T value;
  TVM_FFI_DECLARE_OBJECT_INFO("toy.graph.Box", BoxNode, ffi::Object);
};

}  // namespace graph
}  // namespace acme
"""


@pytest.fixture
def cpp(project: Project) -> Project:
    """Return a project with a header and no schema."""
    project.schema.unlink()
    project.schema.parent.rmdir()
    header = project.root / "include" / "acme" / "nest.h"
    header.parent.mkdir(parents=True)
    header.write_text(HEADER)
    (project.root / "tschema.toml").write_text(CONFIG)
    return project


def test_a_header_becomes_a_schema_file(cpp: Project) -> None:
    done = cpp.run("import", "--headers", "include")
    assert (done.status, done.err) == (0, "")
    assert done.out.splitlines() == [
        "wrote 1 file",
        "3 classes: 2 declared, 0 described, 1 opaque, 0 not; "
        "2 layouts exact, 0 of unknown size, 0 different",
        "",
        "opaque: read through the registry, without a layout:",
        "  toy.graph.Box: the size of `value` is not known; it is a template; "
        "only a compiler knows the size of `value`, a `T`",
    ]
    text = (cpp.root / "schema" / "graph" / "nest.py").read_text()
    assert "How often it runs." in text
    assert "class LoopKind(ty.IntEnum):" in text
    assert "    extent: ty.int64_t" in text
    assert "    kind: LoopKind = field(default=LoopKind.PARALLEL)" in text
    assert "    unroll: ty.uint32_t = field(default=1" in text
    assert '    body: ty.Array[StmtNode] = field(structural="ignore")' in text
    assert '    cache_: ty.foreign("std::vector<int>") = field(' in text
    assert "    def depth(self, limit: ty.int64_t) -> ty.int64_t:" in text
    assert "cpp_namespace" not in text


def test_the_schema_is_complete(cpp: Project) -> None:
    """The JSON IR of what was written has the layout that a compiler gives the header."""
    cpp.run("import", "--headers", "include")
    done = cpp.run("ir")
    assert done.status == 0
    (loop,) = (
        one
        for space in json.loads(done.out)["namespaces"]
        for one in space["types"]
        if one["key"] == "toy.graph.Loop"
    )
    offsets = {field["name"]: field["offset"] for field in loop["fields"]}
    assert offsets == {"extent": 24, "unroll": 32, "kind": 36, "body": 40}
    assert loop["layout"]["size"] == 72


def test_a_second_run_changes_nothing(cpp: Project) -> None:
    cpp.run("import", "--headers", "include")
    done = cpp.run("import", "--headers", "include", "--check")
    assert done.status == 0
    assert done.out.startswith("3 classes")


def test_a_header_that_is_not_there(cpp: Project) -> None:
    done = cpp.run("import", "--headers", "inlcude")
    assert done.status == 2
    assert "error[TS091]: no file or folder `inlcude`" in done.err


def test_a_project_is_called_after_its_keys(cpp: Project) -> None:
    (cpp.root / "tschema.toml").unlink()
    done = cpp.run("import", "--headers", "include/acme/nest.h")
    assert (done.status, done.err) == (0, "")
    config = (cpp.root / "tschema.toml").read_text()
    assert 'package = "toy"' in config
    assert '"toy.graph" = "acme::graph"' in config or '"toy" = "acme"' in config
    assert "cpp_namespace" not in (cpp.root / "schema/graph/nest.py").read_text()


def test_differences_are_told_at_the_header(cpp: Project) -> None:
    header = Path("include/acme/pair.h")
    (cpp.root / header).write_text(
        "class TestIntPairObj : public tvm::ffi::Object {\n"
        " public:\n"
        "  int64_t a;\n"
        "  tvm::ffi::String b;\n"
        "  static void R() {\n"
        "    namespace refl = tvm::ffi::reflection;\n"
        "    refl::ObjectDef<TestIntPairObj>()\n"
        '        .def_ro("a", &TestIntPairObj::a).def_ro("b", &TestIntPairObj::b);\n'
        "  }\n"
        '  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("testing.TestIntPair", TestIntPairObj,\n'
        "                                    tvm::ffi::Object);\n"
        "};\n"
    )
    config = cpp.root / "tschema.toml"
    config.write_text('package = "toy"\nroots = ["testing"]\nschema = ["schema"]\n')
    done = cpp.run(
        *("import", "--registry", "tvm_ffi", "--headers", "include"),
        *("--key", "testing.TestIntPair", "--key", "testing.TestHash", "--dry-run"),
    )
    assert done.status == 0
    assert [line for line in done.err.splitlines() if "TS094" in line] == [
        f"{header}:1:1: warning[TS094]: the registry has the method `testing.TestIntPair.sum`, "
        "and the headers do not",
        f"{header}:1:1: warning[TS094]: the size of `testing.TestIntPair` is 40 in the registry, "
        "and 48 in the headers",
        f"{header}:4:3: warning[TS094]: the size of `testing.TestIntPair.b` is 8 in the registry, "
        "and 16 in the headers",
        f"{header}:4:3: warning[TS094]: the type of `testing.TestIntPair.b` is `int64` in the "
        "registry, and `String` in the headers",
    ]
    assert "      | ^^^^^^^^^^^^^^^^^^^" in done.err
    assert (
        "\nwith differences between registry and headers:\n"
        "  testing.TestIntPair: the registry has the method `sum`, and the headers do not; "
        "the size of `b` is 8 in the registry, and 16 in the headers; "
        "the size of `testing.TestIntPair` is 40 in the registry, and 48 in the headers; "
        "the type of `b` is `int64` in the registry, and `String` in the headers\n"
    ) in done.out
    assert "\nin the registry alone:\n  testing.TestHash\n" in done.out


def test_keys_and_classes_without_a_namespace(cpp: Project) -> None:
    """A key without a dot is nothing that a schema can declare; it spoils nothing else."""
    (cpp.root / "tschema.toml").unlink()
    (cpp.root / "include/acme/loose.h").write_text(
        "namespace acme { class LooseNode : public tvm::ffi::Object {\n"
        '  TVM_FFI_DECLARE_OBJECT_INFO("Loose", LooseNode, tvm::ffi::Object);\n'
        "}; }\n"
        "class GlobalNode : public tvm::ffi::Object {\n"
        '  TVM_FFI_DECLARE_OBJECT_INFO("toy.graph.Global", GlobalNode, tvm::ffi::Object);\n'
        "};\n"
    )
    done = cpp.run("import", "--headers", "include")
    assert (done.status, done.err) == (0, "")
    assert "  Loose: its type key `Loose` has no namespace" in done.out
    assert "toy.graph.Global: it stands in no namespace of C++" in done.out
    assert cpp.run("ir").status == 0


THEIRS = """\
namespace dep {
enum class Mode : int { kA = 0 };
class BaseNode : public tvm::ffi::Object {
 public:
  int64_t id;
  TVM_FFI_DECLARE_OBJECT_INFO("dep.Base", BaseNode, tvm::ffi::Object);
};
class Base : public tvm::ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Base, tvm::ffi::ObjectRef, BaseNode);
};
class ExtraNode : public BaseNode {
 public:
  int64_t more;
  TVM_FFI_DECLARE_OBJECT_INFO("dep.Extra", ExtraNode, BaseNode);
};
class Extra : public Base {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Extra, Base, ExtraNode);
};
class OddNode : public tvm::ffi::Object {
 public:
  std::vector<int> lists[3];
  TVM_FFI_DECLARE_OBJECT_INFO("dep.Odd", OddNode, tvm::ffi::Object);
};
class Odd : public tvm::ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Odd, tvm::ffi::ObjectRef, OddNode);
};
}  // namespace dep
"""
OURS = """\
namespace toy {
class ANode : public dep::BaseNode {
 public:
  dep::Base first;
  FIELDS
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("toy.A", ANode, dep::BaseNode);
};
}  // namespace toy
"""


def test_a_declared_class_gains_fields_of_other_libraries(project: Project) -> None:
    (project.root / "include").mkdir()
    header = project.root / "include" / "toy.h"
    (project.root / "include" / "dep.h").write_text(THEIRS)
    header.write_text(OURS.replace("FIELDS", ""))
    arguments = ("import", "--headers", "include", "--key", "toy")
    assert project.run(*arguments).status == 0
    header.write_text(OURS.replace("FIELDS", "dep::Extra extra; dep::Mode mode;"))
    assert project.run(*arguments).status == 0
    schema = (project.root / "schema" / "toy.py").read_text()
    assert "    extra: ExtraNode = field(register=False)\n" in schema
    assert "class ExtraNode(BaseNode):" in (
        (project.root / "schema" / "other_libraries.py").read_text()
    )
    # What cannot be declared is opaque.
    header.write_text(OURS.replace("FIELDS", "dep::Extra extra; dep::Mode mode; dep::Odd odd;"))
    assert project.run(*arguments).status == 0
    schema = (project.root / "schema" / "toy.py").read_text()
    assert "    odd: OddNode = field(register=False)\n" in schema
    others = (project.root / "schema" / "other_libraries.py").read_text()
    assert others.endswith(
        'class OddNode(Object):\n    type_key = "dep.Odd"\n'
        '    extern = "dep.h"\n    ref = "nullable"\n'
    )
