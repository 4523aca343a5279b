# make help says what there is. Every target installs what it needs beyond cargo and rustup.

CARGO ?= cargo
OUT ?= out
# dieharder's arguments; every test by default. -g 200 reads standard input.
DIEHARDER ?= -a
# The sources that it judges; all by default.
DIEHARDER_SOURCES ?=
DIEHARDER_SEED = 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f
# Where cargo builds, and the version of the workspace.
TARGET = $(abspath $(or $(CARGO_TARGET_DIR),target))
VERSION = $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
REPOSITORY = $(shell sed -n 's/^repository = "\(.*\)"/\1/p' Cargo.toml)
# Cargo's profile of what is packed: release, or dev in a hurry; and where cargo then puts it.
PROFILE ?= release
BUILT = $(TARGET)/$(if $(filter dev,$(PROFILE)),debug,$(PROFILE))
SAMPLEZ = $(CARGO) run --quiet --release -p samplez-cli --
# As `cargo xtask`, but of the build that the tests are of: what is built by itself is built anew, with fewer features.
XTASK = $(CARGO) build --quiet --workspace --bin xtask && $(TARGET)/debug/xtask
# The project's own checks, those of seconds.
define OWN_CHECKS
	$(XTASK) check-deps
	$(XTASK) check-docs
	$(XTASK) check-rows
	$(XTASK) gen-docs --check
	$(XTASK) gen-report --check
	$(XTASK) check-kat
	$(XTASK) check-packages
	$(XTASK) gen-security --check
	$(XTASK) gen-trust --check
	$(XTASK) gen-kat --check
