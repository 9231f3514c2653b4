"""Registration of types at run time from the JSON IR, without a compiler or generated code.

In: a `schema.json`. Out: a module with a class for each type, like generated classes. The package's
compiled library owns the types if there is one, otherwise the object runtime.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

import tvm_ffi
from tvm_ffi.registry import get_registered_type_keys

from tschema.platforms import library_name
from tschema.runtime.declarations import SchemaDecl, TypeDecl, read_schema
from tschema.runtime.loaded_classes import make_modules
from tschema.runtime.loaded_operators import operator_functions
from tschema.runtime.loader import find_library, load_runtime, open_library

__all__ = ["load_types"]

_modules: dict[tuple[str, str], ModuleType] = {}
"""The loaded modules, by package and digest."""


def load_types(
    schema: str | os.PathLike[str], *, library: str | os.PathLike[str] | None = None
) -> ModuleType:
    """Load a package's types from its JSON IR.

    The program is the same for a loaded and a compiled package. A library that is loaded, or is
    found next to the schema or in a build folder near it, owns the types; otherwise the object
    runtime registers them with the same layout. Compiled C++ and Rust code works on their objects.

    Parameters
    ----------
    schema
        The package's JSON IR, a `schema.json` that `tschema gen` or `tschema build` has written.
    library
        The compiled library; None to look for `lib<package>.so` near the schema.

    Returns
    -------
    module
        The package: `toy.Add` for the type `toy.Add`, `toy.ir.Add` for `toy.ir.Add`. It can be
        imported by name afterwards, unless another module has that name. Loading the same
        declarations twice returns the same module.

    Raises
    ------
    OSError
        If a file cannot be read.
    ValueError
        If the file is not the JSON IR, or its layouts are invalid.
    TypeError
        If declarations need code that only a compiled library has: `post_init`, methods,
        structural methods of their own, functions, operators that are not data. The error names
        all of them.
    RuntimeError
        If a type is registered with another layout, or builds on one that is not registered.
    ImportError
        If a library does not fit, or was built for another version of tvm-ffi.

    Examples
    --------
    >>> toy = load_types("schema.json")  # doctest: +SKIP
    >>> toy.Add(toy.Const(1), toy.Const(2))  # doctest: +SKIP
    """
    path = Path(schema)
    text = path.read_bytes()
    declared = read_schema(text, str(path))
    known = _modules.get((declared.package, declared.digest))
    if known is not None:
        return known
    load_runtime()
    _import_packages(declared)
    _register(declared, text, path, None if library is None else Path(library))
    module = make_modules(declared, path)
    _modules[declared.package, declared.digest] = module
    return module


def _register(declared: SchemaDecl, text: bytes, path: Path, library: Path | None) -> None:
    if library is None and _missing(declared.types):
        library = _library_near(path.resolve(), declared.package)
    if library is not None:
        open_library(library, declared.package, digest=declared.digest)
    functions = operator_functions(text)
    for function in functions:
        tvm_ffi.register_global_func(function.key, function)
    try:
        tvm_ffi.get_global_func("tschema.load_types")(text.decode(), str(path))
        for function in functions:
            function.register(str(path))
    except BaseException:
        for function in functions:
            tvm_ffi.remove_global_func(function.key)
        raise


def _library_near(path: Path, package: str) -> Path | None:
    """Return a library next to the schema, or in a build folder near it."""
    beside = path.with_name(library_name(package))
    return beside if beside.is_file() else find_library(package, path)


def _import_packages(declared: SchemaDecl) -> None:
    """Import the modules of other packages whose types are missing."""
    for space in declared.imported:
        if not _missing(space.types):
            continue
        try:
            importlib.import_module(space.name)
        except ModuleNotFoundError as error:
            raise ImportError(
                f"package `{declared.package}` builds on types of `{space.name}`, which is not "
                f"loaded: import its module, or call `load_types` for its schema before"
            ) from error


def _missing(types: Iterable[TypeDecl]) -> set[str]:
    """Return the keys of unregistered types."""
    return {decl.key for decl in types}.difference(get_registered_type_keys())
