"""C++ written in place: blocks in the user's headers, and the sources of the sidecar.

In: the JSON IR, the target, and the places of the blocks.  Out: unformatted blocks with fully
qualified names, the headers that they need, and the sidecar: for each schema file a source with its
registration tables, and a header with the declarations outside of blocks.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from msgspec.structs import replace

from tschema.backends.base import (
    Blocks,
    InPlaceOutput,
    Need,
    OutputFile,
    Places,
    in_place_output,
    reference_home,
    spell_in_full,
)
from tschema.backends.cpp import names
from tschema.backends.cpp.backend import render_registry, render_source, type_views
from tschema.backends.cpp.files import (
    class_includes,
    enum_view,
    file_view,
    is_checked,
    mentioned,
)
from tschema.backends.cpp.functors import Functors, functor_folder, functor_path
from tschema.backends.cpp.references import has_block
from tschema.backends.cpp.scope import Scope
from tschema.backends.cpp.types import TypeViews
from tschema.emit.render import Renderer
from tschema.ir.functor_families import find_families
from tschema.ir.model import Namespace, Schema, Type, TypeRef, changed, type_refs
from tschema.project.config import InPlaceTarget

_FFI = "::tvm::ffi"
_SOURCES = (".cc", ".cpp", ".cxx", ".cu")


def emit_in_place(
    schema: Schema, target: InPlaceTarget, renderer: Renderer, places: Places
) -> InPlaceOutput:
    """Return the blocks of a schema, and the files that are tschema's own."""

    def pool_of(space: Namespace) -> Blocks:
        return _pool(space, schema, renderer, places)

    # Generated code includes headers alone: classes in a source are left out of the sidecar.
    headers = {name: path for name, path in places.items() if path.suffix not in _SOURCES}
    sidecar = _sidecar(schema, target, renderer, headers)
    return in_place_output(schema, "cpp", ".h", pool_of, sidecar)


def _pool(space: Namespace, schema: Schema, renderer: Renderer, places: Places) -> Blocks:
    parts: list[str] = []
    needs: dict[str, tuple[Need, ...]] = {}
    for enum in space.enums:
        parts.append(renderer.render("cpp/enum.h.jinja", enum=enum_view(enum, space)))
        needs[enum.key] = (_header("cstdint"),)
    for type_ in space.types:
        if type_.options.extern is not None:
            continue
        # A user's file may hide any shorter name.
        view = TypeViews(type_, schema, Scope(schema, "")).view()
        parts.append(renderer.render("cpp/node_block.h.jinja", type=view, node=view.node))
        needs[f"{space.name}.{type_.name}"] = _needs(type_, schema, places)
        if has_block(type_):
            parts.append(renderer.render("cpp/reference.h.jinja", ref=view.ref))
            needs[reference_home(type_)] = ()
    return spell_in_full("\n".join(parts), _FFI), needs


def _needs(type_: Type, schema: Schema, places: Places) -> tuple[Need, ...]:
    """Return the headers that the block of a data class needs; one by hand has its own."""
    if type_.is_by_hand:
        return ()
    here = places[f"{type_.namespace}.{type_.name}"]
    found, own = _includes(mentioned(type_, schema), schema, places)
    angled = sorted(found | class_includes(type_, schema))
    return (*map(_header, angled), *(_quoted(path, here) for path in sorted(own - {here})))


def _header(path: str) -> Need:
    return Need(path, f"#include <{path}>")


def _quoted(path: PurePosixPath, here: PurePosixPath) -> Need:
    return Need(str(path), f'#include "{os.path.relpath(path, here.parent)}"')


def _includes(
    type_refs: Iterable[TypeRef], schema: Schema, places: Places
) -> tuple[set[str], set[PurePosixPath]]:
    """Return the headers that types need: those of others by name, the user's by path."""
    found: set[str] = set()
    own: set[PurePosixPath] = set()
    for nested in (one for type_ref in type_refs for one in type_ref.walk()):
        key = nested.declared_key
        is_own = key is not None and schema.is_own(key)
        if is_own and key is not None and schema.extern_header(key) is None:
            place = _place(key, schema, places)
            own.update([place] if place else [])
        else:
            found.update(names.cpp_includes(replace(nested, args=()), schema))
    return found, own


