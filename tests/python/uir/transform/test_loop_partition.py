"""Iterations in which likely conditions hold run in a loop without them."""

from __future__ import annotations

from random import Random

import pytest

from uir import ir, tir
from uir.transform import LoopPartition, PassContext

from ...support.depth import DEPTH
from .script_checks import PARAMS, becomes, parse_body, same_results, stays

CONST = {"LoopPartition.partition_const_loop": True}


def body_of(text: str, params: str = PARAMS) -> tir.Stmt:
    func = parse_body(text, params).lookup("main")
    assert isinstance(func, tir.PrimFunc)
    return func.body


HINT = 'annotations={"pragma_loop_partition_hint": True}'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            """
            for i in range(10):
                if tir.likely(i < 6):
                    A[i] = 0.0
            """,
            "for i in range(6):\n    A[i] = 0.0",
        ),
        (
            # What holds for all values of `j`, which has none, need not hold below its loop.
            f"""
            for i in tir.serial(10, {HINT}):
                for j in range(0):
                    A[j] = 0.0
                if i < 6:
                    A[i] = 0.0
            """,
            """
            for i in range(6):
                for j in range(0):
                    A[j] = 0.0
                A[i] = 0.0
            for i in range(6, 10):
                for j in range(0):
                    A[j] = 0.0
            """,
        ),
        (
            """
            for i in range(10):
                if tir.likely(i >= 2):
                    A[i] = 0.0
            """,
            "for i in range(2, 10):\n    A[i] = 0.0",
        ),
        (
            """
            for i in range(10):
                if tir.likely(i >= 2 and i < 6):
                    A[i] = 0.0
                else:
                    A[i] = 1.0
            """,
            """
            for i in range(2):
                A[i] = 1.0
            for i in range(2, 6):
                A[i] = 0.0
            for i in range(6, 10):
                A[i] = 1.0
            """,
        ),
        (
            """
            for i in range(10):
                if tir.likely(i == 5 or n < 3):
                    A[i] = 0.0
            """,
            """
            for i in range(5):
                if n < 3:
                    A[i] = 0.0
            A[5] = 0.0
            for i in range(6, 10):
                if n < 3:
                    A[i] = 0.0
            """,
        ),
        (
            """
            for i in range(4):
                for j in range(10):
                    if tir.likely(i * 10 + j < 36):
                        A[i * 10 + j] = 0.0
            """,
            """
            for i in range(3):
                for j in range(10):
                    A[i * 10 + j] = 0.0
            for j in range(6):
                A[3 * 10 + j] = 0.0
            """,
        ),
        (
            "for i in range(8):\n    A[i] = tir.Select(tir.likely(i < 5), 1.0, 2.0)",
            """
            for i in range(5):
                A[i] = 1.0
            for i in range(5, 8):
                A[i] = 2.0
            """,
        ),
        (
            "for i in range(8):\n    A[i] = tir.if_then_else(tir.likely(not i < 5), A[9], 2.0)",
            """
            for i in range(5):
                A[i] = 2.0
            for i in range(5, 8):
                A[i] = A[9]
            """,
        ),
        (
            """
            for i in range(16):
                if tir.likely(i < tir.min(7, 9)):
                    A[i] = 0.0
            """,
            "for i in range(7):\n    A[i] = 0.0",
        ),
        (
            """
            for i in tir.vectorized(8):
                if tir.likely(i // 4 == 1):
                    A[i] = 0.0
            """,
            "for i in tir.vectorized(4, 8):\n    A[i] = 0.0",
        ),
        (
            """
            for i in range(4):
                if tir.likely(i < 9):
                    A[i] = 0.0
            """,
            "for i in range(4):\n    A[i] = 0.0",
        ),
    ],
)
def test_a_loop_of_constant_bounds_has_its_parts(before: str, after: str) -> None:
    with PassContext(config=CONST):
        assert becomes(LoopPartition(), before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            f"""
            for i in tir.serial(12, {HINT}):
                if i < 4:
                    A[i] = 0.0
                elif i < 8:
                    A[i] = 1.0
                else:
                    A[i] = 2.0
            """,
            """
            for i in range(4):
                A[i] = 0.0
            for i in range(4, 8):
                A[i] = 1.0
            for i in range(8, 12):
                A[i] = 2.0
            """,
        ),
        (
            f"""
            for i in tir.serial(12, {HINT}):
                B[i] = 0
                if i == 0:
                    A[i] = 0.0
                elif i != 11:
                    A[i] = 1.0
            """,
            """
            B[0] = 0
            A[0] = 0.0
            for i in range(1, 11):
                B[i] = 0
                A[i] = 1.0
            B[11] = 0
            """,
        ),
        (
            """
            for i in range(12):
                tir.attr(i, "pragma_loop_partition_hint", True)
                A[i] = 0.0
            """,
            "for i in range(12):\n    A[i] = 0.0",
        ),
        (
            f"""
            for i in tir.serial(n, {HINT}):
                if n < 4:
                    A[i] = 0.0
            """,
            """
            for i in range(n):
                if n < 4:
                    A[i] = 0.0
            """,
        ),
    ],
)
def test_with_a_hint_all_conditions_count(before: str, after: str) -> None:
    assert becomes(LoopPartition(), before, after)


