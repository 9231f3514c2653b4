#!/bin/sh
# Runs tests with the checks of a sanitizer in the C that uir emits; its first finding ends the run.
#
# usage: scripts/sanitized_c.sh undefined|address|thread [ARGUMENTS OF PYTEST]
#
# Python is not built for sanitizers: their library is loaded before it, and it leaks what it keeps to its end.
set -eu
kind=$1
shift
root=$(cd "$(dirname "$0")/.." && pwd)
case $kind in
    undefined) flags="undefined,float-cast-overflow" library=libubsan.so ;;
    address) flags=address library=libasan.so ;;
    thread) flags=thread library=libtsan.so ;;
    *) echo "usage: $0 undefined|address|thread [ARGUMENTS OF PYTEST]" >&2; exit 2 ;;
esac
compiler=${UIR_CC:-cc}
# The tests drop `UIR_CC`, which is the user's own.
export TSCHEMA_SANITIZING_CC="$compiler -fsanitize=$flags -fno-sanitize-recover=all -g1"
export UIR_NUM_THREADS=3
# The threads of NumPy's products are not built for ThreadSanitizer.
export OPENBLAS_NUM_THREADS=1
export UBSAN_OPTIONS="print_stacktrace=1:${UBSAN_OPTIONS:-}"
export ASAN_OPTIONS="detect_leaks=0:${ASAN_OPTIONS:-}"
export TSAN_OPTIONS="halt_on_error=1:die_after_fork=0:suppressions=$root/scripts/tsan.supp:${TSAN_OPTIONS:-}"
# Else sanitizers do not find `__cxa_throw`, which Python itself does not load.
LD_PRELOAD="$($compiler -print-file-name=$library) $($compiler -print-file-name=libstdc++.so.6)" exec setarch -R "$root/.venv/bin/python" -m pytest --quiet --capture=sys "$@"
