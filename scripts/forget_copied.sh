#!/bin/sh
# Removes what a copy of a built checkout brought along: .venv and build/ hold absolute paths into
# the first checkout (scripts, `.pth` files, CMake's caches, search paths of libraries), and a build
# would write there. What was downloaded stays.
#
#   scripts/forget_copied.sh [how long a build takes]
set -eu
cd "$(dirname "$0")/.."
here=$(pwd -P)

# points_elsewhere FILE PATTERN: the path that PATTERN finds in FILE is not of this checkout.
points_elsewhere() {
  found=$([ ! -f "$1" ] || sed -n "s|$2|\1|p" "$1" | head -n 1)
  [ -n "$found" ] && [ "$(cd "$found" 2>/dev/null && pwd -P)" != "$here" ]
}

copied=
for pth in .venv/lib/python*/site-packages/tschema.pth; do
  points_elsewhere "$pth" '^\(/.*\)$' && copied=yes
done
# An environment that was made, and nothing installed into it.
points_elsewhere .venv/pyvenv.cfg '^command = .* -m venv \(.*\)/\.venv$' && copied=yes
points_elsewhere build/CMakeCache.txt '^CMAKE_HOME_DIRECTORY:INTERNAL=\(.*\)$' && copied=yes

if [ -n "$copied" ]; then
  echo "this is a copy of a built checkout: building anew${1:+ ($1)}"
  rm -rf .venv .tschema_cache
  find build -mindepth 1 -maxdepth 1 ! -name tvm-ffi-rust -exec rm -rf {} +
fi
