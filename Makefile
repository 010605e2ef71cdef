# Casino War: needs python3 (3.11 or later), make and git; everything else it fetches into this folder.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
SHELL := /bin/sh

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
SERVER := .venv-server
SERVER_READY := $(SERVER)/.ready
# One more than the two cores of CI: tests in the browser and of live tables wait more than they work, and more at once
# would make those fail that measure time.
JOBS ?= 3
LOWEST := .venv-lowest
LOWEST_READY := $(LOWEST)/.ready
# Else one worker gets all of the browser's tests, and the others wait for it.
SPREAD := --dist worksteal
QUICK := not slow and not long
# A test that hangs is ended after a quarter of an hour with the stacks of its threads, whoever holds the interpreter.
HANGS := -o faulthandler_timeout=900 -o faulthandler_exit_on_timeout=true
ARGS ?=
PYTHON ?=
CODE = $(wildcard src tests bench docs/*.py)

# All caches stay inside the project, so that an empty or read-only home folder does not matter.
CACHE := $(CURDIR)/.cache
export XDG_CACHE_HOME := $(CACHE)
export PIP_CACHE_DIR := $(CACHE)/pip
export UV_CACHE_DIR := $(CACHE)/uv
# Compiled once and kept: else every worker and every server that a test starts compiles all of it again.
unexport PYTHONDONTWRITEBYTECODE
export npm_config_cache := $(CACHE)/npm
# pip asks rustc for its version, which makes its folders where it finds none.
export RUSTUP_HOME ?= $(or $(wildcard $(HOME)/.rustup),$(CACHE)/rustup)
export CARGO_HOME ?= $(or $(wildcard $(HOME)/.cargo),$(CACHE)/cargo)
export NUMBA_CACHE_DIR := $(CACHE)/numba
export RUFF_CACHE_DIR := $(CACHE)/ruff
export MYPY_CACHE_DIR := $(CACHE)/mypy
export HYPOTHESIS_STORAGE_DIRECTORY := $(CACHE)/hypothesis
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1
export PIP_ROOT_USER_ACTION := ignore
export PIP_USER := 0
export PYTHONNOUSERSITE := 1
unexport VIRTUAL_ENV
unexport PYTHONHOME
unexport PYTHONPATH

# Prints the first interpreter that runs, is recent enough and can make environments. A name on PATH is no proof:
# version managers leave names there that do not run. Prints "-3.x" for one that lacks ensurepip. The system's own comes
# first: distributions build it with profile-guided optimisation, and version managers often do not, which costs a quarter
# of the speed.
define FIND_PYTHON
for python in $(if $(PYTHON),"$(PYTHON)",/usr/bin/python3 python3.13 python3.12 python3.11 python3); do \
  version=$$("$$python" -c 'import sys; v = sys.version_info; print("%d.%d" % v[:2]) if v >= (3, 11) else sys.exit(1)' \
    2>/dev/null) || continue; \
  if "$$python" -c 'import venv, ensurepip' 2>/dev/null; then echo "$$python"; exit; fi; \
  bare=$${bare:--$$version}; \
done; echo "$$bare"
endef

# An environment that was copied, moved or has lost its interpreter is made again: $(call IS_STALE,folder).
IS_STALE = $(shell [ "$$(cat $(1)/.ready 2>/dev/null)" = "$(CURDIR)" ] && $(1)/bin/python -c '' 2>/dev/null || echo stale)
STALE := $(call IS_STALE,$(VENV))
LOWEST_STALE := $(if $(filter lowest $(LOWEST_READY),$(MAKECMDGOALS)),$(call IS_STALE,$(LOWEST)))
SERVER_STALE := $(if $(filter serve $(SERVER_READY),$(MAKECMDGOALS)),$(call IS_STALE,$(SERVER)))

# An environment with what a lock names and this project: $(call SET_UP,folder,lock,is it stale).
define SET_UP
$(if $(3),$(eval FOUND := $(shell $(FIND_PYTHON))))
$(if $(3),$(if $(FOUND),,$(error Python 3.11 or later was not found: install the package python3 (Debian: python3 and python3-venv))))
$(if $(3),$(if $(filter -%,$(FOUND)),$(error Python $(FOUND:-%=%) cannot make environments: install the package python$(FOUND:-%=%)-venv)))
$(if $(3),@echo "Setting up $(1) with $$("$(FOUND)" --version)")
$(if $(3),@"$(FOUND)" -m venv --clear $(1))
@$(1)/bin/python -m pip --quiet install --require-hashes --requirement $(2)
@$(1)/bin/python -m pip --quiet install --no-deps --no-build-isolation --editable .
@echo "$(CURDIR)" > $(1)/.ready
endef

.PHONY: help setup serve page play test check browser pictures lowest bench long soak account docs docs-clauses docs-layers lock clean stale
help: ## Show this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(firstword $(MAKEFILE_LIST)) | while IFS="$$(printf '\t')" read -r name text; \
	do printf '  make %-12s %s\n' "$$name" "$$text"; done

setup: $(READY) ## Set up .venv with everything the project needs

$(READY): dev.lock pyproject.toml $(STALE)
	$(call SET_UP,$(VENV),dev.lock,$(STALE))

$(SERVER_READY): server.lock pyproject.toml $(SERVER_STALE)
	$(call SET_UP,$(SERVER),server.lock,$(SERVER_STALE))

$(LOWEST_READY): lowest.lock pyproject.toml $(LOWEST_STALE)
	$(call SET_UP,$(LOWEST),lowest.lock,$(LOWEST_STALE))

# The page in the browser, for which Node is fetched where the machine has none that is recent enough.
PAGE := src/casinowar/web/page/index.html
PAGE_SOURCES := $(shell find web/src web/public -type f 2>/dev/null) $(wildcard web/*.html web/*.ts web/*.js web/*.json)

page: $(PAGE) ## Build the page in the browser

$(PAGE): $(PAGE_SOURCES)
	@$(RUN_PYTHON) web/build.py --force

RUN_PYTHON = "$(or $(wildcard $(BIN)/python),$(wildcard $(SERVER)/bin/python),$(shell $(FIND_PYTHON)))"

serve: $(SERVER_READY) $(PAGE) ## Open the house: live tables for everybody who can reach this machine's port
	@exec $(SERVER)/bin/casinowar serve $(ARGS)

play: $(READY) ## Play at a table: make play ARGS="--rulebook wa"
	@$(BIN)/casinowar play $(ARGS)

# Tests of the page run in any Chromium: the one that CHROME names, or one on the path.
CHROME ?= $(firstword $(foreach name,chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable chrome,$(shell command -v $(name) 2>/dev/null)))
export CHROME
define TELL_CHROME
@[ -n "$$CHROME" ] || echo "No Chromium: the tests of the page in the browser are left out (make browser, or CHROME=/path/to/it)." >&2
@[ -n "$$CHROME" ] || [ -z "$$CI" ]
endef

# Code and page are checked side by side, and before the tests, which take all cores.
test: $(READY) $(PAGE) ## All tests and checks; the slowest are told by make test ARGS=--durations=50
	$(TELL_CHROME)
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target lint check-page
	$(BIN)/python -m pytest -n $(JOBS) $(SPREAD) $(HANGS) -m "not long" $(ARGS)
	$(TELL_CHROME)

browser: ## Install Chromium for the tests of the page, where this machine lets you
	@if [ -n "$$CHROME" ]; then echo "$$CHROME"; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null; then apt-get update -qq && apt-get install --yes --no-install-recommends chromium chromium-headless-shell; \
	else echo "Install the package chromium, or name a browser: make test CHROME=/path/to/it" >&2; exit 1; fi

pictures: $(READY) $(PAGE) ## Take pictures of every page: make pictures ARGS="--out FOLDER"
	$(BIN)/python tests/browser/pictures.py $(ARGS)

check: $(READY) $(PAGE) lint ## The quick part of the tests and checks
	$(BIN)/python -m pytest -n $(JOBS) $(SPREAD) -m "$(QUICK)" $(ARGS)

lowest: $(LOWEST_READY) $(PAGE) ## The quick tests on the lowest versions that pyproject.toml allows
	$(LOWEST)/bin/python -m pytest -n $(JOBS) $(SPREAD) -m "$(QUICK)" $(ARGS)

.PHONY: lint check-page
check-page: $(READY)
	$(BIN)/python web/build.py --check

lint: $(READY)
	$(BIN)/ruff check $(CODE)
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/mypy $(CODE)
	$(BIN)/lint-imports --cache-dir .cache/import-linter

bench: $(VENV)/.bench ## Measure the engine against other card engines, the odds against enumeration, store and server
	$(BIN)/python bench/engine.py $(ARGS)
	$(BIN)/python bench/odds.py
	$(BIN)/python bench/store.py
	$(BIN)/python bench/audit.py
	$(BIN)/python bench/sim.py
	$(BIN)/python bench/api.py
	$(BIN)/python bench/envs.py
	$(BIN)/python bench/house_load.py

# Each long harness with its twin that must fail; about twenty minutes on a quiet machine.
long: $(READY) $(PAGE) ## The felt at every size, finer points of strip, console and history, and a short load
	$(BIN)/python -m pytest -m long $(ARGS)

soak: $(READY) ## The long forms of crash, power cut, disk, burst, record and shuffle tests
	POINTS=10000 $(BIN)/python -m pytest -s -q tests/crash/test_power_cut.py
	STEP=1 $(BIN)/python -m pytest -s -q tests/crash/test_disk_errors.py
	KILLS=1000 $(BIN)/python -m pytest -s -q tests/crash/test_store_crash.py
	SERVER_KILLS=200 $(BIN)/python -m pytest -s -q tests/crash/test_server_crash.py
	EDITS=1000 $(BIN)/python -m pytest -q tests/audit/test_audit_edits.py tests/store/test_store_contract.py
	CASINOWAR_SHOES=100000 $(BIN)/python -m pytest -s -q tests/fairness/test_sealed_chance.py
	EXAMPLES=50 $(BIN)/python -m pytest -q tests/web/test_web_schema.py
	LIVE_CHAOS=3000 LIVE_RACES=5000 $(BIN)/python -m pytest -q tests/crash/test_live_chaos.py tests/house/test_live_asks.py
	LOG_EVENTS=500000 $(BIN)/python -m pytest -s -q -m long tests/history/test_history_cost.py
	NOISE=3000 $(BIN)/python -m pytest -s -q tests/crash/test_log_noise.py
	BURST_SECONDS=10 $(BIN)/python -m pytest -s -q -n 0 tests/crash/test_burst.py tests/crash/test_night_strangers.py
	AUDIENCE=1000 BURST_SECONDS=10 $(BIN)/python -m pytest -s -q -n 0 tests/crash/test_flood.py
	DATABASE_KILLS=100 DATABASE_RACES=1000 $(BIN)/python -m pytest -s -q tests/crash/database/test_postgres_crash.py
	SERVED_KILLS=100 $(BIN)/python -m pytest -s -q tests/crash/database/test_database_served.py
	PEER_KILLS=200 $(BIN)/python -m pytest -s -q tests/crash/peers/test_peer_crash.py
	PEER_RACES=1000 PEER_WRITES=500 HANDOVERS=20 $(BIN)/python -m pytest -s -q tests/crash/peers/test_peers.py
	ROLLING_MINUTES=10 $(BIN)/python -m pytest -s -q tests/operations/test_rolling.py
	$(BIN)/python -m bench.peers_load
	! $(BIN)/python -m bench.peers_load --pace 100 --times 1 --twin labour
	LINE_STEP=1 $(BIN)/python -m pytest -s -q tests/crash/test_faulty_line.py
	LINE_STEP=1 $(BIN)/python -m pytest -s -q -n 2 tests/crash/database/test_database_line.py
	DRAINS=20 $(BIN)/python -m pytest -s -q tests/operations/test_drain.py
	CASINOWAR_COUNTER_ROUNDS=1e7 CASINOWAR_LEARN_ROUNDS=100000000 $(BIN)/python -m pytest -s -q tests/envs
	SIMULATED_NIGHTS=10000 $(BIN)/python -m pytest -q -n 2 tests/simulator
	$(BIN)/python -m tests.simulator.run --seed 10000 --nights 500 --least 30
	NIGHTS=150 CHANGED=4000 $(BIN)/python -m pytest -q tests/history/test_round_records.py
	$(BIN)/python bench/house_load.py --seconds 120
	! $(BIN)/python bench/house_load.py --seconds 20 --twin slow-commit
	$(BIN)/python bench/memory.py --rounds 20000
	! $(BIN)/python bench/memory.py --rounds 4000 --twin keeps-events
	$(BIN)/python bench/soak.py --minutes 60
	! $(BIN)/python bench/soak.py --minutes 3 --tables 10 --twin keeps-events

$(VENV)/.bench: $(READY) bench.lock
	@$(BIN)/python -m pip --quiet install --require-hashes --requirement bench.lock
	@touch $@

# The account of the last full run that `rules coverage` tells. The full run itself fails in the one test that asks for
# this, unless the account is still right; exit status 3 says that there has been no full run of this tree.
RENEW := $(BIN)/python -m casinowar.reports account
account: $(READY) ## Renew the account of the last full run, which is run first if it has not been
	@$(RENEW); told=$$?; [ $$told = 3 ] || exit $$told; $(MAKE) test; $(RENEW)

# Built in two processes; a warning is an error, and nothing is fetched.
docs: $(READY) ## Build the documentation into build/docs
	$(BIN)/python -m sphinx --builder html --jobs 2 --fail-on-warning --keep-going --quiet --doctree-dir .cache/docs docs build/docs
	@echo build/docs/index.html

docs-clauses: $(READY) ## Write the pages under docs/clauses again
	@$(BIN)/python -m casinowar.reports

docs-layers: $(READY) ## Draw docs/pictures/layers.svg again from the import contracts
	@$(BIN)/python docs/draw_layers.py

# The locks hold names, versions and hashes, and no address of any index.
UV_COMPILE = .cache/uv-env/bin/uv pip compile --quiet --system-certs --universal --python-version 3.11 --generate-hashes --no-header \
  --no-strip-extras --no-emit-index-url --no-emit-find-links

lock: $(READY) ## Renew the locks from pyproject.toml
	@[ -x .cache/uv-env/bin/uv ] || { $(BIN)/python -m venv .cache/uv-env && .cache/uv-env/bin/python -m pip --quiet install uv; }
	$(UV_COMPILE) --upgrade --extra all --group dev pyproject.toml -o dev.lock
	$(UV_COMPILE) --upgrade --group bench --constraint dev.lock pyproject.toml -o bench.lock
	$(UV_COMPILE) --upgrade --extra server --extra postgres --group build --constraint dev.lock pyproject.toml -o server.lock
	$(UV_COMPILE) --upgrade --extra all --group build --group test --resolution lowest-direct pyproject.toml -o lowest.lock

clean: ## Remove what was built and fetched
	rm -rf $(VENV) $(SERVER) $(LOWEST) .cache .hypothesis .clauses.json build dist web/node_modules src/casinowar/web/page
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
