"""The tutorial is run as it stands: a language from an empty folder to a compiled library."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from ..support.tutorial import check_tutorial

pytestmark = pytest.mark.long


def test_each_step_prints_what_the_page_shows(tmp_path: Path) -> None:
    check_tutorial(tmp_path, Path(sys.executable).parent)