def test_options_keep_short_loops_and_unroll_what_is_open() -> None:
    before = f"""
        for i in tir.serial(6, {HINT}):
            if i == 2 or i * 2 + n % 2 < 8:
                A[i] = 0.0
    """
    after = """
        for i in range(2):
            if i * 2 + n % 2 < 8:
                A[i] = 0.0
        for i in range(2, 3):
            A[i] = 0.0
        for i in range(3, 6):
            if i * 2 + n % 2 < 8:
                A[i] = 0.0
    """
    with PassContext(config={"LoopPartition.no_unroll_loop_with_extent_one": True}):
        assert becomes(
            LoopPartition(), before.replace("n % 2", "B[0]"), after.replace("n % 2", "B[0]")
        )
    before = f"""
        for i in tir.serial(6, {HINT}):
            for j in range(4):
                if 3 <= i + j:
                    A[i] = 0.0
    """
    after = """
        for i in tir.unroll(3):
            for j in range(4):
                if 3 <= i + j:
                    A[i] = 0.0
        for i in range(3, 6):
            for j in range(4):
                A[i] = 0.0
    """
    with PassContext(config={"LoopPartition.unroll_loop_with_partition_hint_no_interval": True}):
        assert becomes(LoopPartition(), before, after)


def test_blocks_of_a_grid_branch_in_their_threads() -> None:
    head = (
        'with tir.launch_thread("blockIdx.x", (n + 63) // 64) as bx:\n'
        '    with tir.launch_thread("threadIdx.x", 64) as tx:\n        '
    )
    store = "A[bx * 64 + tx] = 1.0"
    check = "if {}bx * 64 + tx < n{}:\n" + " " * 12 + store
    assert becomes(
        LoopPartition(),
        head + check.format("tir.likely(", ")"),
        head + f"if bx < n // 64:\n            {store}\n        el" + check.format("", ""),
        PARAMS.replace("n: tir.int32", 'n: tir.SizeVar("int32")'),
    )


def test_limits_that_may_overflow_are_computed_if_the_loop_runs() -> None:
    # `n - 3` overflows for the least integers, for which the loop does not run.
    before = """
        for i in range(n):
            if tir.likely(i + 3 < n):
                A[i] = 0.0
    """
    after = LoopPartition()(parse_body(before)).lookup("main")
    assert isinstance(after, tir.PrimFunc)
    assert isinstance(after.body, tir.IfThenElse)
    expected = body_of("tir.evaluate(0 < n)")
    assert isinstance(expected, tir.Evaluate)
    condition = str(after.body.condition)
    assert condition == str(expected.value)
    assert isinstance(after.body.then_case, tir.For)


def test_constant_loops_stay_unless_they_are_asked_for() -> None:
    text = """
        for i in range(10):
            if tir.likely(i < 6):
                A[i] = 0.0
    """
    plain = """
        for i in range(10):
            if i < 6:
                A[i] = 0.0
    """
    assert becomes(LoopPartition(), text, plain)


def test_a_hint_asks_for_one_loop() -> None:
    loop = body_of(
        """
        for i in range(10):
            if tir.likely(i < 6):
                A[i] = 0.0
            else:
                A[i] = 1.0
        """
    )
    assert isinstance(loop, tir.For)
    hinted = tir.For(
        loop.loop_var,
        loop.min,
        loop.extent,
        loop.kind,
        loop.body,
        annotations={"pragma_loop_partition_hint": True},
    )
    func = tir.PrimFunc([], hinted)
    after = LoopPartition()(ir.IRModule({ir.GlobalVar("main"): func})).lookup("main")
    assert isinstance(after, tir.PrimFunc)
    assert isinstance(after.body, tir.SeqStmt)
    parts = [part for part in after.body.seq if isinstance(part, tir.For)]
    assert [dict(part.annotations) for part in parts] == [{}, {}]


def test_a_symbolic_tail_is_split_off() -> None:
    # A size is never negative, so that nothing comes before the first part.
    params = PARAMS.replace("n: tir.int32", 'n: tir.SizeVar("int32")')
    head = "for i in range({}):\n    for j in range(4):\n        "
    checked = "if tir.likely(i * 4 + j < n):\n            A[i * 4 + j] = 0.0"
    module = parse_body(head.format("(n + 3) // 4") + checked, params)
    after = LoopPartition()(module).lookup("main")
    assert isinstance(after, tir.PrimFunc)
    assert isinstance(after.body, tir.SeqStmt)
    first, second = after.body.seq
    expected = body_of(head.format("n // 4") + "A[i * 4 + j] = 0.0", params)
    assert ir.structural_equal(first, expected, map_free_vars=True)
    assert isinstance(second, tir.For)


