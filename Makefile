# OpenBench builds an engine with `make EXE=name`; all others need cargo only (README.md).
# The program is built for the processor of this machine.

EXE ?= engine

ifeq ($(OS),Windows_NT)
    SUFFIX := .exe
endif

.PHONY: all clean
all:
	RUSTFLAGS="-C target-cpu=native" cargo build --locked --release --bin engine
	cp target/release/engine$(SUFFIX) $(EXE:$(SUFFIX)=)$(SUFFIX)

clean:
	cargo clean
