# Two commands do everything on a machine with python3 (3.11 or newer):
#   make demo   set up and watch the method work
#   make test   set up and run every check
PYTHON ?= python3
BIN := .venv/bin
SUDO := $(shell [ "$$(id -u)" = 0 ] || command -v sudo)

.PHONY: demo results test lint types contract unit interpreted coverage test-page test-wheel test-faults test-soak test-fuzz test-sb3 test-deep \
  docs tutorial notebook wheel clean

demo: .venv/core .venv/kernels
	@echo "to look on in a browser, in another terminal: $(BIN)/phieb watch demo"
	$(BIN)/phieb reproduce --games venture --frames 2M --trials 1 --episodes 5 --out demo

# Merges the runs in a folder (phieb reproduce --out DIR) into results/, draws the figures, and writes the
# tables of the pages; without RUNS only the tables.
results: .venv/core
	$(BIN)/python results/pages.py $(if $(RUNS),runs "$(RUNS)")

test: lint types contract unit interpreted

lint: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/dev
	$(BIN)/mypy

contract: .venv/dev
	$(BIN)/lint-imports

# -ra (pyproject.toml) says at the end what was skipped, and why.
unit: .venv/dev .venv/kernels
	$(BIN)/pytest -n 2

# The kernels once more as plain Python: out-of-range indices raise here, compiled they do not.
# (Words of 64 bits are meant to overflow; NumPy warns where compiled code does not.)
interpreted: .venv/dev
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -n 2 -m interpreted -W "ignore:overflow encountered" tests

# Which lines and branches no test reaches. Compiled code cannot be traced: the kernels are measured as plain
# Python, in the tests that can run so (marker `interpreted`). No percentage is asked for.
coverage: .venv/dev .venv/kernels
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest $(TESTS)
	NUMBA_DISABLE_JIT=1 $(BIN)/coverage run -m pytest -m interpreted -W "ignore:overflow encountered" $(or $(TESTS),tests)
	$(BIN)/coverage combine
	$(BIN)/coverage report

# report.html and the live page in Chromium, which is installed if need be; `make test` skips this where there
# is none.
test-page: .venv/dev .venv/browser
	$(BIN)/pytest tests/reports/test_page.py tests/watching/test_live_page.py

# The documentation site, into site/, without a network. A dead link or an undocumented public name fails.
docs: .venv/docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

# Runs every command that docs/tutorial.md shows, and writes what it prints into the page.
tutorial: .venv/core .venv/kernels
	$(BIN)/python tools/tutorial.py

# Runs notebooks/phi_eb.ipynb and writes its outputs into it; some minutes, two million frames of Venture included.
notebook: .venv/dev .venv/kernels
	$(BIN)/python tools/notebook.py

# What is published: an sdist and a wheel, in dist/.
wheel: .venv/pip
	rm -rf dist
	$(BIN)/python -m pip install --quiet --disable-pip-version-check build
	$(BIN)/python -m build

# The wheel in an environment of its own and in an empty folder, where nothing of the clone is found.
test-wheel: wheel
	rm -rf build/wheel && mkdir -p build/wheel/empty && $(PYTHON) -m venv build/wheel/venv
	build/wheel/venv/bin/python -m pip install --quiet --disable-pip-version-check dist/*.whl
	cd build/wheel/empty && ../venv/bin/phieb small --seeds 2 && ../venv/bin/phieb evaluate venture --episodes 1

# The oldest versions that pyproject.toml allows (or, RESOLUTION=highest, the newest there are) of all that phieb
# uses when it runs. With PIP_CONSTRAINT=constraints.txt, `make unit` installs and tests those.
RESOLUTION ?= lowest-direct
constraints.txt: .venv/pip pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv pip compile --quiet --python $(BIN)/python --resolution $(RESOLUTION) \
	  --extra ray --extra tensorboard --output-file $@ pyproject.toml

# Runs killed, stopped, starved and damaged many times over: the long form of tests/faults. What it counts goes
# into the docs with `python results/pages.py faults build/faults.xml`.
test-faults: .venv/dev
	$(BIN)/pytest -n 2 -m faults tests/faults -o junit_family=xunit1 --junitxml=build/faults.xml

# Runs killed at random times, in all games, here and on Ray, for about two hours: make test-soak KILLS=60.
test-soak: .venv/dev .venv/kernels
	PATIENCE=1200 nice -n 10 $(BIN)/python -m tests.faults.soak --kills $(or $(KILLS),200) --ray --out results/soak.json

# Whatever bytes a file has, its loader says in one line what is wrong: atheris, for ten minutes. What fails is
# kept in the current folder.
test-fuzz: .venv/dev .venv/kernels .venv/atheris
	$(BIN)/python -m tests.faults.fuzz --minutes $(or $(MINUTES),10) --found . --out results/fuzz.json

# phieb with Stable-Baselines3: needs torch, which nothing else here does. Its networks are small, and on
# a busy machine the threads of torch would mostly wait for each other.
test-sb3: .venv/dev .venv/sb3
	OMP_NUM_THREADS=1 $(BIN)/pytest -m "sb3 and not slow" tests/sb3 tests/test_readme.py

# The deep agents: their updates against plain twins, their resumed runs, and what they learn.
test-deep: .venv/dev .venv/deep
	OMP_NUM_THREADS=1 $(BIN)/pytest -m "deep and not slow" tests/deep

.venv/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "phieb needs Python 3.11 or newer; try: make PYTHON=python3.11 $(MAKECMDGOALS)"; exit 2; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	@touch $@

.venv/core: .venv/pip pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

.venv/dev: .venv/pip pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	@touch $@

# Compiled once, here, and not by every process that would need them at the same moment. Two processes
# compile different kernels at the same time and share what they have compiled.
.venv/kernels: .venv/core $(wildcard src/phieb/kernels/*/*.py)
	@echo "compiling, this once: about half a minute"
	@$(BIN)/python tools/compile_kernels.py .venv/warm-up > /dev/null
	@touch $@

# Of Linux and macOS, for some versions of Python; nothing else here needs it.
.venv/atheris: .venv/pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "atheris>=3.0"
	@touch $@

.venv/deep: .venv/pip pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[deep]"
	@touch $@

.venv/sb3: .venv/pip pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[sb3]"
	@touch $@

.venv/docs: .venv/pip pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[docs]"
	@touch $@

# report.html is tested in a browser, if there is one. Only `make test-page` installs it.
.venv/browser: .venv/pip
	@{ command -v chromedriver && { command -v chromium || command -v chromium-browser || command -v google-chrome; }; } >/dev/null \
	  || { $(SUDO) apt-get update -qq && $(SUDO) apt-get install -y -qq chromium chromium-driver; } \
	  || { echo "no Chromium, and apt-get cannot install it: install chromium and chromedriver by hand"; exit 1; }
	@touch $@

clean:
	rm -rf .venv build dist site constraints.txt .coverage* src/*.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
