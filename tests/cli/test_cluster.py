from __future__ import annotations

import copy
import json
import re
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from codekin import CodekinError
from codekin.align.line_diff import unified_diff

ORIGIN = "def area(r):\n    # the area of a circle\n    return 3 * r * r\n"
REVISIONS = {
    "alice.py": ORIGIN.replace("3 *", "3.14159 *"),
    "bob.py": ORIGIN.replace("3 *", "3.1416 *"),
    "carol.py": ORIGIN.replace("r)", "radius)").replace("r * r", "radius * radius"),
    "dan.py": ORIGIN.replace("3 *", "3.14159 *"),
    "eve.py": ORIGIN,
}


@pytest.fixture
def files(tmp_path, monkeypatch) -> list[Path]:
    monkeypatch.chdir(tmp_path)
    Path("area.py").write_text(ORIGIN)
    Path("given").mkdir()
    for name, text in REVISIONS.items():
        Path("given", name).write_text(text)
    return [Path("given", name) for name in REVISIONS]


@pytest.fixture
def patches(files) -> Path:
    folder = Path("patches")
    folder.mkdir()
    for name, text in REVISIONS.items():
        diff = f"--- a/area.py\n+++ b/area.py\n{unified_diff(ORIGIN, text)}"
        (folder / name).with_suffix(".patch").write_text(diff)
    return folder


def test_groups_are_listed_with_their_medoids(cli, files) -> None:
    done = cli("cluster", "area.py", *files, "-m", "nes", "--groups", 2)
    assert done.exit_code == 0, done.output
    title, _, head, _, first, second, untouched, *below = done.stdout.splitlines()
    assert title == "5 revisions of area.py: 2 groups by nes, 2 groups requested"
    assert head.split() == ["group", "size", "similarity", "medoid", "other", "members"]
    assert first.split() == ["1", "3", "0.970", "alice.py", "dan.py,", "bob.py"]
    assert second.split() == ["2", "1", "–", "carol.py"]
    assert untouched.split() == ["untouched", "1", "–", "–", "eve.py"]
    assert below == [
        "",
        "closest: groups 1 and 2, mean similarity 0.750",
        "the same text: alice.py, dan.py",
        below[-1],
    ]
    assert below[-1].startswith("nes|codekin-")


def test_patches_are_applied_to_the_origin(cli, files, patches) -> None:
    by_file = cli("cluster", "area.py", *files, "-m", "nes", "--groups", 2)
    by_folder = cli("cluster", "area.py", "--patches", patches, "-m", "nes", "--groups", 2)
    by_name = cli("cluster", "area.py", *sorted(patches.iterdir()), "-m", "nes", "--groups", 2)
    assert by_folder.exit_code == 0, by_folder.output
    assert by_folder.stdout == by_name.stdout
    # A rule is as long as names are.
    assert re.sub(r"─+|\.patch", "", by_folder.stdout).split() == (
        re.sub(r"─+|\.py(?!:)", "", by_file.stdout).split()
    )


def test_files_and_patches_may_be_mixed(cli, files, patches) -> None:
    done = cli("cluster", "area.py", files[0], "--patches", patches, "-m", "nes", "-g", 1)
    assert done.exit_code == 0, done.output
    assert "given/alice.py, patches/alice.patch, patches/dan.patch" in done.stdout


def test_what_cannot_be_used_is_listed_and_the_rest_goes_on(cli, files, patches) -> None:
    Path("given/binary.py").write_bytes(b"\0\1\2")
    Path("given/empty.py").write_text("\n")
    Path("given/latin.py").write_bytes(ORIGIN.encode() + "# Fläche\n".encode("latin-1"))
    Path("given/old.patch").write_text((patches / "bob.patch").read_text().replace("circle", "x"))
    Path("given/none.patch").write_text("nothing that is a patch\n")
    two = (patches / "bob.patch").read_text()
    Path("given/two.diff").write_text(two.replace("area.py", "other.py") + two)
    Path("given/others.diff").write_text(
        two.replace("area.py", "a.py") + two.replace("area.", "b.")
    )
    more = [one for one in sorted(Path("given").iterdir()) if one not in files]
    done = cli("cluster", "area.py", *files, *more, "-m", "nes", "-g", 2, "--format", "json")
    assert done.exit_code == 0, done.output
    document = json.loads(done.stdout)
    reasons = {one["name"]: one["reason"] for one in document["failures"]}
    assert list(reasons) == [
        "binary.py", "empty.py", "latin.py", "none.patch", "old.patch", "others.diff"
    ]  # fmt: skip
    assert "looks binary" in reasons["binary.py"]
    assert reasons["empty.py"] == "is empty"
    assert "not in UTF-8" in reasons["latin.py"]
    assert "not a unified diff; make it with diff -u or git diff" in reasons["none.patch"]
    assert "hunk 1 of 1" in reasons["old.patch"]
    assert reasons["others.diff"] == "changes a.py, b.py, not area.py"
    assert document["groups"][0]["members"][-1]["name"] == "two.diff"
    assert document["revisions"] == 12
    shown = cli("cluster", "area.py", *files, *more, "-m", "nes", "-g", 2).stdout
    assert "could not be used: 6 revisions\n  binary.py: looks binary" in shown


