"""Compiled code beside the ends, the forks and the copies of processes."""

from __future__ import annotations

import copy
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from uir.driver import compile_c

from ...support.c_texts import add_module
from ...support.process import run_new_python

PARALLEL = """
import ctypes, os, sys, threading, time
import numpy as np
import uir
module = uir.build(uir.script.parse_function('''
@tir.prim_func
def main(A: tir.Buffer((n,), "float32"), B: tir.Buffer((n,), "float32")):
    n = tir.SizeVar("n", "int32")
    for i in tir.parallel(n):
        B[i] = A[i] * 2.0
'''))
a = np.ones(1 << 20, "float32")
b = np.empty_like(a)
module(a, b)
def call_for_ever():
    while True:
        module(a, b)
for _ in range(3):
    threading.Thread(target=call_for_ever, daemon=True).start()
time.sleep(0.1)
"""

CALLBACK = """
import os, sys
import numpy as np
import tvm_ffi
import uir
@tvm_ffi.register_global_func("test.leave")
def leave(tensor):
    {leave}
module = uir.build(uir.script.parse_function('''
@tir.prim_func
def main(A: tir.Buffer((4,), "float32")):
    for i in tir.{kind}(2):
        tir.evaluate(tir.call_packed("test.leave", A, dtype="int32"))
'''))
try:
    module(np.ones(4, "float32"))
except Exception as error:
    print("went on after", repr(error))
"""

INTERRUPTED = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
print("begun", flush=True)
while True:
    module(a, b)
"""

EXITS = [
    (PARALLEL + "sys.exit(5)", 5),
    (PARALLEL + "ctypes.CDLL(None).exit(6)", 6),
    (PARALLEL + "sys.exit()", 0),
    (CALLBACK.format(kind="serial", leave="sys.exit(3)"), 3),
    (CALLBACK.format(kind="serial", leave="sys.exit()"), 0),
    (CALLBACK.format(kind="parallel", leave="sys.exit(3)"), 3),
    (CALLBACK.format(kind="parallel", leave="os._exit(4)"), 4),
    (CALLBACK.format(kind="serial", leave="raise KeyboardInterrupt"), -2),
]


@pytest.mark.parametrize(("program", "status"), EXITS)
def test_an_exit_has_its_status(program: str, status: int) -> None:
    """In a callback, and while other threads run parallel loops."""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == status, done.stderr
    assert "went on" not in done.stdout and "terminate called" not in done.stderr


def test_ctrl_c_ends_parallel_calls() -> None:
    """At any moment: the call ends first, then Python raises."""
    for pause in (0.0, 0.003, 0.011, 0.05):
        with subprocess.Popen(
            [sys.executable, "-c", PARALLEL + INTERRUPTED], stdout=-1, stderr=-1, text=True
        ) as child:
            assert child.stdout is not None
            assert child.stdout.readline() == "begun\n"
            time.sleep(pause)
            child.send_signal(signal.SIGINT)
            _, error = child.communicate(timeout=60)
            assert child.returncode == -signal.SIGINT
            assert error.endswith("KeyboardInterrupt\n")


FORK = (
    PARALLEL
    + """
for _ in range(10):
    child = os.fork()
    if child == 0:
        c, d = np.ones(1 << 16, "float32"), np.empty(1 << 16, "float32")
        module(c, d)
        os._exit(0 if (d == 2).all() else 9)
    end = time.monotonic() + 30
    while (ended := os.waitpid(child, os.WNOHANG))[0] == 0 and time.monotonic() < end:
        time.sleep(0.01)
    if ended[0] == 0:
        os.kill(child, 9)
    assert ended == (child, 0)
