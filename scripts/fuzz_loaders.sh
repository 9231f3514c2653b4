#!/bin/sh
# Feeds damaged files to both loaders for a number of seconds each, under AddressSanitizer: with
# libFuzzer where there is a clang, else with random damage. Needs the libraries in build/lib.
#
# usage: scripts/fuzz_loaders.sh [SECONDS] [libfuzzer|random]
set -eu
seconds=${1:-10}
root=$(cd "$(dirname "$0")/.." && pwd)
out=$root/build/fuzz_loaders
config=$root/.venv/bin/tvm-ffi-config

if printf 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' |
  clang++ -x c++ -fsanitize=fuzzer,address -o /dev/null - 2>/dev/null; then
  default=libfuzzer
else
  default=random
fi
mode=${2:-$default}
case $mode in
libfuzzer) compile="clang++ -fsanitize=fuzzer-no-link,address" link="clang++ -fsanitize=fuzzer,address" ;;
random) compile="g++ -fsanitize=address" link="g++ -fsanitize=address" ;;
*) echo "unknown kind of fuzzer: $mode" >&2; exit 2 ;;
esac

# The loaders are compiled into the program, where they take the place of those in libtschema.
build=$out/$mode
mkdir -p "$build"
{
  echo "flags = -std=c++17 -O1 -g -fno-omit-frame-pointer $("$config" --cxxflags)" \
    "-I$root/cpp/include -I$root/cpp/src -I$root/generated/cpp/include -I$root/tests -I$root/tests/cpp"
  echo "rule cc"
  echo "  command = $compile \$flags -MMD -MF \$out.d -c \$in -o \$out"
  echo "  depfile = \$out.d"
  echo "rule link"
  echo "  command = $link \$in -o \$out -L$root/build/lib -luir -ltschema" \
    "$("$config" --ldflags) $("$config" --libs)" \
    "-Wl,-rpath,$root/build/lib -Wl,-rpath,$("$config" --libdir)"
  common=
  for source in "$root"/cpp/src/tschema/serialize/*.cc "$root"/cpp/src/tschema/serialize/*/*.cc; do
    name=$(basename "$source" .cc)
    echo "build $name.o: cc $source"
    common="$common $name.o"
  done
  for name in seeds ${mode}_main; do
    echo "build fuzz_$name.o: cc $root/tests/fuzz_loaders/$name.cc"
    common="$common fuzz_$name.o"
  done
  for format in json binary; do
    echo "build fuzz_$format.o: cc $root/tests/fuzz_loaders/$format.cc"
    echo "build $format: link$common fuzz_$format.o"
  done
} >"$build/build.ninja"
"$root/.venv/bin/ninja" -C "$build" --quiet json binary

for format in json binary; do
  echo "$format, $mode, $seconds s"
  cd "$build"
  if [ "$mode" = libfuzzer ]; then
    mkdir -p "corpus_$format"
    "./$format" "corpus_$format" -max_total_time="$seconds" -max_len=65536 -rss_limit_mb=4096 \
      -print_final_stats=1 2>"$format.log" || { tail -n 40 "$format.log"; exit 1; }
    grep -E "number_of_executed_units|new_units_added" "$format.log"
  else
    "./$format" "$seconds"
  fi
done
