"""A cache that is full, removed or damaged while a build runs costs time, and changes no result."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from uir.driver import compile_c, find_compiler

from ...support.c_texts import add_module, fake_compiler
from ...support.process import run_new_python, run_python

CC = find_compiler()[0]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("UIR_CACHE_DIR", str(folder))
    return folder


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of temporary files, in which builds leave nothing."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    return folder


def result(constant: int) -> int:
    return int(compile_c(add_module(constant)).add(0, 0))


def use(monkeypatch: pytest.MonkeyPatch, folder: Path, body: str) -> None:
    monkeypatch.setenv("UIR_CC", str(fake_compiler(folder, body)))


BUILD = "import sys; from uir.driver import compile_c; print(compile_c(sys.argv[1]).add(0, 0))"


@pytest.fixture(scope="module")
def full_disk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Compile a library by which file systems are full; nothing else needs to be mounted."""
    library = tmp_path_factory.mktemp("full") / "full_disk.so"
    source = Path(__file__).with_name("full_disk.c")
    subprocess.run([CC, "-shared", "-fPIC", source, "-o", library, "-ldl"], check=True)
    return library


def build_on(full_disk: Path, constant: int, monkeypatch: pytest.MonkeyPatch) -> str:
    loaded = [os.environ.get("LD_PRELOAD", ""), str(full_disk)]
    monkeypatch.setenv("LD_PRELOAD", " ".join(loaded).strip())
    return run_new_python(BUILD, add_module(constant))


