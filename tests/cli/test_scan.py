from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.test_schemas import check_schema
from tests.scan.test_scanning import CHANGED, MEAN, OTHER, RENAMED

from codekin import CodekinError, scan_paths


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("src").mkdir()
    texts = {"a.py": MEAN, "b.py": CHANGED, "c.py": RENAMED, "d.py": OTHER}
    for name, text in texts.items():
        Path("src", name).write_text(text)
    return Path("src")


def test_classes_are_listed_with_a_summary(cli, folder) -> None:
    Path("src/bad.py").write_bytes(b"\0")
    done = cli("scan", folder)
    assert done.exit_code == 0, done.output
    assert done.stdout.splitlines()[:-1] == [
        "1. T2 2 copies with other names or values; 10 lines could be saved; others like them in "
        "class 2",
        "  src/a.py:1-10  weighted_mean",
        "  src/c.py:1-10  average",
        "",
        "2. T3 3 copies with changed statements, among them class 1; 10 more lines could be saved, "
        "score 0.90",
        "  src/a.py:1-10  weighted_mean",
        "  src/b.py:1-12  weighted_mean",
        "  src/c.py:1-10  average",
        "",
        "4 files, 39 lines of code: 3 clone pairs in 2 classes; 32 lines (82.1 %) are duplicated",
    ]
    assert done.stdout.splitlines()[-1].startswith("Not read: src/bad.py (looks binary")


def test_code_is_shown_side_by_side(cli, folder) -> None:
    done = cli("scan", folder, "--show")
    shown = [line for line in done.stdout.splitlines() if "log('start', values)" in line]
    assert len(shown) == 1
    assert shown[0].split() == [">", "4", "log('start',", "values)"]
    assert "count = 0" in done.stdout
    assert "log('start'" not in cli("scan", folder, "--show", 1).stdout
    assert "log('start'" in cli("scan", folder, "--show", 1, "--sort", "score").stdout
    assert "count = 0" in cli("scan", "--show", folder).stdout
    assert "count = 0" not in cli("scan", folder, "--show", 0).stdout


def test_classes_are_sorted_as_asked(cli, folder) -> None:
    def numbers(*words) -> list[str]:
        lines = cli("scan", folder, *words).stdout.splitlines()
        return [line.split(".")[0] for line in lines if line[:1].isdigit() and ". T" in line]

    assert numbers() == numbers("--sort", "saved") == ["1", "2"]
    for order in ("lines", "copies", "score"):
        assert numbers("--sort", order) == ["2", "1"]
    assert "did you mean 'score'?" in str(cli("scan", folder, "--sort", "scores").exception)


def test_types_and_tokens_count_for_everything(cli, folder) -> None:
    words = ("scan", folder, "--type", "T1,T2")
    document = json.loads(cli(*words, "--format", "json").stdout)
    check_schema("scan", [document])
    assert document["types"] == ["T1", "T2"]
    assert [one["type"] for one in document["findings"]] == ["T2"]
    assert document["duplicated_lines"] == 20
    assert cli(*words, "--max-duplication", "52%").exit_code == 0
    assert cli("scan", folder, "--max-duplication", "52%").exit_code == 1
    sarif = json.loads(cli(*words, "--format", "sarif").stdout)
    assert {one["ruleId"] for one in sarif["runs"][0]["results"]} == {"clone-T2"}
    assert len(cli(*words, "--format", "csv").stdout.splitlines()) == 2
    assert cli(*words, "--write-baseline", "known.json").exit_code == 0
    Path("src/e.py").write_text(CHANGED.replace("raise", "log(1)\n        raise"))
    assert cli(*words, "--baseline", "known.json").exit_code == 0, "a changed copy does not count"
    Path("src/e.py").write_text(MEAN)
    assert cli(*words, "--baseline", "known.json").exit_code == 1
    size = document["findings"][0]["tokens"]
    assert "T2 3" in cli(*words, "--min-tokens", size).stdout
    assert "no clones" in cli(*words, "--min-tokens", size + 50).stdout


def test_files_are_written_before_anything_is_printed(folder) -> None:
    codekin = f"{sys.executable} -c 'from codekin.cli import main; main()'"
    line = f"{codekin} scan src --write-baseline known.json -o found.csv --max-duplication 1%"
    command = f"{line} | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, check=False, text=True)
    assert done.stdout == "1\n"
    assert "82.05 % of the lines of code are duplicated" in done.stderr
    assert Path("known.json").is_file() and Path("found.csv").is_file()


