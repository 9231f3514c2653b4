"""Parallel loops on threads: results, errors, and what else a process does meanwhile.

Each test is a program in a process of its own, as a process has one pool of threads.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tvm_ffi import libinfo

from ...support.parallel_program import load_parallel, parallel_text
from ...support.process import run_python
from ...support.project import ROOT

START = """
import os, sys, threading, time
import numpy as np
import tvm_ffi

first, second = (tvm_ffi.load_module(path) for path in sys.argv[1:])
A = np.arange(100003, dtype="float32") + 3
B = np.zeros_like(A)

# With the first thread of a process, ThreadSanitizer starts one of its own.
first_thread = threading.Thread(target=lambda: None)
first_thread.start()
first_thread.join()
while os.path.exists(f"/proc/self/task/{first_thread.native_id}"):
    time.sleep(0.001)

def num_threads():
    return len(os.listdir("/proc/self/task"))

def error_of(*args):
    try:
        first["check"](*args)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
"""


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Compile the program as two libraries."""
    folder = tmp_path_factory.mktemp("parallel")
    for name in ("first", "second"):
        load_parallel(folder, name)
    return [folder / "first.so", folder / "second.so"]


@pytest.mark.parametrize("num_threads", [1, 2, 3, 8])
def test_any_number_of_threads_gives_the_results_of_one(
    num_threads: int, libraries: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UIR_NUM_THREADS", str(num_threads))
    program = """
before = num_threads()
for count in (0, 1, 2, 7, 100003):
    B[:] = -1
    first["scale"](A[:count].copy(), part := B[:count].copy(), 0.5)
    assert (part == A[:count] * np.float32(0.5)).all()
for count in (1, 2, 5):
    rows = np.random.default_rng(0).random((count, 9000), dtype="float32")
    first["rows"](rows, made := np.zeros_like(rows))
    assert (made == (rows + 1)[:, ::-1]).all()
print(num_threads() - before)
"""
    assert run_python(START + program, *libraries) == f"{num_threads - 1}\n"


def test_the_error_is_that_of_the_first_iteration_that_fails(
    libraries: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UIR_NUM_THREADS", "3")
    program = """
for turn in range(200):
    A[70000], A[turn * 300] = 1, 2
    assert error_of(A, B) == "IndexError: found two", turn
    A[turn * 300] = 3
A[100002], A[70000] = 2, 1
assert error_of(A, B) == "ValueError: found one"
A[70000] = A[100002] = 0
assert error_of(A, B) is None and (A == B).all()
"""
    run_python(START + program, *libraries)


def test_a_forked_process_starts_threads_of_its_own(
    libraries: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UIR_NUM_THREADS", "3")
    program = """
first["scale"](A, B, 2.0)
for turn in range(5):
    child = os.fork()
    if child == 0:
        B[:] = 0
        alone = num_threads()
        for library in (first, second):
            library["scale"](A, B, 3.0)
        os._exit(0 if (B == A * 3).all() and (alone, num_threads()) == (1, 3) else 1)
    first["scale"](A, B, 2.0)
    assert os.waitpid(child, 0)[1] == 0
    assert (B == A * 2).all()
"""
    run_python(START + program, *libraries)


def test_a_forked_process_ends_as_every_other(
    libraries: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its interpreter and its libraries are taken down, with and without threads of its own."""
    monkeypatch.setenv("UIR_NUM_THREADS", "3")
    program = """
import multiprocessing
first["scale"](A, B, 2.0)
for turn in range(4):
    child = os.fork()
    if child == 0:
        if turn % 2:
            second["scale"](A, B, 3.0)
        grandchild = os.fork()
        if grandchild == 0:
            first["scale"](A, B, 4.0)
            sys.exit(0 if (B == A * 4).all() else 1)
        assert os.waitpid(grandchild, 0)[1] == 0
        sys.exit(0)
    assert os.waitpid(child, 0)[1] == 0

def scaled(factor):
    own = np.zeros_like(A)
    first["scale"](A, own, float(factor))
    return bool((own == A * factor).all())

with multiprocessing.get_context("fork").Pool(4) as pool:
    assert pool.map(scaled, range(1, 33)) == [True] * 32
assert scaled(5)
"""
    run_python(START + program, *libraries)


def test_threads_call_at_the_same_time(
    libraries: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UIR_NUM_THREADS", "4")
    program = """
failures = []
def call(number):
    own = np.zeros_like(A)
    for turn in range(30):
        (first, second)[turn % 2]["scale"](A, own, float(number))
        if not (own == A * number).all():
            failures.append(number)
        broken = A.copy()
        broken[number * 10000] = 1 + number % 2
        expected = ["ValueError: found one", "IndexError: found two"][number % 2]
        if error_of(broken, own) != expected:
            failures.append(number)
callers = [threading.Thread(target=call, args=(number,)) for number in range(8)]
for caller in callers: caller.start()
for caller in callers: caller.join()
assert not failures, failures
"""
    run_python(START + program, *libraries)


def test_libraries_share_the_threads(
    libraries: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UIR_NUM_THREADS", "5")
    program = """
before = num_threads()
pool = tvm_ffi.get_global_func("uir.pool.v2")()
for library in (first, second):
    library["scale"](A, B, 2.0)
    assert num_threads() - before == 4
assert tvm_ffi.get_global_func("uir.pool.v2")().value == pool.value
# The threads run code of the first library.
import gc
del first, library
gc.collect()
for turn in range(50):
    second["scale"](A, B, float(turn))
    assert (B == A * turn).all()
assert num_threads() - before == 4
"""
    run_python(START + program, *libraries)


@pytest.mark.parametrize("value", ["0", "-1", "two", "1025", "3 ", "99999999999999999999"])
def test_a_wrong_number_of_threads_is_an_error(
    value: str, libraries: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UIR_NUM_THREADS", value)
    program = """
for turn in range(2):
    print(error_of(A, B))
"""
    expected = f"ValueError: `UIR_NUM_THREADS` must be a number from 1 to 1024, got `{value}`\n"
    assert run_python(START + program, *libraries) == 2 * expected


def test_the_number_of_threads_is_that_of_the_cores(
    libraries: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UIR_NUM_THREADS", "")
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    program = """
before = num_threads()
os.sched_setaffinity(0, cores := set(list(os.sched_getaffinity(0))[:2]))
first["scale"](A, B, 2.0)
assert num_threads() - before == len(cores) - 1
"""
    run_python(START + program, *libraries)


@pytest.mark.parametrize(
    ("ours", "others", "count"),
    [("5", "3", 5), ("", "3", 3), ("", "3,2", 3), ("", "none", None), ("", "", None)],
)
def test_the_environment_says_how_many_threads(ours: str, others: str, count: int | None) -> None:
    environment = {**os.environ, "UIR_NUM_THREADS": ours, "OMP_NUM_THREADS": others}
    program = "import uir; print(uir.runtime.num_threads())"
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, check=True
    )
    expected = count or len(os.sched_getaffinity(0))
    assert int(done.stdout) == expected or (count is None and int(done.stdout) < expected)


def test_the_number_of_threads_changes_between_loops(
    libraries: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Threads that are no longer used sleep, and those that are used again need no new one."""
    monkeypatch.setenv("UIR_NUM_THREADS", "2")
    program = """
import uir
before, most = num_threads(), 1
assert uir.runtime.num_threads() == 2
for count in (2, 4, 1, 3, 6, 2, 1, 5):
    uir.runtime.set_num_threads(count)
    most = max(most, count)
    assert uir.runtime.num_threads() == count
    for turn in range(20):
        for library in (first, second):
            B[:] = 0
            library["scale"](A, B, float(turn))
            assert (B == A * turn).all()
    assert num_threads() - before == most - 1
child = os.fork()
if child == 0:
    os._exit(0 if uir.runtime.num_threads() == 5 else 1)
assert os.waitpid(child, 0)[1] == 0
for count in (0, 1025):
    try:
        uir.runtime.set_num_threads(count)
    except ValueError as error:
        assert str(error) == f"the number of threads must be from 1 to 1024, got {count}"
    else:
        raise AssertionError(count)
"""
    run_python(START + program, *libraries)


def test_the_number_of_threads_changes_during_loops(
    libraries: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UIR_NUM_THREADS", "2")
    program = """
import uir
ends = False
def change():
    while not ends:
        for count in (1, 4, 2, 3):
            uir.runtime.set_num_threads(count)
changer = threading.Thread(target=change)
changer.start()
for turn in range(300):
    B[:] = 0
    first["scale"](A, B, float(turn))
    assert (B == A * turn).all()
ends = True
changer.join()
"""
    run_python(START + program, *libraries)


def test_threads_do_not_race(tmp_path: Path) -> None:
    (tmp_path / "kernels.c").write_text(parallel_text())
    ffi = Path(libinfo.find_libtvm_ffi())
    callers = ROOT / "tests" / "python" / "support" / "parallel_callers.c"
    command = ["cc", "-std=gnu11", "-O1", "-g", "-fwrapv", "-fsanitize=thread", f"-I{tmp_path}"]
    command += [str(callers), "-o", "callers", f"-L{ffi.parent}", f"-l:{ffi.name}"]
    subprocess.run([*command, f"-Wl,-rpath,{ffi.parent}", "-lm"], cwd=tmp_path, check=True)
    environment = {**os.environ, "UIR_NUM_THREADS": "3", "TSAN_OPTIONS": "halt_on_error=1"}
    environment.pop("LD_PRELOAD", None)  # It may name the library of another sanitizer.
    done = subprocess.run(
        [str(tmp_path / "callers")], env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "done\n", "")
