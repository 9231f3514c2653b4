"""A project's declarations: from a configuration to the JSON IR.

In: a `Config`, and what earlier runs have worked out.  Out: the `Schema`, and warnings.
"""

from __future__ import annotations

from tschema import passes
from tschema.diagnostics.errors import Diagnostic, Reporter
from tschema.frontend import parse_files, read_files
from tschema.incremental.cache import Store, make_key
from tschema.ir import codec
from tschema.ir.declarations import Declarations
from tschema.ir.json_dump import Dumper
from tschema.ir.model import Schema
from tschema.pipeline.remembered import Remembered
from tschema.project import packages
from tschema.project.config import Config

__all__ = ["build_schema"]


def build_schema(
    config: Config, store: Store | None = None, dumper: Dumper | None = None
) -> tuple[Schema, tuple[Diagnostic, ...]]:
    """
    Read a project's declarations.

    Parameters
    ----------
    config
        The project.
    store
        What earlier runs have worked out.
    dumper
        Told of the texts of the declarations that are known.

    Returns
    -------
    schema
        The JSON IR.
    warnings
        What is worth a remark.

    Raises
    ------
    SchemaError
        The declarations are wrong; every fault is reported.
    """
    paths = {package: packages.find_schema(package) for package in config.imports}
    texts = {package: path.read_bytes() for package, path in paths.items()}
    imports = {package: codec.decode(texts[package], str(path)) for package, path in paths.items()}
    store, dumper = store or Store(), dumper or Dumper()
    reporter = Reporter()
    files = read_files(config.root, config.schema, config.package, reporter)
    digests = {package: make_key(text) for package, text in texts.items()}
    remembered = Remembered(config.package, files, digests, store)
    known = remembered.build(imports, dumper) if not reporter.diagnostics else None
    if known is not None:
        return known
    parsed = parse_files(files, store)
    declarations = Declarations(parsed.files, (*reporter.diagnostics, *parsed.diagnostics))
    schema, warnings = passes.build_schema(config.package, declarations, imports)
    remembered.note(schema, parsed.files, warnings, dumper)
    return schema, warnings
