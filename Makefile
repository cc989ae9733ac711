# hydrostat needs make and either uv or Python 3.11 to 3.13; everything else lands in .venv.

BIN = .venv/bin
# The matrices are small: more threads only get in each other's way, and one thread gives the same bytes everywhere.
ONE_THREAD = OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1 NUMBA_NUM_THREADS=1
COMPILE_LOCK = uv pip compile pyproject.toml --group build --universal --python-version 3.11 --fork-strategy fewest \
	--only-binary :all: --generate-hashes --no-emit-index-url --custom-compile-command "make lock" --quiet

.PHONY: help demo test check format bench lock clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s%s\n", $$1, $$2 }' Makefile

demo: .venv/.run ## set up, then leave a movie, a contact sheet and a recording in out/
	$(BIN)/hydrostat demo

test: .venv/.dev ## set up, then pass the tests
	$(ONE_THREAD) $(BIN)/python -m pytest

check: .venv/.dev ## format, lint and types, then the tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(ONE_THREAD) $(BIN)/python -m pytest

format: .venv/.dev ## format the code and fix what the linter can
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: .venv/.dev ## measure speed
	$(ONE_THREAD) $(BIN)/python -m benchmarks

lock: ## write the lock files from pyproject.toml; with UPGRADE=--upgrade take the newest versions
	$(COMPILE_LOCK) $(UPGRADE) --output-file requirements.lock
	$(COMPILE_LOCK) $(UPGRADE) --group dev --constraint requirements.lock --output-file requirements-dev.lock

clean: ## forget .venv, out/ and every cache
	rm -rf .venv out dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

# The stamps say which lock .venv holds; requirements-dev.lock contains requirements.lock.
.venv/.run: requirements.lock pyproject.toml tools/set-up
	tools/set-up requirements.lock
	@touch $@

.venv/.dev: requirements-dev.lock pyproject.toml tools/set-up
	tools/set-up requirements-dev.lock
	@touch .venv/.run $@
