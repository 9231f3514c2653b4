"""`uir lsp`: serves an editor over the standard streams."""

from __future__ import annotations

import argparse
from typing import Any

__all__ = ["add_lsp"]

_LIBRARIES = ("pygls", "lsprotocol", "cattrs")
"""Those of the extra `lsp`."""


def add_lsp(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "lsp",
        help="serve an editor with errors and types of script",
        description="Answer an editor by the protocol of language servers, over the standard "
        "streams.",
    )
    parser.set_defaults(run=run)


def run(_options: argparse.Namespace) -> None:
    """Serve until the editor leaves; nothing but the protocol goes to the standard output.

    Raises
    ------
    ImportError
        If a library of the extra `lsp` is missing.
    """
    try:
        from ..lsp.requests import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _LIBRARIES:
            raise
        raise ImportError("the language server needs pygls: install `uir[lsp]`") from error
    serve()
