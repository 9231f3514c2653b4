"""The C compiler is a process: found, run within limits, and told of when it fails."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from uir.driver import compile_c, find_compiler

from ...support.c_texts import PRELUDE, add_module, fake_compiler
from ...support.process import run_python

CC = find_compiler()[0]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("UIR_CACHE_DIR", str(folder))
    return folder


def use(monkeypatch: pytest.MonkeyPatch, folder: Path, body: str) -> Path:
    compiler = fake_compiler(folder, body)
    monkeypatch.setenv("UIR_CC", str(compiler))
    return compiler


def failure(source: str = "no C") -> str:
    with pytest.raises(RuntimeError) as caught:
        compile_c(source)
    return str(caught.value)


def test_a_text_becomes_a_module() -> None:
    module = compile_c(add_module(4))
    assert (module.kind, module.add(1, 2)) == ("c", 7)
    assert module.inspect_source() == module.inspect_source("c") == add_module(4)
    assert module.inspect_source("ll") == ""
    assert module.is_runnable() and module.is_compilation_exportable()
    assert not module.implements_function("subtract")


def test_errors_of_the_text_arrive() -> None:
    with pytest.raises(TypeError, match=r"^add: expected 2 arguments$"):
        compile_c(add_module()).add(1)


def test_a_function_outlives_its_module() -> None:
    add = compile_c(add_module(5)).add
    assert add(1, 2) == 8


def test_flags_and_constants_reach_the_compiler() -> None:
    text = f"""{PRELUDE}
__asm__(".section .rodata\\nblob: .incbin \\"constants.bin\\"\\n.previous");
extern const unsigned char blob[] __attribute__((visibility("hidden")));
int __tvm_ffi_byte(void *self, const Any *args, int32_t count, Any *result) {{
  result->type_index = 1;
  result->v.i = blob[args[0].v.i] * FACTOR;
  return 0;
}}
"""
    module = compile_c(text, ["-DFACTOR=100"], bytes([1, 2, 3]))
    assert [module.byte(i) for i in range(3)] == [100, 200, 300]
    other = compile_c(text, ["-DFACTOR=100"], bytes([4, 5, 6]))
    assert [other.byte(i) for i in range(3)] == [400, 500, 600]


def test_a_wrong_text_is_kept_with_the_output(cache: Path) -> None:
    message = failure("int x = ;")
    assert message.startswith("the C compiler failed with status 1\ncommand: cd ")
    assert "module.c:1:9: error: expected expression" in message
    kept = Path(re.findall(r"^C file: (.*)$", message, re.MULTILINE)[0])
    assert kept.read_text() == "int x = ;"
    assert kept.parent.parent == cache
    assert [path.name for path in cache.iterdir()] == [kept.parent.name]
    command = re.findall(r"^command: (.*)$", message, re.MULTILINE)[0]
    again = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert again.returncode == 1 and "expected expression" in again.stderr
    assert failure("int x = ;") == message


def test_a_compiler_that_hangs_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache: Path
) -> None:
    use(monkeypatch, tmp_path, f"echo started; sleep 60 & echo $! > {tmp_path}/pid; wait")
    monkeypatch.setenv("UIR_CC_TIMEOUT", "1.5")
    start = time.monotonic()
    message = failure()
    assert time.monotonic() - start < 10
    assert "took longer than 1.5 seconds and was stopped; `UIR_CC_TIMEOUT` sets" in message
    assert "started" in message
    assert is_gone(int((tmp_path / "pid").read_text()))


def is_gone(pid: int) -> bool:
    """Whether a process has ended; a zombie has."""
    for _ in range(100):
        status = Path(f"/proc/{pid}/stat")
        if not status.exists() or status.read_text().rpartition(")")[2].split()[0] == "Z":
            return True
        time.sleep(0.05)
    return False


def test_a_descendant_that_goes_on_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = f'sleep 30 & echo $! > {tmp_path}/pid; exec {CC} "$@"'
    use(monkeypatch, tmp_path, body)
    start = time.monotonic()
    assert compile_c(add_module(6)).add(0, 0) == 6
    assert time.monotonic() - start < 20
    os.kill(int((tmp_path / "pid").read_text()), signal.SIGKILL)


def test_a_compiler_that_crashes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, tmp_path, "echo before; kill -SEGV $$")
    message = failure()
    assert message.startswith("the C compiler crashed: Segmentation fault (signal 11)")
    assert "before" in message


def test_a_compiler_that_floods_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use(
        monkeypatch,
        tmp_path,
        "echo begin; head -c 3000000 /dev/zero | tr '\\0' x; echo end; exit 3",
    )
    message = failure()
    assert message.startswith("the C compiler failed with status 3")
    assert len(message) < 40_000
    assert "begin" in message and message.endswith("end\n")
    left_out = int(re.findall(r"\.\.\. (\d+) bytes left out \.\.\.", message)[0])
    assert left_out == len("begin\n") + 3_000_000 + len("end\n") - 2 * 16384


FLOODED = """
import resource, sys
from uir.driver import compile_c
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    compile_c("no C")
except RuntimeError as error:
    assert len(str(error)) < 40_000
    print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) < 64 * 1024)
