#!/bin/sh
# Installs the system's packages that a target of `make` needs, or stops with the line to type.
#
#   scripts/system_packages.sh build|test|deep|lint...
#
# It installs with apt-get, as root or where `sudo -n` works. Rust that rustup installed stays with
# rustup. `PYTHON` is the Python that .venv is made from, `CXX` the compiler that CMake takes.
set -eu
cd "$(dirname "$0")/.."

rust_needed=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)

has() { command -v "$1" >/dev/null 2>&1; }

# is_enough VERSION: the crates compile with this Rust.
is_enough() {
  awk -v found="$1" -v needed="$rust_needed" 'BEGIN {
    split(found, f, "."); split(needed, n, ".")
    exit !(f[1] + 0 > n[1] + 0 || f[1] + 0 == n[1] + 0 && f[2] + 0 >= n[2] + 0)
  }'
}

has_rust() { has cargo && is_enough "$(cargo --version 2>/dev/null | cut -d' ' -f2)"; }

has_python() {
  [ -x .venv/bin/python ] || "${PYTHON:-python3}" -c \
    'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 10))' 2>/dev/null
}

has_python_headers() {
  "${PYTHON:-python3}" -c 'import os, sys, sysconfig
sys.exit(not os.path.isfile(os.path.join(sysconfig.get_path("include"), "Python.h")))' 2>/dev/null
}

has_gtest() { echo '#include <gtest/gtest.h>' | "${CXX:-c++}" -E -x c++ - >/dev/null 2>&1; }

# missing GROUP: prints Debian's names of what is missing, a line each.
missing() {
  case $1 in
    build)
      has "${CXX:-c++}" || echo g++
      has_rust || echo cargo
      has_python || echo python3-venv
      ;;
    test)
      has_gtest || echo libgtest-dev
      has_python_headers || echo python3-dev
      has chromium || has chromium-browser || has google-chrome || echo chromium
      has chromedriver || echo chromium-driver
      has git || echo git
      ;;
    deep) has qemu-aarch64 || echo qemu-user ;;
    lint)
      cargo fmt --version >/dev/null 2>&1 || echo rustfmt
      cargo clippy --version >/dev/null 2>&1 || echo rust-clippy
      ;;
    *)
      echo "$0: expected build, test, deep or lint, got \`$1\`" >&2
      exit 2
      ;;
  esac
}

all_missing() {
  for group in "$@"; do
    missing "$group"
  done
}

# Renames Rust's packages to those that are new enough: Debian 12 keeps a newer Rust, for building
# browsers, beside its own. Fails where neither is.
rename_rust() {
  for suffix in "" -web; do
    if is_enough "$(apt-cache policy "rustc$suffix" | sed -n 's/^ *Candidate: //p')"; then
      echo "$1" | sed -E "s/^rust-clippy\$/rust$suffix-clippy/; s/^(cargo|rustfmt)\$/\1$suffix/"
      return
    fi
  done
  return 1
}

# rust_command PACKAGES: the line for Rust that apt-get does not have.
rust_command() {
  echo "$1" | grep -qxE 'cargo|rustfmt|rust-clippy' || return 0
  if has rustup; then
    echo "rustup update stable && rustup component add rustfmt clippy"
  elif has apt-get && ! rename_rust "$1" >/dev/null; then
    echo "curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh -s -- -y"
  fi
}

# apt_packages PACKAGES: those that apt-get installs.
apt_packages() {
  if [ -n "$(rust_command "$1")" ]; then
    echo "$1" | grep -vxE 'cargo|rustfmt|rust-clippy' || :
  else
    rename_rust "$1"
  fi | tr '\n' ' ' | sed 's/ $//'
}

# install_command PACKAGES: the line to type.
install_command() {
  if has apt-get; then
    list=$(apt_packages "$1")
    rust=$(rust_command "$1")
    echo "${list:+sudo apt-get install $list}${list:+${rust:+ && }}$rust"
  elif has dnf; then
    echo "sudo dnf install gcc-c++ cargo rustfmt clippy python3 gtest-devel chromium chromedriver git qemu-user"
  elif has apk; then
    echo "sudo apk add g++ cargo rustfmt rust-clippy python3 gtest-dev chromium chromium-chromedriver git qemu-aarch64"
  elif has pacman; then
    echo "sudo pacman -S --needed gcc rust python gtest chromium git qemu-user"
  elif has brew; then
    echo "brew install gcc rust python googletest git && brew install --cask chromium chromedriver"
  else
    echo "(with the package manager of your system) g++ cargo python3 googletest chromium chromedriver git qemu-user"
  fi
}

stop() {
  {
    echo "missing: $(echo "$1" | tr '\n' ' ')(Python is 3.10 or newer, Rust $rust_needed or newer)"
    echo "Type this line, then \`make\` again:"
    echo "    $(install_command "$1")"
  } >&2
  exit 1
}

# install PACKAGES: as root.
install() {
  as_root=env
  if [ "$(id -u)" != 0 ]; then
    { has sudo && sudo -n true 2>/dev/null; } || return 1
    as_root="sudo -n env"
  fi
  has apt-get && $as_root apt-get update -qq || return 1
  list=$(apt_packages "$1")
  [ -n "$list" ] || return 1
  echo "installing with apt-get: $list"
  # shellcheck disable=SC2086 # Words.
  $as_root DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $list \
    >build/apt.log 2>&1 || { cat build/apt.log >&2 && return 1; }
}

needed=$(all_missing "$@")
[ -n "$needed" ] || exit 0
mkdir -p build
install "$needed" || stop "$needed"
needed=$(all_missing "$@")
[ -z "$needed" ] || stop "$needed"
