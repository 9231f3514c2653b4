"""A new project that builds: a node, its body in C++, tests, and a program in each other language.

In: a folder, whose name is the package's.  Out: files by path, for the caller to write.  Rust is
included if its crates are there, as in a wheel of tschema and in a checkout that was set up.  The
tests use `uir.testing` if uir is installed.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path, PurePosixPath

from tschema.emit.render import Renderer, templates_folder
from tschema.ir.keywords import KEYWORDS

_FILES = {
    "schema/shape.py": "new/schema/shape.py.jinja",
    "tschema.toml": "new/tschema.toml.jinja",
    "shape.cc": "new/shape.cc.jinja",
    "CMakeLists.txt": "new/CMakeLists.txt.jinja",
    "main.py": "new/main.py.jinja",
    "pytest.ini": "new/pytest.ini.jinja",
    "tests/test_shape.py": "new/tests/test_shape.py.jinja",
    ".gitignore": "new/gitignore.jinja",
}
_RUST_FILES = {"Cargo.toml": "new/Cargo.toml.jinja", "main.rs": "new/main.rs.jinja"}


def is_package_name(name: str) -> bool:
    """Return whether a package can have a name: one that is good in every language."""
    words = frozenset[str]().union(*KEYWORDS.values())
    is_plain = name.isascii() and name.isidentifier() and name == name.lower()
    return is_plain and not name.startswith("_") and name not in words and name != "tschema"


def new_project(package: str) -> Mapping[PurePosixPath, bytes]:
    """Return the files of a new project."""
    renderer = Renderer()
    crates = _crates(templates_folder().parent)
    chosen = {**_FILES, **(_RUST_FILES if crates else {})}
    values = {"package": package, "crates": crates, "has_uir": _has_uir()}
    return {
        PurePosixPath(path): renderer.render(template, **values).encode()
        for path, template in chosen.items()
    }


def _has_uir() -> bool:
    """Return whether uir, whose `uir.testing` compares nodes of any package, is installed."""
    return find_spec("uir") is not None


def _crates(root: Path) -> dict[str, Path]:
    """Return the folders of the crates that generated Rust needs, if they are there."""
    rust = root / "rust"
    for tvm_ffi in (rust / "tvm-ffi-rust", root / "build" / "tvm-ffi-rust"):
        crates = {"tschema": rust / "tschema", "tvm_ffi": tvm_ffi / "tvm-ffi"}
        if all(folder.is_dir() for folder in crates.values()):
            return crates
    return {}