"""


def test_a_flood_needs_no_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 300 MB on both outputs, 32 KiB are kept."""
    flood = "yes out | head -c 150000000 & yes error | head -c 150000000 >&2; wait; exit 1"
    use(monkeypatch, tmp_path, flood)
    assert run_python(FLOODED) == "True\n"


def test_a_compiler_that_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, tmp_path, "kill -KILL $$")
    assert failure().startswith("the C compiler crashed: Killed (signal 9)")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("exec sleep 60", "took longer than 1 seconds and was stopped; `UIR_CC_TIMEOUT` sets the"),
        ("exec yes", "took longer than 1 seconds and was stopped; `UIR_CC_TIMEOUT` sets the limit"),
        ("kill -SEGV $$", "crashed: Segmentation fault (signal 11)"),
        ("exit 1", "failed with status 1"),
    ],
)
def test_a_compiler_that_does_not_tell_its_version(
    body: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiler = use(monkeypatch, tmp_path, "")
    compiler.write_text(f"#!/bin/sh\n{body}\n")
    monkeypatch.setenv("UIR_CC_TIMEOUT", "1")
    found = failure()
    assert found.startswith(f"the C compiler {message}") and len(found) < 40_000
    assert f"\ncommand: {compiler} --version\n" in found


def test_output_that_is_no_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, tmp_path, r"printf 'a\377b'; yes é | head -c 100000; exit 1")
    message = failure()
    assert "a\N{REPLACEMENT CHARACTER}bé\né" in message
    assert message.count("\N{REPLACEMENT CHARACTER}") <= 3


def test_a_compiler_that_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, tmp_path, "exit 0")
    message = failure()
    assert message.startswith("the C compiler wrote no object\n")
    assert message.endswith("output:\n(none)\n")


def test_a_compiler_that_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UIR_CC", "no-such-cc -O1")
    assert failure() == (
        "the C compiler `no-such-cc`, which the environment variable `UIR_CC` names, is missing"
    )
    monkeypatch.delenv("UIR_CC")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("uir.driver.compiler.find_spec", lambda name: None)
    message = failure()
    assert message.startswith("there is no C compiler: `cc` is not on `PATH`, `UIR_CC` is not set")
    assert "pip install uir[compiler]" in message


def test_a_program_that_is_no_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UIR_CC", "false")
    assert failure().startswith("the C compiler failed with status 1\ncommand: ")
    broken = tmp_path / "broken"
    broken.write_text("no program")
    broken.chmod(0o755)
    monkeypatch.setenv("UIR_CC", str(broken))
    assert failure().startswith("the C compiler could not be started: Exec format error")


