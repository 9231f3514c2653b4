"""The Python backend: the package `<package>_nodes`, a module for each schema file.

In: the JSON IR and the target's folder.  Out: unformatted files, custom regions empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import groupby
from pathlib import PurePosixPath
from typing import TypedDict

from tschema.backends.base import OutputFile, source_folders, source_roots
from tschema.backends.python.functors import functors_text, module_name
from tschema.backends.python.names import quoted
from tschema.backends.python.view import (
    ApiViews,
    FileViews,
    declared_names,
    enum_view,
    relative_module,
)
from tschema.emit.render import Renderer
from tschema.ir.functor_families import Family, find_families
from tschema.ir.model import Namespace, Schema, Type
from tschema.project.config import PythonTarget


def emit(schema: Schema, target: PythonTarget, renderer: Renderer) -> list[OutputFile]:
    """Return the Python files of a schema."""
    root = target.dir / f"{schema.package}_nodes"
    shared = {"sources": source_roots(schema), "package": schema.package, "digest": schema.digest}
    files = [
        _file(root / "_lib.py", renderer.render("python/lib.py.jinja", **shared)),
        OutputFile(root / "py.typed", "python", ""),
    ]
    by_name = sorted(schema.namespaces, key=lambda space: (space.name, space.file))
    families = find_families(schema)
    for name, group in groupby(by_name, key=lambda space: space.name):
        folder = root.joinpath(*schema.inside(name))
        here = [family for family in families if family.namespace == name]
        files += _namespace_files(folder, tuple(group), schema, renderer, here)
    if not any(file.path == root / "__init__.py" for file in files):
        files.append(
            _file(root / "__init__.py", renderer.render("python/package.py.jinja", **shared))
        )
    return files


def _file(path: PurePosixPath, text: str) -> OutputFile:
    return OutputFile(path, "python", text)


def _namespace_files(
    folder: PurePosixPath,
    spaces: tuple[Namespace, ...],
    schema: Schema,
    renderer: Renderer,
    families: list[Family],
) -> list[OutputFile]:
    stubs = renderer.remembered(
        "python stubs",
        [space.source for space in spaces],
        lambda: renderer.render("python/ffi_api.py.jinja", api=ApiViews(spaces, schema).view()),
    )
    # A file of functions alone needs no module: they are in `_ffi_api`.
    modules = [(space.file, names) for space in spaces if (names := declared_names(space))]
    written = {stem for stem, _ in modules}
    files = []
    for space in spaces:
        if space.file in written:
            render = partial(_module, space, schema, renderer)
            module = renderer.remembered("python module", [space.source], render)
            files.append(_file(folder / f"{space.file}.py", module))
    files.append(_file(folder / "_ffi_api.py", stubs))
    for family in families:
        modules.append((module_name(family), family.class_names()))
        text = _functors(family, spaces[0], schema, renderer)
        files.append(_file(folder / f"{module_name(family)}.py", text))
    exports = quoted(name for _, names in modules for name in names)
    functions = _exported_functions(spaces, {file for file, _ in modules})
    text = renderer.render(
        "python/namespace.py.jinja",
        sources=source_folders(spaces),
        namespace=spaces[0].name,
        contents=_contents(modules, functions),
        modules=[(file, ", ".join(names)) for file, names in modules],
        functions=", ".join(f"{name} as {name}" for name in functions),
        exports=exports,
    )
    return [*files, _file(folder / "__init__.py", text)]


def _exported_functions(spaces: tuple[Namespace, ...], modules: set[str]) -> list[str]:
    """Return the functions that a namespace's package takes from `_ffi_api`, sorted.

    A function with the name of a module in it is in `_ffi_api` only.
    """
    functions = (
        function.name for space in spaces for function in space.functions if not function.api
    )
    return sorted(name for name in functions if name not in modules)


def _contents(modules: Sequence[object], functions: Sequence[object]) -> str:
    """Describe the contents of a namespace."""
    if modules and functions:
        return "Node classes and functions"
    return "Functions" if functions else "Node classes"


def _functors(family: Family, home: Namespace, schema: Schema, renderer: Renderer) -> str:
    def module_of(key: str) -> str:
        return relative_module(schema.home(key), home, schema)

    sources = [space.source for space in schema.namespaces]
    return renderer.remembered(
        f"python functors of {family.root.key}",
        sources,
        lambda: functors_text(family, module_of, renderer),
    )


class _Class(TypedDict):
    """A class, and the imports that its module needs for it."""

    text: str
    runtime: dict[str, list[str]]
    typing: dict[str, list[str]]


def _module(space: Namespace, schema: Schema, renderer: Renderer) -> str:
    views = FileViews(space, schema)
    kind = f"python class {views.runtime.hidden()}"
    classes = []
    for type_ in space.types:
        made = renderer.part(kind, type_.key, partial(_class, type_, views, renderer))
        views.runtime.add_all(made["runtime"])
        views.typing.add_all(made["typing"])
        classes.append(made["text"])
    enums = [
        renderer.render("python/enum.py.jinja", enum=enum_view(enum), module=space.name)
        for enum in space.enums
    ]
    functions = [
        renderer.render("python/function.py.jinja", function=view)
        for view in views.function_views()
    ]
    parts = [*enums, *classes, *functions]
    return renderer.render("python/module.py.jinja", file=views.view(), parts=parts)


def _class(type_: Type, views: FileViews, renderer: Renderer) -> _Class:
    apart = views.apart()
    text = renderer.render("python/class.py.jinja", **{"class": apart.class_view(type_)})
    return _Class(text=text, runtime=apart.runtime.listed(), typing=apart.typing.listed())