print("done")
"""
)


def test_a_fork_beside_a_parallel_loop_runs_loops() -> None:
    assert run_new_python(FORK) == "done\n"


def test_the_number_of_threads_follows_their_affinity(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that binds its own thread changes nothing; `taskset -a -p` changes all threads."""
    monkeypatch.setenv("UIR_NUM_THREADS", "")
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    program = """
every = os.sched_getaffinity(0)
def count_after(threads, cores):
    for thread in threads:
        os.sched_setaffinity(int(thread), cores)
    time.sleep(1.1)
    module(a, b)
    return uir.runtime.num_threads()
before = uir.runtime.num_threads()
print(count_after([0], {min(every)}) == before)
print(count_after(os.listdir("/proc/self/task"), {min(every)}))
print(count_after(os.listdir("/proc/self/task"), every) == before)
uir.runtime.set_num_threads(2)
print(count_after(os.listdir("/proc/self/task"), {min(every)}))
"""
    assert run_new_python(PARALLEL + program) == "True\n1\nTrue\n2\n"


def test_a_compiled_module_says_how_it_gets_to_another_process() -> None:
    module = compile_c(add_module(100))
    for act in (pickle.dumps, copy.deepcopy, copy.copy):
        with pytest.raises(TypeError, match=r"of kind `c`, .*`uir\.runtime\.export_library`, and"):
            act(module)


POOLS = """
import multiprocessing, sys
import numpy as np
import uir

TEXT = '''
@tir.prim_func
def main(A: tir.Buffer((n,), "float32"), B: tir.Buffer((n,), "float32")):
    n = tir.SizeVar("n", "int32")
    for i in tir.parallel(n):
        B[i] = A[i] * 2.0
'''

def total(module):
    a, b = np.ones(1 << 16, "float32"), np.empty(1 << 16, "float32")
    module(a, b)
    return float(b.sum())

def build_here(program):
    return total(uir.build(program))

def build_for_others(program):
    return uir.build(program)

if __name__ == "__main__":
    program = uir.script.parse_function(TEXT)
    module = uir.build(program)
    total(module)
    for method in ("fork", "spawn", "forkserver"):
        with multiprocessing.get_context(method).Pool(2) as pool:
            print(method, {*pool.map(str, [program] * 4)} == {str(program)})
            print(pool.map_async(build_here, [program] * 2).get(10))
            for function, argument in ((total, module), (build_for_others, program)):
                try:
                    pool.map_async(function, [argument]).get(10)
                except Exception as error:
                    print(type(error).__name__, "`uir.runtime.export_library`" in str(error))
"""


def test_workers_take_programs_and_refuse_compiled_modules(tmp_path: Path) -> None:
    """However they are started; a pool wraps the `TypeError` of a result of its own."""
    program = tmp_path / "pools.py"
    program.write_text(POOLS)
    done = subprocess.run(
        [sys.executable, program], capture_output=True, text=True, timeout=120, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    errors = ["TypeError True", "MaybeEncodingError True"]
    assert done.stdout.splitlines() == [
        line
        for method in ("fork", "spawn", "forkserver")
        for line in (f"{method} True", "[131072.0, 131072.0]", *errors)
    ]


SECOND = """
import os, pathlib, re, shutil, sys, tempfile
import uir.tir
from tschema.runtime.loader import find_library, open_library
from uir_nodes import _lib
library = find_library("uir", pathlib.Path(_lib.__file__))
digest = re.search(r'digest="(\\w+)"', pathlib.Path(_lib.__file__).read_text())[1]
with tempfile.TemporaryDirectory() as folder:
    shutil.copy(library, folder)
    sys.setdlopenflags(os.RTLD_NOW | os.RTLD_GLOBAL)
    open_library(pathlib.Path(folder, "libuir.so"), "uir", digest=digest)
print(uir.tir.Add(uir.tir.Var("x", "int32"), uir.tir.const(1)))
"""


def test_a_second_copy_of_the_library_changes_nothing() -> None:
    """One of other layouts is refused when it registers; the same one has nothing to register."""
    assert run_new_python(SECOND) == "x + 1\n"
