# Everything runs from one virtual environment in .venv, made here and made again when it is stale.
# Needs: make, Python 3.11 or newer with its venv module, and a package index pip can reach.
#
#   make run       set up and start Limen; it prints one address
#   make test      set up and run every test
#   make check     format, lint, types, layers, unit tests
#   make bench     the measurements, as a table
#   make crash     kill it at every point between two durable states, as a table
#   make fleet     kill processes of one Limen on PostgreSQL at random, and count what holds
#   make install   set up only: .venv/bin/limen
#   make lock      write the lock files anew from pyproject.toml
#   make clean     take away what was made here; the data folder stays

PYTHON ?= python3
ARGS ?=
PIP = .venv/bin/python -m pip --disable-pip-version-check --no-input
PIP_INSTALL = $(PIP) install --quiet --require-hashes --only-binary :all:
COMPILE = --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --custom-compile-command "make lock" --quiet

.DELETE_ON_ERROR:
.PHONY: run test check bench crash fleet install lock clean

run: .venv/run.stamp
	@exec .venv/bin/limen run $(ARGS)

test: .venv/dev.stamp
	.venv/bin/python -m pytest -n 2 $(ARGS)

check: .venv/dev.stamp
	.venv/bin/python -m ruff format --check .
	.venv/bin/python -m ruff check .
	.venv/bin/python -m mypy
	.venv/bin/python -m pytest -q -n 2 tests/test_layers.py tests/unit

bench: .venv/bench.stamp
	.venv/bin/python -m benchmarks $(ARGS)

crash: .venv/dev.stamp
	.venv/bin/python -m tests.crash $(ARGS)

fleet: .venv/dev.stamp
	.venv/bin/python -m tests.crash.several $(ARGS)

install: .venv/run.stamp
	@echo "limen is in .venv/bin/limen"

.venv/python.stamp:
	@command -v $(PYTHON) >/dev/null || { \
	  echo "make: there is no '$(PYTHON)'; install Python 3.11 or newer (Debian: apt install python3 python3-venv)," >&2; \
	  echo "      or name one: make $(MAKECMDGOALS) PYTHON=/path/to/python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "make: $(PYTHON) is $$($(PYTHON) -V 2>&1), but Limen needs 3.11 or newer;" >&2; \
	  echo "      install one and name it: make $(MAKECMDGOALS) PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
	  echo "make: $(PYTHON) has no venv module; install it (Debian: apt install python3-venv)" >&2; exit 1; }
	@echo "Setting up .venv: once, and again when the dependencies change …"
	@rm -rf .venv && $(PYTHON) -m venv .venv
	@touch $@

.venv/run.stamp: .venv/python.stamp pyproject.toml requirements.lock
	@$(PIP_INSTALL) -r requirements.lock
	@$(PIP) install --quiet --no-deps --no-build-isolation --no-index --editable .
	@touch $@

.venv/dev.stamp: .venv/run.stamp requirements-dev.lock
	@$(PIP_INSTALL) -r requirements-dev.lock
	@touch $@

.venv/bench.stamp: .venv/dev.stamp requirements-bench.lock
	@$(PIP_INSTALL) -r requirements-bench.lock
	@touch $@

lock: .venv/python.stamp
	@$(PIP) install --quiet uv
	.venv/bin/uv pip compile pyproject.toml --group build $(COMPILE) -o requirements.lock
	.venv/bin/uv pip compile pyproject.toml --group build --group dev -c requirements.lock $(COMPILE) -o requirements-dev.lock
	.venv/bin/uv pip compile pyproject.toml --group bench -c requirements-dev.lock $(COMPILE) -o requirements-bench.lock

clean:
	rm -rf .venv build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
