from __future__ import annotations

from pathlib import Path

import pytest

from codekin import CodekinError, ScanConfig, find_scan_config, read_scan_config


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    Path(tmp_path, "repository/below/deep").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "repository")
    return tmp_path


FULL = """
paths = ["src", "../other"]
languages = ["python"]
exclude = ["test_*", "/gen/"]
min-lines = 8
fast = true
all = false
max-bytes = 5000
top = 0
show = true
workers = 0
index = "ci/index"
baseline = "ci/clones.json"
since = "main"
max-duplication = "5%"
"""


@pytest.mark.parametrize(
    ("name", "table"), [("codekin.toml", "scan"), ("pyproject.toml", "tool.codekin.scan")]
)
def test_all_options_are_read(name: str, table: str) -> None:
    Path(name).write_text(f"[{table}]{FULL}")
    found = read_scan_config(name)
    assert found == ScanConfig(Path(name), found.options)
    assert found.options == {
        "paths": [Path("src"), Path("../other")],
        "languages": ["python"],
        "exclude": ["test_*", "/gen/"],
        "min-lines": 8,
        "fast": True,
        "all": False,
        "max-bytes": 5000,
        "top": 0,
        "show": True,
        "workers": 0,
        "index": Path("ci/index"),
        "baseline": Path("ci/clones.json"),
        "since": "main",
        "max-duplication": "5%",
    }


def test_the_nearest_file_counts(folder, monkeypatch) -> None:
    assert find_scan_config() == ScanConfig()
    Path("pyproject.toml").write_text("[tool.codekin.scan]\nmin-lines = 7\npaths = ['src']\n")
    Path("below/pyproject.toml").write_text("[tool.other]\nx = 1\n")
    monkeypatch.chdir("below/deep")
    found = find_scan_config()
    assert found.path == folder / "repository/pyproject.toml"
    assert found.options == {"min-lines": 7, "paths": [Path("../../src")]}
    Path("../codekin.toml").write_text("[scan]\nmin-lines = 9\n")
    assert find_scan_config().options == {"min-lines": 9}
    assert find_scan_config(folder / "repository").options["min-lines"] == 7
    Path("../pyproject.toml").write_text("[tool.codekin.scan]\nmin-lines = 3\n")
    assert find_scan_config().options == {"min-lines": 9}, "codekin.toml comes first"


def test_nothing_outside_of_the_repository_counts(folder) -> None:
    Path(folder, "codekin.toml").write_text("[scan]\nfast = true\n")
    assert find_scan_config().options == {"fast": True}
    Path(".git").mkdir()
    assert find_scan_config() == ScanConfig()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("min_lines = 6", r"unknown option 'min_lines'; did you mean 'min-lines'\? \(known: paths"),
        ("x = 6", r"unknown option 'x' \(known: paths, languages"),
        ("min-lines = 0", "min-lines must be a whole number from 1, not 0"),
        ("min-lines = true", "min-lines must be a whole number from 1, not True"),
        ("top = -1", "top must be a whole number from 0, not -1"),
        ("fast = 1", "fast must be true or false, not 1"),
        ("paths = 'src'", "paths must be a list of paths, not 'src'"),
        ("exclude = ['a', 1]", "exclude must be a list of texts"),
        ("baseline = ''", "baseline must be a path, not ''"),
        ("max-duplication = 5", "max-duplication must be a text, not 5"),
    ],
)
def test_wrong_options(text: str, message: str) -> None:
    Path("codekin.toml").write_text(f"[scan]\n{text}\n")
    with pytest.raises(CodekinError, match=rf"codekin\.toml: \[scan\]: {message}"):
        find_scan_config()


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("codekin.toml", "[scam]", r"unknown name 'scam' in the file; did you mean 'scan'\?"),
        ("codekin.toml", "scan = 1", "scan is not a table"),
        ("codekin.toml", "[scan", "is not TOML"),
        ("codekin.toml", "", r"has no table \[scan\]"),
        ("pyproject.toml", "[tool.codekin]\nscna = 1", r"'scna' in \[tool.codekin\]; did you mean"),
        ("pyproject.toml", "[tool]\ncodekin = 1", r"\[tool.codekin\] is not a table"),
        ("pyproject.toml", "tool = 1", r"has no table \[tool.codekin.scan\]"),
        ("gone.toml", None, "No such file or directory"),
    ],
)
def test_wrong_files(name: str, text: str | None, message: str) -> None:
    if text is not None:
        Path(name).write_text(text)
    with pytest.raises(CodekinError, match=rf"{name}: .*{message}"):
        read_scan_config(name)


def test_what_is_not_utf_8() -> None:
    Path("codekin.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(CodekinError, match="is not TOML"):
        find_scan_config()
