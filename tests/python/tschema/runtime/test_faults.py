"""Segmentation faults end the process soon, whatever state its heap is in."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest

CORRUPT = """
import ctypes, threading
import uir
threading.Thread(target=threading.Event().wait, daemon=True).start()  # From now on malloc locks.
c = ctypes.CDLL(None)
c.malloc.restype, c.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
c.free.argtypes = [ctypes.c_void_p]
_, chunk, _ = [c.malloc(100_000) for _ in range(3)]
c.free(chunk)
print(flush=True)
ctypes.memset(chunk, 0x41, 16)  # The links of a chunk that is free.
c.malloc(110_000)
"""
"""malloc faults while it holds the lock of the heap, which a report would take too."""

PLAIN = """
import ctypes
import uir
print(flush=True)
ctypes.string_at(8)
"""

OF_THE_USER = """
import ctypes, faulthandler
import uir
faulthandler.enable()
print(flush=True)
ctypes.string_at(8)
"""

ALARMED = (
    """
import ctypes, signal
import uir
signal.signal(signal.SIGALRM, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
"""
    + CORRUPT
)


@pytest.mark.parametrize(
    ("program", "printed"),
    [
        (PLAIN, "!!!!!!! Segfault encountered !!!!!!!"),
        (OF_THE_USER, "Fatal Python error: Segmentation fault"),
        (CORRUPT, "tschema: the report of a segmentation fault took too long"),
        (ALARMED, "tschema: the report of a segmentation fault took too long"),
    ],
    ids=["plain", "of the user", "corrupt heap", "the clock's signal is blocked"],
)
def test_a_fault_ends_the_process(program: str, printed: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", program], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None and process.stdout.readline() == "\n"
        start = time.monotonic()
        try:
            _, error = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == -signal.SIGSEGV
    assert printed in error
    assert time.monotonic() - start < 5
