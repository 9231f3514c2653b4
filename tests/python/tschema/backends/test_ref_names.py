"""Reference classes that are not called like their type keys, in files of the user's."""

from __future__ import annotations

from pathlib import Path

import pytest

from tschema.adoption.plan import Request, make_plan
from tschema.pipeline.run import apply
from tschema.project.config import load_config

CONFIG = """\
package = "toy"
schema = ["schema"]
roots = ["quay"]

[cpp]
mode = "in_place"
files = ["include/*.h"]
sidecar = "sidecar"

[cpp.namespaces]
"quay" = "acme"

[python]
mode = "in_place"
files = ["toy/*.py"]
sidecar = "toy/_tschema"

[rust]
mode = "in_place"
files = ["rust/*.rs"]
sidecar = "rust/sidecar"
"""
SCHEMA = '''\
"""A file."""

from tschema import Object, declare, field, ty


@declare
class CraneNode(Object):
    """A crane."""

    type_key = "quay.Crane"
    ref_name = "CraneRef"
    final = False
    height: ty.int64_t = field(access="protected", cpp_name="height_", doc="In metres.")
    cable: ty.foreign("std::string")


@declare
class HoistNode(CraneNode):
    """A crane that holds another one."""

    type_key = "quay.Hoist"
    other: ty.Optional[CraneNode] = field(doc="The other one.")
'''
BLOCKS = ("CraneNode", "CraneRef", "HoistNode", "Hoist")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Generate into files with empty blocks; return the folder."""
    marked = "".join(f"// tschema: {name}\n// tschema: end\n" for name in BLOCKS)
    texts = {
        "tschema.toml": CONFIG,
        "schema/quay/crane.py": SCHEMA,
        "include/crane.h": f"namespace acme {{\n{marked}}}\n",
        "rust/crane.rs": marked,
        "toy/crane.py": "# tschema: Crane\n# tschema: end\n# tschema: Hoist\n# tschema: end\n",
    }
    for name, text in texts.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    apply(make_plan(Request(load_config(tmp_path / "tschema.toml")), lambda _stage: None))
    return tmp_path


def test_cpp_has_the_name_in_the_mapped_namespace(project: Path) -> None:
    header = (project / "include" / "crane.h").read_text()
    assert "class CraneRef : public ::tvm::ffi::ObjectRef {" in header
    assert "class Hoist : public ::acme::CraneRef {" in header
    assert "::tvm::ffi::Optional<::acme::CraneRef> other" in header
    assert " protected:\n  /*! \\brief In metres. */\n  int64_t height_;" in header
    assert "  std::string cable{};" in header
    source = (project / "sidecar" / "quay" / "crane.cc").read_text()
    assert "namespace acme {" in source
    assert "static_assert(tschema::LayoutOf<CraneNode>::height_ == 24);" in source


def test_rust_has_the_name_and_bytes_of_hidden_members(project: Path) -> None:
    module = (project / "rust" / "crane.rs").read_text()
    assert "pub CraneRef, ::tvm_ffi::object::ObjectRef, CraneNode" in module
    assert "pub other: Option<CraneRef>," in module
    assert "_cable: ::tschema::Opaque<32>," in module


def test_python_has_the_type_key(project: Path) -> None:
    module = (project / "toy" / "crane.py").read_text()
    assert "class Crane(Object):" in module
    assert '__module__ = "quay"' in module
    assert "cable" not in module
    assert (project / "toy" / "_tschema" / "quay" / "_ffi_api.py").is_file()
