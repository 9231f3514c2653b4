"""Three threads of the operating system construct, rebuild and drop objects at the same time."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator

import pytest
import tvm_ffi

pytestmark = pytest.mark.usefixtures("zoo")

THREADS = 3
ROUNDS = 2000


@pytest.fixture
def busy_switching() -> Iterator[None]:
    """Let threads take turns as often as possible."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("busy_switching")
def test_three_threads_construct(rust: tvm_ffi.Module) -> None:
    from zoo_nodes import Leaf, Optionals, Plain, _ffi_api

    shared = Leaf(-1)
    start = threading.Barrier(THREADS)
    made: list[list[object]] = [[] for _ in range(THREADS)]
    failures: list[BaseException] = []

    def work(thread: int) -> None:
        start.wait()
        try:
            for at in range(ROUNDS):
                number = thread * ROUNDS + at
                plain = rust.rebuild_plain(_ffi_api.rebuild_plain(Plain(i64=number)))
                node = Optionals(text=f"{number}", i64=plain.i64, leaf=shared, leaves=[Leaf(at)])
                with pytest.raises(ValueError, match="u8"):
                    Plain(u8=256 + at)
                made[thread].append(_ffi_api.rebuild_optionals(node))
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(thread,)) for thread in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    for thread, nodes in enumerate(made):
        numbers = [thread * ROUNDS + at for at in range(ROUNDS)]
        assert [node.i64 for node in nodes] == numbers
        assert [node.text for node in nodes] == [str(number) for number in numbers]
        assert [node.leaves[0].value for node in nodes] == list(range(ROUNDS))
        assert all(node.leaf.same_as(shared) for node in nodes)
