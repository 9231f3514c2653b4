"""Watch mode: wakes on each change of an input.

In: the inputs of a run, determined anew each time. Out: an item for each run that is due, the first
one immediately. System notifications only wake it; it then compares the files with those of the
last run, so that each change triggers one run.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from watchfiles import watch

from tschema.pipeline.inputs import Inputs

_STEP = 20
"""Milliseconds without a further change that end one; an editor writes a file in several steps."""
_LONGEST = 200
"""Milliseconds that a row of changes is waited for at most."""
_TICK = 500
"""Milliseconds between looks at what lies outside the schema folders."""

_Stamps = dict[Path, tuple[int, int, int]]


def changes(find_inputs: Callable[[], Inputs]) -> Iterator[None]:
    """
    Yield at once, and whenever an input has changed since the last time.

    Parameters
    ----------
    find_inputs
        Returns the files that the next run would read.
    """
    while True:
        inputs = find_inputs()
        stamps = _stamps(inputs)
        yield
        for _ in _wake_ups(inputs):
            if _stamps(find_inputs()) != stamps:
                _wait_until_whole(find_inputs, stamps)
                break


def _wake_ups(inputs: Inputs) -> Iterator[None]:
    """Yield after each change in a folder of schema files, and every now and then."""
    folders = [folder for folder in inputs.folders if folder.is_dir()]
    yield
    for _ in watch(
        *(folders or [inputs.project[0].parent]),
        watch_filter=None,
        debounce=_LONGEST,
        step=_STEP,
        rust_timeout=_TICK,
        yield_on_timeout=True,
        recursive=False,
        raise_interrupt=True,
    ):
        yield


def _wait_until_whole(find_inputs: Callable[[], Inputs], before: _Stamps) -> None:
    """Wait while inputs change, or one is gone or empty, as before an editor writes its text."""
    end = time.monotonic() + _LONGEST / 1000
    filled = [path for path, (_, size, _) in before.items() if size]
    found = _stamps(find_inputs())
    while time.monotonic() < end:
        time.sleep(_STEP / 1000)
        previous, found = found, _stamps(find_inputs())
        if found == previous and all(path in found and found[path][1] for path in filled):
            return


def _stamps(inputs: Inputs) -> _Stamps:
    """Return what tells each input from a later state of it; folders count by their names only."""
    stamps: _Stamps = {}
    for path in inputs.project + inputs.foreign:
        try:
            stat = os.stat(path)
        except OSError:
            continue
        stamps[path] = stat.st_mtime_ns, stat.st_size, stat.st_ino
    return stamps
