# Few verbs. Each creates what it needs: a machine with python3 (>= 3.11) and make is enough.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: demo examples test check bench bench-clustering clean

demo: $(VENV)/.demo  ## fit on embedded data, print the answer, write a picture
	$(BIN)/hsiclearn demo

examples: $(VENV)/.demo  ## draw the pictures of the clustering estimators into docs/images
	for script in examples/plot_*.py; do MPLBACKEND=agg $(BIN)/python $$script || exit 1; done

test: $(VENV)/.check  ## run the tests in parallel
	$(BIN)/python -m pytest -n auto

check: $(VENV)/.check  ## format, lint, types, import layers
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.bench  ## print ratios against plain numpy, scikit-learn and pymanopt
	$(BIN)/python benchmarks/core.py

bench-clustering: $(VENV)/.bench  ## print how clustering fares beside its rivals; hours, see ARGS
	$(BIN)/python benchmarks/clustering.py $(ARGS)

clean:
	rm -rf $(VENV)

# One stamp file per set of extras; pyproject.toml decides when it is stale.
$(VENV)/.demo: EXTRAS = cli,plot
$(VENV)/.check: EXTRAS = check
$(VENV)/.bench: EXTRAS = bench
$(VENV)/.%: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "hsic-learn needs Python >= 3.11, this is " + sys.version)'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) --editable '.[$(EXTRAS)]'
	touch $@