def test_the_formats_agree(cli, folder) -> None:
    done = cli("scan", folder, "--format", "json")
    document = json.loads(done.stdout)
    check_schema("scan", [document])
    rows = list(csv.DictReader(cli("scan", folder, "--format", "csv").stdout.splitlines()))
    assert [row["file1"] for row in rows] == [one["first"]["file"] for one in document["findings"]]
    assert [float(row["score"]) for row in rows] == pytest.approx(
        [one["score"] for one in document["findings"]], abs=1e-4
    )
    assert cli("scan", folder, "-o", "found.csv").exit_code == 0
    assert len(Path("found.csv").read_text().splitlines()) == 1 + len(rows)


def test_the_options_reach_the_scan(cli, folder) -> None:
    def found(*words) -> int:
        return len(json.loads(cli("scan", folder, *words, "--format", "json").stdout)["findings"])

    assert found() == 3
    assert found("--exclude", "b.*") == 1
    assert "src: no file in java or c was found" in str(
        cli("scan", folder, "--languages", "java,c").exception
    )
    assert found("--min-lines", 11) == 0
    assert found("--max-bytes", 300) == 1
    assert found("--fast") == len(scan_paths([folder], fast=True).findings)
    Path("src/.gitignore").write_text("b.py\nc.py\n")
    assert (found(), found("--all"), found("--workers", 0)) == (0, 3, 0)


def test_only_some_classes_are_printed(cli, folder) -> None:
    Path("src/e.py").write_text(OTHER)
    done = cli("scan", folder, "--top", 1)
    assert "2 more classes; see --top" in done.stdout
    assert "3. T1" in cli("scan", folder, "--top", 0).stdout


def test_a_missing_folder_is_an_error(cli, folder) -> None:
    done = cli("scan", "gone")
    assert isinstance(done.exception, CodekinError)
    assert str(done.exception) == "gone: no such file or folder"


def test_reports_for_services(cli, folder) -> None:
    assert cli("scan", folder, "-o", "found.sarif").exit_code == 0
    assert Path("found.sarif").read_text() == scan_paths([folder]).to_sarif()
    assert cli("scan", folder, "--format", "gitlab").stdout == scan_paths([folder]).to_gitlab()


def test_the_page(cli, folder) -> None:
    done = cli("scan", folder, "-o", "found.html")
    assert done.stdout.startswith("1. T2 2 copies")
    assert Path("found.html").read_text() == scan_paths([folder]).to_html("again.html")
    assert Path("again.html").read_bytes() == Path("found.html").read_bytes()
    assert cli("scan", folder, "--format", "html").stdout == Path("found.html").read_text()
    assert cli("scan", folder, "--write-baseline", "known.json").exit_code == 0
    Path("src/b2.py").write_text(MEAN)
    assert cli("scan", folder, "--baseline", "known.json", "-o", "new.html").exit_code == 1
    assert "<dt>new place</dt><dd>1</dd>" in Path("new.html").read_text()


def test_a_baseline_fails_on_new_clones_alone(cli, folder) -> None:
    done = cli("scan", folder, "--baseline", "known.json")
    assert isinstance(done.exception, CodekinError)
    first = cli("scan", folder, "--baseline", "known.json", "--write-baseline", "known.json")
    assert first.exit_code == 0
    done = cli("scan", folder, "--baseline", "known.json")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.startswith("No new clones\n4 files, 39 lines of code: 3 clone pairs")
    Path("src/b2.py").write_text(MEAN)
    done = cli("scan", folder, "--baseline", "known.json")
    assert done.exit_code == 1
    assert done.stdout.splitlines()[:4] == [
        "1. T1 2 copies; 10 lines could be saved; others like them in class 2",
        "  src/b2.py:1-10  new  weighted_mean",
        "  src/a.py:1-10  weighted_mean",
        "",
    ]
    assert done.stderr == "codekin: 1 place of clones in 1 class is new since the baseline\n"
    done = cli("scan", folder, "--baseline", "known.json", "--format", "sarif")
    assert done.exit_code == 1
    states = [one["baselineState"] for one in json.loads(done.stdout)["runs"][0]["results"]]
    assert states == ["unchanged", "new", "unchanged", "unchanged"]


