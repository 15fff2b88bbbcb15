# `make help` lists the targets. The Snakefile, the scripts and pytest do the work.
PYTHON ?= python3
BIN := .venv/bin

# Use the Python of this checkout only. scripts/environment.py removes all other variables that
# could change a result.
export PYTHONPATH := $(CURDIR)
unexport PYTHONHOME PYTHONOPTIMIZE PYTHONSAFEPATH PYTHONSTARTUP PYTHONWARNINGS

# The studies whose figures and tables are committed.
STUDIES := config/paper.yaml config/open.yaml config/leaderboards.yaml

# Scripts get these as variables, which keeps blanks and quotes.
export STUDY SECTION NOTEBOOK

.PHONY: help reproduce study section outcomes unit unit-tests test test-long lab notebooks report book paper crate bench mutants lint format lock

help:
	@echo "make reproduce   run the paper, the open study and the leaderboards; writes figures/ and tables/"
	@echo "make study       run your own study: make study STUDY=config/mine.yaml"
	@echo "make section     make the notebook of a section yours: make section STUDY=config/mine.yaml SECTION=name [DIFF=1 or MERGE=1]"
	@echo "make outcomes    rebuild data/outcomes from raw files [mirror=DIR] [profile=profiles/slurm]"
	@echo "make unit        test the library, in less than a minute"
	@echo "make test        lint, and run all but the long tests, in four minutes [papers=DIR: plain texts of the papers]"
	@echo "make test-long   run the long tests: killed runs, queues, browsers, whole studies [mirror=DIR: raw files]"
	@echo "make lab         open the notebooks in JupyterLab [NOTEBOOK=FILE: only this one]"
	@echo "make notebooks   execute the committed notebooks in place [NOTEBOOK=FILE: only this one]"
	@echo "make report      write one page per study with every figure and table: results/report_*.html"
	@echo "make book        build the site, to read offline: results/book/index.html"
	@echo "make paper       typeset the article on the re-run: results/paper.pdf"
	@echo "make crate       pack results, data and provenance as an RO-Crate to deposit: results/crate"
	@echo "make bench       time the library and similar packages"
	@echo "make mutants     put small faults into the statistics and check that tests fail (half an hour)"
	@echo "make lint, make format, make lock   check style, mend style, resolve requirements.lock"

# The environment: every package at the version and hash in requirements.lock. A relative path of
# the checkout works in any locale.
.venv/ready: requirements.lock pyproject.toml
	@"$(PYTHON)" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' || \
	  { echo "Python 3.11, 3.12 or 3.13 is needed (for newer ones, gensim has no wheels yet):" \
	         "make PYTHON=/path/to/python3.13 ..."; exit 1; }
	@echo "Setting up .venv from requirements.lock (a minute or two, about 1.8 GB)"
	@"$(PYTHON)" -m venv .venv || \
	  { echo "Python lacks the module venv; on Debian: apt install python3-venv"; exit 1; }
	@$(BIN)/python -m pip install --disable-pip-version-check --no-deps --require-hashes \
	  --requirement requirements.lock
	@$(BIN)/python -m pip install --disable-pip-version-check --quiet --no-deps \
	  --no-build-isolation --editable .
	@for place in .venv/lib/python3.*/site-packages; do echo ../../../.. > $$place/compendium.pth; done
	@touch $@

reproduce: .venv/ready
	@for study in $(or $(STUDY),$(STUDIES)); do \
	  $(BIN)/python scripts/reproduce.py $$study || exit; \
	done
	@$(if $(STUDY),,$(BIN)/python scripts/write_numbers.py)

study: .venv/ready
	@$(BIN)/python scripts/reproduce.py "$$STUDY"

section: .venv/ready
	@$(BIN)/python scripts/own_section.py "$$STUDY" "$$SECTION" $(if $(DIFF),--diff) $(if $(MERGE),--merge)

# By default Snakemake looks for ready jobs every second for each finished job, which takes a fifth
# of two cores after two hundred jobs. This keeps the default rate but looks less often.
PACE := --max-jobs-per-timespan 1000/10s

outcomes: .venv/ready
	@$(BIN)/python scripts/reproduce.py config/paper.yaml outcomes --keep-going $(PACE) $(if $(mirror),--config "mirror=$(mirror)") $(if $(profile),--workflow-profile "$(profile)")

# Run each file in one process, which makes its fixtures once, in the order of tests/conftest.py.
PYTEST := $(BIN)/python -m pytest --numprocesses logical --maxprocesses 4 --dist loadfile --no-loadscope-reorder

# The tests and worked examples of the library.
UNIT := replicability tests/test_alone.py tests/test_checks.py $(addprefix tests/,api cli core forensics io show stats)

unit: .venv/ready
	@$(PYTEST) -m "not slow and not long" $(UNIT)

# .ci/lowest runs these with the lowest declared versions.
unit-tests:
	@echo $(UNIT)

test: .venv/ready lint
	@$(PYTEST) -m "not long" $(if $(papers),--papers="$(papers)")

test-long: .venv/ready
	@$(PYTEST) -m long $(if $(mirror),--mirror="$(mirror)")

lab: .venv/ready
	@$(BIN)/jupyter lab "$${NOTEBOOK:-notebooks}"

notebooks: .venv/ready
	@$(if $(NOTEBOOK),,$(BIN)/python scripts/task_notebooks.py)
	@for notebook in $(if $(NOTEBOOK),"$$NOTEBOOK",notebooks/*.ipynb $(wildcard config/*/*.ipynb)); do \
	  $(BIN)/python scripts/run_notebook.py "$$notebook" --executed "$$notebook" || exit 1; \
	done
	@$(if $(NOTEBOOK),,$(BIN)/python scripts/write_numbers.py)

report: reproduce
	@for study in $(or $(STUDY),$(STUDIES)); do \
	  $(BIN)/python scripts/reproduce.py $$study --report results/report_$$(basename $$study .yaml).html || exit; \
	done

book: .venv/ready
	@$(BIN)/python scripts/write_numbers.py
	@$(BIN)/python book/build.py results/book
	@echo "Open results/book/index.html"

paper: .venv/ready
	@$(BIN)/python paper/typeset.py

crate: .venv/ready
	@$(BIN)/python scripts/crate.py

bench: .venv/ready
	@for script in benchmarks/*.py; do $(BIN)/python $$script || exit 1; done

# mutmut is needed only here, so the environment does not have it.
mutants: .venv/ready
	@$(BIN)/python -c 'import mutmut' 2>/dev/null || \
	  { echo "First: $(BIN)/python -m pip install 'mutmut>=3.8,<4'"; exit 1; }
	@nice -n 10 $(BIN)/python -m mutmut run
	@$(BIN)/python -m mutmut results

lint: .venv/ready
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check --quiet .
	@said=$$($(BIN)/lint-imports --no-cache --no-logo) || { echo "$$said"; exit 1; }
	@$(BIN)/mypy --no-error-summary
	@$(BIN)/snakefmt --check Snakefile rules

format: .venv/ready
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .
	@$(BIN)/snakefmt Snakefile rules

DEPENDENCY_GROUPS := workflow outcomes lab test book paper benchmark

# Needs uv. One resolution serves every platform and Python version.
lock:
	uv pip compile pyproject.toml --all-extras $(addprefix --group ,$(DEPENDENCY_GROUPS)) --universal --python-version 3.11 \
	  --generate-hashes --no-emit-index-url --no-header --quiet --output-file requirements.lock
