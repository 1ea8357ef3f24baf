# Each target does all its own set-up, in .venv and target/, and is safe under -j.
#
#   make build   .venv/bin/platterlab           make test    everything that CI runs
#   make demo    a first look, with a report    make bench   the benchmark table
#   make lint    formats, lints and types       make docs    docs/reference, and the site out/site
#   make format  rewrites the sources           make lock    new pins in requirements.lock
#   make validation  docs/validation, from the studies
#   make live    tests on this host's timing    make soak    the long tests, and the fuzz targets
#   make audit   withdrawn versions and known defects of dependencies, as servers know them
#   make dist    the sdist, and the wheel for a glibc as old as 2.28, in out/dist
#   make install-c PREFIX=DIR  the library for programs in C, its header, its pkg-config file
#   make same-bits OLD=REF  compares what this tree answers with an earlier commit
#   make clean

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := build

VENV := .venv
BIN := $(VENV)/bin
OUT := out
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_QUIET := 1

# The first of these interpreters that runs and is new enough.
ifndef PYTHON
PYTHON := $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
endif

# One interpreter for every build of the bindings, or cargo builds them twice.
export PYO3_PYTHON := $(CURDIR)/$(BIN)/python

RUST_SOURCES := $(shell find crates profiles -name "*.rs" -o -name "*.toml") Cargo.toml Cargo.lock

.PHONY: build test live soak audit same-bits dist install-c lint format demo bench docs validation lock clean
.PHONY: tools lint-rust lint-python test-rust test-python soak-rust soak-python soak-fuzz

# Compiled once, as pip does it for a wheel: no command has to, where it may not keep it.
COMPILE = @$(BIN)/python -m compileall -q python/platterlab

build: $(VENV)/core.stamp
	$(COMPILE)

# Two at a time, that no processor is idle: mypy, the end of a compilation and tests that wait leave one so.
TWO_AT_A_TIME = --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,--jobs=2)

# What is quick to fail and what takes longest first; Python's lints need no core.
test:
	@$(MAKE) $(TWO_AT_A_TIME) build lint-python
	@$(MAKE) $(TWO_AT_A_TIME) lint-rust test-python test-rust

lint: $(VENV)/core.stamp
	@$(MAKE) $(TWO_AT_A_TIME) lint-rust lint-python

# No tool below can take tokens of make's job server, and cargo says so each time.
NO_JOBS = env -u MAKEFLAGS -u MFLAGS

# What maturin tells pyo3, in the profile that maturin builds: what one of them has built, all have.
AS_BUILT = PYO3_BUILD_EXTENSION_MODULE=1 PYO3_CONFIG_FILE="$$(ls $(CURDIR)/target/maturin/pyo3-config-*.txt)"

lint-rust: $(VENV)/core.stamp
	cargo fmt --all --check
	$(AS_BUILT) $(NO_JOBS) cargo clippy --profile checked --workspace --lib --bins --examples --tests \
	  --locked --quiet -- -D warnings

lint-python: $(VENV)/deps.stamp
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

CARGO_TEST = $(AS_BUILT) $(NO_JOBS) cargo test --profile checked --workspace --locked

# The same random cases each time; `make soak` draws others. Quiet, as it is beside others.
test-rust: $(VENV)/core.stamp
	PROPTEST_RNG_SEED=1 RUSTC_WRAPPER=$(CURDIR)/.ci/rustc-tests $(CARGO_TEST) --tests --quiet
	$(CARGO_TEST) --doc --quiet

# A file's tests stay on one processor: they share what takes long to make. (The groups of pytest-xdist 3.8
# do nothing under pytest 9.2.) A worker that dies ends the run: one that takes its place waits for ever.
test-python: $(VENV)/core.stamp
	$(COMPILE)
	@command -v chromium chromium-browser google-chrome >/dev/null \
	  || echo "platterlab: no browser, so no page is opened: apt install chromium" >&2
	$(NO_JOBS) $(BIN)/pytest --numprocesses auto --dist loadfile --no-loadscope-reorder --max-worker-restart 0 \
	  --durations 60 --durations-min 5

live: $(VENV)/core.stamp
	$(BIN)/pytest -m live -rA