def test_other_gates(cli, folder) -> None:
    assert cli("scan", folder, "--max-duplication", "90%").exit_code == 0
    done = cli("scan", folder, "--max-duplication", "5%")
    assert done.exit_code == 1
    assert done.stderr == "codekin: 82.05 % of the lines of code are duplicated, more than 5.00 %\n"
    for words in (("--max-duplication", "much"), ("--since", "HEAD")):
        assert isinstance(cli("scan", folder, *words).exception, CodekinError)


def test_other_files_are_not_replaced_by_a_baseline(cli, folder) -> None:
    done = cli("scan", folder, "--write-baseline", "src/a.py")
    assert isinstance(done.exception, CodekinError)
    assert Path("src/a.py").read_text() == MEAN


def test_options_from_a_file(cli, folder, monkeypatch) -> None:
    text = "[tool.codekin.scan]\npaths = ['src']\nexclude = ['b.*']\nshow = true\nmin-lines = 7\n"
    Path("pyproject.toml").write_text(text)

    def found(*words) -> tuple[int, int]:
        document = json.loads(cli("scan", *words, "--format", "json").stdout)
        return len(document["findings"]), document["min_lines"]

    assert found() == (1, 7)
    assert found("--min-lines", 8, "--exclude", "x") == (3, 8)
    assert found("src", "--no-config") == (3, 6)
    named = cli("scan", "--config", "pyproject.toml")
    assert "count = 0" in named.stdout and named.stderr == ""
    assert "count = 0" not in cli("scan", "--config", "pyproject.toml", "--show", 0).stdout
    found_by_itself = cli("scan")
    assert "count = 0" not in found_by_itself.stdout
    assert found_by_itself.stderr == (
        "codekin: pyproject.toml: show = true counts only if it is typed; type --show, or "
        "--config pyproject.toml for all of the file\n"
    )
    assert cli("scan", "--show", 0).stderr == ""
    Path("other.toml").write_text("[scan]\npaths = ['src/a.py']\nmax-duplication = '0%'\n")
    assert found("--config", "other.toml") == (0, 6)
    assert cli("scan", "src", "--config", "other.toml").exit_code == 1
    monkeypatch.chdir("src")
    assert found() == (1, 7)
    Path("../pyproject.toml").write_text("[tool.codekin.scan]\nmin_lines = 7\n")
    assert "did you mean 'min-lines'?" in str(cli("scan", ".").exception)


def test_paths_are_needed(cli, folder) -> None:
    assert str(cli("scan").exception) == "scan: name files or folders of code"
    done = cli("scan", "src", "--config", "x.toml", "--no-config")
    assert str(done.exception) == "--config and --no-config exclude each other"


def test_a_baseline_in_the_configuration(cli, folder) -> None:
    Path("codekin.toml").write_text("[scan]\npaths = ['src']\nbaseline = 'src/known.json'\n")
    named = ["--config", "codekin.toml"]
    assert cli("scan", *named, "--write-baseline", "src/known.json").exit_code == 0
    assert cli("scan", *named).exit_code == 0
    Path("src/b2.py").write_text(MEAN)
    assert cli("scan", *named).exit_code == 1
    assert cli("scan").exit_code == 0, "nobody typed it"


def test_what_a_folder_leaves_out_of_a_check_is_named(cli, folder) -> None:
    settings = "min-lines = 50\nexclude = ['d.py']\nlanguages = ['python']\nmax-bytes = 250\n"
    Path("codekin.toml").write_text(f"[scan]\n{settings}")
    Path("src/x.c").write_text("int f(void) { return 1; }\n")
    Path("src/.gitignore").write_text("b.py\n")
    Path("src/h.py").write_text(f"# codekin: ignore\n{MEAN}"[:240])
    done = cli("scan", "src", "--max-duplication", "5%", "--format", "json")
    assert done.exit_code == 0
    document = json.loads(done.stdout)
    check_schema("scan", [document])
    told = {
        (setting["source"], setting["setting"], setting["count"])
        for setting in document["loosened"]
    }
    assert ("codekin.toml", 'exclude = ["d.py"]', 1) in told
    assert ("codekin.toml", 'languages = ["python"]', 1) in told
    assert ("codekin.toml", "max-bytes = 250", 2) in told
    assert ("ignore files", "", 1) in told
    assert "codekin: ignore files leave out 1 file or folder\n" in done.stderr
    Path("codekin.toml").write_text("[scan]\nmin-lines = 50\n")
    done = cli("scan", "src", "--max-duplication", "5%")
    assert done.exit_code == 0
    assert (
        "The check does not see everything: codekin.toml: min-lines = 50 leaves out 1 class of "
        "clones.\n"
    ) in done.stdout
    assert "does not see everything" not in cli("scan", "src").stdout, "nobody typed a gate"
    assert "codekin.toml" not in (
        cli("scan", "src", "--max-duplication", "5%", "--config", "codekin.toml").stdout
    )
    assert cli("scan", "src", "--max-duplication", "5%", "--no-config").exit_code == 1


