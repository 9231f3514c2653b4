"""Passes, building and JSON of one function of ten thousand nodes, against TVM.

Prints `pass.<name>`, `build.primfunc`, `json.save` and `json.load` in milliseconds.  TVM runs in a
process of its own that has built the same program; the two sides are timed in turns.

Before a pass is timed, its output is checked: on both sides it differs from the input where the
program calls for it, and ours equals the reviewed text of `golden/`, in which two loop nests stand
for all of them.
"""

from __future__ import annotations

from pathlib import Path

from peer_tvm import PeerTvm, peer_tvm
from report import in_turns, report
from uir_side import PASSES, Side, describe, expected, same_program

ROUNDS, CALLS = 7, 5
GOLDEN = Path(__file__).with_name("golden")
OTHERS = ("build.primfunc", "json.save", "json.load")
CHANGES_NOTHING = ("VerifyWellFormed",)


def check_output(ours: Side, peer: PeerTvm, name: str) -> None:
    """Check that a pass does here what it should, and that it does something there as well."""
    after = ours.after(name)
    if name in CHANGES_NOTHING:
        assert after == ours.script, f"`{name}` changed the program"
        return
    assert after != ours.script, f"`{name}` changed nothing"
    assert peer.script(f"pass.{name}") != peer.script(), f"`{name}` of the peer changed nothing"
    golden = (GOLDEN / f"{name}.txt").read_text()
    assert after == expected(golden), f"`{name}`: not the text of `golden/{name}.txt`"


def main() -> None:
    """Print the figures."""
    ours = Side()
    with peer_tvm() as peer:
        same_program(ours.json, peer.json())
        describe("uir", ours.json)
        describe("TVM", peer.json())
        for name in PASSES:
            check_output(ours, peer, name)
        for name in (*(f"pass.{name}" for name in PASSES), *OTHERS):
            times = in_turns(
                lambda calls, name=name: ours.time(name, calls),
                lambda calls, name=name: peer.time(name, calls),
                rounds=ROUNDS,
                calls=CALLS,
            )
            report(name, *(time / 1e6 for time in times), "ms")


if __name__ == "__main__":
    main()