# How long `make soak` takes: cases of each property, drives of each swarm, seconds of each fuzz target.
SOAK_CASES ?= 20000
SOAK_DRIVES ?= 500
SOAK_FUZZ_S ?= 600
TARGETS := $(notdir $(basename $(wildcard fuzz/fuzz_targets/*.rs)))
FUZZER := target/tools/bin/cargo-fuzz

soak: soak-rust soak-python soak-fuzz audit

soak-rust: $(VENV)/core.stamp
	PROPTEST_CASES=$(SOAK_CASES) PROPTEST_MAX_GLOBAL_REJECTS=10000000 PLATTERLAB_SWARM=$(SOAK_DRIVES) \
	  PLATTERLAB_MUTATIONS=26000 $(CARGO_TEST) --tests

soak-python: $(VENV)/core.stamp
	$(BIN)/pytest -m soak

# A machine without a network says what it does not know.
audit: $(VENV)/deps.stamp
	$(BIN)/python tests/audit.py

soak-fuzz: $(FUZZER)
	@$(call need,rustup,fuzzing needs a nightly compiler from https://rustup.rs)
	for target in $(TARGETS); do \
	  PATH="$(CURDIR)/$(dir $(FUZZER)):$$PATH" cargo +nightly fuzz run $$target -- \
	    -max_total_time=$(SOAK_FUZZ_S) -timeout=20 -rss_limit_mb=2048 -print_final_stats=1; done

$(FUZZER): | tools
	cargo install cargo-fuzz --locked --quiet --root target/tools

format: $(VENV)/deps.stamp
	cargo fmt --all
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format --quiet .

demo: build
	$(BIN)/python -m platterlab.demo --out $(OUT)/demo

# The library for programs in C, its header and its pkg-config file, under PREFIX.
PREFIX ?= $(OUT)/c
C_PROFILE ?= release
C_LIBRARIES := target/$(C_PROFILE)/libplatterlab
# By itself it has other features below; in the profile of the tests it takes what they have built.
C_BUILD = $(if $(filter checked,$(C_PROFILE)),$(AS_BUILT) cargo build --workspace --lib,cargo build --package platterlab-c)

install-c: | tools
	$(C_BUILD) --profile $(C_PROFILE) --locked --quiet
	install -D -m 644 crates/c/include/platterlab.h $(PREFIX)/include/platterlab.h
	install -d $(PREFIX)/lib/pkgconfig
	install -m 644 $$(ls $(C_LIBRARIES).a $(C_LIBRARIES).so $(C_LIBRARIES).dylib 2>/dev/null || true) $(PREFIX)/lib
	sed -e 's|@PREFIX@|$(abspath $(PREFIX))|' \
	  -e "s|@VERSION@|$$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml)|" \
	  crates/c/platterlab.pc.in > $(PREFIX)/lib/pkgconfig/platterlab.pc

bench: build
	$(BIN)/python benches/run.py

docs: build
	UPDATE_SCHEMA=1 $(CARGO_TEST) --quiet --lib schema
	$(BIN)/python docs/generate.py
	$(BIN)/python docs/pictures.py
	$(BIN)/python docs/licences.py
	$(BIN)/platterlab man --out $(OUT)/man
	$(SITE)

# Every link that leads nowhere is an error. No network is needed.
SITE := $(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going \
  -c docs -d $(OUT)/doctrees . $(OUT)/site

validation: build
	$(BIN)/python docs/validation.py

# OLD is a commit or a recording; ARGS may be `--without "study ruemmler-wilkes"`, `--only drive`.
same-bits: build
	@test -n "$(OLD)" || { echo "say what to compare with: make same-bits OLD=REF" >&2; exit 2; }
	PYTHONPATH=tests $(BIN)/python -m same_bits --old $(OLD) $(ARGS)

# Zig links against the glibc of manylinux_2_28; the compiler of this machine would ask for its own.
ZIG := target/tools/zig
# What a wheel may have.
WHEEL_BYTES := 5000000

dist: $(VENV)/deps.stamp
	test -x $(ZIG)/bin/python || $(PYTHON) -m venv $(ZIG)
	$(ZIG)/bin/pip install ziglang==0.17.1
	CARGO_ZIGBUILD_PYTHON_PATH=$(CURDIR)/$(ZIG)/bin/python $(BIN)/maturin build --release --sdist \
	  --zig --compatibility manylinux_2_28 --compression-level 9 --out $(OUT)/dist
	@wc -c $(OUT)/dist/*
	@for wheel in $(OUT)/dist/*.whl; do test "$$(wc -c < $$wheel)" -le $(WHEEL_BYTES) \
	  || { echo "platterlab: $$wheel is larger than $(WHEEL_BYTES) bytes" >&2; exit 1; }; done

# The pins that every machine gets. Run it to take newer versions.
lock: tools
	rm -rf $(OUT)/lock && $(PYTHON) -m venv $(OUT)/lock
	$(OUT)/lock/bin/python -c "$$WANTED" | $(OUT)/lock/bin/pip install --quiet --requirement /dev/stdin
	$(OUT)/lock/bin/pip freeze > requirements.lock

# What pyproject.toml asks for, extras included and the package itself left out.
define WANTED
import tomllib
project = tomllib.load(open("pyproject.toml", "rb"))["project"]
wanted = sum(project["optional-dependencies"].values(), project["dependencies"])
print("\n".join(item for item in wanted if not item.startswith("platterlab")))
endef
export WANTED

clean:
	rm -rf $(VENV) $(OUT) target python/platterlab/*.so


need = command -v $(1) >/dev/null || { echo "platterlab: $(1) is missing: $(2)" >&2; exit 1; }

tools:
	@$(call need,cargo,install Rust 1.88 or newer from https://rustup.rs)
	@$(call need,cc,install a C compiler (apt install gcc))
	@cargo fmt --version >/dev/null 2>&1 && cargo clippy --version >/dev/null 2>&1 \
	  || { echo "platterlab: cargo has no fmt or clippy: rustup component add rustfmt clippy" >&2; exit 1; }
	@test -n "$(PYTHON)" \
	  || { echo "platterlab: no Python 3.11 or newer on PATH: apt install python3 python3-venv" >&2; exit 1; }

# `| tools` checks first and never makes a stamp old. Packages are compiled as they are imported: few are.
$(VENV)/deps.stamp: requirements.lock | tools
	$(PYTHON) -m venv $(VENV) \
	  || { rm -rf $(VENV); echo "platterlab: $(PYTHON) cannot make a venv: apt install python3-venv" >&2; exit 1; }
	$(BIN)/pip install --quiet --no-compile --requirement requirements.lock
	touch $@

$(VENV)/core.stamp: $(VENV)/deps.stamp pyproject.toml $(RUST_SOURCES)
	@echo "building the core and installing platterlab in $(VENV)"
	@VIRTUAL_ENV=$(CURDIR)/$(VENV) $(NO_JOBS) $(BIN)/maturin develop --profile checked --quiet \
	  > $(VENV)/build.log 2>&1 || { cat $(VENV)/build.log >&2; exit 1; }
	touch $@
