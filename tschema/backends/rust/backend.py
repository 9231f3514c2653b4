"""The Rust backend: a module for each schema file, below one root module for the package.

In: the JSON IR and the target's folder.  Out: unformatted files, custom regions empty.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import PurePosixPath
from typing import TypedDict

from tschema.backends.base import OutputFile, View, source_folders
from tschema.backends.rust.functor_names import home_of
from tschema.backends.rust.functors import functors_text
from tschema.backends.rust.names import Scope, has_odd_style, module_path
from tschema.backends.rust.view import file_view, node_view, reference_view
from tschema.emit.render import Renderer
from tschema.ir.functor_families import Family, find_families
from tschema.ir.model import Namespace, Schema, Type
from tschema.project.config import RustTarget


def emit(schema: Schema, target: RustTarget, renderer: Renderer) -> list[OutputFile]:
    """Return the Rust files of a schema."""
    files = []
    for space in schema.namespaces:
        render = partial(_module, Scope(schema, space, target.module), renderer)
        text = renderer.remembered(f"rust module in {target.module}", [space.source], render)
        files.append(module_file(space, schema, target.dir, text))
    families = find_families(schema)
    for family in families:
        scope = Scope(schema, home_of(family), target.module)
        files.append(
            module_file(scope.space, schema, target.dir, _functors(family, scope, renderer))
        )
    return [*files, *render_folders(schema.namespaces, schema, target.dir, renderer, families)]


def module_file(space: Namespace, schema: Schema, root: PurePosixPath, text: str) -> OutputFile:
    """Return the file of a schema file's module, or of a family's functors."""
    return OutputFile(root.joinpath(*module_path(space, schema)).with_suffix(".rs"), "rust", text)


def _functors(family: Family, scope: Scope, renderer: Renderer) -> str:
    return renderer.remembered(
        f"rust functors of {family.root.key} in {scope.module}",
        [space.source for space in scope.schema.namespaces],
        lambda: functors_text(family, scope, renderer),
    )


class _Type(TypedDict):
    """The items of a type, and the names that its module has imported by now."""

    texts: list[str]
    used: dict[str, str]


def _module(scope: Scope, renderer: Renderer) -> str:
    texts = []
    for type_ in scope.space.types:
        # A name that is imported already makes others of its kind be spelled in full.
        kind = f"rust type in {scope.module} {list(scope.used.items())}"
        made = renderer.part(kind, type_.key, partial(_type, type_, scope, renderer))
        scope.used = made["used"]
        texts += made["texts"]
    return render_module(file_view(scope.space, scope), texts, renderer)


def _type(type_: Type, scope: Scope, renderer: Renderer) -> _Type:
    node, reference = node_view(type_, scope), reference_view(type_, scope)
    texts = [
        renderer.render("rust/node.rs.jinja", node=node),
        renderer.render("rust/reference.rs.jinja", reference=reference),
    ]
    return _Type(texts=texts, used=dict(scope.used))


def render_module(view: View, types: Iterable[str], renderer: Renderer) -> str:
    """Return the module of a view, given the texts of its types."""
    parts = [renderer.render("rust/enum.rs.jinja", enum=enum) for enum in view.enums]
    parts += types
    parts += [renderer.render("rust/function.rs.jinja", function=item) for item in view.functions]
    parts += [renderer.render("rust/operator.rs.jinja", reference=item) for item in view.operators]
    return renderer.render("rust/module.rs.jinja", file=view, parts=parts)


def render_folders(
    spaces: tuple[Namespace, ...],
    schema: Schema,
    root: PurePosixPath,
    renderer: Renderer,
    families: tuple[Family, ...],
) -> list[OutputFile]:
    """Return the `mod.rs` of every folder that modules need, the root's last.

    Parameters
    ----------
    spaces
        Schema files with modules, which are re-exported.
    root
        The folder of the root's `mod.rs`.
    families
        Their functors have modules too, of which the traits are re-exported.
    """
    children: dict[tuple[str, ...], set[tuple[str, str]]] = {(): set()}
    exports = {home_of(one): ", ".join(one.class_names()) for one in families}
    for space in (*spaces, *exports):
        path = module_path(space, schema)
        for depth in range(len(path) - 1):
            children.setdefault(path[:depth], set()).add((path[depth], ""))
        exported = f"{{{exports[space]}}}" if space in exports else "*"
        children.setdefault(path[:-1], set()).add((path[-1], exported))
    files = []
    for folder, modules in sorted(children.items(), reverse=True):
        text = _folder(folder, modules, schema, renderer)
        files.append(OutputFile(root.joinpath(*folder, "mod.rs"), "rust", text))
    return files


def _folder(
    folder: tuple[str, ...], modules: set[tuple[str, str]], schema: Schema, renderer: Renderer
) -> str:
    """Render a `mod.rs`: `modules` are its children, with what of each is re-exported."""
    types = () if folder else (one for one in schema.types() if one.is_registered)
    return renderer.render(
        "rust/folder.rs.jinja",
        namespace=".".join(
            folder if folder[:1] and schema.is_own(folder[0]) else (schema.package, *folder)
        ),
        sources=source_folders(_below(folder, schema)),
        modules=sorted({name for name, _ in modules}),
        reexported=sorted(f"{name}::{exported}" for name, exported in modules if exported),
        package=schema.package,
        odd_style=not folder and has_odd_style(schema),
        digests=[f'"{type_.key}" => "{type_.layout.digest}",' for type_ in types],
    )


def _below(folder: tuple[str, ...], schema: Schema) -> list[Namespace]:
    """Return the schema files whose modules are below a folder."""
    return [
        space for space in schema.namespaces if module_path(space, schema)[: len(folder)] == folder
    ]
