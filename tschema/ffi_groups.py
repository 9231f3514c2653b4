"""Groups of releases of tvm-ffi whose headers inline the same code.

In: a release. Out: its group. Libraries that were built for one release run with the others of its
group. CMake runs this file as a program, so it imports the standard library only.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping

__all__ = ["FFI_GROUPS", "ffi_group"]

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


if __name__ == "__main__":
    print(ffi_group(sys.argv[1]))
