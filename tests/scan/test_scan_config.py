from __future__ import annotations

import os
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
        ("min-lines = 0", "min-lines must be a whole number from 1 to 1,000,000, not 0"),
        ("min-lines = true", "min-lines must be a whole number from 1 to 1,000,000, not True"),
        ("top = -1", "top must be a whole number from 0 to 1,000,000,000, not -1"),
        ("min-lines = 99999999999999999999", "min-lines must be a whole number from 1 to"),
        ("max-bytes = 99999999999999999999", "max-bytes must be a whole number from 1 to"),
        (f"top = 1{'0' * 4000}", "top must be a whole number .*, not a number of many digits"),
        ("workers = 1_000_000", "workers must be a whole number from 0 to 1,024"),
        (r'paths = ["\u0000"]', "paths must be a list of paths"),
        (r'index = "\u0000"', "index must be a path"),
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
        ("gone.toml", None, "no such file"),
    ],
)
def test_wrong_files(name: str, text: str | None, message: str) -> None:
    if text is not None:
        Path(name).write_text(text)
    with pytest.raises(CodekinError, match=rf"{name}: .*{message}"):
        read_scan_config(name)


def test_what_is_not_utf_8() -> None:
    Path("codekin.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(CodekinError, match="is not UTF-8"):
        find_scan_config()


def test_what_has_to_be_typed() -> None:
    """A file that nobody named chooses among harmless things only, also inside its folder."""
    Path("codekin.toml").write_text(f"[scan]\n{FULL}")
    Path("inside").mkdir()
    Path("out").symlink_to("..", target_is_directory=True)
    found = find_scan_config()
    assert set(found.options).isdisjoint({"since", "index", "baseline", "show"})
    assert found.options["min-lines"] == 8
    assert found.options["paths"] == [Path("src")]
    assert found.not_honoured == {
        "paths": (
            "codekin.toml: paths: ../other is outside its folder, so it counts only if it is "
            "typed; type ../other, or --config codekin.toml for all of the file",
        ),
        "show": (
            "codekin.toml: show = true counts only if it is typed; type --show, or --config "
            "codekin.toml for all of the file",
        ),
        **{
            name: (
                f'codekin.toml: {name} = "{value}" counts only if it is typed; type --{name} '
                f"{value}, or --config codekin.toml for all of the file",
            )
            for name, value in {
                "index": "ci/index",
                "baseline": "ci/clones.json",
                "since": "main",
            }.items()
        },
    }
    Path("codekin.toml").write_text("[scan]\npaths = ['inside', 'out', 'out/x', '/etc', '.']\n")
    found = find_scan_config()
    assert found.options["paths"] == [Path("inside"), Path()]
    assert len(found.not_honoured["paths"]) == 3


@pytest.mark.parametrize("name", ["codekin.toml", "pyproject.toml"])
def test_a_file_that_nobody_named_is_no_link_and_no_pipe(folder, name: str) -> None:
    target = Path(folder, "options.toml")
    target.write_text("[scan]\nmin-lines = 9\n[tool.codekin.scan]\nmin-lines = 9\n")
    Path(name).symlink_to(target)
    found = find_scan_config()
    assert found.options == {}
    [lines] = found.not_honoured.values()
    assert lines == (
        f"{name} is a link, so no options are read from it; type --config {name} to use it",
    )
    Path(name).unlink()
    os.mkfifo(name)
    [lines] = find_scan_config().not_honoured.values()
    assert "is not a regular file" in lines[0]


def test_a_link_that_is_typed_is_read(folder) -> None:
    Path(folder, "options.toml").write_text("[scan]\nindex = 'x'\n")
    Path("codekin.toml").symlink_to(Path(folder, "options.toml"))
    assert set(read_scan_config("codekin.toml").options) == {"index"}


@pytest.mark.parametrize("text", [".".join("a" * 20_000) + " = 1\n", "#" * 1_000_001])
def test_large_files_are_refused_before_they_are_parsed(text: str) -> None:
    Path("pyproject.toml").write_text(text)
    with pytest.raises(CodekinError, match=r"pyproject\.toml: (has 1,000,001 bytes|is not TOML)"):
        find_scan_config()
