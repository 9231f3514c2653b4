"""Build the libraries for releases of tvm-ffi, and try them.

    python -m tests.ffi_range [--quick] [RELEASE... | all]

In: releases of `apache-tvm-ffi`, by default the newest of each group. Each group's libraries are
built once, with its newest release, and tried with each release given; those of every other group
must be refused. `--quick` leaves libuir out. Out: a line for each trial, the time of each release,
and the exit status 1 after a failure. Files go to `build/ffi-range`, `build/groups`, and
`build/lib/<group>`.

Run `make libtschema`, and `make native` without `--quick`, first.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Iterable, Sequence

from scripts.ffi_releases import ALL, NEWEST, install
from tschema.ffi_groups import ffi_group

from . import libraries
from .toy_package import WITH_TVM, build_toy, is_refused, passes, passes_beside_tvm
from .uir_tests import core_tests_pass, exports_run


def main(arguments: Sequence[str]) -> int:
    """Build, and try the releases given; return the exit status."""
    given = [one for one in arguments if one != "--quick"]
    releases = list(ALL) if given == ["all"] else given or list(NEWEST.values())
    groups = dict.fromkeys(map(ffi_group, releases))
    for release in {*releases, *(NEWEST[group] for group in groups)}:
        install(release)
    is_quick = "--quick" in arguments
    for group in groups:
        _build(group, is_quick)
    passed = [_passes_all(release, groups, is_quick) for release in releases]
    if not is_quick:
        passed.append(exports_run(releases))
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{used.ru_utime + used.ru_stime:.0f} s of processor time")
    return 0 if all(passed) else 1


def _passes_all(release: str, groups: Iterable[str], is_quick: bool) -> bool:
    """Run the trials of one release, and print whether all pass and how long they take."""
    began = time.monotonic()
    passed = [passes(release)]
    passed += [is_refused(group, release) for group in groups if group != ffi_group(release)]
    if not is_quick:
        if release in WITH_TVM:
            passed.append(passes_beside_tvm(release))
        passed.append(core_tests_pass(release))
    outcome = "all trials passed" if all(passed) else "FAILED"
    print(f"{release}: {outcome} in {time.monotonic() - began:.0f} s", flush=True)
    return all(passed)


def _build(group: str, is_quick: bool) -> None:
    began = time.monotonic()
    libraries.build(group, "tschema" if is_quick else "uir_publish")
    build_toy(group)
    print(f"{group}: built in {time.monotonic() - began:.0f} s", flush=True)


sys.exit(main(sys.argv[1:]))
