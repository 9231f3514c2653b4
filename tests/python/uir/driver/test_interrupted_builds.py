"""Signals and forks while the compiler runs: it ends with its build, which leaves no file.

Each test is a program in a process of its own.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from uir.driver import find_compiler

from ...support.c_texts import add_module, fake_compiler
from ...support.process import run_python

CC = find_compiler()[0]


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Return the folders in which builds leave files."""
    made = []
    for variable in ("UIR_CACHE_DIR", "TMPDIR"):
        made.append(tmp_path / variable)
        made[-1].mkdir(mode=0o700)
        monkeypatch.setenv(variable, str(made[-1]))
    return made


@pytest.fixture(autouse=True)
def compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file that a compiler waits for, which has told the ids of its processes."""
    go, pids = tmp_path / "go", tmp_path / "pids"
    wait = f"while [ ! -e {go} ]; do sleep 0.02; done & echo $$ $! > {pids}.new"
    body = f'{wait}; mv {pids}.new {pids}; touch temporary; wait; exec {CC} "$@"'
    monkeypatch.setenv("UIR_CC", str(fake_compiler(tmp_path, body)))
    return go


def wait_for(path: Path) -> None:
    deadline = time.monotonic() + 60
    while not path.exists():
        assert time.monotonic() < deadline, f"{path} is not made"
        time.sleep(0.01)


def is_running(pid: str) -> bool:
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] != "Z"


START = """
import os, signal, sys, threading, time
from uir.driver import compile_c

# A process that waits for ever ends, and with it the test.
signal.alarm(120)

def when_it_compiles(act):
    def wait():
        while not os.path.exists(pids):
            time.sleep(0.01)
        act()
    threading.Thread(target=wait).start()

text, other, pids, go = sys.argv[1:]
"""


def run(program: str, compiler: Path, constant: int) -> str:
    texts = (add_module(constant), add_module(constant + 1))
    return run_python(START + program, *texts, compiler.with_name("pids"), compiler)


@pytest.mark.parametrize("name", ["SIGINT", "SIGUSR1"])
def test_a_signal_whose_handler_raises_ends_the_build(
    name: str, compiler: Path, folders: list[Path]
) -> None:
    program = f"""
class Stop(Exception): pass
def stop(*_):
    raise Stop
signal.signal(signal.SIGUSR1, stop)
signal.signal(signal.SIGINT, signal.default_int_handler)
when_it_compiles(lambda: os.kill(os.getpid(), signal.{name}))
try:
    compile_c(text)
except (KeyboardInterrupt, Stop) as error:
    print(type(error).__name__)
open(go, "w")
print(compile_c(text).add(0, 0))
"""
    expected = {"SIGINT": "KeyboardInterrupt", "SIGUSR1": "Stop"}[name]
    # The compiler of the interrupted build told its ids, which the second one replaces.
    assert run(program, compiler, 1) == f"{expected}\n1\n"
    cache, temporary = folders
    assert [len(path.name) for path in cache.iterdir()] == [64]
    assert list(temporary.iterdir()) == []


def test_no_process_outlives_its_build(compiler: Path, folders: list[Path]) -> None:
    program = """
signal.signal(signal.SIGINT, signal.default_int_handler)
when_it_compiles(lambda: os.kill(os.getpid(), signal.SIGINT))
try:
    compile_c(text)
except KeyboardInterrupt:
    print("interrupted")
"""
    assert run(program, compiler, 3) == "interrupted\n"
    for pid in compiler.with_name("pids").read_text().split():
        deadline = time.monotonic() + 20
        while is_running(pid):
            assert time.monotonic() < deadline, f"process {pid} of the compiler goes on"
            time.sleep(0.02)
    assert [list(folder.iterdir()) for folder in folders] == [[], []]


def test_a_signal_whose_handler_returns_changes_nothing(compiler: Path) -> None:
    program = """
handled = []
signal.signal(signal.SIGUSR1, lambda *_: handled.append(1))
def send():
    for turn in range(20):
        os.kill(os.getpid(), signal.SIGUSR1)
        time.sleep(0.01)
    open(go, "w")
when_it_compiles(send)
print(compile_c(text).add(0, 0), len(handled) > 0)
"""
    assert run(program, compiler, 5) == "5 True\n"


def test_a_background_job_ignores_ctrl_c(compiler: Path) -> None:
    """Shells start background jobs so, and Python then has no handler for the signal."""
    program = (
        "import sys; from uir.driver import compile_c; print(compile_c(sys.argv[1]).add(0, 0))"
    )
    old = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        process = subprocess.Popen(
            [sys.executable, "-c", program, add_module(7)], stdout=subprocess.PIPE, text=True
        )
    finally:
        signal.signal(signal.SIGINT, old)
    wait_for(compiler.with_name("pids"))
    process.send_signal(signal.SIGINT)
    time.sleep(0.2)
    assert process.poll() is None
    compiler.touch()
    assert process.communicate(timeout=60)[0] == "7\n"


def test_a_fork_while_another_thread_builds(compiler: Path, folders: list[Path]) -> None:
    """Neither side waits for a lock of the other one, and both may build the same."""
    program = """
results = []
builds = [
    threading.Thread(target=lambda: results.append(compile_c(text).add(0, 0))) for _ in range(4)
]
for build in builds: build.start()
while not os.path.exists(pids):
    time.sleep(0.01)
children = []
for turn in range(4):
    children.append(os.fork())
    if children[-1] == 0:
        signal.alarm(120)
        # The first one lets all compilers go.
        open(go, "w")
        own = compile_c(text).add(0, 0), compile_c(other).add(0, 0)
        sys.exit(0 if own == (9, 10) else 1)
for child in children:
    assert os.waitpid(child, 0)[1] == 0
for build in builds: build.join()
print(results)
"""
    assert run(program, compiler, 9) == "[9, 9, 9, 9]\n"
    cache, temporary = folders
    assert [len(path.name) for path in cache.iterdir()] == [64, 64]
    assert list(temporary.iterdir()) == []


def test_ctrl_c_while_threads_build(compiler: Path, folders: list[Path]) -> None:
    """It reaches the main thread; the builds of the others go on to their end."""
    program = """
signal.signal(signal.SIGINT, signal.default_int_handler)
results = []
build = threading.Thread(target=lambda: results.append(compile_c(text).add(0, 0)))
build.start()
when_it_compiles(lambda: os.kill(os.getpid(), signal.SIGINT))
try:
    time.sleep(60)
except KeyboardInterrupt:
    open(go, "w")
build.join()
print(results)
"""
    assert run(program, compiler, 11) == "[11]\n"
    assert list(folders[1].iterdir()) == []
