# `make help` lists the targets. Only Python 3.11+ with pip and venv is needed.

SHELL       := /bin/sh
PYTHON      ?= python3
VENV        := .venv
BIN         := $(VENV)/bin
DATA        ?= data
PROFILE     ?=
SOURCES     ?=
ROWS        ?=
ONLY        ?=
RIGHTS      ?=
HOST        ?= 127.0.0.1
PORT        ?= 8000
EXAMPLES    ?=
DEPLOY      ?=
SIBLING_PORT ?= $(shell expr $(PORT) + 1)
WORKERS     ?= 1
DAGSTER_PORT ?= 3000
DIFF         = $(abspath $(DATA))/diff
STAMP       := $(VENV)/.installed
DEVELOP     := $(VENV)/.develop
BATCH       := $(VENV)/.batch
SERVE        = LARDER_HOST=$(HOST) LARDER_PORT=$(PORT) LARDER_SIBLING_PORT=$(SIBLING_PORT) LARDER_WORKERS=$(WORKERS) $(BIN)/larder-serve

export DIRECTORY_DATA_DIR := $(DATA)
export DAGSTER_DISABLE_TELEMETRY := 1

.DEFAULT_GOAL := help
.PHONY: help install develop lock serve build test test-all fuzz contract audit check format docs site screenshots plugin client diff dagster bench faults clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

install: $(STAMP) $(if $(DEPLOY),$(BATCH))  ## virtual environment for building and serving, locked (DEPLOY=1: also PostgreSQL)

