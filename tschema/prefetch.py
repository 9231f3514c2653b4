"""Parses changed schema files in processes of their own, while the command still gets ready.

In: the configuration's path.  Out: what the front end would have put into the cache.  Importing
LibCST takes about as long as importing all the rest, so that both had better go on at once; and
where there is much to parse, two processes share it.  Whatever goes wrong here is left to the
command itself, which parses what it misses.
"""

from __future__ import annotations

import os
import sys

__all__ = ["collect", "start"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tschema.cache import Store

_running: list[tuple[int, int]] = []
"""Process and pipe of what was started; this process does so once at most."""


def start(config: str) -> None:
    """
    Start to parse what an earlier run has not parsed.

    Parameters
    ----------
    config
        The path of the configuration.
    """
    if not hasattr(os, "fork") or not sys.platform.startswith("linux"):
        return
    reader, writer = os.pipe()
    process = os.fork()
    if process:
        os.close(writer)
        _running.append((process, reader))
        return
    os.close(reader)
    _work(config, writer)


def collect(store: Store) -> None:
    """
    Take what was parsed.

    Parameters
    ----------
    store
        Takes it.
    """
    while _running:
        process, reader = _running.pop()
        with open(reader, "rb") as stream:
            data = stream.read()
        os.waitpid(process, 0)
        store.absorb(data)


def _work(config: str, writer: int) -> None:
    """Parse, write the results, and leave without a trace."""
    try:
        null = os.open(os.devnull, os.O_RDWR)
        for standard in range(3):
            os.dup2(null, standard)
        from tschema.frontend.ahead import parse_ahead

        with open(writer, "wb") as stream:
            parse_ahead(config, stream)
    finally:
        os._exit(0)
