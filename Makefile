# Everyday commands around CMake. `make` alone lists them.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help setup build python site test check soak fuzz coverage test-arm graph500 bench ablation lint format install clean

# Variables of `make graph500`.
SCALE ?= 20
RANKS ?= 1
THREADS ?=
ARGS ?=
# Variables of `make soak` and `make fuzz`.
MINUTES ?= 5
SEED ?=
# Where `make install` installs to.
PREFIX ?= /usr/local

program := build/release/bin/breadth
sources = $$(find src tests benchmarks python \( -name '*.cpp' -o -name '*.hpp' -o -name '*.h' -o -name '*.cu*' \) 2>/dev/null)

help:
	@echo 'make graph500   build Breadth and run the Graph500 benchmark, on a GPU if there is one with room for it'
	@echo '                SCALE=20 RANKS=1 THREADS=(all cores / RANKS) ARGS="(any option of the program)"'
	@echo 'make test       build Breadth and run the everyday tests: minutes'
	@echo 'make check      run deep tests, sanitizers, other processors, many ranks, clang-tidy: most of an hour'
	@echo 'make soak       run the program on random graphs and options and check every answer: MINUTES=5 SEED=(a new one)'
	@echo 'make fuzz       feed random inputs to all readers of files and options: MINUTES=5'
	@echo 'make coverage   show which lines the tests run, by module'
	@echo 'make test-arm   test vector kernels, graphs and searches on an emulated ARM processor (a part of make check)'
	@echo 'make bench      measure the goals, beside other programs that you have built: ARGS="--gap PATH/bfs" and so on'
	@echo 'make ablation   measure what each technique is worth: each one switched off, then all'
	@echo 'make build      build only the program: $(program)'
	@echo 'make python     build the Python package as a wheel and install it into build/python'
	@echo 'make site       build the documentation as a site: build/site/index.html'
	@echo 'make lint       check format, includes, ruff, links of the docs and clang-tidy'
	@echo 'make format     lay out all sources with clang-format and ruff'
	@echo 'make install    PREFIX=/usr/local'
	@echo 'make setup      install what is needed to build and to run all checks (Debian, as root or with sudo)'
	@echo 'make clean      remove build/'

setup:
	@tools/setup check

build/release/build.ninja:
	@tools/setup build
	cmake --preset release

build: build/release/build.ninja
	@tools/setup build
	cmake --build --preset release --target breadth

python:
	@tools/setup python
	@tools/python install

site: python
	@tools/setup site
	@tools/site

test:
	@tools/setup test
	@tools/test

check: setup
	@tools/check $(ARGS)

soak: build
	@tools/soak.py --minutes $(MINUTES) $(if $(SEED),--seed $(SEED)) --breadth $(program) \
	  --launcher "$$(tools/launcher)" $(ARGS)

fuzz: setup
	@tools/fuzz $$(($(MINUTES) * 60))

coverage: setup
	@tools/coverage $(ARGS)

test-arm:
	@tools/setup arm
	@tools/test_arm

graph500: build
	@tools/run_graph500 $(SCALE) $(RANKS) "$(THREADS)" $(ARGS)

bench: build
	cmake --build --preset release --target breadth_stream
	benchmarks/bench.py $(ARGS)

ablation: build
	benchmarks/ablation.py $(ARGS)

lint: setup
	tools/lint format
	tools/lint includes
	tools/lint python
	tools/lint links
	tools/lint tidy

format:
	@tools/setup test
	build/python/bin/clang-format -i $(sources)
	build/python/bin/ruff format --quiet

install: build
	cmake --install build/release --prefix $(PREFIX)

clean:
	rm -rf build
