"""Adoption of classes that nothing registers, in headers and sources, adds markers alone."""

from __future__ import annotations

from ..conftest import Project

HEADER = """\
#pragma once
#include <tvm/ffi/object.h>
namespace acme {
class PoolObj : public tvm::ffi::Object {
 public:
  int64_t used;
  TVM_FFI_DECLARE_OBJECT_INFO("vm.Pool", PoolObj, tvm::ffi::Object);
};
}  // namespace acme
namespace acme::vm {
enum class Mode : int { kFast = 0, kSafe = 1 };
class QueueObj : public tvm::ffi::Object {
 public:
  Mode mode;
  int32_t length;
  TVM_FFI_DECLARE_OBJECT_INFO("rex.vm.Queue", QueueObj, tvm::ffi::Object);
};
class StackObj : public QueueObj {
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("vm.Stack", StackObj, QueueObj);
};
class HeapObj : public QueueObj {
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("vm.Heap", HeapObj, QueueObj);
};
}  // namespace acme::vm
"""
SOURCE = """\
#include "../include/pool.h"
namespace acme::vm {
enum class Side : int { kLeft = 0 };
class HiddenObj : public QueueObj {
 public:
  Side side;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("rex.vm.Hidden", HiddenObj, QueueObj);
};
}  // namespace acme::vm
"""


def test_a_code_base_without_registrations_gains_markers_alone(project: Project) -> None:
    for path in (project.schema, project.root / "tschema.toml"):
        path.unlink()
    project.schema.parent.rmdir()
    project.schema.parent.parent.rmdir()
    for name, text in (("include/pool.h", HEADER), ("src/hidden.cc", SOURCE)):
        path = project.root / name
        path.parent.mkdir()
        path.write_text(text)
    assert project.run("init").status == 0
    # `rex.vm` and `vm` would share a folder if the package were `rex`.
    assert 'package = "vm"' in (project.root / "tschema.toml").read_text()
    done = project.run("import", "--headers", "include", "src")
    assert done.out.splitlines()[1].startswith("5 classes: 5 declared")
    done = project.run("gen", "--adopt")
    assert done.status == 0
    assert "TS154" not in done.err
    for name, old in (("include/pool.h", HEADER), ("src/hidden.cc", SOURCE)):
        text = (project.root / name).read_text()
        lines = [line for line in text.splitlines() if not line.strip().startswith("// tschema")]
        assert [line for line in lines if line] == [line for line in old.splitlines() if line]
        names = ("PoolObj", "QueueObj") if old is HEADER else ("HiddenObj", "Side")
        assert all(f"// tschema: {one}" in text for one in names)
    assert project.run("gen", "--check").status == 0
