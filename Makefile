# The whole developer interface. Every target makes .venv and installs what it needs by itself.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/pip --disable-pip-version-check --quiet
BUILT_FROM := pyproject.toml CMakeLists.txt constraints.txt $(shell find native -name '*.?pp')

# A folder of unpacked sdists of sacrebleu, nltk, codebleu, apted and networkx.
PEERS ?= .peers/suites

# What is scanned for clones.
SCANNED := src tools bench results

.PHONY: demo test check wheel adapters warnings known-clones schemas data bench nightly sanitize results docs dist clean

demo: .venv/installed
	$(BIN)/codekin demo -o codekin-report.html

# A test in a process of its own starts in half the time where bytecode may be kept, whatever the environment says.
# Neighbours stay in one worker where they can, so that fixtures of a module or session are made once.
test: export PYTHONDONTWRITEBYTECODE =
test: .venv/group-test
	$(BIN)/python -m pytest -n 4 --dist worksteal -q

check: .venv/group-check
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run --Werror $$(find native -name '*.?pp')
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/codekin scan $(SCANNED) --no-config --baseline tools/known_clones.json --top 5

# The wheel as users get it: installed into an empty environment without a compiler, and used there.
wheel: .venv/installed
	$(BIN)/python tools/install_check.py

# The adapters in the packages that they are for; some need other versions than the tests, so they get an
# environment of their own.
adapters: .peers/adapters .venv/installed
	$(PIP) wheel --no-build-isolation --no-deps --wheel-dir dist .
	$</bin/pip --disable-pip-version-check --quiet install --no-deps --force-reinstall dist/codekin-*.whl
	$</bin/python -m pytest -q -W default tests/adapters

# The kernels under every GCC and clang that is installed; a warning is an error.
warnings: .venv/installed
	$(BIN)/python tools/warnings_check.py

# The clones in the code itself that are known, for `make check`.
known-clones: .venv/installed
	$(BIN)/codekin scan $(SCANNED) --no-config --write-baseline tools/known_clones.json --top 5

# The JSON Schemas in the package, from the types of the results.
schemas: .venv/installed
	$(BIN)/python tools/schemas.py

# A folder of programs and edits in codekin's row formats. There is no default.
data:
	$(if $(wildcard $(DATA)),,$(error $(or $(MAKECMDGOALS),this target) needs a folder of data: make $(MAKECMDGOALS) DATA=folder))

bench: data .venv/group-bench .venv/group-test .peers/codebleu
	$(BIN)/python bench/flatten.py $(DATA)
	$(BIN)/python bench/speed.py $(DATA)
	$(BIN)/python bench/engine.py $(DATA)
	$(BIN)/python bench/alignment.py $(DATA)
	$(BIN)/python bench/revision_speed.py $(DATA)/edits
	$(BIN)/python bench/excision_speed.py $(DATA)/edits
	$(BIN)/python bench/graph_speed.py $(DATA)
	$(BIN)/python bench/graph_edit.py $(DATA)
	$(BIN)/python bench/graph_edit.py $(DATA) --corpus
	$(BIN)/python bench/kin_speed.py $(DATA)
	$(BIN)/python bench/corpora.py $(DATA) --peers
	$(BIN)/python bench/abstraction.py $(DATA)

# What takes an hour or two and finds what the tests do not. Every script ends with its totals; where one
# finds a fault, the next one still runs. What needs a folder that was not named is skipped.
nightly: .venv/group-test
	@status=0; run() { echo "== $$*"; $(BIN)/python "$$@" || status=1; }; \
	skip() { echo "== skipped: $$1: name a folder with make nightly $$2=folder"; }; \
	CODEKIN_EXAMPLES=10 run -m pytest -n 2 -q -m hypothesis tests; \
	CODEKIN_EXAMPLES=10 run -m pytest -q tests/report/test_page.py -k very_many_rows; \
	run tools/fuzz_measures.py; \
	run tools/fuzz_kernels.py --cases 10000; \
	run tools/sweep_graphs.py; \
	run tools/kills.py; \
	run tools/kills.py --dask; \
	run tools/scan_kills.py; \
	run tools/damaged_runs.py; \
	run tools/interrupts.py; \
	run tools/newcomers.py; \
	run tools/hostile_pages.py --strings 160; \
	run tools/slices.py --python 10000 --c 2000 --java 2000; \
	run tools/graph_edit_soak.py; \
	run tools/install_check.py --sdist; \
	run tools/warnings_check.py; \
	$(MAKE) adapters || status=1; \
	if [ -d "$(DATA)" ]; then run tools/graph_fuzz.py "$(DATA)"; run tools/same_corpora.py "$(DATA)/clones"; \
	else skip tools/graph_fuzz.py DATA; skip tools/same_corpora.py DATA; fi; \
	if [ -d "$(PEERS)" ]; then run tools/peer_suites.py "$(PEERS)"; else skip tools/peer_suites.py PEERS; fi; \
	exit $$status

