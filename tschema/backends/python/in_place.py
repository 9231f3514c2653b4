"""Python written in place: blocks in the user's modules, and the package of the sidecar.

In: the JSON IR, the target, and the places of the blocks, below the folder that the sidecar
is in.  Out: unformatted blocks, the imports that they need, and the sidecar: `_lib.py`, and an
`_ffi_api.py` for each namespace.
"""

from __future__ import annotations

from itertools import groupby
from pathlib import PurePosixPath

from msgspec import Struct

from tschema.backends.base import (
    Blocks,
    InPlaceOutput,
    Need,
    OutputFile,
    Places,
    View,
    in_place_output,
    path_between,
    source_roots,
)
from tschema.backends.python.functors import functors_text, module_name
from tschema.backends.python.names import Imports
from tschema.backends.python.view import ApiViews, FileViews, enum_view
from tschema.emit.render import Renderer
from tschema.ir.functor_families import find_families
from tschema.ir.model import Namespace, Schema, Type
from tschema.ir.spelling import class_name
from tschema.project.config import InPlaceTarget


def emit_in_place(
    schema: Schema, target: InPlaceTarget, renderer: Renderer, places: Places
) -> InPlaceOutput:
    """Return the blocks of a schema, and the files that are tschema's own."""
    base = target.sidecar.parent

    def pool_of(space: Namespace) -> Blocks:
        api = target.sidecar.joinpath(*schema.inside(space.name), "__init__.py")
        parts: list[str] = []
        needs: dict[str, tuple[Need, ...]] = {}
        for enum in space.enums:
            parts.append(
                renderer.render("python/enum.py.jinja", enum=enum_view(enum), module=space.name)
            )
            needs[enum.key] = (Need("IntEnum", "from tschema.runtime import IntEnum"),)
        for type_ in space.types:
            views = _Views(space, schema, _File(places[type_.key], places, base))
            parts.append(
                renderer.render("python/class.py.jinja", **{"class": views.type(type_, api)})
            )
            needs[type_.key] = views.needs()
        return "\n\n".join(parts), needs

    sidecar = _sidecar(schema, target.sidecar, renderer, places)
    return in_place_output(schema, "python", ".py", pool_of, sidecar)


class _File(Struct, frozen=True):
    """A module that imports those of the user's."""

    path: PurePosixPath
    places: Places
    base: PurePosixPath
    """The folder that the sidecar is in; all modules are below it."""

    def module(self, there: PurePosixPath) -> str:
        """Return a module as this one imports it."""
        package = self.path.relative_to(self.base).parent.parts
        module = there.relative_to(self.base).with_suffix("").parts
        module = module[:-1] if module[-1] == "__init__" else module
        ups, names = path_between(package, module)
        return "." * (ups + 1) + ".".join(names)

    def module_of(self, key: str) -> str:
        """Return the module of a class as this one imports it."""
        return self.module(self.places[key])


class _Views(FileViews):
    """Builds the view of one class, whose module and those of others are the user's."""

    def __init__(self, space: Namespace, schema: Schema, file: _File) -> None:
        super().__init__(space, schema)
        self._file = file

    def type(self, type_: Type, api: PurePosixPath) -> View:
        """Return the view of a type, given the package that has its `_ffi_api`."""
        view = self.class_view(type_)
        self.runtime.add(self._file.module(api), "_ffi_api")
        self.runtime.add("tschema.runtime", view.decorator)
        if view.methods:
            self.runtime.add("typing", "TYPE_CHECKING")
        return view

    def needs(self) -> tuple[Need, ...]:
        """Return the imports of the views made so far."""
        found = [Need("annotations", "from __future__ import annotations")]
        for imports in (self.runtime, self.typing):
            for module, names in sorted(imports.names.items()):
                found += (_need(module, name) for name in sorted(names))
        return tuple({need.name: need for need in reversed(found)}.values())[::-1]

    def spell(self, key: str, imports: Imports) -> str:
        """Return the class with a key as this module names it, and import it if needed."""
        name = class_name(key, "Python")
        if not self.schema.is_own(key):
            imports.add(self.schema.home(key).name, name)
        elif self._file.places[key] != self._file.path:
            imports.add(self._file.module_of(key), name)
        return name


def _need(module: str, name: str) -> Need:
    if not name:
        return Need(module.partition(".")[0], f"import {module}")
    return Need(name.rpartition(" ")[2], f"from {module} import {name}")


# -- The sidecar --------------------------------------------------------------------------------


def _sidecar(
    schema: Schema, root: PurePosixPath, renderer: Renderer, places: Places
) -> list[OutputFile]:
    shared = {"sources": source_roots(schema), "package": schema.package, "digest": schema.digest}
    package = renderer.render("python/package.py.jinja", **shared)
    texts = {root / "_lib.py": renderer.render("python/lib.py.jinja", **shared)}
    folders = {root}
    by_name = sorted(schema.namespaces, key=lambda space: space.name)
    for name, group in groupby(by_name, key=lambda space: space.name):
        folder = root.joinpath(*schema.inside(name))
        path = folder / "_ffi_api.py"
        api = _Api(tuple(group), schema, _File(path, places, root.parent)).view()
        texts[path] = renderer.render("python/ffi_api.py.jinja", api=api)
        folders |= {folder, *folder.parents[: len(folder.parts) - len(root.parts)]}
    for family in find_families(schema):
        path = root.joinpath(*schema.inside(family.namespace), f"{module_name(family)}.py")
        file = _File(path, places, root.parent)
        texts[path] = functors_text(family, file.module_of, renderer)
    texts |= {folder / "__init__.py": package for folder in folders}
    return [OutputFile(path, "python", text) for path, text in sorted(texts.items())]


class _Api(ApiViews):
    """Builds the stubs of one namespace; its classes are in modules of the user's."""

    def __init__(self, spaces: tuple[Namespace, ...], schema: Schema, file: _File) -> None:
        super().__init__(spaces, schema)
        self._file = file

    def spell(self, key: str) -> str:
        """Return a class as the stubs name it: through its module."""
        if not self.schema.is_own(key):
            return super().spell(key)
        name = class_name(key, "Python")
        parts = self._file.places[key].relative_to(self._file.base).with_suffix("").parts
        alias = "_".join(["", *parts])
        module = self._file.module_of(key)
        parent, _, file = module.rpartition(".")
        if not file:
            self.imports.add(module, name)
            return name
        self.imports.add(parent if parent.strip(".") else f"{parent}.", f"{file} as {alias}")
        return f"{alias}.{name}"
