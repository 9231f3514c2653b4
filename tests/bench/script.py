"""Script of a function of a thousand statements, printed and parsed, against TVM.

Prints `script.print` and `script.parse` in milliseconds.  TVM runs in a process of its own that has
built the same program; the two sides are timed in turns.  What is parsed is what was printed.
"""

from __future__ import annotations

from peer_tvm import peer_tvm
from report import in_turns, report
from uir_side import Side, describe, same_program

import uir
from uir import ir

# One call of the peer's parser takes as long as fifty of its printer's.
CALLS = {"script.print": 10, "script.parse": 1}
ROUNDS = 5


def main() -> None:
    """Print the figures."""
    ours = Side()
    assert ir.structural_equal(uir.script.parse(ours.script), ours.module), "another program"
    with peer_tvm() as peer:
        same_program(ours.json, peer.json())
        describe("uir", ours.json)
        print(
            f"# {len(ours.script.splitlines())} lines here, {len(peer.script().splitlines())} there"
        )
        for name, calls in CALLS.items():
            times = in_turns(
                lambda calls, name=name: ours.time(name, calls),
                lambda calls, name=name: peer.time(name, calls),
                rounds=ROUNDS,
                calls=calls,
            )
            report(name, *(time / 1e6 for time in times), "ms")


if __name__ == "__main__":
    main()
