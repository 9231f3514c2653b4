"""A second import, of headers that name each other's classes where one imported the other."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..conftest import Project

CONFIG = 'package = "toy"\nschema = ["schema"]\n\n[cpp]\ninclude = "out"\nsource = "out"\n'
BASE = """\
#pragma once
namespace toy { namespace ir {
class Leaf;
class BaseNode : public tvm::ffi::Object {
 public:
  int64_t x;
  TVM_FFI_DECLARE_OBJECT_INFO("toy.ir.Base", BaseNode, tvm::ffi::Object);
};
class Base : public tvm::ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Base, tvm::ffi::ObjectRef, BaseNode);
};
class UserNode : public tvm::ffi::Object {
 public:
  Base base;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("toy.ir.User", UserNode, tvm::ffi::Object);
};
class User : public tvm::ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(User, tvm::ffi::ObjectRef, UserNode);
};
} }
"""
LEAF = """\
#pragma once
#include "base.h"
namespace toy { namespace ir {
class LeafNode : public BaseNode {
 public:
  int64_t y;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("toy.ir.Leaf", LeafNode, BaseNode);
};
class Leaf : public Base {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Leaf, Base, LeafNode);
};
} }
"""


@pytest.fixture
def headers(project: Project) -> Path:
    project.schema.unlink()
    (project.root / "tschema.toml").write_text(CONFIG)
    folder = project.root / "include"
    folder.mkdir()
    (folder / "base.h").write_text(BASE)
    (folder / "leaf.h").write_text(LEAF)
    done = project.run("import", "--headers", "include")
    assert done.status == 0, done.err
    return folder


def test_a_class_that_would_make_files_import_each_other_stays(
    project: Project, headers: Path
) -> None:
    before = (project.root / "schema/ir/base.py").read_text()
    # The new member's class is in a file that imports this one.
    changed = BASE.replace("  Base base;\n", "  Base base;\n  Leaf leaf;\n")
    changed = changed.replace("  int64_t x;\n", "  int64_t x;\n  int64_t z;\n")
    (headers / "base.h").write_text(changed)
    done = project.run("import", "--headers", "include")
    assert done.status == 0, done.err
    assert "with another layout:\n  toy.ir.User: it is 40 bytes long, and 32" in done.out
    assert "it names `toy.ir.Leaf` of `schema/ir/leaf.py`, which imports `sch" in done.out
    after = (project.root / "schema/ir/base.py").read_text()
    line = "    x: ty.int64_t = field(register=False)\n"
    assert after == before.replace(line, line + line.replace("x", "z"))


def test_a_file_gains_classes_of_one_that_it_imports(project: Project, headers: Path) -> None:
    (headers / "leaf.h").write_text(LEAF.replace("  int64_t y;\n", "  int64_t y;\n  User user;\n"))
    done = project.run("import", "--headers", "include")
    assert done.status == 0, done.err
    assert "with another layout" not in done.out
    assert "    user: UserNode = " in (project.root / "schema/ir/leaf.py").read_text()