def test_links_in_a_folder_of_patches_are_listed_and_not_followed(cli, files, patches) -> None:
    secret = Path("secret.txt")
    secret.write_text((patches / "bob.patch").read_text())
    (patches / "frank.patch").symlink_to(secret.resolve())
    (patches / "gone.patch").symlink_to("nowhere")
    done = cli("cluster", "area.py", "--patches", patches, "-m", "nes", "--groups", 2)
    assert done.exit_code == 0, done.output
    for name in ("frank.patch", "gone.patch"):
        assert f"{name}: is a link, which is followed only if it is named itself" in done.stdout
    named = cli("cluster", "area.py", *files, patches / "frank.patch", "-m", "nes", "--groups", 2)
    assert named.exit_code == 0, named.output
    assert "is a link" not in named.stdout


def test_a_patch_of_another_file_is_listed_with_its_name(cli, files, patches) -> None:
    # Without lines around it, it would fit anywhere.
    Path("lexer.patch").write_text(
        "--- a/src/lexer.py\n+++ b/src/lexer.py\n@@ -1,0 +2 @@\n+import re\n"
    )
    for origin in ("area.py", Path("area.py").resolve()):
        done = cli("cluster", origin, "lexer.patch", "--patches", patches, "-m", "nes")
        assert done.exit_code == 0, done.output
        assert "  lexer.patch: changes src/lexer.py, not area.py\n" in done.stdout


def test_a_patch_is_known_by_its_content(cli, files, patches) -> None:
    Path("answer.txt").write_text((patches / "bob.patch").read_text())
    done = cli("cluster", "area.py", "given/bob.py", "answer.txt", "-m", "nes")
    assert "the same text: answer.txt, given/bob.py" in done.stdout
    # Revisions of a patch are texts, as it is.
    done = cli("cluster", "answer.txt", "given/bob.py", "patches/carol.patch", "-m", "nes")
    assert "given/bob.py" in done.stdout.partition("could not")[0]
    Path("other.txt").write_text((patches / "carol.patch").read_text())
    done = cli("cluster", "answer.txt", "other.txt", "-m", "nes")
    assert done.exit_code == 0, done.output
    assert "could not be used" not in done.stdout


def test_line_ends_of_the_origin_are_kept(cli, files, patches) -> None:
    Path("area.py").write_bytes(ORIGIN.replace("\n", "\r\n").encode())
    Path("given/bob.py").write_bytes(REVISIONS["bob.py"].replace("\n", "\r\n").encode())
    done = cli("cluster", "area.py", "given/bob.py", patches / "bob.patch", "-m", "nes")
    assert "the same text: given/bob.py, patches/bob.patch" in done.stdout


def test_an_origin_that_is_no_utf8_makes_no_demands(cli, files) -> None:
    latin = (ORIGIN + "# Fläche\n").encode("latin-1")
    Path("latin.py").write_bytes(latin)
    Path("given/latin.py").write_bytes(latin.replace(b"3", b"3.14"))
    done = cli("cluster", "latin.py", "given/latin.py", "-m", "nes")
    assert done.exit_code == 0, done.output
    assert "could not be used" not in done.stdout


