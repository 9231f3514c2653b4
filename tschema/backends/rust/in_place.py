"""Rust written in place: blocks in the user's modules, and the module of the sidecar.

In: the JSON IR, the target, and the places of the blocks, below the folder that the sidecar
is in.  Out: unformatted blocks, whose text names everything of other crates in full, the `use`
lines that they need, and the sidecar: a root module, and the functions of each schema file.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from tschema.backends.base import (
    Blocks,
    InPlaceOutput,
    Need,
    OutputFile,
    Places,
    View,
    in_place_output,
    path_between,
    reference_home,
    spell_in_full,
)
from tschema.backends.rust import layout
from tschema.backends.rust.backend import module_file, render_folders, render_module
from tschema.backends.rust.functor_names import home_of
from tschema.backends.rust.functors import functors_text
from tschema.backends.rust.names import Scope, module_path
from tschema.backends.rust.view import callable_views, enum_view, node_view, reference_view
from tschema.emit.render import Renderer
from tschema.ir.functor_families import find_families
from tschema.ir.model import Namespace, Schema
from tschema.project.config import InPlaceTarget

_FFI = "::tvm_ffi"


def emit_in_place(
    schema: Schema, target: InPlaceTarget, renderer: Renderer, places: Places
) -> InPlaceOutput:
    """Return the blocks of a schema, and the files that are tschema's own."""

    def scope_at(place: PurePosixPath, space: Namespace) -> _Scope:
        return _Scope(schema, space, places, place, target.sidecar)

    def pool_of(space: Namespace) -> Blocks:
        parts = [
            renderer.render("rust/enum.rs.jinja", enum=enum_view(enum)) for enum in space.enums
        ]
        needs: dict[str, tuple[Need, ...]] = {enum.key: () for enum in space.enums}
        for type_ in space.types:
            node = f"{space.name}.{type_.name}"
            scope = scope_at(places[node], space)
            parts.append(renderer.render("rust/node.rs.jinja", node=node_view(type_, scope)))
            needs[node] = scope.needs()
            scope = scope_at(places.get(reference_home(type_), places[node]), space)
            view = reference_view(type_, scope)
            parts.append(renderer.render("rust/reference.rs.jinja", reference=view))
            needs[reference_home(type_)] = scope.needs()
        return spell_in_full("\n".join(parts), _FFI), needs

    sidecar = _sidecar(schema, target.sidecar, renderer, places)
    return in_place_output(schema, "rust", ".rs", pool_of, sidecar)


class _Scope(Scope):
    """The names that a file can use where the modules are the user's."""

    def __init__(
        self,
        schema: Schema,
        space: Namespace,
        places: Places,
        here: PurePosixPath,
        root: PurePosixPath,
    ) -> None:
        super().__init__(schema, space)
        self._places = places
        self._here = here
        self._base = root.parent

    def name(self, key: str, name: str) -> str:
        """Return a name of the class with a key, and note that the file needs it."""
        if not self.schema.is_own(key):
            return f"::{self.schema.home(key).name.replace('.', '::')}::{name}"
        node = f"{key.rpartition('.')[0]}.{name}"
        place = self._places.get(node) or self._places.get(key) or self._place_of_data(key)
        if place != self._here:
            path = _relative_path(self._here, place, self._base)
            if self.used.setdefault(name, path) != path:
                return f"{path}::{name}"
        return name

    def _place_of_data(self, key: str) -> PurePosixPath:
        return self._places[f"{self.schema.home(key).name}.{self.schema.type(key).name}"]

    def needs(self) -> tuple[Need, ...]:
        """Return the imports of the views made so far."""
        return tuple(Need(name, f"use {path}::{name};") for name, path in sorted(self.used.items()))


def _relative_path(here: PurePosixPath, there: PurePosixPath, base: PurePosixPath) -> str:
    """Return the path of a file's module as another one below the same folder names it."""
    ups, names = path_between(_module(here, base), _module(there, base))
    return "::".join([*(["super"] * ups or ["self"]), *names])


def _module(path: PurePosixPath, base: PurePosixPath) -> tuple[str, ...]:
    """Return the module of a file, from the module of the folder that the sidecar is in."""
    parts = path.relative_to(base).with_suffix("").parts
    return parts[:-1] if parts[-1] in ("mod", "lib", "main") else parts


def _sidecar(
    schema: Schema, root: PurePosixPath, renderer: Renderer, places: Places
) -> Iterator[OutputFile]:
    def scope_of(space: Namespace) -> _Scope:
        path = root.joinpath(*module_path(space, schema)).with_suffix(".rs")
        return _Scope(schema, space, places, path, root)

    spaces = tuple(space for space in schema.namespaces if space.functions)
    for space in spaces:
        text = render_module(_functions(space, scope_of(space)), (), renderer)
        yield module_file(space, schema, root, text)
    families = find_families(schema)
    for family in families:
        home = home_of(family)
        yield module_file(home, schema, root, functors_text(family, scope_of(home), renderer))
    yield from render_folders(spaces, schema, root, renderer, families)


def _functions(space: Namespace, scope: _Scope) -> View:
    calls = callable_views(space, scope)
    return View(
        source=space.source,
        doc=f"Functions of `{space.name}`.",
        crates=["use tvm_ffi as ffi;"],
        uses=layout.use_lines(scope.used),
        enums=[],
        **calls,
    )