$(STAMP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Python 3.11 or newer is required; $(PYTHON) is $$($(PYTHON) --version 2>&1)."; \
	  echo "Choose another: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@free=$$(df -Pk . | awk 'NR==2 {print $$4}'); if [ "$$free" -lt 1500000 ]; then \
	  echo "About 1.5 GB of free disk space is required; $$((free / 1024)) MB is free."; exit 1; fi
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || { \
	  echo "Cannot create a virtual environment. On Debian or Ubuntu: apt-get install python3-venv"; exit 1; }
	@# uv installs the same locked files as pip, twenty times faster.
	@grep -A 40 '^uv==' requirements.lock | awk 'NR > 1 && /^[a-z]/ { exit } { print }' > $(VENV)/uv.lock
	@test -x $(BIN)/uv || $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $(VENV)/uv.lock
	@$(call SYNC,requirements.lock,)
	@$(BIN)/uv pip uninstall --quiet --python $(BIN)/python pip
	@touch $(STAMP)

$(BATCH): deploy/requirements-builder.lock $(STAMP)
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes --no-deps -r deploy/requirements-builder.lock
	@touch $(BATCH)

develop: $(DEVELOP)  ## also install the packages for tests and checks

$(DEVELOP): requirements-dev.lock $(STAMP)
	@# Tests start a hundred processes: compile bytecode once.
	@$(call SYNC,requirements-dev.lock,--compile-bytecode)
	@touch $(DEVELOP)

SYNC = $(BIN)/uv pip sync --quiet $(2) --python $(BIN)/python --require-hashes $(1) && \
  $(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation -e .

DEPLOYED = --extra postgresql
# Litestar requires them to invent examples, pdfplumber to draw pages: our code does not import them.
UNUSED = --no-emit-package polyfactory --no-emit-package faker --no-emit-package pypdfium2
LOCK = $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --no-emit-index-url --no-emit-find-links $(UNUSED)
lock: develop  ## write the lock files for changed dependencies; keeps locked versions
	@printf "uv\nsetuptools\n" | $(LOCK) pyproject.toml - -o requirements.lock
	@echo setuptools | $(LOCK) -c requirements.lock $(DEPLOYED) pyproject.toml - -o deploy/requirements-builder.lock
	@$(LOCK) -c deploy/requirements-builder.lock --extra dev --extra otel $(DEPLOYED) pyproject.toml -o requirements-dev.lock
	@$(LOCK) -c requirements-dev.lock deploy/requirements-service.in -o deploy/requirements-service.lock
	@echo setuptools | $(LOCK) -c deploy/requirements-builder.lock $(DEPLOYED) --extra scale pyproject.toml - -o deploy/requirements-scale.lock
	@echo mkdocs-material | $(LOCK) - -o deploy/requirements-site.lock

serve: install  ## demo release (built on first use), then http://127.0.0.1:8000 (food) and :8001 (veterans, donors)
	@$(SERVE) --check
	@test -e $(DATA)/releases/current || $(BIN)/larder build $(if $(PROFILE),--profile $(PROFILE)) $(if $(ROWS),--rows $(ROWS)) $(if $(SOURCES),--sources $(SOURCES))
	@$(SERVE)

build: install  ## release from PROFILE=demo|folder|live (folder: SOURCES=../shared)
	@$(BIN)/larder build $(if $(PROFILE),--profile $(PROFILE)) $(if $(ROWS),--rows $(ROWS)) $(if $(SOURCES),--sources $(SOURCES)) $(if $(RIGHTS),--rights $(RIGHTS))

# Tests start a hundred processes; without bytecode each compiles our code again. Many wait half their time (for
# servers, browsers, deadlines): four workers use two cores fully.
PYTEST = PYTHONDONTWRITEBYTECODE= $(BIN)/pytest -n 4 --dist loadfile --no-loadscope-reorder --timeout 900

test: develop  ## the tests to run before a commit
	@HYPOTHESIS_PROFILE=quick $(PYTEST) -m "not slow"

test-all: develop  ## every test: also faults, killed builds, wheels, WordPress, replicas, PostgreSQL, Firefox, notebooks
	@$(PYTEST)

fuzz: develop  ## property tests with random seeds (EXAMPLES=2000: longer)
	@for seed in 1 2 3 4 5 6 7 8; do HYPOTHESIS_PROFILE=search FUZZ_EXAMPLES=$(or $(EXAMPLES),60) $(BIN)/pytest -n 2 \
	  $$(grep -rl 'from hypothesis' tests/unit) --hypothesis-seed=$$(od -An -N3 -tu4 /dev/urandom | tr -d ' ') || exit 1; done

contract: develop  ## contract tests of the API (EXAMPLES=300 per operation)
	@CONTRACT_EXAMPLES=$(or $(EXAMPLES),100) $(BIN)/pytest -n 0 -s -k as_described tests/contract/test_openapi.py tests/contract/test_veterans.py

audit: develop  ## known vulnerabilities of the locked packages; needs the network
	@for lock in requirements-dev.lock deploy/requirements-service.lock deploy/requirements-builder.lock; do \
	  echo "$$lock"; $(BIN)/uv tool run --quiet pip-audit --strict --progress-spinner off -s osv -r $$lock --disable-pip --require-hashes || { \
	  echo "$$lock: see the vulnerabilities above, or the database (api.osv.dev) is unreachable and the result unknown."; exit 1; }; done

check: develop  ## lint, types, architecture, generated documents
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/pytest tests/architecture
	@$(BIN)/larder docs --check

format: develop  ## fix lint and format the code
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

site: install  ## the documents as a site in build/site: strict, every link checked
	@$(BIN)/uv venv --quiet --clear --python $(BIN)/python build/site-venv
	@$(BIN)/uv pip sync --quiet --python build/site-venv/bin/python --require-hashes deploy/requirements-site.lock
	@# Not --quiet: it would hide the reason when --strict fails.
	@PYTHONDONTWRITEBYTECODE=1 NO_MKDOCS_2_WARNING=1 build/site-venv/bin/mkdocs build

docs: install  ## write the generated documents
	@$(BIN)/larder docs
	@$(BIN)/python -m serving.reference.policy_page

screenshots: develop  ## the pictures of docs/finder.md, from the demo; needs Chromium
	@test -e $(DATA)/releases/current || $(BIN)/larder build --profile demo
	@$(SERVE) & server=$$!; trap "kill $$server" EXIT; \
	  until curl -fs -o /dev/null http://$(HOST):$(PORT)/api/health/ready; do sleep 1; done; \
	  $(BIN)/python docs/examples/screenshots.py http://$(HOST):$(PORT)

plugin: install  ## the WordPress plugin as dist/food-directory.zip, reproducible
	@$(BIN)/python -m serving.embeds.wordpress_plugin dist/food-directory.zip

client: install  ## the clients in dist/, from the API description: Python as a wheel, TypeScript (needs npm) as a package
	@$(BIN)/python -m serving.http.describe > clients/typescript/description.json
	@$(BIN)/python clients/python/generate.py clients/typescript/description.json
	@$(BIN)/uv build --quiet --wheel --no-build-isolation --python $(BIN)/python --out-dir dist clients/python
	@if command -v npm >/dev/null; then mkdir -p dist && cd clients/typescript && \
	  npm install --silent --no-audit --no-fund --no-package-lock && npm run --silent build && npm pack --silent --pack-destination ../../dist; \
	  else echo "npm is not installed; the TypeScript client is left out."; fi

diff: install  ## changes to the demo's places by the code since BASE= (a revision; default: the last but one)
	@rm -rf $(DIFF) && mkdir -p $(DIFF) && git worktree prune && git worktree add --quiet --detach $(DIFF)/base $(or $(BASE),HEAD~1)
	@trap 'git worktree remove --force $(DIFF)/base' EXIT; \
	  (cd $(DIFF)/base && DIRECTORY_DATA_DIR=$(DIFF)/before PYTHONPATH=. $(abspath $(BIN))/python -c 'from pipelines.cli import main; main()' build --profile demo $(if $(ROWS),--rows $(ROWS)) >../before.log 2>&1) && \
	  DIRECTORY_DATA_DIR=$(DIFF)/after $(BIN)/larder build --profile demo $(if $(ROWS),--rows $(ROWS)) >$(DIFF)/after.log 2>&1
	@for form in json markdown; do $(BIN)/larder release diff $(DIFF)/before $(DIFF)/after --$$form >$(DIFF)/places.$$form || exit 1; done
	@cat $(DIFF)/places.markdown

dagster: install  ## the Dagster UI and its daemon on http://127.0.0.1:3000 (DAGSTER_PORT=)
	@$(BIN)/larder dagster dev $(if $(PROFILE),--profile $(PROFILE)) $(if $(SOURCES),--sources $(SOURCES)) --host $(HOST) --port $(DAGSTER_PORT)

bench: develop  ## benchmarks at 330,000 rows; writes docs/performance.md (LARGE=1: also builds of 3,300,000; QUICK=1: three minutes, prints only; RATIOS=file: fails if a ratio fell)
	@$(BIN)/python -m bench $(if $(LARGE),--large) $(if $(QUICK),--quick) $(if $(RATIOS),--ratios $(RATIOS))

faults: develop  ## fault injection; prints losses (ONLY=killed,disk: some faults)
	@$(BIN)/python -m faults --only "$(ONLY)"

clean:  ## remove the environment and the built data
	rm -rf $(VENV) $(DATA)
