SHELL := /bin/bash
PYTHON ?= python3
BIN := .venv/bin

build: 
	$(BIN)/pip install -q --no-build-isolation -e .
