"""What the sides of TVM share: times of the processor, and answers on standard output."""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Callable
from typing import Any

__all__ = ["Action", "answer", "measure"]

Action = Callable[[], Any]


def measure(make: Callable[[], Action], calls: int) -> float:
    """Return the nanoseconds that one call takes the processor, as `timed` of our side does.

    Parameters
    ----------
    make
        Makes what is called once; its own time does not count.
    calls
        How often.
    """
    actions = [make() for _ in range(calls)]
    gc.collect()
    gc.disable()
    start = time.process_time_ns()
    for action in actions:
        action()
    elapsed = time.process_time_ns() - start
    gc.enable()
    return elapsed / calls


def answer(side: Callable[[dict[str, Any]], Any]) -> None:
    """Answer requests, one JSON value a line, until there are no more."""
    for line in sys.stdin:
        print(json.dumps(side(json.loads(line))), flush=True)