# The kernels compiled with AddressSanitizer and UndefinedBehaviorSanitizer, under their tests and fuzzers.
sanitize: .venv/group-test
	$(BIN)/python tools/sanitize.py

# The pages of results, and figures that other pages quote; DATA holds triplets/, clones/, edits/ and
# humanevalpack/.
results: data .venv/installed
	$(BIN)/python results/triplets.py $(DATA)/triplets -o docs/results/triplets.md
	$(BIN)/python results/leaks.py $(DATA)/triplets -o docs/results/leaks.md
	$(BIN)/python results/outcomes.py $(DATA)/edits -o docs/results/outcomes.md
	$(BIN)/python results/estimate.py $(DATA)/edits -o docs/results/estimate.md
	$(BIN)/python results/calibration.py $(DATA)/edits -o docs/results/calibration.md
	$(BIN)/python results/es.py $(DATA)/edits -o docs/results/es.md
	$(BIN)/python results/normal_forms.py $(DATA) -o docs/results/normal-forms.md
	$(BIN)/python results/kin.py $(DATA) -o docs/results/kin.md
	$(BIN)/python results/cssg_costs.py $(DATA)/triplets -o docs/results/cssg-costs.md --ship src/codekin/data/graph_costs.json
	$(BIN)/python results/kin_weights.py $(DATA) -o docs/results/kin-weights.md
	$(BIN)/python results/card.py $(DATA)/humanevalpack -o docs/results/card.md
	$(BIN)/python results/adequacy.py -o docs/results/adequacy.md
	$(BIN)/python results/glance.py docs/results
	$(BIN)/python results/claims.py docs/results
	$(BIN)/python results/corpora.py $(DATA)/clones -o docs/results/corpora.md
	$(BIN)/python results/detectors.py results/detectors -o docs/results/detectors.md
	$(BIN)/python results/abstraction.py $(DATA) -o docs/results/abstraction.md
	$(BIN)/python results/clustering.py
	$(BIN)/python results/matrix.py $(DATA)/clones/googlecodejam/snippets.jsonl.xz -m kin -m jaccard -m bleu

docs: .venv/group-docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

dist: .venv/installed
	$(PIP) install build
	$(BIN)/python -m build

clean:
	rm -rf .venv .peers build dist site codekin-report.html .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

.venv/bin/python:
	$(PYTHON) -m venv .venv
	$(PIP) install --upgrade "pip>=25.1"

# An editable install maps modules to files, so it is repeated when modules are added, moved or removed.
.venv/modules: .venv/bin/python FORCE
	@find src -name '*.py' | sort | cmp -s - $@ || find src -name '*.py' | sort > $@
FORCE:

# Editable: changed Python files need no new install, changed native ones do. The build's tools stay in .venv, so
# that only what changed is compiled again.
.venv/installed: .venv/bin/python .venv/modules $(BUILT_FROM)
	$(PIP) install --constraint constraints.txt scikit-build-core nanobind cmake ninja
	$(PIP) install --constraint constraints.txt --no-build-isolation --editable .
	@touch $@

.venv/group-%: .venv/installed
	$(PIP) install --constraint constraints.txt --group $*
	@touch $@

.peers/adapters: tests/adapters/packages.txt
	$(PYTHON) -m venv $@
	$@/bin/pip --disable-pip-version-check --quiet install --requirement $<
	@touch $@

# The package codebleu needs grammars of its time, so it gets an environment of its own.
.peers/codebleu: bench/peers/codebleu.txt
	$(PYTHON) -m venv $@
	$@/bin/pip --disable-pip-version-check --quiet install --requirement $<
	@touch $@
