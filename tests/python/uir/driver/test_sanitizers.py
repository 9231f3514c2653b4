"""`scripts/sanitized_c.sh` finds faults in the C that tests compile."""

from __future__ import annotations

import subprocess

import pytest

from ...support.project import ROOT

FOUND = {
    "undefined": "runtime error: shift exponent 40 is too large",
    "address": "AddressSanitizer: heap-buffer-overflow",
    "thread": "ThreadSanitizer: data race",
}


@pytest.mark.parametrize("kind", FOUND)
def test_a_fault_in_a_kernel_is_found(kind: str) -> None:
    faulty = f"tests/python/uir/driver/faulty_kernels.py::test_{kind}"
    done = subprocess.run(
        [ROOT / "scripts" / "sanitized_c.sh", kind, faulty, "-p", "no:cacheprovider"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode != 0
    assert FOUND[kind] in done.stdout + done.stderr
