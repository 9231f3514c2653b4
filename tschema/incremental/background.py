"""Results that another process works out meanwhile.

In: a function that does some tasks.  Out: its result, once it is done, and in the store what these
tasks added.  The other process is a fork of this one, so it knows all that this one knows; if it
fails, there is no result, and this process does the tasks itself.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Callable

from tschema.incremental.store import Store


def can_fork() -> bool:
    """Return whether a second process can run beside this one."""
    if not hasattr(os, "fork") or sys.platform == "darwin":
        return False
    return len(os.sched_getaffinity(0)) > 1


class Background:
    """A forked process that fills a store; a context that waits for its end."""

    def __init__(self, store: Store, work: Callable[[], bytes]) -> None:
        """Start to do some tasks, and keep their results in the store."""
        self._store = store
        read_end, write_end = os.pipe()
        self._child = os.fork()
        if self._child == 0:
            os.close(read_end)
            _work(store, work, write_end)
        os.close(write_end)
        self._stream = os.fdopen(read_end, "rb")

    def __enter__(self) -> Background:
        """Return this process."""
        return self

    def __exit__(self, *_error: object) -> None:
        """End the process, if `join` has not waited for it."""
        self._close()

    def join(self) -> bytes | None:
        """Wait for the process, fill the store, and return the result; None if it failed."""
        data = self._stream.read()
        if self._close() != 0:
            return None
        result: bytes
        result, added = marshal.loads(data)
        self._store.put_all(added)
        return result

    def _close(self) -> int:
        """Wait until the process ends, which it does when its pipe closes; return its status."""
        if self._stream.closed:
            return 0
        self._stream.close()
        return os.waitpid(self._child, 0)[1]


def _work(store: Store, work: Callable[[], bytes], write_end: int) -> None:
    """Do the tasks, send their additions to the store, and end the process."""
    status = 1
    try:
        known = store.fresh()
        result = work()
        added = {key: value for key, value in store.fresh().items() if key not in known}
        with open(write_end, "wb") as stream:
            stream.write(marshal.dumps((result, added)))
        status = 0
    finally:
        # The parent's open files, locks and temporary folders are not this process's to close.
        os._exit(status)
