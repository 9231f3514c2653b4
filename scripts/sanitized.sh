#!/bin/sh
# Runs a program that was built for a sanitizer; its first finding ends it with a report.
#
# usage: scripts/sanitized.sh PROGRAM [ARGUMENTS]
#
# Depth tests need an 8 MB stack and no more; a leak is what nothing refers to when the program
# ends, which the registries that live as long as the process are not.
set -eu
export ASAN_OPTIONS="detect_leaks=1:detect_stack_use_after_return=1:strict_init_order=1:${ASAN_OPTIONS:-}"
export UBSAN_OPTIONS="print_stacktrace=1:${UBSAN_OPTIONS:-}"
export TSAN_OPTIONS="halt_on_error=1:suppressions=$(dirname "$0")/tsan.supp:${TSAN_OPTIONS:-}"
exec "$@"
