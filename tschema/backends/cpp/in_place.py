"""C++ written in place: blocks in the user's headers, and the sources of the sidecar.

In: the JSON IR, the target, and where the blocks stand.  Out: unformatted blocks with fully
qualified names, the headers that they need, and the sidecar: for each schema file a source with its
registration tables, and a header with the declarations outside of blocks.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from msgspec.structs import replace

from tschema.backends.base import (
    InPlaceOutput,
    Need,
    OutputFile,
    Places,
    pool_path,
    spell_in_full,
)
from tschema.backends.cpp import names
from tschema.backends.cpp.backend import render_registry, render_source, type_views
from tschema.backends.cpp.files import enum_view, file_view, unit_view
from tschema.backends.cpp.functors import (
    FunctorsView,
    functor_header,
    functor_path,
    functor_source,
    functors_view,
)
from tschema.backends.cpp.structural import structural_includes
from tschema.backends.cpp.types import TypeViews
from tschema.emit.render import Renderer
from tschema.ir.functor_families import Family, find_families
from tschema.ir.model import ROOT_KEY, Namespace, Schema, Type, TypeRef
from tschema.project.config import InPlaceTarget

__all__ = ["emit_in_place"]

_FFI = "::tvm::ffi"


def emit_in_place(
    schema: Schema, target: InPlaceTarget, renderer: Renderer, places: Places
) -> InPlaceOutput:
    """Return the blocks of a schema, and the files that are tschema's own."""
    pools: list[OutputFile] = []
    blocks: dict[str, PurePosixPath] = {}
    needs: dict[str, tuple[Need, ...]] = {}
    for space in schema.namespaces:
        path = pool_path(space, "cpp", ".h")
        pools.append(OutputFile(path, "cpp", _pool(space, schema, renderer)))
        for type_ in space.types:
            name = f"{space.name}.{type_.name}"
            blocks |= {name: path, type_.key: path}
            needs[name] = _needs(type_, schema, places)
        blocks |= {enum.key: path for enum in space.enums}
        needs |= {enum.key: (_header("cstdint"),) for enum in space.enums}
    sidecar = _sidecar(schema, target, renderer, places)
    return InPlaceOutput(tuple(pools), blocks, needs, tuple(sidecar))


def _pool(space: Namespace, schema: Schema, renderer: Renderer) -> str:
    parts = [renderer.render("cpp/enum.h.jinja", enum=enum_view(enum)) for enum in space.enums]
    for type_ in space.types:
        # In no namespace every declared name is spelled in full.
        view = TypeViews(type_, schema, namespace="").view()
        parts.append(renderer.render("cpp/node_block.h.jinja", type=view, node=view.node))
        parts.append(renderer.render("cpp/reference.h.jinja", ref=view.ref))
    return spell_in_full("\n".join(parts), _FFI)


def _needs(type_: Type, schema: Schema, places: Places) -> tuple[Need, ...]:
    """Return the headers that the block of a data class needs."""
    views = TypeViews(type_, schema)
    here = places[f"{type_.namespace}.{type_.name}"]
    found = {"tvm/ffi/memory.h", "tvm/ffi/object.h", *structural_includes(type_)}
    if any(not names.is_plain(field.type) for field in views.arguments):
        found.add("utility")
    if views.calls_post_init():
        found.add("tschema/post_init.h")
    own: set[PurePosixPath] = set()
    for type_ref in _type_refs(type_, schema):
        _add_includes(type_ref, schema, places, found, own)
    return (*map(_header, sorted(found)), *(_quoted(path, here) for path in sorted(own - {here})))


def _header(path: str) -> Need:
    return Need(path, f"#include <{path}>")


def _quoted(path: PurePosixPath, here: PurePosixPath) -> Need:
    return Need(str(path), f'#include "{os.path.relpath(path, here.parent)}"')