def test_a_full_cache(
    full_disk: Path,
    tmp_path: Path,
    cache: Path,
    temporary: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is in it is used, and what is not is compiled elsewhere."""
    full = tmp_path / "full"
    monkeypatch.setenv("FULL", str(full))
    use(monkeypatch, tmp_path, f'echo "$PWD" >> {tmp_path}/folders; exec {CC} "$@"')
    assert build_on(full_disk, 1, monkeypatch) == "1\n"
    full.touch()
    assert build_on(full_disk, 1, monkeypatch) == "1\n"
    assert build_on(full_disk, 2, monkeypatch) == "2\n"
    folders = (tmp_path / "folders").read_text().splitlines()
    assert [Path(folder).parent for folder in folders] == [cache, temporary]
    assert len(list(cache.iterdir())) == 1 and list(temporary.iterdir()) == []


def test_a_cache_that_becomes_full(
    full_disk: Path, tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The compiler fails, as its disk is full; elsewhere it does not."""
    full = tmp_path / "full"
    monkeypatch.setenv("FULL", str(full))
    no_space = f'touch {full}; echo "No space left on device" >&2; exit 1'
    use(monkeypatch, tmp_path, f'case $PWD in {cache}/*) {no_space};; esac; exec {CC} "$@"')
    assert build_on(full_disk, 3, monkeypatch) == "3\n"
    assert list(cache.iterdir()) == []


LIMITED = """
import resource, sys
from uir.driver import compile_c
# Writes of all that is larger fail, and stop programs that do not ignore the signal.
no_limit = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), no_limit[1]))
try:
    message = str(compile_c(sys.argv[1]).add(0, 0))
except RuntimeError as error:
    message = str(error)
resource.setrlimit(resource.RLIMIT_FSIZE, no_limit)
print(message)
"""


def test_files_that_cannot_be_written(cache: Path, temporary: Path) -> None:
    """Neither the sources nor, with more room, the library; then the sources are kept."""
    message = run_python(LIMITED, add_module(4), "100")
    assert message.startswith("there is no folder to compile in: ") and "File too large" in message
    assert list(cache.iterdir()) == list(temporary.iterdir()) == []
    message = run_python(LIMITED, add_module(4), "2000")
    assert message.startswith("the C compiler failed with status 1\n")
    (kept,) = cache.iterdir()
    assert (kept / "module.c").read_text() == add_module(4)


IN_UNITS = """
#ifdef UNIT
#define IN_UNIT(unit) (UNIT == (unit))
#else
#define IN_UNIT(unit) 1
#endif
__attribute__((visibility("hidden"))) int at(const unsigned char* bytes, int place);

#if IN_UNIT(1)
int at(const unsigned char* bytes, int place) { return bytes[place]; }

#endif

#if IN_UNIT(0)
extern const unsigned char bytes[] __attribute__((visibility("hidden")));
__asm__(".pushsection .rodata\\nbytes: .incbin \\"constants.bin\\"\\n.popsection");
TEXT
#endif
"""
"""A text in two units, the first of which has the constants."""


def with_constants(place: int) -> str:
    """Return a text whose function `add` adds the constant at a place."""
    return IN_UNITS.replace("TEXT", add_module().replace(" + 0;", f" + at(bytes, {place});"))


def test_constants_are_written_while_compilers_run(
    tmp_path: Path, cache: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The unit that has them starts last, in a folder that has the whole of them."""
    log = tmp_path / "log"
    body = f'echo "$@" | grep -o \'UNIT=.\' >> {log}\ncase "$*" in *UNIT=0*) '
    use(monkeypatch, tmp_path, body + f'wc -c < constants.bin >> {log};; esac; exec {CC} "$@"')
    size = 50_000_000
    constants = bytes(size - 2) + bytes([5, 7])
    module = compile_c(with_constants(size - 1), constants=constants)
    assert int(module.add(1, 2)) == 10
    assert sorted(log.read_text().split()) == sorted([str(size), "UNIT=0", "UNIT=1"])
    (entry,) = cache.iterdir()
    assert sorted(file.name for file in entry.iterdir()) == ["file.digest", "module.c", "module.so"]
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("text", [add_module(), with_constants(0)], ids=["whole", "in units"])
def test_constants_that_cannot_be_written(text: str, cache: Path, temporary: Path) -> None:
    program = LIMITED.replace("(sys.argv[1])", "(sys.argv[1], constants=bytes(9000))")
    message = run_python(program, text, "8000")
    assert message.startswith("there is no folder to compile in: ") and "File too large" in message
    assert list(cache.iterdir()) == list(temporary.iterdir()) == []


@pytest.mark.parametrize(
    "body",
    [
        f'rm -rf {{cache}}; exec {CC} "$@"',
        f'{CC} "$@"; rm -rf {{cache}}',
        f'rm module.c; exec {CC} "$@"',
        f'rm -rf {{cache}}; touch {{cache}}; exec {CC} "$@"',
    ],
    ids=["before", "behind", "source", "file"],
)
def test_a_cache_that_vanishes_while_the_compiler_runs(
    body: str, tmp_path: Path, cache: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = body.format(cache=cache)
    use(monkeypatch, tmp_path, f'case $PWD in {temporary}/*) exec {CC} "$@";; esac; {body}')
    assert result(10) == 10
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("damage", ["pipe", "folder", "loop", "larger than memory", "digest"])
def test_an_entry_of_wrong_files_is_made_again(damage: str, cache: Path) -> None:
    constant = 20 + len(damage)
    run_python(BUILD, add_module(constant))
    (entry,) = cache.iterdir()
    library, digest = entry / "module.so", entry / "file.digest"
    content = library.read_bytes()
    library.unlink()
    if damage == "pipe":
        os.mkfifo(library)
    elif damage == "folder":
        (library / "folder").mkdir(parents=True)
    elif damage == "loop":
        library.symlink_to(library)
    elif damage == "larger than memory":
        library.touch()
        os.truncate(library, 1 << 42)
    else:
        digest.unlink()
        digest.mkdir()
    assert result(constant) == constant
    assert library.read_bytes() == content


def test_a_library_that_cannot_be_loaded_is_not_kept(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The compiler wrote it once without an error; the digest of the cache is right."""
    once = (
        f"[ -e {tmp_path}/once ] || {{ touch {tmp_path}/once; echo no library > module.so; exit; }}"
    )
    use(monkeypatch, tmp_path, f'{once}; exec {CC} "$@"')
    assert result(31) == 31
    assert list(cache.iterdir()) == []
    assert result(31) == 31
    (entry,) = cache.iterdir()
    assert (entry / "module.so").read_bytes()[:4] == b"\x7fELF"


def test_a_compiler_that_writes_no_library(
    tmp_path: Path, cache: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, tmp_path, "echo no library > module.so")
    with pytest.raises(RuntimeError, match="^the library that the C compiler wrote cannot be load"):
        compile_c(add_module(32))
    for body in (": > module.so", "mkdir module.so", "mkfifo module.so", "ln -s x module.so"):
        use(monkeypatch, tmp_path, body)
        with pytest.raises(RuntimeError, match="^the C compiler wrote no object\n"):
            compile_c(add_module(33))
    assert list(temporary.iterdir()) == []


def test_folders_that_do_not_exist(
    tmp_path: Path, cache: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path / "none"))
    use(monkeypatch, tmp_path, f'exec {CC} "$@"')
    assert result(41) == 41
    monkeypatch.setenv("UIR_CACHE_DIR", "/proc/none")
    with pytest.raises(RuntimeError, match="^there is no folder to compile in: "):
        compile_c(add_module(42))
    monkeypatch.setenv("TMPDIR", str(temporary))
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    monkeypatch.setenv("UIR_CACHE_DIR", "relative")
    assert result(43) == 43
    monkeypatch.delenv("UIR_CACHE_DIR")
    monkeypatch.setenv("HOME", "relative")
    assert result(44) == 44


ROUND = """
import random, sys
from concurrent.futures import ThreadPoolExecutor
from uir.driver import compile_c
texts = sys.argv[2:]
random.Random(sys.argv[1]).shuffle(texts)
def build(text):
    constant = int(text.rpartition(" + ")[2].partition(";")[0])
    return compile_c(text).add(0, 0) == constant
with ThreadPoolExecutor(8) as pool:
    assert all(pool.map(build, texts * 2))
"""


@pytest.mark.parametrize("room", ["", "40000"], ids=["all", "two of six"])
def test_eight_processes_of_eight_threads(
    room: str, tmp_path: Path, cache: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They build the same programs in different orders; the cache may have room for few of them."""
    monkeypatch.setenv("UIR_CACHE_LIMIT", room)
    # The compiler takes no time: it writes what the real one has written before.
    texts = [add_module(constant) for constant in range(50, 56)]
    for number, text in enumerate(texts):
        compile_c(text).write_to_file(str(tmp_path / f"{50 + number}.so"))
    shutil.rmtree(cache)
    body = f"cp {tmp_path}/$(sed -n 's/.* + \\([0-9]*\\);$/\\1/p' module.c).so module.so"
    use(monkeypatch, tmp_path, body)
    command = [sys.executable, "-c", ROUND]
    with ThreadPoolExecutor(8) as pool:
        done = pool.map(
            lambda number: subprocess.run(
                [*command, str(number), *texts], capture_output=True, text=True, timeout=120
            ),
            range(8),
        )
        for process in done:
            assert process.returncode == 0, process.stderr
    names = [path.name for path in cache.iterdir()]
    assert len(names) <= (6 if not room else 2) and all(len(name) == 64 for name in names)
    assert list(temporary.iterdir()) == []
