"""The older version of a schema: of a revision of git, of a file, or of another checkout.

In: the argument of `--against`.  Out: its JSON IR.
"""

from __future__ import annotations

import io
import tarfile
import tempfile
from pathlib import Path, PurePosixPath

from tschema.diagnostics.errors import SchemaError, schema_error
from tschema.ir import codec
from tschema.ir.model import Schema
from tschema.pipeline.schema import build_schema
from tschema.project.config import Config, load_config
from tschema.project.git import git

_CONFIGS = ("tschema.toml", "pyproject.toml")


def load_against(name: str, config: Config) -> Schema:
    """
    Return the schema to compare with.

    Parameters
    ----------
    name
        A JSON IR, the configuration of another checkout, or a revision of git. A revision's own
        JSON IR is read if it has one, else its declarations.

    Raises
    ------
    SchemaError
        There is no such file and no such revision, its schema is wrong, or it is that of another
        package.
    """
    path = Path(name)
    if path.is_file():
        schema = build_schema(load_config(path))[0] if path.name in _CONFIGS else codec.load(path)
    else:
        schema = _of_revision(name, config)
    if schema.package != config.package:
        message = f"`{name}` is the schema of `{schema.package}`, not of `{config.package}`"
        raise schema_error("TS090", message, help="name an older version of this project")
    return schema


def _of_revision(revision: str, config: Config) -> Schema:
    _check(revision, config)
    data = git(config.root, "show", f"{revision}:./{config.ir}")
    if data is not None:
        try:
            return codec.decode(data, f"{revision}:{config.ir}")
        except SchemaError:
            pass  # Another version of tschema wrote it, so the declarations are read again.
    return _from_declarations(revision, config)


def _check(revision: str, config: Config) -> None:
    """Refuse a text that is not a revision of the project's repository."""
    commit = f"{revision}^{{commit}}"
    if git(config.root, "rev-parse", "--verify", "--quiet", "--end-of-options", commit) is None:
        raise schema_error(
            "TS090",
            f"`{revision}` is neither a file nor a revision of git",
            help="name a `schema.json`, a `tschema.toml`, or a revision such as `origin/main`; "
            "a shallow clone has few of them: `git fetch --unshallow`",
        )


def _from_declarations(revision: str, config: Config) -> Schema:
    paths = [PurePosixPath(config.file.name), *config.schema]
    there = [
        str(path)
        for path in paths
        if git(config.root, "cat-file", "-e", f"{revision}:./{path}") is not None
    ]
    archive = git(config.root, "archive", "--format=tar", revision, "--", *there) if there else None
    if archive is None or config.file.name not in there:
        message = f"revision `{revision}` has no `{config.file.name}`"
        raise schema_error("TS090", message, help="name a revision that has this project")
    with tempfile.TemporaryDirectory(prefix="tschema-") as folder:
        with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
            # Python 3.11 has it from 3.11.4 on.
            tar.extraction_filter = getattr(tarfile, "data_filter", None)
            tar.extractall(folder)
        return build_schema(load_config(Path(folder) / config.file.name))[0]
