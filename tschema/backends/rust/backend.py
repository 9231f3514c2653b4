"""The Rust backend: a module for each schema file, below one root module for the package.

In: the JSON IR and the target's folder.  Out: unformatted files, custom regions empty.
"""

from __future__ import annotations

from pathlib import PurePosixPath

from tschema.backends.base import OutputFile, source_folders
from tschema.backends.rust.names import has_odd_style, module_path
from tschema.backends.rust.view import FileView, file_view
from tschema.config import RustTarget
from tschema.model import Namespace, Schema
from tschema.render import Renderer

__all__ = ["emit", "render_folders", "render_module"]


def emit(schema: Schema, target: RustTarget, renderer: Renderer) -> list[OutputFile]:
    """Return the Rust files of a schema."""
    files = [
        _file(
            target.dir.joinpath(*module_path(space)).with_suffix(".rs"),
            _text(space, schema, renderer),
        )
        for space in schema.namespaces
    ]
    return [*files, *render_folders(schema.namespaces, schema, target.dir, renderer)]


def _file(path: PurePosixPath, text: str) -> OutputFile:
    return OutputFile(path, "rust", text)


def _text(space: Namespace, schema: Schema, renderer: Renderer) -> str:
    return renderer.remembered(
        "rust module", [space.source], lambda: render_module(file_view(space, schema), renderer)
    )


def render_module(view: FileView, renderer: Renderer) -> str:
    """Return the module of a view."""
    parts = [renderer.render("rust/enum.rs.jinja", enum=enum) for enum in view.enums]
    for node, reference in view.types:
        parts.append(renderer.render("rust/node.rs.jinja", node=node))
        parts.append(renderer.render("rust/reference.rs.jinja", reference=reference))
    parts += [renderer.render("rust/function.rs.jinja", function=item) for item in view.functions]
    return renderer.render("rust/module.rs.jinja", file=view, parts=parts)


def render_folders(
    spaces: tuple[Namespace, ...], schema: Schema, root: PurePosixPath, renderer: Renderer
) -> list[OutputFile]:
    """Return the `mod.rs` of every folder that the modules of `spaces` need, the root's last."""
    children: dict[tuple[str, ...], set[tuple[str, bool]]] = {(): set()}
    for space in spaces:
        path = module_path(space)
        for depth in range(len(path)):
            children.setdefault(path[:depth], set()).add((path[depth], depth == len(path) - 1))
    return [
        _file(root.joinpath(*folder, "mod.rs"), _folder(folder, modules, schema, renderer))
        for folder, modules in sorted(children.items(), reverse=True)
    ]


def _folder(
    folder: tuple[str, ...], modules: set[tuple[str, bool]], schema: Schema, renderer: Renderer
) -> str:
    """Render a `mod.rs`: `modules` are its children, with whether each is a schema file."""
    digests = [
        f'"{type_.key}" => "{type_.layout.digest}",'
        for space in schema.namespaces
        for type_ in space.types
    ]
    return renderer.render(
        "rust/folder.rs.jinja",
        namespace=".".join((schema.package, *folder)),
        sources=source_folders(_below(folder, schema)),
        modules=sorted({name for name, _ in modules}),
        reexported=sorted(name for name, is_file in modules if is_file),
        package=schema.package,
        odd_style=has_odd_style(schema),
        digests=[] if folder else digests,
    )


def _below(folder: tuple[str, ...], schema: Schema) -> list[Namespace]:
    """Return the schema files whose modules stand below a folder."""
    return [space for space in schema.namespaces if module_path(space)[: len(folder)] == folder]
