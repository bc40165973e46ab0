# Builds the engine for the processor of this machine. OpenBench calls `make EXE=name`; everybody else
# needs cargo only (README.md).
#
#   make            the engine, with a profile-guided build where llvm-profdata is installed
#   make plain      the same without a profile
#   make pgo        a profile-guided build; `rustup component add llvm-tools` or Debian's llvm-22 installs the tool
#   make dist       an archive for others in dist/, with checksum; it runs on every processor of the family.
#                   CPU=x86-64-v3 builds for newer ones, TRIPLE=x86_64-unknown-linux-musl without a C library to
#                   look for (packaging/README.md)
#   make deb        a Debian package of the same program, in dist/
#   make site       the board in the browser for any static host, in dist/site/
#   make pictures   those of pages in docs/pictures/, by Chromium; look at them before you keep them
#
# RUSTFLAGS and CARGO_TARGET_DIR are honoured; FEATURES=tune offers the search's parameters as options.

EXE ?= engine
FEATURES ?=
HOST := $(shell rustc -vV | sed -n 's/^host: //p')
# LLVM 22 crashes on a sum in shakmaty if the whole program may use AVX-512 (llvm/llvm-project#173924). The
# network's loops choose AVX-512 at run time all the same.
NATIVE := -C target-cpu=native $(if $(findstring x86_64,$(HOST)),-C target-feature=-avx512f)
RUSTFLAGS ?= $(NATIVE)
TARGET := $(or $(CARGO_TARGET_DIR),target)
PROFILES := $(abspath $(TARGET))/pgo-profiles
PROFILED = $(TARGET)/pgo/release/engine$(SUFFIX)
# Depth of the profiled benches: of chess, and of the other rule sets, which have few positions. There is one
# for each rule set, because code without a profile counts as cold.
PGO_DEPTH := 13
PGO_DEPTH_VARIANTS := 19

ifeq ($(OS),Windows_NT)
    SUFFIX := .exe
endif

