"""Bundled programs after changes, by the compilers that are on the machine."""

import json
import shutil
import subprocess
from importlib.resources import files

import pytest

from codekin import Source
from codekin.rewrite import PRESERVING, rewrite

PROGRAMS = {
    row["id"]: row
    for row in map(
        json.loads,
        files("codekin").joinpath("data/programs.jsonl").read_text("utf-8").splitlines(),
    )
}

# A compiler of one file ends before optimising itself has paid.
SHORT_LIVED = ("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC")


def needs(tool):
    return pytest.mark.skipif(shutil.which(tool) is None, reason=f"{tool} is not here")


def run(command, folder):
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=60, check=True
    ).stdout


def compiled(compiler, code, name, folder):
    (folder / name).write_text(code, encoding="utf-8")
    run([compiler, "-w", name, "-o", "program"], folder)
    return run(["./program"], folder)


def changed(program, seed):
    row = PROGRAMS[program]
    for change in PRESERVING:
        text = rewrite(Source(row["code"], row["language"]), change, seed)
        if text is not None:
            yield text


@needs("gcc")
@pytest.mark.parametrize("program", ["c/linked-list", "c/binary-search", "c/hanoi", "c/matrix"])
def test_c(program, tmp_path):
    before = compiled("gcc", PROGRAMS[program]["code"], "a.c", tmp_path)
    assert before
    for text in changed(program, 1):
        assert compiled("gcc", text, "a.c", tmp_path) == before


@needs("g++")
def test_cpp(tmp_path):
    before = compiled("g++", PROGRAMS["cpp/calculator"]["code"], "a.cpp", tmp_path)
    for text in changed("cpp/calculator", 1):
        assert compiled("g++", text, "a.cpp", tmp_path) == before


@needs("node")
@pytest.mark.parametrize("program", ["javascript/validate", "javascript/events"])
def test_javascript(program, tmp_path):
    path = tmp_path / "a.js"
    path.write_text(PROGRAMS[program]["code"], encoding="utf-8")
    before = run(["node", "a.js"], tmp_path)
    for text in changed(program, 1):
        path.write_text(text, encoding="utf-8")
        assert run(["node", "a.js"], tmp_path) == before


@needs("javac")
def test_java_classes_are_the_same(tmp_path):
    row = PROGRAMS["java/streams"]
    source = Source(row["code"], "java")
    made = []
    for text in (row["code"], rewrite(source, "locals", 2), rewrite(source, "layout", 2)):
        (tmp_path / "Streams.java").write_text(text, encoding="utf-8")
        run(["javac", *SHORT_LIVED, "-nowarn", "-g:none", "Streams.java"], tmp_path)
        made.append((tmp_path / "Streams.class").read_bytes())
    assert made[0] == made[1] == made[2]