def test_the_compiler_of_the_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UIR_CC", f"{CC} -DEXTRA=1")
    assert find_compiler() == [CC, "-DEXTRA=1"]
    folder = tmp_path / "with a space"
    folder.mkdir()
    compiler = fake_compiler(folder, f'exec {CC} "$@"')
    monkeypatch.setenv("UIR_CC", str(compiler))
    assert find_compiler() == [str(compiler)]
    assert compile_c(add_module(8)).add(0, 0) == 8


def test_ziglang_comes_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "packages" / "ziglang"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    monkeypatch.syspath_prepend(package.parent)
    monkeypatch.delenv("UIR_CC", raising=False)
    assert find_compiler() == [CC]
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_compiler() == [str(package / "zig"), "cc"]


def test_zig_spells_processors_in_its_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    zig = fake_compiler(tmp_path, "exit 1").rename(tmp_path / "zig")
    zig.write_text("#!/bin/sh\n[ $2 = --version ] || exit 1\n")
    monkeypatch.setenv("UIR_CC", f"{zig} cc")
    with pytest.raises(RuntimeError, match=r"/zig cc -std=gnu11 .* -march=x86_64_v3 -DA-B module"):
        compile_c(add_module(), ["-march=x86-64-v3", "-DA-B"])
    monkeypatch.setenv("UIR_CC", str(fake_compiler(tmp_path, "exit 1")))
    with pytest.raises(RuntimeError, match=r" -march=x86-64-v3 "):
        compile_c(add_module(), ["-march=x86-64-v3"])


@pytest.mark.parametrize("limit", ["soon", "0", "-1", "nan", "1e30"])
def test_a_wrong_time_limit(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UIR_CC_TIMEOUT", limit)
    with pytest.raises(ValueError, match=f"must be a positive number of seconds, got `{limit}`"):
        compile_c(add_module())


def test_the_compiler_inherits_no_surprises(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(
        monkeypatch,
        tmp_path,
        "ls -l /proc/self/fd; grep Sig /proc/self/status; pwd; echo $TMPDIR; exit 1",
    )
    readable, writable = os.pipe()
    os.set_inheritable(writable, True)
    old_mask = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM, signal.SIGCHLD])
    try:
        message = failure()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, old_mask)
        os.close(readable)
        os.close(writable)
    files = re.findall(r" (\d+) -> (\S+)", message)
    # The folder that `ls` lists is the fourth.
    assert [number for number, _ in files] == ["0", "1", "2", "3"]
    assert files[0][1] == "/dev/null"
    signals = dict(re.findall(r"(Sig\w+):\s*(\w+)", message))
    # Signals from 32 on are the C library's own.
    assert int(signals["SigBlk"], 16) % 2**31 == int(signals["SigIgn"], 16) % 2**31 == 0
    folder, temporary = message.strip().splitlines()[-2:]
    assert folder == temporary and Path(folder).name.startswith("work-")


IGNORED = """
import signal, sys
from uir.driver import compile_c
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
print(compile_c(sys.argv[1]).add(1, 2))
try:
    compile_c("int x = ;")
except RuntimeError as error:
    assert "expected expression" in str(error)
    print(str(error).splitlines()[0])
"""


def test_a_process_that_ignores_its_children() -> None:
    """The system keeps no status of the compiler for it: what it wrote says how it went."""
    printed = run_python(IGNORED, add_module(9))
    assert printed == "12\nthe C compiler wrote no object\n"


INTERRUPTED = """
import os, signal, sys, threading, time
from uir.driver import compile_c
# Jobs in the background inherit that Ctrl-C is ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
def interrupt():
    while not os.path.exists(sys.argv[1]):
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt).start()
try:
    compile_c("x")
except KeyboardInterrupt:
    print("interrupted")
"""


def test_ctrl_c_stops_the_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pid = tmp_path / "pid"
    use(monkeypatch, tmp_path, f"echo $$ > {pid}.new; mv {pid}.new {pid}; exec sleep 60")
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, pid], capture_output=True, text=True, timeout=50
    )
    assert done.stdout == "interrupted\n", done.stderr
    assert is_gone(int(pid.read_text()))