def _add_includes(
    type_ref: TypeRef, schema: Schema, places: Places, found: set[str], own: set[PurePosixPath]
) -> None:
    """Add the headers that a type needs: those of others by name, the user's by path."""
    for nested in type_ref.walk():
        if nested.key is not None and nested.key.partition(".")[0] == schema.package:
            own.add(_place(nested.key, schema, places))
        else:
            found.update(names.cpp_includes(replace(nested, args=()), schema))


def _place(key: str, schema: Schema, places: Places) -> PurePosixPath:
    """Return the file that has the class with a key: its data class, if it has one."""
    home = schema.home(key)
    type_ = next((type_ for type_ in home.types if type_.key == key), None)
    return places[f"{home.name}.{type_.name}" if type_ else key]


def _type_refs(type_: Type, schema: Schema) -> Iterator[TypeRef]:
    if type_.parent != ROOT_KEY:
        yield TypeRef(kind="node", key=type_.parent)
    yield from (field.type for field in schema.fields(type_))
    for method in type_.methods:
        yield from (method.returns, *(param.type for param in method.params))


# -- The sidecar --------------------------------------------------------------------------------


def _sidecar(
    schema: Schema, target: InPlaceTarget, renderer: Renderer, places: Places
) -> Iterator[OutputFile]:
    views = [file_view(space, schema) for space in schema.namespaces]
    types = type_views(schema)
    for space, view in zip(schema.namespaces, views, strict=True):
        path = target.sidecar.joinpath(*space.name.split(".")[1:], space.file)
        header = renderer.render(
            "cpp/sidecar.h.jinja", file=view, includes=_headers(space, schema, path, places)
        )
        yield OutputFile(path.with_suffix(".h"), "cpp", spell_in_full(header, _FFI, "tschema"))
        source = render_source(view, f'"{space.file}.h"', space, types, renderer)
        yield OutputFile(path.with_suffix(".cc"), "cpp", spell_in_full(source, _FFI, "tschema"))
    yield from _functors(schema, target, renderer, places)
    registry = render_registry(schema, [unit_view(space) for space in schema.namespaces], renderer)
    yield OutputFile(target.sidecar / "registry.cc", "cpp", registry)


def _functors(
    schema: Schema, target: InPlaceTarget, renderer: Renderer, places: Places
) -> Iterator[OutputFile]:
    """Yield a header and a source for each dispatch root."""
    families = find_families(schema)
    paths = {
        family.root.key: target.sidecar.joinpath(*PurePosixPath(functor_path(family)).parts[1:])
        for family in families
    }
    for family in families:
        path = paths[family.root.key]
        view = _functors_view(family, families, paths, places)
        header = spell_in_full(functor_header(view, renderer), _FFI, "::tschema")
        source = spell_in_full(functor_source(view, renderer), _FFI, "::tschema")
        yield OutputFile(path, "cpp", header)
        yield OutputFile(path.with_suffix(".cc"), "cpp", source)


def _functors_view(
    family: Family,
    families: Sequence[Family],
    paths: Mapping[str, PurePosixPath],
    places: Places,
) -> FunctorsView:
    folder = paths[family.root.key].parent

    def quoted(header: PurePosixPath) -> str:
        return f'"{os.path.relpath(header, folder)}"'

    return functors_view(
        family,
        families,
        lambda type_: quoted(places[f"{type_.namespace}.{type_.name}"]),
        lambda root: quoted(paths[root.key]),
    )


def _headers(
    space: Namespace, schema: Schema, path: PurePosixPath, places: Places
) -> tuple[str, ...]:
    """Return what a sidecar header includes: the user's headers, and those of functions."""
    keys = [key for type_ in space.types for key in (f"{space.name}.{type_.name}", type_.key)]
    keys += [enum.key for enum in space.enums]
    found = {places[key] for key in keys if key in places}
    angled = {"tschema/enum.h"} if space.enums else set[str]()
    for function in space.functions:
        for type_ref in (function.returns, *(param.type for param in function.params)):
            _add_includes(type_ref, schema, places, angled, found)
    quoted = sorted(os.path.relpath(place, path.parent) for place in found)
    return (*(f"<{one}>" for one in sorted(angled)), *(f'"{one}"' for one in quoted))