SYSROOT := $(shell rustc --print sysroot)
# That of rustup, or else of the distribution, of the same LLVM as the compiler: others cannot read its profiles.
LLVM := $(firstword $(subst ., ,$(shell rustc -vV | sed -n 's/^LLVM version: //p')))
PROFDATA := $(firstword $(wildcard $(SYSROOT)/lib/rustlib/*/bin/llvm-profdata$(SUFFIX)) $(shell command -v llvm-profdata-$(LLVM)))
# Link-time optimisation, with the engine in two units, is some 2 % faster than the build that cargo makes by itself in
# half the time. It takes the level of the last crate for all: at that of cargo's build (1) the network's loops had no
# vectors, and the search made 0.6 of the nodes.
CARGO_BUILD := cargo build --locked --release --bin engine --features "$(FEATURES)" \
    --config 'profile.release.lto="thin"' --config profile.release.opt-level=3 --config profile.release.package.ajedrecista-engine.codegen-units=2

# The commit for `engine --version`.
export AJEDRECISTA_COMMIT ?= $(shell git rev-parse --short HEAD 2>/dev/null)

# The archive: for which target of rustup, and from which processors on.
TRIPLE ?= $(HOST)
CPU ?=
VERSION := $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
ARCHIVE := ajedrecista-$(VERSION)-$(TRIPLE)$(if $(CPU),-$(CPU))
# Board programs list an engine by the name of its file.
PACKED_PROGRAM := ajedrecista$(if $(findstring windows,$(TRIPLE)),.exe)
BUILT_FOR = $(TARGET)/$(TRIPLE)/release/engine$(if $(findstring windows,$(TRIPLE)),.exe)
# Runs a program of the target where the host cannot: wine, qemu-aarch64.
RUNNER ?=
ifneq ($(findstring windows,$(TRIPLE)),)
    PACKED := $(ARCHIVE).zip
    PACK := $(if $(filter Windows_NT,$(OS)),powershell -Command "Compress-Archive -Force $(ARCHIVE) $(PACKED)",zip -qr $(PACKED) $(ARCHIVE))
else
    PACKED := $(ARCHIVE).tar.gz
    PACK := tar -czf $(PACKED) $(ARCHIVE)
endif
SHA256 := $(if $(shell command -v sha256sum),sha256sum,shasum -a 256)
# The Debian package is made of an archive without a C library, so that it fits every release of Debian.
DEB_ARCH := $(if $(findstring aarch64,$(TRIPLE)),arm64,amd64)

.PHONY: all plain pgo dist deb site pictures install clean

ifeq ($(PROFDATA),)
all: plain
else
all: pgo
endif

plain:
	RUSTFLAGS="$(RUSTFLAGS)" $(CARGO_BUILD)
	$(MAKE) install

pgo:
	@test -n "$(PROFDATA)" || { echo "llvm-profdata of LLVM $(LLVM) is missing: \
		rustup component add llvm-tools, or the package llvm-$(LLVM) of the distribution"; false; }
	rm -rf "$(PROFILES)"
	RUSTFLAGS="$(RUSTFLAGS) -Cprofile-generate=$(PROFILES)" $(CARGO_BUILD) --target-dir "$(TARGET)/pgo"
	"$(PROFILED)" bench $(PGO_DEPTH)
	for rules in $$(printf 'uci\nquit\n' | "$(PROFILED)" | sed -n '/ UCI_Variant /{s/.*var chess//;s/ var / /gp;}'); do \
		"$(PROFILED)" bench $(PGO_DEPTH_VARIANTS) --variant $$rules || exit 1; \
	done
	"$(PROFDATA)" merge -o "$(PROFILES)/merged.profdata" "$(PROFILES)"
	RUSTFLAGS="$(RUSTFLAGS) -Cprofile-use=$(PROFILES)/merged.profdata" $(CARGO_BUILD)
	$(MAKE) install

dist:
	CARGO_PROFILE_RELEASE_STRIP=symbols RUSTFLAGS="$(if $(CPU),-C target-cpu=$(CPU))" $(CARGO_BUILD) --target $(TRIPLE)
	rm -rf "dist/$(ARCHIVE)" && mkdir -p "dist/$(ARCHIVE)/completions"
	cp "$(BUILT_FOR)" "dist/$(ARCHIVE)/$(PACKED_PROGRAM)"
	cp README.md LICENSE CHANGELOG.md CONTRIBUTING.md CITATION.cff "dist/$(ARCHIVE)"
	cp -R docs "dist/$(ARCHIVE)"
	for folder in packaging .github; do mkdir "dist/$(ARCHIVE)/$$folder" && cp $$folder/*.md "dist/$(ARCHIVE)/$$folder" || exit 1; done
	cargo tree --locked --target $(TRIPLE) -e normal --prefix none --format '{p}	{l}' \
		| sed '/^$$/d; s/ ([^)]*)//g' | sort -u > "dist/$(ARCHIVE)/SBOM.txt"
	cd "dist/$(ARCHIVE)" && $(RUNNER) ./$(PACKED_PROGRAM) manual man && for shell in bash fish powershell zsh; do \
		$(RUNNER) ./$(PACKED_PROGRAM) completions $$shell > completions/ajedrecista.$$shell || exit 1; done
	cd dist && $(PACK) && $(SHA256) "$(PACKED)" > "$(PACKED).sha256"

deb: dist
	packaging/debian/build "dist/$(ARCHIVE)" "$(VERSION)" $(DEB_ARCH)

# The page with the engine as WebAssembly. wasm-bindgen writes the way between script and program; its version must be
# that of the library. wasm-opt is not used: version 108, which Debian and Ubuntu have, writes a program that browsers
# refuse. What is large lies there compressed, under a name that no host takes for something else. The network of chess is
# a smaller one than the program's: a page is fetched, and a browser's vectors are short.
SITE := dist/site
WASM := wasm32-unknown-unknown
WASM_FLAGS := -C target-feature=+simd128 -C link-arg=-zstack-size=4194304
BINDGEN_VERSION := $(shell sed -n '/^name = "wasm-bindgen"$$/{n;s/version = "\(.*\)"/\1/p;}' Cargo.lock)
BINDGEN := $(TARGET)/tools/bin/wasm-bindgen

site: $(BINDGEN)-$(BINDGEN_VERSION)
	rustup target add $(WASM)
	RUSTFLAGS="$(WASM_FLAGS)" cargo rustc --locked --profile site --target $(WASM) -p ajedrecista-web --lib --crate-type cdylib
	rm -rf $(SITE) && mkdir -p $(SITE)/networks
	"$<" --target web --no-typescript --remove-name-section --remove-producers-section --out-dir $(SITE) --out-name table $(TARGET)/$(WASM)/site/web.wasm
	cp $(wildcard crates/web/page/*.*) crates/web/page/site/* crates/shell/src/page/style.css crates/shell/src/page/pieces.svg $(SITE)
	cp crates/lab/src/page/lab.css $(SITE)/lesson.css
	{ cat crates/shell/src/page/elements.js && echo 'export { html, unbroken, writing };'; } > $(SITE)/elements.js
	{ cat crates/shell/src/page/board.js crates/shell/src/page/elements.js $(patsubst %,crates/lab/src/page/%.js,tree lab quiz) && echo 'export { Lesson };'; } > $(SITE)/lesson.js
	gzip -9n < $(SITE)/table_bg.wasm > $(SITE)/table.bin && rm $(SITE)/table_bg.wasm
	for net in $(filter-out %/chess.net,$(wildcard crates/engine/src/evaluation/variants/*.net)) crates/web/networks/chess.net; do gzip -9n < $$net > $(SITE)/networks/$$(basename $$net .net).bin; done
	cd $(SITE) && version=$$(cat $$(find . -type f | LC_ALL=C sort) | cksum | tr ' ' '-') \
		&& files=$$(find . -type f ! -name sw.js ! -path './networks/*' | LC_ALL=C sort | tr '\n' ' ') \
		&& sed -e "s|@VERSION@|ajedrecista-$$version|" -e "s|@FILES@|./ $${files}networks/chess.bin|" sw.js > sw.new && mv sw.new sw.js

# A mirror of the registry may lack a version that wasm-bindgen was locked to; any that fits will do then.
$(BINDGEN)-$(BINDGEN_VERSION):
	cargo install wasm-bindgen-cli --version $(BINDGEN_VERSION) --root $(TARGET)/tools --locked \
		|| cargo install wasm-bindgen-cli --version $(BINDGEN_VERSION) --root $(TARGET)/tools
	mv "$(BINDGEN)" "$@"

install:
	cp "$(TARGET)/release/engine$(SUFFIX)" "$(EXE:$(SUFFIX)=)$(SUFFIX)"

pictures:
	cargo test --locked --release --test conversations -- --ignored pictures::

clean:
	cargo clean
