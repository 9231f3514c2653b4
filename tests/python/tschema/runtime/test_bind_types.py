"""Types are bound to their classes when `bind_types` returns, whichever thread binds them."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest

from tschema.runtime import bind_types, bind_types_later

SLOW = """
import sys, time
sys.modules["slow_types_started"].set()
time.sleep(0.3)
done = True
"""


def test_a_second_thread_waits_for_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "slow_types.py").write_text(SLOW)
    monkeypatch.syspath_prepend(tmp_path)
    started = threading.Event()
    monkeypatch.setitem(sys.modules, "slow_types_started", started)  # type: ignore[arg-type]
    bind_types()
    bind_types_later(["slow_types"])
    first = threading.Thread(target=bind_types)
    first.start()
    assert started.wait(10)
    bind_types()
    assert sys.modules["slow_types"].done
    first.join()
    monkeypatch.delitem(sys.modules, "slow_types")
