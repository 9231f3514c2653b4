"""The C++ backend: a header and a source for each schema file, and one that registers all.

In: the JSON IR and the target's folders.  Out: unformatted files, custom regions empty.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

from tschema.backends.base import OutputFile, View, source_roots
from tschema.backends.cpp import names
from tschema.backends.cpp.files import file_view, unit_name
from tschema.backends.cpp.functors import Functors, functor_folder, functor_path
from tschema.backends.cpp.references import has_block
from tschema.backends.cpp.stored_forms import stored_form_includes, stored_forms
from tschema.backends.cpp.types import TypeViews
from tschema.emit.render import Renderer
from tschema.ir.functor_families import find_families
from tschema.ir.model import Namespace, Schema, Type
from tschema.ir.spelling import cpp_namespace
from tschema.project.config import CppTarget


def emit(schema: Schema, target: CppTarget, renderer: Renderer) -> list[OutputFile]:
    """Return the C++ files of a schema."""
    files = []
    for space in schema.namespaces:
        files += _files(space, schema, target, renderer)
    files += _functors(schema, target, renderer)
    registry = render_registry(schema, renderer)
    return [*files, OutputFile(target.source / "registry.cc", "cpp", registry)]


def _functors(schema: Schema, target: CppTarget, renderer: Renderer) -> list[OutputFile]:
    """Return a header and a source for each dispatch root."""

    def header_of(type_: Type) -> str:
        return f"<{names.header_path(schema.home(type_.key))}>"

    def own_header(root: Type) -> str:
        return f"<{paths[root.key]}>"

    families = find_families(schema)
    paths = {family.root.key: functor_path(family) for family in families}
    sources = [space.source for space in schema.namespaces]
    files = []
    for family in families:
        functors = Functors(family, families, header_of, own_header)
        key, path = family.root.key, paths[family.root.key]
        header = renderer.remembered(
            f"cpp functors of {key}", sources, partial(functors.header, renderer)
        )
        source = renderer.remembered(
            f"cpp functor tables of {key}", sources, partial(functors.source, renderer)
        )
        place = target.source.joinpath(*functor_folder(family), path.with_suffix(".cc").name)
        files.append(OutputFile(target.include / path, "cpp", header))
        files.append(OutputFile(place, "cpp", source))
    return files


def _files(
    space: Namespace, schema: Schema, target: CppTarget, renderer: Renderer
) -> list[OutputFile]:
    """Return the header and the source of a schema file."""
    view = cache(partial(file_view, space, schema))
    types = type_views(schema)
    sources = [space.source]
    header = renderer.remembered(
        "cpp header", sources, lambda: _header(view(), space, types, renderer)
    )
    source = renderer.remembered(
        "cpp source",
        sources,
        lambda: render_source(view(), f"<{names.header_path(space)}>", space, types, renderer),
    )
    # Sources lie in the folder of their namespace, without the package.
    folder = target.source.joinpath(*schema.inside(space.name))
    return [
        OutputFile(target.include / names.header_path(space), "cpp", header),
        OutputFile(folder / f"{space.file}.cc", "cpp", source),
    ]


def type_views(schema: Schema) -> Callable[[str], View]:
    """Return what makes the view of the type with a key, once."""
    return cache(lambda key: TypeViews(schema.type(key), schema).view())


def _header(view: View, space: Namespace, types: Callable[[str], View], renderer: Renderer) -> str:
    enums = [renderer.render("cpp/enum.h.jinja", enum=enum) for enum in view.enums]
    scopes = [View(namespace=view.namespace, parts=enums, declarations=[])]
    for type_ in space.types:
        if type_.options.extern is not None and not type_.has_accessor_class:
            continue
        namespace = type_.options.cpp_namespace or view.namespace
        if namespace != scopes[-1].namespace:
            scopes.append(View(namespace=namespace, parts=[], declarations=[]))
        part = partial(_classes, type_, types, renderer)
        scopes[-1].parts.append(renderer.part("cpp classes", type_.key, part))
    if view.declarations and scopes[-1].namespace != view.namespace:
        scopes.append(View(namespace=view.namespace, parts=[], declarations=[]))
    scopes[-1].declarations = view.declarations
    used = [scope for scope in scopes if scope.parts or scope.declarations] or scopes[:1]
    return renderer.render("cpp/header.h.jinja", file=view, scopes=used)


def render_source(
    view: View,
    header: str,
    space: Namespace,
    types: Callable[[str], View],
    renderer: Renderer,
) -> str:
    """
    Return the source with the tables of a schema file.

    Parameters
    ----------
    header
        The header that the source includes, with its brackets or quotes.
    space
        The file in the JSON IR.
    types
        Makes the view of a type; see `type_views`.
    """
    tables = [
        renderer.part("cpp tables", type_.key, partial(_tables, type_.key, types, renderer))
        for type_ in space.types
        if not type_.is_opaque
    ]
    types_row = f"{view.tables}Types" if view.registered else "{}"
    functions_row = f"{view.tables}Functions" if view.functions else "{}"
    externs_row = f", {view.tables}Externs" if view.externs else ""
    unit_rows = f"{types_row}, {functions_row}{externs_row}"
    return renderer.render(
        "cpp/source.cc.jinja", file=view, header=header, tables=tables, unit_rows=unit_rows
    )


def _tables(key: str, types: Callable[[str], View], renderer: Renderer) -> str:
    return renderer.render("cpp/type_tables.cc.jinja", type=types(key))


def _classes(type_: Type, types: Callable[[str], View], renderer: Renderer) -> str:
    view = types(type_.key)
    if type_.has_accessor_class:
        node = renderer.render("cpp/opaque.h.jinja", node=view.node)
    else:
        node = renderer.render("cpp/node.h.jinja", type=view, node=view.node)
    if not has_block(type_):
        return node
    return node + "\n" + renderer.render("cpp/reference.h.jinja", ref=view.ref)


def render_registry(schema: Schema, renderer: Renderer) -> str:
    """Return the source that registers everything of a package."""
    units = [(cpp_namespace(space), unit_name(space)) for space in schema.namespaces]
    namespaces: dict[str, list[str]] = {}
    for namespace, unit in units:
        namespaces.setdefault(namespace, []).append(unit)
    forms = list(stored_forms(schema))
    row = [f'"{schema.package}"', f'"{schema.digest}"', "tschema::kFFIVersion", "kUnits"]
    return renderer.render(
        "cpp/registry.cc.jinja",
        units=units,
        namespaces=sorted(namespaces.items()),
        package=schema.package,
        package_row=", ".join([*row, "kStoredForms"] if forms else row),
        sources=source_roots(schema),
        includes=stored_form_includes(schema),
        stored_forms=forms,
    )
