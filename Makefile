# make run     set up, build in release mode, serve the sample library and the four channels
# make test    set up for the tests, lint, check layers, links, resources, build, check doc comments, run every test
#              (TESTS=BroadcastTests: some)
# make cert    make a self-signed certificate for this machine in data/tls, to try HTTPS with
# make fuzz    fuzz the parsers for a bounded time (never part of the tests)
# make bench   set up for the benchmarks and measure against nginx and ffmpeg (never part of the tests)

SWIFT ?= swift
# The folders whose Swift is ours.
SWIFT_FOLDERS = Package.swift Sources Tests Examples Benchmarks/CatalogueBenchmark Benchmarks/CommunityBenchmark \
    Benchmarks/AccessBenchmark Benchmarks/Support Fuzzing/Package.swift Fuzzing/Sources/antena-fuzz
# Linking the tests of all targets at once needs memory; CI's machine has two cores.
TEST_FLAGS ?=
# Crash reports of BoringSSL need no lines.
RELEASE_FLAGS = -Xcc -g0 -Xcxx -g0 $$(SWIFT='$(SWIFT)' Scripts/precompile-headers.sh release)
# Only the tests whose names match, such as BroadcastTests or EndToEndTests.
TESTS ?=
# Only on these processors, such as 0,1.
TEST_CPUS ?=
# So many tests may fail first and pass when they are run again.
TEST_UNSTABLE ?= 0
FUZZ_SECONDS ?= 60

.DEFAULT_GOAL := help
.PHONY: help run build test build-tests lint layers links resources docs bench fuzz cert format clean
.PHONY: languages setup-run setup-test setup-bench setup-cert

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: build ## install what is missing, build in release mode, serve media/ and channels.json
	@echo "==> serving: http://127.0.0.1:8080 (HTTP) and rtsp://127.0.0.1:8554 (RTSP); Ctrl-C stops it"
	@exec .build/release/antena serve

build: setup-run
	@echo "==> building in release mode (the first time takes a quarter of an hour on two cores)"
	@$(SWIFT) build -c release --product antena $(RELEASE_FLAGS)

# Installing what only the tests need, and the checks, wait for the network and for one processor, so they run beside the
# build; rendering the doc comments needs the build, and runs beside the tests.
test: ## install what is missing, lint, run every check, build, run every test
	@$(MAKE) --no-print-directory -j4 lint layers links resources build-tests
	@echo "==> running the tests, and rendering the doc comments beside them"
	@SWIFT='$(SWIFT)' TEST_FLAGS="$(TEST_FLAGS)" TEST_CPUS='$(TEST_CPUS)' TEST_UNSTABLE='$(TEST_UNSTABLE)' Scripts/run-tests.sh $(if $(TESTS),--filter '$(TESTS)')

build-tests: setup-run
	@echo "==> building the tests (the first time takes about 10 minutes on two cores)"
	@$(SWIFT) build --build-tests $(TEST_FLAGS)

docs: build-tests ## render the doc comments with DocC; warnings are errors
	@echo "==> rendering the doc comments"
	@python3 Scripts/check-docs.py

resources: setup-test ## check style sheets, scripts and files of texts
	@echo "==> checking style sheets, scripts and files of texts"
	@.build/linters/bin/python Scripts/check-description.py --self-test
	@.build/linters/bin/python Scripts/check-resources.py --self-test
	@.build/linters/bin/python Scripts/check-resources.py

lint: setup-run
	@echo "==> swift format lint"
	@$(SWIFT) format lint --strict --parallel --recursive $(SWIFT_FOLDERS)

layers: setup-test
	@echo "==> checking imports against Package.swift, and files against the types in them"
	@python3 Scripts/check-layers.py --self-test
	@python3 Scripts/check-layers.py
	@python3 Scripts/check-tables.py --self-test
	@python3 Scripts/check-tables.py
	@python3 Scripts/check-files.py --self-test
	@python3 Scripts/check-files.py
	@python3 Scripts/check-parameters.py --self-test
	@python3 Scripts/check-parameters.py
	@python3 Scripts/check-logs.py --self-test
	@python3 Scripts/check-logs.py
	@python3 Scripts/check-programs.py --self-test
	@python3 Scripts/check-programs.py
	@python3 Scripts/check-outgoing.py --self-test
	@python3 Scripts/check-outgoing.py

links: setup-test ## check links, anchors, citations and words in pages and comments
	@echo "==> checking links, citations and words"
	@python3 Scripts/check-links.py --self-test
	@python3 Scripts/check-links.py
	@python3 Scripts/check-language.py --self-test
	@python3 Scripts/check-language.py

bench: setup-bench build ## measure against nginx and ffmpeg; writes Benchmarks/results/
	@python3 Benchmarks/bench.py

fuzz: setup-run ## fuzz the parsers of what strangers send, a minute each (FUZZ_SECONDS=60)
	@Fuzzing/run.sh $(FUZZ_SECONDS)

cert: setup-cert ## make a self-signed certificate for this machine in data/tls, to try HTTPS with
	@Scripts/make-cert.sh

format: ## rewrite the sources as swift format wants them
	@$(SWIFT) format --in-place --parallel --recursive $(SWIFT_FOLDERS)

clean: ## remove what was built; data/ stays
	@rm -rf .build Tests/Fixtures/generated

setup-run: languages
	@Scripts/setup.sh run

# The compiler looks at files of texts that it has found before, and not for new ones.
languages:
	@mkdir -p .build
	@ls Sources/WebSite/Resources/texts | cmp -s - .build/languages || \
	    { ls Sources/WebSite/Resources/texts >.build/languages; touch Sources/CEmbeddedFiles/CEmbeddedFiles.c; }

# One of them at a time: both use Debian's package manager.
setup-test: setup-run
	@Scripts/setup.sh test

setup-bench:
	@Scripts/setup.sh bench

setup-cert:
	@Scripts/setup.sh cert