@pytest.mark.parametrize(
    "body",
    [
        """
        for i in range(n):
            if i < m:
                A[i] = 0.0
        """,
        "for i in range(n):\n    A[i] = 0.0",
    ],
)
def test_without_notes_nothing_changes(body: str) -> None:
    assert stays(LoopPartition(), body)


@pytest.mark.parametrize(
    "condition", ["i * i < n", "B[i] < n", "i + B[0] < n", "n < m", "i % 3 != m"]
)
def test_conditions_that_cannot_be_solved_are_checked_still(condition: str) -> None:
    text = f"for i in range(n):\n    if tir.likely({condition}):\n        A[i] = 0.0"
    plain = f"for i in range(n):\n    if {condition}:\n        A[i] = 0.0"
    assert becomes(LoopPartition(), text, plain)


@pytest.mark.parametrize("n", range(-2, 24, 5))
@pytest.mark.parametrize("m", range(-2, 24, 5))
def test_the_parts_do_what_the_loop_does(n: int, m: int) -> None:
    body = """
        for i in range(n):
            for j in range(3):
                if tir.likely(i * 3 + j < m and i * 2 > n - 7):
                    A[i * 2 + j] = 2.0
                else:
                    B[i] = 1
    """
    assert same_results(parse_body(body), LoopPartition()(parse_body(body)), n, m)


ATOMS = (
    "i < {a}",
    "i * 2 + j >= {a}",
    "i == {a}",
    "i != {a}",
    "i + j < n",
    "n - i > {a}",
    "(i + {a}) // 3 < m",
    "i - j * 2 <= m",
    "i * {a} <= n + j",
    "tir.max(i, {a}) < n",
)


def random_body(random: Random) -> str:
    """Return loops over conditions, some of them marked."""
    atoms = [random.choice(ATOMS).format(a=random.randrange(-2, 9)) for _ in range(4)]
    first = f"{atoms[0]} {random.choice(['and', 'or'])} {atoms[1]}"
    second = random.choice(["not ({})", "{}"]).format(atoms[2])
    extent = random.choice(["n", "7", "(n + 3) // 4", "m"])
    hint = random.choice(["", f", {HINT}"])
    inner = random.choice(["serial(3)", "serial(m)", "vectorized(2)", "unroll(2)"])
    return (
        f"for i in tir.serial({extent}{hint}):\n    for j in tir.{inner}:\n"
        f"        if tir.likely({first}):\n            B[i * 3 + j] = 1\n"
        f"        elif {second}:\n            B[i * 3 + j + 1] = i\n"
        f"        A[i] = tir.if_then_else(tir.likely({atoms[3]}), A[i] + 1.0, A[i] * 2.0)"
    )


@pytest.mark.parametrize("seed", range(8 * DEPTH))
def test_random_loops_keep_their_values(seed: int) -> None:
    random = Random(seed)
    module = parse_body(random_body(random))
    config = {
        "LoopPartition.partition_const_loop": random.random() < 0.7,
        "LoopPartition.no_unroll_loop_with_extent_one": random.random() < 0.3,
    }
    with PassContext(config=config):
        changed = LoopPartition()(module)
        assert LoopPartition()(changed).same_as(changed)
    assert list(ir.verify(changed)) == []
    for n, m in ((0, 3), (5, 2), (9, 6), (12, -1)):
        assert same_results(module, changed, n, m, fill=1), f"n={n}, m={m}: {changed}"


def test_a_condition_that_is_to_be_ignored_splits_nothing() -> None:
    body = "        A[i] = 0.0\n    if i < 8:\n        A[i] = 1.0"
    before = f"for i in tir.serial(16, {HINT}):\n    if tir.ignore_loop_partition(i < 4):\n{body}"
    after = """
        for i in range(8):
            if i < 4:
                A[i] = 0.0
            A[i] = 1.0
        for i in range(8, 16):
            if i < 4:
                A[i] = 0.0
    """
    assert becomes(LoopPartition(), before, after)
    alone = """
        for i in range(n):
            if tir.ignore_loop_partition(i < 4):
                A[i] = 0.0
    """
    assert becomes(
        LoopPartition(), alone, alone.replace("tir.ignore_loop_partition(i < 4)", "i < 4")
    )


def test_parts_of_one_iteration_bind_the_same_variables() -> None:
    before = f"""
        for i in tir.serial(3, {HINT}):
            x: tir.int32 = B[i]
            if i == 1:
                A[x] = 1.0
    """
    after = "x: tir.int32 = B[0]\ny: tir.int32 = B[1]\nA[y] = 1.0\nz: tir.int32 = B[2]"
    assert becomes(LoopPartition(), before, after)
