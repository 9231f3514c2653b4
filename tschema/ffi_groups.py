"""Groups of releases of tvm-ffi whose headers inline the same code.

In: a release. Out: its group. Libraries that were built for one release run with the others of its
group. CMake runs this file as a program, so it imports the standard library only.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping

__all__ = ["FFI_GROUPS", "ffi_group", "ffi_requirement"]

FFI_GROUPS: Mapping[str, tuple[str, ...]] = {
    "ffi-0.1.12": ("0.1.12",),
    "ffi-0.1.13": ("0.1.13", "0.1.14"),
    "ffi-0.1.15": ("0.1.15",),
}
"""Releases, with their `.post` releases, by group; `tschema/tvm_ffi_compat.h` has the same."""


def ffi_group(release: str) -> str:
    """Return the group of a release of tvm-ffi.

    Parameters
    ----------
    release
        The release: `0.1.14.post1`.

    Returns
    -------
    group
        The name in `FFI_GROUPS`, which the folder of its libraries has: `ffi-0.1.13`. Any other
        release is a group of its own: `ffi-0.1.16`.
    """
    known = re.fullmatch(r"(\d+\.\d+\.\d+)(\.post\d+)?", release)
    numbers = known[1] if known else release
    found = (group for group, releases in FFI_GROUPS.items() if numbers in releases)
    return next(found, f"ffi-{release}")


def ffi_requirement(*groups: str) -> str:
    """Return the pip requirement of a package with libraries for some groups.

    Parameters
    ----------
    groups
        Names in `FFI_GROUPS`, one after the other as there, or one group of a single release.

    Returns
    -------
    requirement
        `apache-tvm-ffi>=0.1.13,<0.1.15`, or `apache-tvm-ffi==0.1.16` of an unknown release.
    """
    if groups[0] not in FFI_GROUPS:
        return f"apache-tvm-ffi=={groups[0].removeprefix('ffi-')}"
    *numbers, patch = FFI_GROUPS[groups[-1]][-1].split(".")
    end = ".".join((*numbers, str(int(patch) + 1)))
    return f"apache-tvm-ffi>={FFI_GROUPS[groups[0]][0]},<{end}"


if __name__ == "__main__":
    print(ffi_group(sys.argv[1]))
