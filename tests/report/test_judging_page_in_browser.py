"""Pairs judged in a real browser: by keyboard, kept over a reload, exported and imported."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.corpora.judges import paired
from tests.report.test_judging_page import two

from codekin.corpora.judgements import judged
from codekin.corpora.judging import JudgingSample, judging_sample
from codekin.report.judging_page import judging_page


@pytest.fixture
def sample(request) -> JudgingSample:
    """A sample of its own for each test, since a browser keeps answers by sample."""
    return judging_sample(paired(), 8, seed=sum(map(ord, request.node.name)))


@pytest.fixture
def written(tmp_path, sample) -> Path:
    path = tmp_path / "p.html"
    path.write_bytes(judging_page(sample))
    return path


def downloaded(chromium, page, folder: Path) -> Path:
    """The file that the page exports."""
    folder.mkdir(exist_ok=True)
    for earlier in folder.iterdir():
        earlier.unlink()
    chromium.send("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))
    page.click("#save")
    for _ in range(100):
        found = [one for one in folder.iterdir() if one.suffix == ".json"]
        if found and found[0].stat().st_size:
            return found[0]
        page.settle()
    raise AssertionError("nothing was downloaded")


def give(page, path: Path) -> None:
    """Choose a file for the page to import."""
    root = page.send("DOM.getDocument")["root"]["nodeId"]
    node = page.send("DOM.querySelector", nodeId=root, selector="#file")["nodeId"]
    page.send("DOM.setFileInputFiles", nodeId=node, files=[str(path)])
    page.settle()


def test_pairs_are_judged_by_keyboard_and_exported(
    chromium, page, tmp_path, sample, written
) -> None:
    page.open(written)
    assert page.text("#place") == "Pair 1 of 8"
    page.press("y", "n")
    page.press("u")
    assert page.text("#place") == "Pair 4 of 8"
    assert page.text("#counts") == "3 of 8 answered. 1 clone, 1 not, 1 undecided"
    page.press("ArrowLeft")
    page.press("m")
    assert page.run("document.activeElement.id") == "note"
    page.press("n", "y")  # which are letters of the note now
    page.press("Escape")
    page.choose("#judge", " Ann Ünal ")
    page.open(written)  # loads it again
    assert page.text("#place") == "Pair 3 of 8"
    assert page.run("document.querySelector('#note').value") == "ny"
    assert page.text("#counts").startswith("3 of 8 answered")
    assert page.texts(".strip button")[:4] == ["1 ✓", "2 ✗", "3 ?", "4"]
    path = downloaded(chromium, page, tmp_path / "out")
    assert path.name == f"judged-{sample.fingerprint[:8]}-ann-ünal.json"
    document = json.loads(path.read_text("utf-8"))
    assert [one["answer"] for one in document["pairs"][:4]] == [
        "clone",
        "no clone",
        "undecided",
        None,
    ]
    assert document["pairs"][2]["note"] == "ny"
    [judge] = judged(path).judges
    assert judge.judge == "Ann Ünal"
    claimed, unclaimed = judge.claimed, judge.unclaimed
    assert claimed.open + unclaimed.open == 5
    labels = [one.label for one in sample.pairs[:2]]
    assert claimed.clones == int(labels[0] == 1)
    assert unclaimed.others == int(labels[1] == 0)

    page.click("#clear")
    assert page.text("#counts").startswith("0 of 8 answered")
    give(page, path)
    page.until("document.querySelector('#told').innerText.startsWith('Imported')")
    assert page.text("#counts") == "3 of 8 answered. 1 clone, 1 not, 1 undecided"
    assert page.run("document.querySelector('#judge').value") == "Ann Ünal"
    assert page.text("#place") == "Pair 4 of 8"
    again = downloaded(chromium, page, tmp_path / "out")
    assert json.loads(again.read_text("utf-8")) == document
    page.click("#clear")
    page.click("#undo")
    assert page.text("#counts").startswith("3 of 8 answered")


def test_answers_can_be_changed_and_taken_back(page, written) -> None:
    page.open(written)
    page.click(".answer.other")
    page.press("k", "Backspace")
    assert page.text("#counts").startswith("0 of 8 answered")
    page.press("y", "k", "n")
    assert page.text("#counts") == "1 of 8 answered. 0 clones, 1 not, 0 undecided"
    page.press("o", "o")
    assert page.text("#place") == "Pair 4 of 8"
    page.click(".strip li:last-child button")
    page.press("u")
    assert page.text("#place") == "Pair 8 of 8"
    assert page.run("document.querySelector('.unsure[data-answer]').ariaPressed") == "true"
    page.press("o")
    assert page.text("#place") == "Pair 2 of 8"
    page.press(*"yyyyyy")
    assert page.text("#counts").startswith("All pairs are answered; export them.")
    assert page.run("document.querySelector('#open').disabled")


def test_names_and_differences_are_shown_on_demand(page, sample, written) -> None:
    page.open(written)
    assert not page.run("[...document.querySelectorAll('.names')].some((one) => one.offsetHeight)")
    page.press("i")
    ids = [one.id for one in (sample.pairs[0].first, sample.pairs[0].second)]
    assert page.texts(".pane .names") == ids
    assert page.run("document.querySelector('#names').ariaPressed") == "true"
    assert page.run("document.querySelector('.codes').matches('.tinted')")
    page.press("d")
    assert not page.run("document.querySelector('.codes').matches('.tinted')")
    page.press("?")
    assert page.run("document.querySelector('#help').open")
    page.press("y")  # answers nothing while the help is open
    page.press("Escape")
    page.until("!document.querySelector('#help').open")
    assert page.text("#counts").startswith("0 of 8 answered")


def test_texts_are_shown_as_they_are(page, tmp_path) -> None:
    code = "def f():\n\treturn '</script><img src=x onerror=alert(1)>'  # \x1b[2J\n\n"
    corpus = two(code, "def f():\n    return 2\n", name="<b>bold</b>", basis="<i>basis</i>")
    path = tmp_path / "p.html"
    path.write_bytes(
        judging_page(judging_sample(corpus, 1), question="<u>Same?</u>", show_claims=True)
    )
    page.open(path)
    assert page.text("h1") == "<u>Same?</u>"
    assert page.text("#claim") == "The corpus says: <i>basis</i>"
    assert "<b>bold</b>" in page.text(".lead")
    [pane] = [one for one in page.texts(".code") if "img" in one]
    assert "return '</script><img src=x onerror=alert(1)>'" in pane
    assert page.texts(".ctl") == ["␛"]
    rows = "[...document.querySelectorAll('.code')].map((one) => one.children.length).sort()"
    assert page.run(rows) == [2, 3]
    assert page.text("#common") == "1 line in common; those that differ are tinted."
    tinted = "[...document.querySelectorAll('.row.differs')].map((one) => one.innerText.trim())"
    assert "return 2" in page.run(tinted)
    assert "def f():" not in page.run(tinted)


def test_files_of_other_samples_are_not_imported(page, tmp_path, sample, written) -> None:
    page.open(written)
    page.press("y")
    other = judging_sample(paired(), 8, seed=sample.seed + 1).document() | {"judge": ""}
    changed = sample.document() | {"judge": ""}
    for one in (*other["pairs"], *changed["pairs"]):
        one |= {"answer": "clone", "note": ""}
    changed["pairs"][0]["answer"] = "maybe"
    for content, problem in (
        ("{", "is not JSON"),
        ("[]", "holds no judgements"),
        (json.dumps(other), "is of another sample"),
        (json.dumps(changed), "has an answer to pair 1 that is not known here"),
    ):
        path = tmp_path / "given.json"
        path.write_text(content)
        give(page, path)
        assert page.text("#told") == f"given.json {problem}; nothing was imported."
    assert page.text("#counts").startswith("1 of 8 answered")


def test_a_browser_that_keeps_nothing_is_said_so(chromium, page, tmp_path, written) -> None:
    page.send(
        "Page.addScriptToEvaluateOnNewDocument",
        source="Storage.prototype.setItem = Storage.prototype.getItem = () => { throw 1; };",
    )
    held = "!dispatchEvent(new Event('beforeunload', {cancelable: true}))"
    page.open(written)
    assert not page.run(held)
    assert "does not keep your answers: export them" in page.text("#trouble")
    page.press("y", "n")
    assert page.text("#counts").startswith("2 of 8 answered")
    assert page.run(held)
    path = downloaded(chromium, page, tmp_path / "out")
    assert path.name.startswith("judged-")
    assert judged(path).judges[0].judge == path.stem
    assert not page.run(held)


def test_what_was_kept_by_something_else_is_ignored(page, sample, written) -> None:
    page.open(written)
    for content in ("{", "1", '{"judge": "x"}', json.dumps({"judge": 1, "at": 0})):
        page.run(
            f"localStorage.setItem('codekin-judging-{sample.fingerprint}', {json.dumps(content)})"
        )
        page.open(written)
        assert page.text("#counts").startswith("0 of 8 answered")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_the_page(page, tmp_path, scheme) -> None:
    long = "x" * 300
    path = tmp_path / "p.html"
    corpus = two(f"{long} = 1\n" * 40, "y = 2\n", name=long, basis=long, file=long)
    path.write_bytes(judging_page(judging_sample(corpus, 1), question=long, show_claims=True))
    page.prefer(scheme)
    for width in (320, 400, 1200):
        page.resize(width, 800)
        page.open(path)
        if not page.run("document.querySelector('#names').ariaPressed === 'true'"):
            page.press("i")
        assert page.run("document.documentElement.scrollWidth") <= width
        page.run("document.querySelector('#pair').scrollIntoView()")
        bottom = page.run("document.querySelector('.answers').getBoundingClientRect().bottom")
        assert bottom <= 800  # within reach, however long the texts are
