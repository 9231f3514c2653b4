"""Each class that is found is declared, described or opaque."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from ..conftest import Project

CLASS = """\
#include <tvm/ffi/tvm_ffi.h>
namespace toy {{
class XNode : public tvm::ffi::Object {{
 public:
  {member}
  static void RegisterReflection() {{
    tvm::ffi::reflection::ObjectDef<XNode>().def_ro("x", &XNode::x);
  }}
  TVM_FFI_DECLARE_OBJECT_INFO("{key}", XNode, tvm::ffi::Object);
}};
}}  // namespace toy
"""
TIMERS = """\
#include <tvm/ffi/tvm_ffi.h>
namespace toy {
class TimerNode : public tvm::ffi::Object {
 public:
  virtual void Start() = 0;
  virtual ~TimerNode() {}
  TVM_FFI_DECLARE_OBJECT_INFO("toy.TimerNode", TimerNode, tvm::ffi::Object);
};
class FastTimerNode : public TimerNode {
 public:
  void Start() final;
  int64_t begin;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("toy.fast.FastTimerNode", FastTimerNode, TimerNode);
};
class OddTimerNode : public TimerNode {
 public:
  void Start() final;
  std::vector<int> odd[2];
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("toy.fast.OddTimerNode", OddTimerNode, TimerNode);
};
}  // namespace toy
"""


@pytest.mark.parametrize(
    ("key", "member", "row"),
    [
        ("toy.u8.X", "int64_t x;", "its key has the part `u8`"),
        ("toy.match.X", "std::vector<int> x[3];", "`x` is an array"),
        ("tvm.more.small_memory", "int64_t x;", "its key has the part `tvm`"),
    ],
)
def test_a_key_that_no_folder_can_have(project: Project, key: str, member: str, row: str) -> None:
    report = imported(project, CLASS.format(key=key, member=member))
    assert "1 classes: 0 declared, " in report
    assert ", 0 not; " in report
    assert row in report
    others = (project.root / "schema" / "other_libraries.py").read_text()
    assert f'    type_key = "{key}"\n' in others


def test_a_private_member_of_a_described_class_stays_private(project: Project) -> None:
    header = CLASS.format(key="toy.u8.X", member="int64_t x;\n private:\n  int64_t y;\n public:")
    assert ", 1 described, " in imported(project, header)
    others = (project.root / "schema" / "other_libraries.py").read_text()
    assert 'y: ty.int64_t = field(register=False, access="private")' in others


def test_a_class_below_one_that_is_not_registered(project: Project) -> None:
    report = imported(project, TIMERS)
    assert "3 classes: 2 declared, 0 described, 1 opaque, 0 not; " in report
    schema = (project.root / "schema" / "fast" / "x.py").read_text()
    assert "class FastTimerNode(TimerNode):" in schema
    assert "class OddTimerNode(Object):" in schema


def imported(project: Project, header: str) -> str:
    """Return the report of an import of a header, after which the schema is right."""
    project.schema.unlink()
    project.schema.parent.rmdir()
    config = project.root / "tschema.toml"
    config.write_text('roots = ["tvm"]\n' + config.read_text())
    (project.root / "include").mkdir(exist_ok=True)
    (project.root / "include" / "x.h").write_text(header)
    done = project.run("import", "--headers", "include")
    assert (done.status, done.err) == (0, "")
    made = project.run("gen")
    assert made.status == 0, made.err + done.out
    return done.out
