"""MetaSchedule of TVM, in a process of the peer's environment."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass

from peer_tvm import SIDES, peer_python

from .kernels import CONVOLUTIONS, PRODUCTS

__all__ = ["Peer", "searched"]

MOST_SECONDS = 600.0


@dataclass(frozen=True)
class Peer:
    """What MetaSchedule found.

    Attributes
    ----------
    seconds
        How long it searched.
    best
        The time of its best candidate in seconds.
    candidates
        The number of candidates that it measured.
    why
        Why it found nothing; empty if it did.
    """

    seconds: float = 0.0
    best: float = 0.0
    candidates: int = 0
    why: str = ""


def searched(name: str, trials: int) -> Peer:
    """Search a kernel with a number of trials."""
    given = PRODUCTS.get(name) or CONVOLUTIONS[name]
    request = json.dumps({"given": given, "trials": trials})
    try:
        made = subprocess.run(
            [peer_python(), SIDES / "tuning_side.py", request],
            capture_output=True,
            text=True,
            timeout=MOST_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Peer(why=f"{trials} trials took more than {MOST_SECONDS:g} s")
    if made.returncode != 0:
        return Peer(why=made.stderr.strip().rpartition("\n")[2])
    return Peer(**json.loads(made.stdout.splitlines()[-1]))
