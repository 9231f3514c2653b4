"""A project's declarations: from a configuration to the JSON IR.

In: a `Config`, and results of earlier runs.  Out: the `Schema`, and warnings.
"""

from __future__ import annotations

from collections.abc import Mapping

from tschema.diagnostics.errors import Diagnostic
from tschema.frontend import parse_schema
from tschema.frontend.parse import parse_texts
from tschema.incremental.store import Store
from tschema.ir import codec
from tschema.ir.declarations import Declarations
from tschema.ir.model import Schema
from tschema.output.lock import lock_for_reading
from tschema.passes import build_schema as run_passes
from tschema.project import packages
from tschema.project.config import Config


def build_schema(
    config: Config, store: Store | None = None, texts: Mapping[str, str] | None = None
) -> tuple[Schema, tuple[Diagnostic, ...]]:
    """
    Read a project's declarations.

    Parameters
    ----------
    texts
        Texts of schema files by path, which count instead of those on disk.

    Raises
    ------
    SchemaError
        The declarations are wrong; every fault is reported.
    """
    declarations = read_declarations(config, store)
    return resolve_declarations(config, parse_texts(declarations, texts) if texts else declarations)


def read_declarations(config: Config, store: Store | None = None) -> Declarations:
    """Return the declarations of a project's schema files, with the errors found while parsing."""
    # A command that writes at this moment would be read halfway.
    with lock_for_reading(config.root):
        return parse_schema(config.root, config.schema, config.package, store, config.roots)


def resolve_declarations(
    config: Config, declarations: Declarations
) -> tuple[Schema, tuple[Diagnostic, ...]]:
    """Return the schema of declarations and the warnings; raises as `build_schema` does."""
    schema, warnings = run_passes(
        config.package,
        declarations,
        _imports(config),
        config.cpp_namespaces,
        config.roots,
        wants_old_layouts=config.cpp_tvm_ffi == ">=0.1.12",
    )
    return schema, tuple(one for one in warnings if one.code not in config.ignore)


def _imports(config: Config) -> dict[str, Schema]:
    return {name: codec.load(path) for name, path in packages.find_imports(config).items()}
