"""The object runtime and a package work with a release of tvm-ffi of each group."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tschema.ffi_groups import FFI_GROUPS

from ..support.project import ROOT


@pytest.mark.long
def test_a_release_of_each_group_works() -> None:
    command = [sys.executable, "-m", "tests.ffi_range", "--quick"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("checks pass") == len(FFI_GROUPS)
    assert done.stdout.count("are refused") == len(FFI_GROUPS) * (len(FFI_GROUPS) - 1)
