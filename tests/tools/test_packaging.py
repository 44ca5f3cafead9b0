"""Packages for every system: the workflow, the recipe, and what the check of packages finds."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from tools.install_check import BUILT_WITH, sdist_problems, tracked, wheel_problems

import codekin

ROOT = Path(__file__).parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
WHEELS = yaml.safe_load((ROOT / ".github" / "workflows" / "wheels.yml").read_text("utf-8"))
RECIPE = yaml.safe_load((ROOT / "packaging" / "conda" / "recipe.yaml").read_text("utf-8"))


def test_wheels_are_built_for_every_system_and_every_version_that_is_claimed() -> None:
    systems = WHEELS["jobs"]["wheels"]["strategy"]["matrix"]["os"]
    assert {re.split("[-0-9]", one)[0] for one in systems} == {"ubuntu", "macos", "windows"}
    assert {"ubuntu-24.04-arm", "macos-15-intel"} <= set(systems)
    claimed = [
        one.rpartition(" ")[2].replace(".", "")
        for one in PROJECT["project"]["classifiers"]
        if one.startswith("Programming Language :: Python :: 3.")
    ]
    assert PROJECT["tool"]["cibuildwheel"]["build"] == [f"cp{one}-*" for one in claimed]


def test_every_wheel_is_used_and_the_sdist_is_compiled_before_anything_is_published() -> None:
    jobs = WHEELS["jobs"]
    assert any("codekin" in one for one in PROJECT["tool"]["cibuildwheel"]["test-command"])
    assert any("install_check.py --sdist" in step.get("run", "") for step in jobs["sdist"]["steps"])
    assert jobs["publish"]["needs"] == ["wheels", "sdist"]
    assert jobs["publish"]["permissions"] == {"id-token": "write"}
    assert "refs/tags/v" in jobs["publish"]["if"]


def test_workflows_use_no_secret_and_write_nothing() -> None:
    for path in (ROOT / ".github" / "workflows").glob("*.yml"):
        text = path.read_text("utf-8")
        assert "secrets." not in text, path
        assert yaml.safe_load(text)["permissions"] == {"contents": "read"}, path


def test_the_ci_builds_and_uses_the_wheel() -> None:
    assert (ROOT / ".ci" / "run").read_text("utf-8").splitlines()[-1] == "make wheel"


def test_the_recipe_needs_what_the_package_needs() -> None:
    run = [one.replace(" ", "") for one in RECIPE["requirements"]["run"] if one != "python"]
    assert run == PROJECT["project"]["dependencies"]
    host = [one.replace(" ", "") for one in RECIPE["requirements"]["host"]]
    assert host[2:] == PROJECT["build-system"]["requires"]
    assert RECIPE["context"]["version"] == codekin.__version__ == PROJECT["project"]["version"]
    assert RECIPE["build"]["python"]["entry_points"] == [
        f"codekin = {PROJECT['project']['scripts']['codekin']}"
    ]
    least = PROJECT["project"]["requires-python"].removeprefix(">=")
    assert RECIPE["build"]["skip"] == f'match(python, "<{least}")'


def test_a_sdist_that_lacks_a_source_or_has_too_much_is_refused() -> None:
    sources = {"src/codekin/__init__.py", "native/module.cpp"}
    whole = [f"codekin-1/{one}" for one in (*sources, *BUILT_WITH)]
    assert sdist_problems(whole, sources) == []
    assert sdist_problems(whole[1:], sources) == [f"{whole[0].partition('/')[2]} is missing"]
    private = [*whole, "codekin-1/.ci/run"]
    assert sdist_problems(private, sources) == [".ci/run does not belong in it"]


def test_a_wheel_without_data_or_kernels_is_refused() -> None:
    sources = {"src/codekin/__init__.py", "src/codekin/data/x.json", "native/module.cpp"}
    whole = [
        *("codekin/__init__.py", "codekin/data/x.json", "codekin/_native.pyi"),
        *("codekin/_native.cpython-311-x86_64-linux-gnu.so", "codekin-1.dist-info/METADATA"),
    ]
    assert wheel_problems(whole, sources) == []
    assert wheel_problems([*whole[:1], *whole[2:]], sources) == ["codekin/data/x.json is missing"]
    without = [one for one in whole if not one.endswith(".so")]
    assert wheel_problems(without, sources) == ["the kernels (codekin/_native) are missing"]
    assert wheel_problems([*whole, "tests/a.py"], sources) == ["tests does not belong in it"]


def test_the_sources_that_packages_must_have() -> None:
    sources = tracked("src/codekin", "native")
    assert {
        "native/module.cpp",
        "src/codekin/py.typed",
        "src/codekin/adapters/pytest.py",
    } <= sources


def test_every_compiler_on_a_path_is_used_once(tmp_path, monkeypatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "tools")  # where scripts find each other
    from warnings_check import installed

    for name, version in {
        **{"g++": 12, "g++-12": 12, "g++-11": 11, "g++-mac": 13},
        **{"clang++": 14, "clang++-19": 19, "clang++-13": 13},
    }.items():
        made = tmp_path / name
        made.write_text(f"#!/bin/sh\necho {version}.0.1\n", encoding="utf-8")
        made.chmod(0o755)
    found = [Path(one).name for one in installed(str(tmp_path))]
    assert found == ["g++", "clang++", "clang++-19"]
    assert installed(str(tmp_path / "nothing")) == []


@pytest.mark.parametrize("name", ["evaluate", "inspect-ai", "lm-eval"])
def test_adapters_are_tested_with_versions_that_their_extras_allow(name) -> None:
    from packaging.requirements import Requirement

    pinned = (ROOT / "tests" / "adapters" / "packages.txt").read_text("utf-8").lower()
    (version,) = re.findall(rf"^{name.replace('-', '[-_]')}==(.+)$", pinned, re.M)
    extras = PROJECT["project"]["optional-dependencies"]
    (wanted,) = (
        one
        for extra in ("evaluate", "inspect", "lm-eval")
        for one in map(Requirement, extras[extra])
        if one.name == name
    )
    assert version in wanted.specifier
