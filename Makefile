# Builds the engine for the processor of this machine. OpenBench calls `make EXE=name`; everybody else
# needs cargo only (README.md).
#
#   make            the engine, with a profile-guided build where llvm-profdata is installed
#   make plain      the same without a profile
#   make pgo        a profile-guided build; `rustup component add llvm-tools` installs the tool
#
# RUSTFLAGS and CARGO_TARGET_DIR are honoured; FEATURES=tune offers the search's parameters as options.

EXE ?= engine
FEATURES ?=
RUSTFLAGS ?= -C target-cpu=native
TARGET := $(or $(CARGO_TARGET_DIR),target)
PROFILES := $(abspath $(TARGET))/pgo-profiles
# Depth of the bench that is profiled.
PGO_DEPTH := 13

ifeq ($(OS),Windows_NT)
    SUFFIX := .exe
endif

SYSROOT := $(shell rustc --print sysroot)
PROFDATA := $(firstword $(wildcard $(SYSROOT)/lib/rustlib/*/bin/llvm-profdata$(SUFFIX)))
CARGO_BUILD := cargo build --locked --release --bin engine --features "$(FEATURES)"

.PHONY: all plain pgo install clean

ifeq ($(PROFDATA),)
all: plain
else
all: pgo
endif

plain:
	RUSTFLAGS="$(RUSTFLAGS)" $(CARGO_BUILD)
	$(MAKE) install

pgo:
	@test -n "$(PROFDATA)" || { echo "llvm-profdata is missing: rustup component add llvm-tools"; false; }
	rm -rf "$(PROFILES)"
	RUSTFLAGS="$(RUSTFLAGS) -Cprofile-generate=$(PROFILES)" $(CARGO_BUILD) --target-dir "$(TARGET)/pgo"
	"$(TARGET)/pgo/release/engine$(SUFFIX)" bench $(PGO_DEPTH)
	"$(PROFDATA)" merge -o "$(PROFILES)/merged.profdata" "$(PROFILES)"
	RUSTFLAGS="$(RUSTFLAGS) -Cprofile-use=$(PROFILES)/merged.profdata" $(CARGO_BUILD)
	$(MAKE) install

install:
	cp "$(TARGET)/release/engine$(SUFFIX)" "$(EXE:$(SUFFIX)=)$(SUFFIX)"

clean:
	cargo clean
