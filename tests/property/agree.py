"""A process of its own, which loads random packages: the languages agree, or it fails.

`python -m tests.property.agree FOLDER RUST_LIBRARY PACKAGE...`.  It makes objects with random
values in Python, has C++ and Rust read every field and construct the like, and compares.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tvm_ffi
from hypothesis import HealthCheck, Phase, given, settings

from tests.python.support.depth import DEPTH
from tschema.ir import codec
from tschema.ir.model import Field, Schema, Type

from .bodies import concrete_types
from .values import Values, same

EXAMPLES = 5 * DEPTH


class Languages:
    """One package as Python, C++ and Rust have it."""

    def __init__(self, folder: Path, rust: tvm_ffi.Module) -> None:
        self.schema: Schema = codec.load(folder / "generated" / "schema.json")
        self.package = self.schema.package
        self.rust = rust
        sys.path.insert(0, str(folder / "generated" / "python"))
        self.classes: Mapping[str, Any] = {
            key: getattr(self._module(key.rpartition(".")[0]), key.rpartition(".")[2])
            for space in self.schema.namespaces
            for key in [*(one.key for one in space.types), *(one.key for one in space.enums)]
        }
        getattr(rust, f"init_{self.package}")()

    def _module(self, namespace: str) -> Any:
        return importlib.import_module(namespace.replace(self.package, f"{self.package}_nodes", 1))

    def check_layout(self, type_: Type) -> None:
        """Compare what reflection knows with the JSON IR."""
        info = self.classes[type_.key].__tvm_ffi_type_info__
        found = {field.name: (field.offset, field.size, field.alignment) for field in info.fields}
        expected = {field.name: (field.offset, field.size, field.align) for field in type_.fields}
        assert found == expected, f"{type_.key}: {found} {expected}"
        assert info.total_size == type_.layout.size, f"{type_.key}: {info.total_size}"

    def check_values(self, type_: Type) -> None:
        """Send random objects of a type through the other languages."""
        name = f"rebuild_{type_.ref.lower()}"
        cpp = getattr(self._module(f"{type_.namespace}._ffi_api"), name)
        rust = getattr(
            self.rust, "_".join(["rebuild", *type_.namespace.split("."), type_.ref.lower()])
        )
        fields = self._fields()

        @settings(
            max_examples=EXAMPLES,
            database=None,
            deadline=None,
            derandomize=True,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(Values(self.schema, self.classes).node(type_))
        def travels(node: Any) -> None:
            for one in (cpp(node), rust(node), rust(cpp(node))):
                assert not one.same_as(node)
                assert same(one, node, fields), f"{type_.key}: {one} {node}"

        travels()

    def _fields(self) -> Mapping[type, tuple[Field, ...]]:
        return {
            self.classes[type_.key]: self.schema.fields(type_)
            for type_ in concrete_types(self.schema)
        }


def main(folder: Path, library: Path, names: list[str]) -> None:
    """Check every type of some packages."""
    rust = tvm_ffi.load_module(str(library))
    for name in names:
        languages = Languages(folder / name, rust)
        for space in languages.schema.namespaces:
            for type_ in space.types:
                languages.check_layout(type_)
        for type_ in concrete_types(languages.schema):
            languages.check_values(type_)
    print(f"{len(names)} packages agree")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
