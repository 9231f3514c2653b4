#!/bin/sh
# Runs a part of a build, and prints how long it will take and how long it took.
#
#   scripts/step.sh TITLE SECONDS MADE COMMAND...
#   scripts/step.sh --estimate SECONDS
#
# SECONDS are measured on one core of 2026; a `/` before them says that all cores share them, as in
# `/400`. They are printed for a first run alone, which is one where the file MADE is missing;
# a MADE of `-` prints none. Measure a first `make` after a change of the build, and correct the Makefile.
set -eu

cores=${JOBS:-$(nproc)}

# in_words SECONDS: `40 s`, `3 min 41 s`.
in_words() {
  if [ "$1" -lt 60 ]; then echo "$1 s"; else echo "$(($1 / 60)) min $(($1 % 60)) s"; fi
}

# estimate SECONDS: `about 4 minutes on 2 cores`.
estimate() {
  seconds=${1#/}
  [ "$seconds" = "$1" ] || seconds=$((seconds / cores))
  if [ "$seconds" -lt 50 ]; then
    about="$(((seconds + 9) / 10 * 10)) seconds"
  elif [ "$seconds" -lt 90 ]; then
    about="a minute"
  else
    about="$(((seconds + 30) / 60)) minutes"
  fi
  [ "$cores" -eq 1 ] && plural= || plural=s
  echo "about $about on $cores core$plural"
}

if [ "$1" = --estimate ]; then
  estimate "$2"
  exit
fi

title=$1 seconds=$2 made=$3
shift 3
if [ "$made" = - ] || [ -e "$made" ]; then echo "$title"; else echo "$title ($(estimate "$seconds"))"; fi
begin=$(date +%s)
"$@"
took=$(($(date +%s) - begin))
[ "$took" -lt 3 ] || echo "${title%%]*}] ... took $(in_words $took)"