endef
FUZZ_SECONDS ?= 30
# Whose lines are counted, and which of samplez-check's tests are left out there: they draw long, for their statistics.
COVERED = samplez-core samplez-sources samplez-tables samplez-lattice samplez
UNCOUNTED = against:: ideal:: mutations:: order:: statistics wrong::
# The npm package's tests that start no browser.
IN_NODE = $(shell cd web && grep -L drivers.mjs test/*.test.mjs)
CT_MEASUREMENTS ?= 10_000_000
# Backends that the tests force; AVX-512 is the default where it is.
FORCED = $(if $(filter x86_64,$(shell uname -m)),scalar avx2,scalar)
FUZZ_TARGETS = $(sort $(basename $(notdir $(wildcard fuzz/targets/*.rs))))
# Whether the run is kept in docs/trust/fuzz.csv.
FUZZ_KEEP ?=
# Cargo's profile of development is optimized, and checks for overflow. Its own folder: another compiler, other flags.
FUZZ = $(CARGO) +nightly fuzz run --dev --target-dir fuzz/target
# Machines that qemu emulates: one with NEON, one that is big-endian.
EMULATED = aarch64 s390x
# Tests that end within seconds under Miri, which is some hundred times slower than the machine.
MIRI_CORE = bits::reader bits::latched params:: table::
MIRI_TABLES = exponents_are_exact constants_satisfy a_walk_agrees sizes_have known_values \
	the_unknown_stays limbs:: quotient:: law::mass
# Crates that must build without std.
NO_STD = -p samplez-core -p samplez-sources -p samplez-tables -p samplez-lattice

.DEFAULT_GOAL := help
.PHONY: help tools libssl targets nightly demo test lint ci-quick no-std kat report bench bench-peers miri threads fuzz fuzz-regression clean \
	scheme-laws dieharder dieharder-quick dieharder-program web page test-web web-bench web-native browsers node-modules ct ct-quick valgrind strace backends capi \
	capi-install install test-go wheel test-python python-bench python-venv test-emulated emulators \
	ct-shipped ct-leaks erased faults mutants coverage coverage-fronts capi-files package msrv lint-workflows

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: tools ## sample ten million at sigma = 3.2, verify, certify, draw; says where the picture is
	@echo "Building (the first time takes a few minutes) ..."
	@$(CARGO) build --quiet --release -p samplez-cli
	@mkdir -p $(OUT)
	@rm -f $(OUT)/noise.npy $(OUT)/noise.svg $(OUT)/noise.png
	$(SAMPLEZ) sample --sigma 3.2 --count 10000000 --seed 1 --out $(OUT)/noise.npy
	$(SAMPLEZ) verify $(OUT)/noise.npy --sigma 3.2
	$(SAMPLEZ) certify --sigma 3.2 --method cdt --precision 128
	$(SAMPLEZ) plot --in $(OUT)/noise.npy --sigma 3.2 --out $(OUT)/noise.svg
	$(SAMPLEZ) plot --in $(OUT)/noise.npy --sigma 3.2 --out $(OUT)/noise.png
	$(SAMPLEZ) plot --in $(OUT)/noise.npy --sigma 3.2
	@echo
	@echo "The samples are in $(OUT)/noise.npy, the picture in $(OUT)/noise.svg and $(OUT)/noise.png."

test: tools libssl strace no-std kat fuzz-regression test-web test-go test-python ct-quick erased backends dieharder-quick ## every test: unit, documentation, vectors, no_std builds, fuzz corpus, npm and Python packages, memcheck
	$(CARGO) test --workspace

lint: tools site lint-workflows ## format, clippy, documentation, dependency law, links, generated files; warnings are errors
	$(CARGO) fmt --all -- --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	$(CARGO) fmt --manifest-path python/Cargo.toml -- --check
	$(CARGO) fmt --manifest-path benches/peers/Cargo.toml -- --check
	$(CARGO) clippy --manifest-path python/Cargo.toml --target-dir $(TARGET) --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --quiet
	$(OWN_CHECKS)
	$(XTASK) gen-tables --check
	$(XTASK) gen-header --check
	@cd $(SITE) && SAMPLEZ_REFERENCE=$(REFERENCE) python3 -B api.py --check

api: reference ## the public interface of each language as text, docs/api: a line for each name; `make lint` compares them
	@cd $(SITE) && SAMPLEZ_REFERENCE=$(REFERENCE) python3 -B api.py

docs: tools site ## the documentation site, out/site/index.html; its links are checked, its commands, Rust and C run
	$(CARGO) test --quiet -p samplez --doc documents
	$(CARGO) test --quiet -p samplez-cli --test documents
	$(CARGO) test --quiet -p samplez-capi --test c examples

# The site alone, which `make lint` builds too.
.PHONY: api docs site site-tools reference
SITE = docs/site
site: site-tools reference
	@NO_MKDOCS_2_WARNING=1 SAMPLEZ_REFERENCE=$(REFERENCE) $(SITE)/.venv/bin/mkdocs build --config-file $(SITE)/mkdocs.yml --site-dir $(abspath $(OUT))/site
	@cd $(SITE) && .venv/bin/python -B -m unittest --quiet test_check test_mathematics test_listings
	@$(SITE)/.venv/bin/python -B $(SITE)/check.py $(OUT)/site

# What the site's reference is made of besides sources: rustdoc's pages of the crate, and the manual.
REFERENCE = $(TARGET)/reference
reference: tools
	@$(CARGO) doc --quiet --no-deps -p samplez --all-features --target-dir $(REFERENCE)
	@$(CARGO) build --quiet --workspace --bin samplez
	@rm -rf $(REFERENCE)/man && $(TARGET)/debug/samplez man --out $(REFERENCE)/man

# What stands after a build: nothing is installed, nothing is built for release.
ci-quick: tools ## after a build, minutes: format, clippy, the project's own checks, generated files, unit and documentation tests
	$(CARGO) fmt --all -- --check
	$(CARGO) fmt --manifest-path python/Cargo.toml -- --check
	$(CARGO) fmt --manifest-path benches/peers/Cargo.toml -- --check
	$(CARGO) clippy --quiet --workspace --all-targets -- -D warnings
	$(OWN_CHECKS)
	$(CARGO) test --quiet --workspace --lib --bins
	$(CARGO) test --quiet --doc -p samplez-core -p samplez-sources -p samplez-tables -p samplez

# In a hurry beside the command: its features, and what is built of them.
capi: tools ## the C library: target/release/libsamplez_c.{a,so}, header in capi/include
	$(CARGO) build --quiet --profile $(PROFILE) -p samplez-capi $(if $(filter dev,$(PROFILE)),-p samplez-cli --lib)
	@ln -sf $(SHARED) $(BUILT)/$(LOADED)

# The shared library's name for the linker and for the loader, as capi/build.rs has it: before 1.0 with the minor version.
INTERFACE = $(shell echo $(VERSION) | sed -E 's/^((0\.)?[0-9]+).*/\1/')
SHARED = libsamplez_c$(if $(filter Darwin,$(shell uname -s)),.dylib,.so)
LOADED = libsamplez_c$(if $(filter Darwin,$(shell uname -s)),.$(INTERFACE).dylib,.so.$(INTERFACE))
STRIP ?= strip

# pip and maturin of the virtual environment in python/.venv.
IN_VENV = cd python && PATH="$$PWD/.venv/bin:$$PATH"

wheel: python-venv ## the Python package as an abi3 wheel, for Python 3.10 and newer, in python/target/wheels
	rm -f python/target/wheels/*
	$(IN_VENV) $(if $(filter dev,$(PROFILE)),CARGO_TARGET_DIR=$(TARGET)) maturin build --quiet --profile $(PROFILE) --strip --out target/wheels

test-python: python-venv ## the Python package's tests, mypy --strict and stubtest, in a virtual environment of their own
	@$(CARGO) build --quiet --workspace --bin samplez
	$(IN_VENV) CARGO_TARGET_DIR=$(TARGET) MATURIN_PEP517_ARGS="--profile dev" \
		pip install --quiet --no-build-isolation --no-deps --force-reinstall .
	$(IN_VENV) pytest
	$(IN_VENV) mypy
	$(IN_VENV) && export PATH && cd tests && python -m mypy.stubtest samplez._samplez

python-bench: python-venv capi ## the Python package's speed, as ratios to the library's own fill
	$(IN_VENV) pip install --quiet --no-build-isolation --no-deps --force-reinstall .
	$(IN_VENV) python benches/fill.py $(abspath $(TARGET))/release/libsamplez_c.so
	$(IN_VENV) python benches/calls.py

python-venv: tools
	@command -v python3 >/dev/null && python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' || { \
		echo "Python 3.10 or newer with venv is missing: install it (Debian, Ubuntu: apt install python3-venv)." >&2; \
		exit 1; }
	@cd python && { cmp -s tests/requirements.txt .venv/.from 2>/dev/null || { \
		python3 -m venv --clear .venv && .venv/bin/pip install --quiet -r tests/requirements.txt \
		&& cp tests/requirements.txt .venv/.from; }; }

PREFIX ?= /usr/local
capi-install: capi capi-files ## header, libraries, pkg-config's file and CMake's below PREFIX (default /usr/local)

LIB = $(DESTDIR)$(PREFIX)/lib
capi-files:
	install -d $(DESTDIR)$(PREFIX)/include $(LIB)/pkgconfig $(LIB)/cmake/samplez
	install -m 644 capi/include/samplez.h $(DESTDIR)$(PREFIX)/include/
	install -m 644 $(BUILT)/libsamplez_c.a $(LIB)/
	install -m 755 $(BUILT)/$(SHARED) $(LIB)/$(LOADED)
	$(STRIP) $(if $(filter Darwin,$(shell uname -s)),-x,--strip-unneeded) $(LIB)/$(LOADED)
	$(STRIP) -S $(LIB)/libsamplez_c.a
	ln -sf $(LOADED) $(LIB)/$(SHARED)
	sed -e 's|@REPOSITORY@|$(REPOSITORY)|' -e 's|@VERSION@|$(VERSION)|' capi/samplez.pc.in > $(LIB)/pkgconfig/samplez.pc
	install -m 644 capi/samplez-config.cmake $(LIB)/cmake/samplez/
	sed 's|@VERSION@|$(VERSION)|' capi/samplez-config-version.cmake.in > $(LIB)/cmake/samplez/samplez-config-version.cmake

package: web capi wheel ## every package for this machine in out/packages, each installed in a clean place and tried (PROFILE=dev: in a hurry)
	@packages/package.sh $(abspath $(OUT))/packages $(TARGET) $(VERSION) $(PROFILE)

MSRV = $(shell sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
msrv: tools ## what is published, the C library and the command build by the oldest compiler that they promise
	@$(call rustup,the oldest compiler)
	@rustup toolchain list | grep -q '^$(MSRV)' || rustup toolchain install $(MSRV) --profile minimal
	cargo +$(MSRV) check --locked --target-dir $(TARGET)/msrv -p samplez --all-features -p samplez-capi -p samplez-cli
	cargo +$(MSRV) check --locked --target-dir $(TARGET)/msrv --manifest-path python/Cargo.toml

# Public CI's files: by their schema, and for what makes them unsafe. Neither asks the network.
WORKFLOWS = .github/.venv
lint-workflows:
	@cmp -s .github/requirements.txt $(WORKFLOWS)/.from || { \
		rm -rf $(WORKFLOWS); python3 -m venv $(WORKFLOWS) \
			&& $(WORKFLOWS)/bin/pip install --quiet --disable-pip-version-check -r .github/requirements.txt \
			&& cp .github/requirements.txt $(WORKFLOWS)/.from; }
	@check() { $(WORKFLOWS)/bin/check-jsonschema --quiet --builtin-schema "vendor.$$@"; }; \
		check github-workflows .github/workflows/*.yml && check dependabot .github/dependabot.yml \
		&& check github-issue-config .github/ISSUE_TEMPLATE/config.yml && check github-issue-forms .github/ISSUE_TEMPLATE/[!c]*.yml \
		&& check citation-file-format CITATION.cff
	@$(WORKFLOWS)/bin/zizmor --offline --quiet --persona=regular .github

# The command says itself what its manual and completions are: it has to run on the machine that installs it.
SHARE = $(DESTDIR)$(PREFIX)/share
install: tools ## the command, its manual and completions below PREFIX (default /usr/local), or below DESTDIR for packagers
	$(CARGO) build --quiet --release -p samplez-cli
	install -d $(DESTDIR)$(PREFIX)/bin $(SHARE)/bash-completion/completions $(SHARE)/zsh/site-functions \
		$(SHARE)/fish/vendor_completions.d $(SHARE)/samplez
	install -m 755 $(TARGET)/release/samplez $(DESTDIR)$(PREFIX)/bin/
	$(TARGET)/release/samplez man --out $(SHARE)/man/man1
	$(TARGET)/release/samplez completions bash > $(SHARE)/bash-completion/completions/samplez
	$(TARGET)/release/samplez completions zsh > $(SHARE)/zsh/site-functions/_samplez
	$(TARGET)/release/samplez completions fish > $(SHARE)/fish/vendor_completions.d/samplez.fish
	$(TARGET)/release/samplez completions powershell > $(SHARE)/samplez/samplez.ps1

test-go: tools ## the Go example, through cgo
	@command -v go >/dev/null || { [ "$$(id -u)" = 0 ] && apt-get install -y -qq golang-go; } || { \
		echo "go is missing: install it (Debian, Ubuntu: apt install golang-go)." >&2; exit 1; }
	@$(MAKE) --no-print-directory capi PROFILE=dev
	cd capi/examples/go && CGO_ENABLED=1 CGO_LDFLAGS="-L$(TARGET)/debug -Wl,-rpath,$(TARGET)/debug" \
		GOFLAGS=-buildvcs=false go run .

no-std: targets ## build the core, the sources, the table builder and the example for a microcontroller where there is no std
	$(CARGO) build $(NO_STD) --target wasm32-unknown-unknown
	$(CARGO) build $(NO_STD) -p samplez-microcontroller --features samplez-core/rand --target thumbv7em-none-eabi

backends: targets ## forced backends draw the vectors; the core for NEON and for WebAssembly's simd128
	@rustup target add aarch64-unknown-linux-gnu
	for backend in $(FORCED); do \
		export CARGO_TARGET_DIR=$(TARGET)/backends/$$backend RUSTFLAGS="--cfg samplez_backend=\"$$backend\""; \
		$(CARGO) test --quiet -p samplez-core -p samplez-sources --lib -- arch:: && $(CARGO) test --quiet -p samplez --test streams || exit 1; \
	done
	$(CARGO) check -p samplez-core -p samplez-sources --target aarch64-unknown-linux-gnu
	RUSTFLAGS="-C target-feature=+simd128" $(CARGO) build -p samplez-core -p samplez-sources --target wasm32-unknown-unknown

# Core and sources by their unit tests, but for Karney's statistics, which take as long as the rest; what is above them by
# the vectors of streams and schemes, which xtask makes anew.
test-emulated: tools emulators ## unit tests of core and sources, and the vectors of streams and schemes, on aarch64 and s390x (big-endian) under qemu
	@$(call rustup,compilation targets)
	@rustup target add $(EMULATED:%=%-unknown-linux-gnu)
	for machine in $(EMULATED); do \
		variables=CARGO_TARGET_$$(echo $$machine | tr a-z A-Z)_UNKNOWN_LINUX_GNU; \
		export $${variables}_LINKER=$$machine-linux-gnu-gcc; \
		export $${variables}_RUNNER="$$(command -v qemu-$$machine-static qemu-$$machine | head -1) -L /usr/$$machine-linux-gnu"; \
		emulated="--quiet --target $$machine-unknown-linux-gnu"; echo "$$machine:"; \
		$(CARGO) test $$emulated -p samplez-core -p samplez-sources --lib -- --skip karney \
			&& $(CARGO) run $$emulated -p xtask -- gen-kat --check || exit 1; \
	done

kat: tools ## the known-answer vectors are unchanged
	$(XTASK) check-kat
	$(XTASK) gen-kat --check

web: node-modules targets ## build the npm package into web/dist
	cd web && node tools/build.mjs

page: web ## build the page into web/build/site, and serve it (PORT=8000)
	cd web && node tools/page.mjs serve

test-web: web browsers ## the npm package's tests in Node and bundlers, its and the page's in Chromium, Firefox and WebKit
	cd web && npx --no-install tsc --project tsconfig.checks.json
	cd web && node tools/page.mjs
	@$(CARGO) build --quiet --workspace --bin samplez
	cd web && SAMPLEZ=$(TARGET)/debug/samplez node --test --test-concurrency=1 --test-reporter=./tools/reporter.mjs test/*.test.mjs

# The command without the compiler's vectorization and without our vector code, for [BSOVOGR17]'s Figures 3 and 5.
UNVECTORIZED = $(TARGET)/unvectorized
UNVECTORIZED_FLAGS = --cfg samplez_backend="scalar" -C no-vectorize-loops -C no-vectorize-slp
report: web browsers ## what the papers claim beside what we measure, here and in browsers, in out/report; kept and resumed (REPORT="--only J --quick")
	@$(CARGO) build --quiet --release -p samplez-cli
	@RUSTFLAGS='$(UNVECTORIZED_FLAGS)' $(CARGO) build --quiet --release -p samplez-cli --target-dir $(UNVECTORIZED)
	@mkdir -p $(OUT)/report
	@cd web && node tools/page.mjs && node bench/findings.mjs $(abspath $(OUT))/report/browsers.jsonl $(BROWSER_REPORT)
	$(SAMPLEZ) report --out $(OUT)/report --unvectorized $(UNVECTORIZED)/release/samplez \
		--merge $(OUT)/report/browsers.jsonl $(REPORT)

bench: tools libssl ## the benchmarks, as ratios to baselines measured in the same run
	$(CARGO) run --release --package samplez-bench --features openssl

bench-peers: tools ## samplers of other libraries and ours in the same run; Lattigo's where there is Go 1.21 or newer
	@lattigo=; mkdir -p $(TARGET)/peers; if command -v go >/dev/null; then \
		lattigo=$(TARGET)/peers/lattigo; (cd benches/peers/lattigo && go build -o $$lattigo .) || exit 1; fi; \
	$(CARGO) run --quiet --release --locked --manifest-path benches/peers/Cargo.toml \
		--target-dir $(TARGET)/peers -- $$lattigo

ct: tools ct-quick ct-shipped ct-leaks ## evidence of constant time: memcheck, of what is shipped and of planted leaks too, instructions, and CT_MEASUREMENTS (10^7) timings of each case
	$(CARGO) run --quiet --release -p samplez-ct -- timing $(CT_MEASUREMENTS)

ct-quick: tools valgrind ## constant time by memcheck alone, the random bits undefined; some seconds
	$(CARGO) run --quiet --release -p samplez-ct -- memcheck

faults: tools strace ## faults that are planted in a copy of the sources, one by one, are found by tests, whose names docs/trust/faults.csv keeps: a quarter of an hour
	$(XTASK) check-faults $(TARGET)/faults

erased: tools ## what is left of secrets in a process's memory, after what held them was dropped: nothing; as docs/trust/erased.csv
	@$(CARGO) run --quiet --release -p samplez-ct -- erased

CT = crates/samplez-ct/shipped
ct-shipped: capi wheel valgrind ## memcheck of the C library and of the Python package as they are built for release; instructions of the library
	@mkdir -p $(TARGET)/ct
	$(CC) -O1 -Icapi/include $(CT)/secret.c $(CT)/library.c -o $(TARGET)/ct/library \
		-L$(TARGET)/release -lsamplez_c -Wl,-rpath,$(TARGET)/release
	$(CC) -O1 -shared -fPIC $(CT)/secret.c -o $(TARGET)/ct/secret.so
	python/.venv/bin/pip install --quiet --no-deps --force-reinstall --target $(TARGET)/ct/package python/target/wheels/samplez-$(VERSION)-*.whl
	$(CARGO) run --quiet --release -p samplez-ct -- shipped $(TARGET)/ct/library
	PYTHONPATH=$(TARGET)/ct/package $(CARGO) run --quiet --release -p samplez-ct -- \
		shipped python/.venv/bin/python $(CT)/wheel.py $(TARGET)/ct/secret.so
	$(XTASK) check-asm $(TARGET)/release/libsamplez_c.so

ct-leaks: tools valgrind ## leaks that are planted in a copy of the sources are found, each by the cases of its path and by no other
	$(XTASK) check-leaks $(TARGET)/leaks

scheme-laws: tools ## BLISS's laws at length: 10^5 signatures of each set by both signers, 2·10^5 candidates of keys
	$(CARGO) test --release -p samplez-lattice --lib -- --ignored --nocapture

# The standard library is built with the sanitizer too. A race ends it with 66, as was seen with a small program that has one.
threads: nightly ## the crate samplez's unit tests and vectors, by several threads, under ThreadSanitizer; Linux
	rustup component add --toolchain nightly rust-src
	RUSTFLAGS="-Zsanitizer=thread" $(CARGO) +nightly test -Zbuild-std --target $(shell rustc -vV | sed -n 's/^host: //p') \
		--target-dir $(TARGET)/threads -p samplez --lib --test streams

miri: nightly ## the core's examples and the quick tests under Miri, on a big-endian machine too
	rustup component add --toolchain nightly miri rust-src
	$(CARGO) +nightly miri test -p samplez-core -p samplez-sources --doc
	$(CARGO) +nightly miri test -p samplez-core --lib -- $(MIRI_CORE)
	$(CARGO) +nightly miri test -p samplez-sources --lib
	$(CARGO) +nightly miri test -p samplez-tables --lib -- $(MIRI_TABLES)
	$(CARGO) +nightly miri test -p samplez-core --lib --target s390x-unknown-linux-gnu -- $(MIRI_CORE)
	$(CARGO) +nightly miri test -p samplez-sources --lib --target s390x-unknown-linux-gnu

IN ?= crates/samplez-core/src/bits
mutants: tools libssl ## mutants of the files below the paths IN that have not been judged as they stand, kept in docs/trust/mutants.csv: seconds each, a run that is cut off goes on
	@$(CARGO) mutants --version >/dev/null 2>&1 || $(CARGO) install --locked cargo-mutants
	$(XTASK) check-mutants "$(IN)"

coverage: tools libssl nightly ## which lines of the libraries their tests run, kept in docs/trust/coverage.csv; each of three crates has a test or a reason
	@$(CARGO) llvm-cov --version >/dev/null 2>&1 || $(CARGO) install --locked cargo-llvm-cov
	@rustup component add llvm-tools && rustup component add llvm-tools --toolchain nightly
	$(CARGO) llvm-cov clean --workspace --profraw-only
	$(CARGO) llvm-cov --no-report test $(COVERED:%=-p %)
	$(CARGO) llvm-cov --no-report test -p samplez-check --test laws -- $(UNCOUNTED:%=--skip %)
	$(CARGO) llvm-cov --no-report test -p samplez-fuzz
	$(CARGO) llvm-cov --no-report test -p samplez-cli --test bad_inputs --test tables
	$(CARGO) llvm-cov report --lcov --output-path $(TARGET)/coverage.tests.lcov
	CARGO_TARGET_DIR=$(TARGET)/doc-coverage $(CARGO) +nightly llvm-cov --doctests test --doc $(COVERED:%=-p %) \
		--lcov --output-path $(TARGET)/coverage.examples.lcov
	cat $(TARGET)/coverage.tests.lcov $(TARGET)/coverage.examples.lcov > $(TARGET)/coverage.lcov
	$(XTASK) keep-coverage $(TARGET)/coverage.lcov

# The scripts as they are shipped, and what Node runs of them; what only a browser has is not counted as run.
coverage-fronts: web python-venv ## the same for the packages for Python and for JavaScript, by pytest-cov and c8
	@$(CARGO) build --quiet --workspace --bin samplez
	cd web && SAMPLEZ=$(TARGET)/debug/samplez npx --yes c8@12.0.0 --clean --src dist --include 'dist/**' --reporter lcovonly --report-dir build/coverage \
		node --test --test-concurrency=1 --test-reporter=./tools/reporter.mjs $(IN_NODE)
	$(IN_VENV) pip install --quiet pytest-cov==7.1.0
	$(IN_VENV) CARGO_TARGET_DIR=$(TARGET) MATURIN_PEP517_ARGS="--profile dev" \
		pip install --quiet --no-build-isolation --no-deps --force-reinstall .
	$(IN_VENV) COVERAGE_FILE=$(TARGET)/coverage.python pytest --cov="$$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("platlib"))')/samplez" --cov-report=lcov:$(TARGET)/coverage.python.lcov
	sed 's|^SF:|SF:web/|' web/build/coverage/lcov.info > $(TARGET)/coverage.fronts.lcov
	sed 's|^SF:.*site-packages/|SF:python/|' $(TARGET)/coverage.python.lcov >> $(TARGET)/coverage.fronts.lcov
	$(XTASK) keep-coverage $(TARGET)/coverage.fronts.lcov

fuzz: nightly libssl ## fuzz each target for FUZZ_SECONDS (default 30); FUZZ_TARGETS="recipes tables": these alone; FUZZ_KEEP=1: keep the run
	@$(CARGO) fuzz --version >/dev/null 2>&1 || $(CARGO) install --locked cargo-fuzz
	@for target in $(FUZZ_TARGETS); do \
		mkdir -p fuzz/corpus/$$target fuzz/artifacts; log=fuzz/artifacts/$$target.log; \
		echo "fuzzing $$target, $(FUZZ_SECONDS) s: $$log"; \
		$(FUZZ) $$target fuzz/corpus/$$target fuzz/seeds/$$target -- -max_total_time=$(FUZZ_SECONDS) -max_len=4096 -timeout=20 \
			-print_final_stats=1 > $$log 2>&1; ended=$$?; \
		[ $$ended = 0 ] || tail -n 80 $$log; \
		[ -z "$(FUZZ_KEEP)" ] || { $(XTASK) keep-fuzz $$log; } || exit 1; \
		[ $$ended = 0 ] || exit 1; \
		grep -E 'DONE|^Done' $$log; \
	done

fuzz-regression: tools libssl ## run the fuzz targets' bodies on the committed seeds, on the stable toolchain
	$(CARGO) test --quiet --workspace --test seeds

dieharder: tools dieharder-program ## every source through dieharder (hours each; DIEHARDER="-d 8" for one test); reports in out/
	@mkdir -p $(OUT)
	@$(CARGO) build --quiet --release -p samplez-cli
	@failed=; for source in $(or $(DIEHARDER_SOURCES),$$($(SAMPLEZ) sources | awk 'NR > 1 { print $$1 }')); do \
		echo "$$source: $(OUT)/dieharder-$$source.txt"; \
		$(SAMPLEZ) bytes --source $$source | dieharder -g 200 $(DIEHARDER) > $(OUT)/dieharder-$$source.txt; \
		if grep FAILED $(OUT)/dieharder-$$source.txt; then failed="$$failed $$source"; fi; \
	done; echo "Sources with a failed test:$${failed:- none}"

dieharder-quick: tools dieharder-program ## three quick tests of dieharder on every seeded source, under a fixed seed; one that posix-rand fails
	@$(CARGO) build --quiet --workspace --bin samplez
	@run=$(TARGET)/debug/samplez; \
	for source in $$($$run sources | awk '/--seed/ { print $$1 }'); do for test in 8 15 100; do \
		report=$$($$run bytes --source $$source --seed $(DIEHARDER_SEED) | dieharder -g 200 -d $$test) || exit 1; \
		echo "$$report" | grep -qE 'PASSED|WEAK|FAILED' || { echo "$$source, test $$test:"; echo "$$report"; exit 1; }; \
		if echo "$$report" | grep FAILED; then echo "$$source fails test $$test" >&2; exit 1; fi; \
	done; echo "$$source: no failure"; done; \
	$$run bytes --source posix-rand --seed $(DIEHARDER_SEED) | dieharder -g 200 -d 5 | grep FAILED \
		|| { echo "posix-rand passes diehard_opso, which it must not" >&2; exit 1; }; \
	echo "posix-rand: fails diehard_opso, as it must"

clean: tools ## remove what was built and the demo's output
	$(CARGO) clean
	rm -rf $(OUT) fuzz/target fuzz/corpus fuzz/artifacts web/dist web/build web/LICENSE-* web/node_modules python/target python/.venv \
		docs/site/.venv .github/.venv

tools:
	@command -v $(CARGO) >/dev/null || { \
		echo "cargo is missing. Install Rust from https://rustup.rs:" >&2; \
		echo "    curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh" >&2; \
		echo "then open a new shell and run make again." >&2; exit 1; }
	@command -v cc >/dev/null || { \
		echo "a C linker (cc) is missing: install gcc or clang (Debian, Ubuntu: apt install gcc)." >&2; exit 1; }

# OpenSSL 3 and its headers, which judge the DRBGs.
LIBSSL = '\#include <openssl/evp.h>\n\#if OPENSSL_VERSION_MAJOR < 3\n\#error\n\#endif\nint main(void) { return EVP_RAND_fetch(0, "", 0) != 0; }\n'

libssl: tools
	@printf $(LIBSSL) | $${CC:-cc} -x c - -o /dev/null -lcrypto 2>/dev/null || { \
		echo "Installing OpenSSL's headers, with which the tests compare the DRBGs ..."; \
		sudo=; [ "$$(id -u)" = 0 ] || sudo="sudo -n"; \
		{ $$sudo apt-get update -qq && $$sudo apt-get install -y -qq libssl-dev; } || { \
		echo "OpenSSL 3 with its headers is missing. Install it: apt-get install libssl-dev (Debian, Ubuntu)," >&2; \
		echo "dnf install openssl-devel (Fedora), brew install openssl (macOS); then run make again." >&2; exit 1; }; }

site-tools:
	@cmp -s $(SITE)/requirements.txt $(SITE)/.venv/.from || { \
		echo "Installing mkdocs-material into $(SITE)/.venv ..."; \
		rm -rf $(SITE)/.venv; \
		python3 -m venv $(SITE)/.venv \
			&& $(SITE)/.venv/bin/pip install --quiet --disable-pip-version-check -r $(SITE)/requirements.txt \
			&& cp $(SITE)/requirements.txt $(SITE)/.venv/.from; } || { \
		echo "The site needs Python 3.10 or newer with venv (Debian, Ubuntu: apt install python3-venv)" >&2; \
		echo "and access to PyPI the first time; see above for what failed." >&2; exit 1; }

dieharder-program:
	@command -v dieharder >/dev/null || { \
		echo "Installing dieharder ..."; \
		sudo=; [ "$$(id -u)" = 0 ] || sudo="sudo -n"; \
		{ $$sudo apt-get update -qq && $$sudo apt-get install -y -qq dieharder; } || { \
		echo "dieharder is missing, and could not be installed. On Debian and Ubuntu: apt-get install dieharder." >&2; exit 1; }; }

valgrind:
	@command -v valgrind >/dev/null || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null \
		&& apt-get install -y valgrind; } || { \
		echo "valgrind is missing: install it (Debian, Ubuntu: apt install valgrind)." >&2; exit 1; }

strace:
	@command -v strace >/dev/null || [ "$$(uname -s)" != Linux ] || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null \
		&& apt-get install -y -qq strace; } || { \
		echo "strace, by which tests let system calls fail, is missing: install it (Debian, Ubuntu: apt install strace)." >&2; exit 1; }

CROSS = $(EMULATED:%=gcc-%-linux-gnu)

emulators:
	@for machine in $(EMULATED); do \
		command -v $$machine-linux-gnu-gcc >/dev/null \
			&& { command -v qemu-$$machine-static || command -v qemu-$$machine; } >/dev/null && continue; \
		if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
			echo "Installing compilers and an emulator of other machines ..."; \
			apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $(CROSS) qemu-user-static && break; \
		fi; \
		echo "A compiler for $$machine (gcc-$$machine-linux-gnu) or qemu-$$machine is missing. Install them:" >&2; \
		echo "    apt-get install -y $(CROSS) qemu-user-static" >&2; exit 1; \
	done

rustup = command -v rustup >/dev/null || { \
	echo "rustup is missing, and this target needs it to add $(1). Install it from https://rustup.rs." >&2; exit 1; }

node-modules:
	@command -v npm >/dev/null || { \
		echo "npm is missing: install Node.js 20.19 or newer (https://nodejs.org; Debian, Ubuntu: apt install npm)." >&2; \
		exit 1; }
	@cd web && { cmp -s package-lock.json node_modules/.from 2>/dev/null || \
		{ npm ci --no-fund --no-audit && cp package-lock.json node_modules/.from; }; }

web-bench: web browsers ## [JSDGS17]'s Tables 3 to 5 in Node, Chromium, Firefox and WebKit, beside the paper's figures
	cd web && node tools/page.mjs && node bench/table3.mjs && node bench/schemes.mjs

web-native: web ## WebAssembly in Node beside the native library's portable code, in turns
	cd web && node bench/native.mjs

BROWSERS = chromium firefox-esr webkit2gtk-driver libwebkit2gtk-4.1-0 xvfb xauth

browsers:
	@for command in chromium firefox-esr WebKitWebDriver xvfb-run; do \
		command -v $$command >/dev/null && continue; \
		if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
			apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $(BROWSERS) && break; \
		else \
			echo "$$command is missing, and the tests need three browsers: apt-get install -y $(BROWSERS)" >&2; exit 1; \
		fi; \
	done

targets: tools
	@$(call rustup,compilation targets)
	@rustup target add wasm32-unknown-unknown thumbv7em-none-eabi

nightly: tools
	@$(call rustup,the nightly toolchain)
	@rustup toolchain list | grep -q '^nightly' || rustup toolchain install nightly --profile minimal
