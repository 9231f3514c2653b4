"""`tschema lsp`: serves an editor over the standard streams.

In: the arguments.  Out: an outcome, when the editor has left.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

from tschema.cli.outcome import DONE, FAILED, Outcome, remark

_LIBRARIES = ("pygls", "lsprotocol", "cattrs")
"""Those of the extra `lsp`."""


def run(_options: argparse.Namespace, _progress: Callable[[str], None]) -> Iterator[Outcome]:
    """Serve until the editor leaves; nothing but the protocol goes to the standard output."""
    try:
        from tschema.lsp.requests import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _LIBRARIES:
            raise
        what = "the language server needs pygls: `pip install 'tschema[lsp]'` installs it"
        yield Outcome(FAILED, pieces=(remark(what),))
        return
    serve()
    yield Outcome(DONE)
