"""What of a project is not parsed yet, parsed: for a process that does nothing else.

In: the path of a configuration.  Out: entries for the cache, in the form of `Store.fresh`.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import BinaryIO

from tschema.cache import Store, open_store
from tschema.config import load_config
from tschema.errors import Reporter
from tschema.frontend.files import SchemaFile, read_files
from tschema.frontend.parse import is_parsed, parse_file, quiet

__all__ = ["parse_ahead"]

_WORTH_SHARING = 100_000
"""Characters of schema files that keep two processes busy."""


def parse_ahead(config_path: str, stream: BinaryIO) -> None:
    """
    Parse the schema files of a project that the cache does not have.

    Parameters
    ----------
    config_path
        The configuration.
    stream
        Takes what was parsed.
    """
    config = load_config(Path(config_path))
    store = open_store(config.root)
    files = read_files(config.root, config.schema, config.package, Reporter())
    missing = [file for file in files if not is_parsed(file, store)]
    if sum(len(file.source.text) for file in missing) > _WORTH_SHARING:
        __import__("libcst")
        stream.write(_share(missing, store))
    else:
        stream.write(_parse(missing, store))


def _share(files: list[SchemaFile], store: Store) -> bytes:
    """Parse every second file in a process of its own."""
    reader, writer = os.pipe()
    process = os.fork()
    if not process:
        try:
            with open(writer, "wb") as stream:
                stream.write(_parse(files[1::2], store))
        finally:
            os._exit(0)
    os.close(writer)
    own = _parse(files[::2], store)
    with open(reader, "rb") as stream:
        other = stream.read()
    os.waitpid(process, 0)
    return own + other


def _parse(files: list[SchemaFile], store: Store) -> bytes:
    with quiet():
        for file in files:
            parse_file(file, Reporter(), store)
    return store.fresh()