def test_what_a_folder_adds_to_a_check_is_named(cli, folder) -> None:
    Path("src/vendor").mkdir()
    Path("src/vendor/v.py").write_text(OTHER)
    Path("src/large.py").write_text("# x\n" * 300_000)
    Path("codekin.toml").write_text("[scan]\nall = true\nmax-bytes = 9000000\n")
    notes = cli("scan", "src", "--max-duplication", "5%").stdout
    assert "codekin.toml: all = true adds 1 file." in notes
    assert "codekin.toml: max-bytes = 9000000 adds 1 file." in notes


def test_what_a_check_cannot_read_is_named(cli, folder) -> None:
    Path("src/binary.py").write_bytes(b"x = 1\0\n")
    notes = cli("scan", "src", "--max-duplication", "99%").stdout
    assert "does not see everything: problems with reading leave out 1 file or folder." in notes


def test_settings_are_shown_without_control_characters(cli, folder) -> None:
    pattern = "\\u001b[31m" + "x" * 500
    Path("codekin.toml").write_text(f'[scan]\nexclude = ["{pattern}", "a.py"]\nsince = "\\u001b"\n')
    Path("src/.\x1b[31m").mkdir()
    for words in ([], ["--format", "csv"]):
        done = cli("scan", "src", "--max-duplication", "5%", *words)
        assert "\x1b" not in done.output + done.stderr
        assert "x" * 200 not in done.output + done.stderr


def test_the_paths_of_a_folder_are_part_of_what_it_leaves_out(cli, folder) -> None:
    Path("codekin.toml").write_text("[scan]\npaths = ['src/a.py']\n")
    done = cli("scan", "--max-duplication", "5%")
    assert 'codekin.toml: paths = ["src/a.py"] leaves out 3 files.' in done.stdout


def test_the_hook_of_pre_commit_fails_on_new_clones(cli, folder) -> None:
    text = (Path(__file__).parents[2] / ".pre-commit-hooks.yaml").read_text()
    lines = dict(line.strip(" -").split(": ", 1) for line in text.splitlines())
    words = [*lines["entry"].split()[1:], *lines["args"].strip("[]").split(", ")]
    assert lines["pass_filenames"] == "false"
    for command in ("init -q", "add src/a.py", "-c user.name=a -c user.email=a@b commit -qm one"):
        subprocess.run(["git", *command.split()], check=True)
    done = cli(*words)
    assert done.exit_code == 1 and "src/b.py:1-12  new" in done.stdout
    for name in "bc":
        Path(f"src/{name}.py").unlink()
    assert cli(*words).exit_code == 0


def test_a_scan_of_nothing_is_an_error(cli, tmp_path) -> None:
    (tmp_path / "notes.txt").write_text("no code")
    for more in ([], ["--format", "json"]):
        done = cli("scan", tmp_path, "--no-config", *more)
        assert isinstance(done.exception, CodekinError)
        assert f"{tmp_path}: no file in a known language was found" in str(done.exception)
        assert done.stdout == ""
    (tmp_path / "class.zip").write_bytes(b"PK\5\6" + bytes(18))
    done = cli("scan", tmp_path, "--no-config")
    assert f"1 zip file was not read: {tmp_path}/class.zip" in str(done.exception)
    done = cli("scan", tmp_path / "class.zip", "--no-config")
    assert str(done.exception) == (
        f"{tmp_path}/class.zip: is a zip file; unpack it, or use codekin scan --submissions"
    )


def test_to_a_gate_nothing_is_no_reason_to_fail(cli, tmp_path) -> None:
    done = cli("scan", tmp_path, "--no-config", "--max-duplication", "5%")
    assert done.exit_code == 0
    assert "no file in a known language was found" in done.stderr