def test_nothing_left_is_an_error(cli, files) -> None:
    Path("none.py").write_text("")
    done = cli("cluster", "area.py", "none.py", "-m", "nes")
    assert isinstance(done.exception, CodekinError)
    assert str(done.exception) == ("none of 1 revisions can be used; the first, none.py: is empty")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-t", "0.5", "-g", "2"], "not both"),
        (["-g", "4"], "4 groups cannot be made of 5 revisions: 4 revisions are usable, in 3"),
        (["-g", "0"], "at least 1 group"),
        (["-t", "2"], "from 0 to 1"),
        (["-m", "ed"], "ed is a distance"),
        (["given"], "given: is a folder; name the files in it, or use --patches"),
        (["given/../given/bob.py"], "is given twice"),
        (["given/no.py"], "given/no.py: no such file"),
        (["--patches", "given"], "no file in it that ends in .patch or .diff"),
        (["--patches", "area.py"], "area.py: is not a folder"),
        (["--patches", "nowhere"], "nowhere: no such folder"),
        (["-l", "klingon"], "klingon"),
        (["-o", "area.py"], "area.py: unknown suffix '.py' (known: .html, .htm, .json, .txt"),
        (["-o", "area.py", "--format", "html"], "area.py: is not a page that codekin wrote"),
        (["-m", "nes,bleu"], "takes one measure, not 2: nes, bleu"),
        (["-o", "."], "is a folder; name a file"),
    ],
)
def test_wrong_uses_are_told(cli, files, words, said) -> None:
    given = ["-m", "nes"] if "-m" not in words else []
    done = cli("cluster", "area.py", *files, *given, *words)
    assert said in str(done.exception)
    assert Path("area.py").read_text() == ORIGIN


def test_revisions_are_needed(cli, files) -> None:
    done = cli("cluster", "area.py", "-m", "nes")
    assert "no revisions" in str(done.exception)
    assert "no such file" in str(cli("cluster", "nope.py", *files, "-m", "nes").exception)


def test_narrow_terminals_show_fewer_members(cli, files) -> None:
    for i in range(30):
        path = Path("given", f"more-{i}.py")
        path.write_text(ORIGIN.replace("3 *", f"3.{i} *"))
        files.append(path)
    for width in (40, 80, 200):
        done = cli("cluster", "area.py", *files, "-m", "nes", "-g", 2, width=width)
        assert " more" in done.stdout
        table = done.stdout.partition("closest")[0]
        assert max(len(line) for line in table.splitlines()[2:]) <= width
    assert "and 27 more" in cli(
        "cluster", "area.py", *files, "-m", "nes", "-g", 2, width=None
    ).stdout.replace("\n", "")


def schema() -> Any:
    file = resources.files("codekin").joinpath("data/cluster.schema.json")
    return json.loads(file.read_text("utf-8"))


@pytest.mark.parametrize("case", ["all", "one", "untouched"])
def test_documents_are_valid(cli, files, case) -> None:
    Path("given/binary.py").write_bytes(b"\0")
    given = {"all": [*files, "given/binary.py"], "one": files[:1], "untouched": files[-1:]}[case]
    done = cli("cluster", "area.py", *given, "-m", "nes", "--format", "json")
    document = json.loads(done.stdout)
    jsonschema.Draft202012Validator.check_schema(schema())
    validator = jsonschema.Draft202012Validator(schema())
    validator.validate(document)
    # A key more or less would not pass, so that the schema says all there is.
    for key in document:
        less = copy.deepcopy(document)
        del less[key]
        assert not validator.is_valid(less)
    for key in document["groups"][0] if document["groups"] else ():
        less = copy.deepcopy(document)
        del less["groups"][0][key]
        assert not validator.is_valid(less), key
    assert not validator.is_valid(document | {"more": 1})


def test_the_document_says_how_they_were_joined(cli, files) -> None:
    done = cli("cluster", "area.py", *files, "-m", "nes", "-t", 0.9, "--format", "json")
    document = json.loads(done.stdout)
    assert document["leaves"] == ["alice.py", "bob.py", "carol.py"]
    first, second = document["joins"]
    assert (first["first"], first["second"], first["size"]) == (0, 1, 2)
    assert (second["first"], second["second"], second["size"]) == (2, 3, 3)
    assert first["similarity"] == document["groups"][0]["mean_similarity"]
    members = document["groups"][0]["members"]
    assert [(one["name"], one["copy_of"]) for one in members] == [
        ("alice.py", None), ("dan.py", "alice.py"), ("bob.py", None)
    ]  # fmt: skip
    assert (document["threshold"], document["wanted"]) == (0.9, None)


def test_a_page_is_written_beside_the_table(cli, files) -> None:
    done = cli("cluster", "area.py", *files, "-m", "nes", "-o", "page.html")
    assert done.exit_code == 0, done.output
    assert "group by nes" in done.stdout
    assert done.stdout.splitlines()[-1] == f"Written: {Path('page.html').resolve()}"
    page = Path("page.html").read_bytes()
    assert page.startswith(b"<!doctype html>")
    cli("cluster", "area.py", *reversed(files), "-m", "nes", "--output", "page.html")
    assert Path("page.html").read_bytes() == page
