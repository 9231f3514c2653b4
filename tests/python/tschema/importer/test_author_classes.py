"""Classes that their author goes on to register are declared, be they as none is generated."""

from __future__ import annotations

from ..conftest import Project

HEADER = """\
#pragma once
#include <tvm/ffi/reflection/registry.h>
namespace acme {
namespace ffi = tvm::ffi;
class NodeNode : public ffi::Object {
 public:
  DLDataType dtype;
  static void RegisterReflection() {
    ffi::reflection::ObjectDef<NodeNode>().def_ro("dtype", &NodeNode::dtype);
  }
  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO("toy.Node", NodeNode, ffi::Object);
};
class Node : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Node, ffi::ObjectRef, NodeNode);
  TVM_FFI_DEFINE_OBJECT_REF_COW_METHOD(NodeNode);
};
class BindNode : public NodeNode {
 public:
  Node value;
  Node var;
  std::string hint;
  ffi::Array<ffi::TypedFunction<int(int)>> calls;
  static void RegisterReflection() {
    namespace refl = ffi::reflection;
    refl::ObjectDef<BindNode>()
        .def_ro("value", &BindNode::value)
        .def_ro("var", &BindNode::var, refl::AttachFieldFlag::SEqHashDefRecursive())
        .def_ro("hint", &BindNode::hint)
        .def_ro("calls", &BindNode::calls);
  }
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("toy.Bind", BindNode, NodeNode);

 protected:
  int bytes;
};
}  // namespace acme
"""
WHOLE_FILES = '\n[cpp]\ninclude = "generated/include"\nsource = "generated/src"\n'
IN_PLACE = '\n[cpp]\nmode = "in_place"\nfiles = ["include/**/*.h"]\nsidecar = "src/tschema"\n'


def imported(project: Project, target: str, header: str = HEADER) -> tuple[list[str], str]:
    """Import a header; return what the command reports and the schema."""
    project.schema.unlink()
    project.schema.parent.rmdir()
    (project.root / "include").mkdir()
    (project.root / "include" / "nodes.h").write_text(header)
    config = f'package = "toy"\nschema = ["schema"]\n{target}[cpp.namespaces]\n"toy" = "acme"\n'
    (project.root / "tschema.toml").write_text(config)
    done = project.run("import", "--headers", "include")
    assert (done.status, done.err) == (0, "")
    assert project.run("import", "--headers", "include", "--check").status == 0
    return done.out.splitlines(), (project.root / "schema" / "nodes.py").read_text()


def test_what_an_author_registers_is_declared_as_it_is(project: Project) -> None:
    report, schema = imported(project, IN_PLACE)
    assert report[1].startswith("2 classes: 2 declared, 0 described, 0 not; 2 layouts exact")
    assert report[3:] == [
        "declared without:",
        "  toy.Bind: `hint`, which is registered with the C++ type `std::string`; `calls`, which "
        "is registered with the C++ type `ffi::Array<ffi::TypedFunction<int(int)>>`",
    ]
    assert "    dtype: ty.DataType\n" in schema
    assert "    cow = True\n" in schema
    assert '    var: NodeNode = field(structural="def_pattern")\n' in schema
    assert '    hint: ty.foreign("std::string") = field(register=False)\n' in schema
    assert "    bytes: ty.int32_t = field(" in schema


def test_what_generated_code_cannot_be_is_described(project: Project) -> None:
    lines = HEADER.splitlines(keepends=True)
    header = "".join(
        line for line in lines if not any(word in line for word in ("COW", "hint", "calls"))
    ).replace("SEqHashDefRecursive())", "SEqHashDefRecursive());")
    report, schema = imported(project, WHOLE_FILES, header)
    assert report[1].startswith("2 classes: 1 declared, 1 described, 0 not; 2 layouts exact")
    assert report[4].endswith(
        ": def field `var` of `BindNode` stands after `value`, which can use it"
    )
    # The author leaves the member as memory was; a generated class does not.
    assert '    dtype: ty.DataType = field(cpp_init="{}")\n' in schema
