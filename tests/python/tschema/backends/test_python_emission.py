"""What the Python backend emits for small schemas: one property a test."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from tschema.backends.python.backend import emit
from tschema.emit.render import Renderer
from tschema.project.config import PythonTarget

from ...support.schemas import ROOT_TYPE, build

FUNCTION = '''

@function
def grow(root: RootNode, by: ty.int64_t = 1) -> ty.Array[RootNode]:
    """Return roots."""
'''


def emit_all(folder: Path, text: str, **further: str) -> dict[str, str]:
    files = {f"{name}.py": one for name, one in {"nodes": text, **further}.items()}
    target = PythonTarget(mode="files", dir=PurePosixPath("python"))
    schema = build(folder, files)
    return {
        str(file.path.relative_to("python/toy_nodes")): file.text
        for file in emit(schema, target, Renderer())
    }


def test_a_constructor_returns_its_class(tmp_path: Path) -> None:
    text = emit_all(tmp_path, ROOT_TYPE)["_ffi_api.py"]
    assert "    from . import nodes as _nodes\n" in text
    assert "    def Root() -> _nodes.Root:\n" in text
    assert '"""Construct a `toy.Root`."""' in text
    assert "import Object" not in text


def test_a_function_is_typed_as_declared(tmp_path: Path) -> None:
    text = emit_all(tmp_path, ROOT_TYPE + FUNCTION)["_ffi_api.py"]
    assert "def grow(root: _nodes.Root, by: int = ..., /) -> Array[_nodes.Root]:" in text
    assert "    from tvm_ffi import Array\n" in text


def test_a_namespace_has_its_functions(tmp_path: Path) -> None:
    text = emit_all(tmp_path, ROOT_TYPE + FUNCTION)["__init__.py"]
    assert '"""Node classes and functions of `toy`."""' in text
    assert "from ._ffi_api import grow as grow\nfrom .nodes import Root\n" in text
    assert text.endswith('__all__ = ["Root"]\n')


def test_a_function_with_the_name_of_a_module_stays_in_ffi_api(tmp_path: Path) -> None:
    other = ROOT_TYPE.replace("Root", "Other")
    function = FUNCTION.replace("grow", "others")
    files = emit_all(tmp_path, ROOT_TYPE + function, others=other)
    assert "_ffi_api" not in files["__init__.py"]
    assert "def others(" in files["_ffi_api.py"]


def test_an_unused_region_takes_two_lines_and_the_blank_one_before(tmp_path: Path) -> None:
    text = emit_all(tmp_path, ROOT_TYPE)["nodes.py"]
    region = "\n\n    # tschema: custom-begin\n    # tschema: custom-end\n    # tschema: end\n"
    assert text.endswith(region)