def _named(name: str, places: Places) -> PurePosixPath | None:
    """Return the user's header that an include in angles names; None where that is not one."""
    found = {place for place in places.values() if f"/{place}".endswith(f"/{name}")}
    return found.pop() if len(found) == 1 else None


def _place(key: str, schema: Schema, places: Places) -> PurePosixPath | None:
    """Return the header that has the class with a key: its data class, if it has one."""
    home = schema.home(key)
    type_ = next((type_ for type_ in home.types if type_.key == key), None)
    return places.get(f"{home.name}.{type_.name}" if type_ else key)


# -- The sidecar --------------------------------------------------------------------------------


def _sidecar(
    schema: Schema, target: InPlaceTarget, renderer: Renderer, places: Places
) -> Iterator[OutputFile]:
    types = type_views(schema)
    for space in schema.namespaces:
        visible = _visible(space, places)
        view = file_view(visible, schema)
        path = target.sidecar.joinpath(*schema.inside(space.name), space.file)
        header = renderer.render(
            "cpp/sidecar.h.jinja", file=view, includes=_headers(space, schema, path, places)
        )
        yield OutputFile(path.with_suffix(".h"), "cpp", spell_in_full(header, _FFI, "tschema"))
        source = render_source(view, f'"{space.file}.h"', visible, types, renderer)
        yield OutputFile(path.with_suffix(".cc"), "cpp", spell_in_full(source, _FFI, "tschema"))
    yield from _functors(schema, target, renderer, places)
    yield OutputFile(target.sidecar / "registry.cc", "cpp", render_registry(schema, renderer))


def _visible(space: Namespace, places: Places) -> Namespace:
    """Return a schema file without the classes and enums that no header defines."""
    types = (
        one
        for one in space.types
        if one.options.extern is not None or f"{space.name}.{one.name}" in places
    )
    enums = tuple(one for one in space.enums if one.key in places)
    return replace(space, types=tuple(types), enums=enums)


def _functors(
    schema: Schema, target: InPlaceTarget, renderer: Renderer, places: Places
) -> Iterator[OutputFile]:
    """Yield a header and a source for each dispatch root."""
    visible = tuple(_visible(space, places) for space in schema.namespaces)
    schema = changed(schema, namespaces=visible)
    families = find_families(schema)
    paths: dict[str, PurePosixPath] = {}
    for family in families:
        paths[family.root.key] = target.sidecar.joinpath(
            *functor_folder(family), functor_path(family).name
        )
    for family in families:
        path = paths[family.root.key]

        def quoted(header: PurePosixPath, folder: PurePosixPath = path.parent) -> str:
            return f'"{os.path.relpath(header, folder)}"'

        functors = Functors(
            family,
            families,
            lambda type_: quoted(places[f"{type_.namespace}.{type_.name}"]),
            lambda root: quoted(paths[root.key]),
        )
        texts = (functors.header(renderer), functors.source(renderer))
        for suffix, text in zip((".h", ".cc"), texts, strict=True):
            yield OutputFile(path.with_suffix(suffix), "cpp", spell_in_full(text, _FFI))


def _headers(
    space: Namespace, schema: Schema, path: PurePosixPath, places: Places
) -> tuple[str, ...]:
    """Return the includes of a sidecar header: the user's headers, and those of functions."""
    keys = [
        key
        for type_ in space.types
        for key in (f"{space.name}.{type_.name}", reference_home(type_))
    ]
    keys += [enum.key for enum in space.enums]
    refs = [ref for function in space.functions for ref in type_refs(function)]
    angled, own = _includes(refs, schema, places)
    if space.enums:
        angled.add("tschema/enum.h")
    angled.update(one.options.extern or "" for one in space.types if is_checked(one))
    own |= {places[key] for key in keys if key in places}
    # The folder that an import was given need not be one that a compiler looks in.
    known = {name: place for name in angled if (place := _named(name, places))}
    angled -= known.keys()
    own |= {*known.values()}
    quoted = sorted(os.path.relpath(place, path.parent) for place in own)
    return (*(f"<{one}>" for one in sorted(angled)), *(f'"{one}"' for one in quoted))
