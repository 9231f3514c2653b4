"""How long `tschema gen --watch` takes from a save to the last file, against a cold run.

Prints `gen.watch.N` in milliseconds, for a project of N types in three languages: the median of
some saves that each change one class, against a run that finds nothing but the schema.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sysconfig
import time
from pathlib import Path

from many_types import edit_one_class, write_project
from report import report

COUNT = 50
ROUNDS = 7
FOLDER = Path(__file__).resolve().parents[2] / "build" / "bench" / "watch"
COMMAND = [str(Path(sysconfig.get_path("scripts")) / "tschema"), "gen"]


def main() -> None:
    """Measure, and print."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    write_project(FOLDER, COUNT)
    start = time.perf_counter()
    subprocess.run(COMMAND, cwd=FOLDER, check=True, stdout=subprocess.DEVNULL)
    cold = time.perf_counter() - start
    watching = subprocess.Popen(
        [*COMMAND, "--watch"],
        cwd=FOLDER,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        time.sleep(2)
        times = [seconds_of_a_save(watching, turn) for turn in range(ROUNDS)]
    finally:
        watching.terminate()
        watching.wait()
    report(f"gen.watch.{COUNT}", 1e3 * statistics.median(times), 1e3 * cold, "ms")


def seconds_of_a_save(watching: subprocess.Popen[str], turn: int) -> float:
    """Change one class, and wait until the watch says that the files are written."""
    time.sleep(0.3)
    start = time.perf_counter()
    edit_one_class(FOLDER, turn)
    assert watching.stdout is not None
    while not watching.stdout.readline().startswith("wrote "):
        pass
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
