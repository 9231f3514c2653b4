#!/usr/bin/env bash
# Builds tvm-ffi from its source distribution, tschema on top of it, and a project of yours on both:
#
#   build.sh TSCHEMA FOLDER [PROJECT]
#
# TSCHEMA is a checkout or an unpacked source distribution; FOLDER gets the environment `env` and the
# wheels; PROJECT is a folder with a CMakeLists.txt, which is built into FOLDER/build. For a patched
# tvm-ffi, let TVM_FFI_SOURCE name its folder: its version must be one that tschema takes.
set -euo pipefail

tschema=$(realpath "$1") folder=$(realpath -m "$2") project=${3:-}
pin=$(sed -n 's/^ *"\(apache-tvm-ffi>=[^"]*\)",$/\1/p' "$tschema/pyproject.toml")
backend=$(sed -n 's/^requires = \["\(scikit-build-core==[^"]*\)".*/\1/p' "$tschema/pyproject.toml")

"${PYTHON:-python3}" -m venv "$folder/env"
export PATH="$folder/env/bin:$PATH" PIP_DISABLE_PIP_VERSION_CHECK=1
pip install --quiet "$backend" "cmake>=3.26,<5" ninja

# All that is built for tvm-ffi's library must be built with the same headers: the wheel of tschema
# from PyPI would do for the same release, that of a patched one need not.
pip wheel --quiet --no-deps --no-binary apache-tvm-ffi --wheel-dir "$folder/wheels" \
  "${TVM_FFI_SOURCE:-$pin}"
pip install --quiet "$folder"/wheels/apache_tvm_ffi-*.whl
pip wheel --quiet --no-deps --no-build-isolation --wheel-dir "$folder/wheels" "$tschema"
pip install --quiet "$folder"/wheels/tschema-*.whl

if [ -n "$project" ]; then
  # shellcheck disable=SC2046  # A word for each argument.
  cmake -S "$project" -B "$folder/build" -G Ninja $(tschema cmake-args)
  cmake --build "$folder/build"
fi
