"""llm: a small local server plays the model; answers, failures, and what is kept."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.detectors.tasks import THEMES, names_task

from codekin import Corpus, Snippet, predict_pairs
from codekin.detectors.detector import labelled, load_detector
from codekin.detectors.llm import Llm, answer_key, pair_prompt
from codekin.errors import CodekinError
from codekin.statistics.classification import f1_at


class Endpoint(ThreadingHTTPServer):
    """Says yes where both codes have the names of one theme; `script` has other replies, first."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script: list[tuple[int, Any, dict[str, str]]] = []
        self.seen: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


class Handler(BaseHTTPRequestHandler):
    server: Endpoint

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.lock:
            self.server.seen.append({"path": self.path} | body)
            self.server.keys.append(self.headers.get("Authorization"))
            scripted = self.server.script.pop(0) if self.server.script else None
        code, reply, headers = scripted or (200, said(body["messages"][0]["content"]), {})
        if isinstance(reply, str):
            reply = {"choices": [{"message": {"role": "assistant", "content": reply}}]}
        data = json.dumps(reply).encode()
        self.send_response(code)
        for name, value in ({"Content-Length": str(len(data))} | headers).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        pass


def said(prompt: str) -> str:
    codes = re.findall(r"<code-\d.*?</code-\d>", prompt, re.DOTALL)
    themes = [{i for i, words in enumerate(THEMES) if words[0] in code} for code in codes]
    if "whole number" in prompt:
        return "90" if themes[0] == themes[1] else "20%"
    return "Yes." if themes[0] == themes[1] else "no"


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    monkeypatch.setenv("no_proxy", "*")
    server = Endpoint()
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def task() -> Corpus:
    return names_task()


CODES = ("openFile()", "openFile(path)", "sendMail()", " ")
SNIPPETS = [Snippet(str(i), "java", code) for i, code in enumerate(CODES)]
PAIRS = np.array([0, 2, 1, 0], np.int32), np.array([1, 0, 0, 3], np.int32)


def asking(endpoint: Endpoint, folder: Path, **settings: Any) -> Llm:
    given: dict[str, Any] = {"model": "tiny", "answers": str(folder / "answers.jsonl")}
    given |= {"url": endpoint.url, "backoff": 0.01, "retries": 2} | settings
    return Llm(**given)


def test_answers_are_scores_and_are_asked_once(endpoint: Endpoint, tmp_path: Path) -> None:
    one = asking(endpoint, tmp_path)
    scores = one.score_pairs(SNIPPETS, *PAIRS)
    assert scores[:3].tolist() == [1, 0, 1] and np.isnan(scores[3])
    assert len(endpoint.seen) == 2, "the first and third pair are one, and the last is empty"
    sent = endpoint.seen[0]
    assert sent["temperature"] == 0 and sent["model"] == "tiny"
    assert sent["path"] == "/v1/chat/completions" and endpoint.keys == [None, None]
    offline = Llm(model="tiny", answers=str(tmp_path / "answers.jsonl"))
    assert np.array_equal(scores, offline.score_pairs(SNIPPETS, *PAIRS), equal_nan=True)
    assert len(endpoint.seen) == 2
    with pytest.raises(CodekinError, match="no answer of other to 2 of 2 pairs; name an endpoint"):
        Llm(model="other", answers=offline.answers).score_pairs(SNIPPETS, *PAIRS)


@pytest.mark.parametrize("form", ["yes-no", "number"])
def test_fit_save_and_load(form: str, endpoint: Endpoint, task: Corpus, tmp_path: Path) -> None:
    one = asking(endpoint, tmp_path, form=form, sample=30)
    fitted = one.fit(task)
    assert fitted.pairs == 0 and fitted.validation_pairs == 30 and fitted.validation == (1.0,)
    assert "training pairs are not used" in fitted.notes[0] and "30 of" in fitted.notes[1]
    assert one.threshold == (0.5 if form == "yes-no" else pytest.approx(0.9))
    pairs = labelled(task, "test")
    first, second = pairs.first[:30], pairs.second[:30]
    scores = one.score_pairs(task.snippets, first, second)
    assert f1_at(scores.astype(np.float64), pairs.label[:30], one.threshold).f1 == 1
    one.save(tmp_path / "model")
    loaded = load_detector(tmp_path / "model")
    assert isinstance(loaded, Llm) and (loaded.url, loaded.key) == ("", "")
    assert np.array_equal(scores, loaded.score_pairs(task.snippets, first, second))


def test_the_endpoint_is_named_again_for_a_saved_detector(
    endpoint: Endpoint, task: Corpus, tmp_path: Path
) -> None:
    one = asking(endpoint, tmp_path, sample=20, key="")
    one.fit(task)
    one.save(tmp_path / "model")
    place = tmp_path / "model" / "model.json"
    about = json.loads(place.read_text())
    assert not {"url", "key"} & set(about["settings"]) and endpoint.url not in place.read_text()
    about["settings"] |= {"url": "http://127.0.0.1:1/v1", "key": "HOME"}
    place.write_text(json.dumps(about))
    with pytest.raises(CodekinError, match=r"no answer of tiny to 2 of 2 pairs.*--set url="):
        load_detector(tmp_path / "model").score_pairs(SNIPPETS, *PAIRS)
    answers = str(tmp_path / "others.jsonl")
    again = load_detector(tmp_path / "model", url=endpoint.url, answers=answers, retries="7")
    assert isinstance(again, Llm) and (again.key, again.retries) == ("", 7)
    assert again.score_pairs(SNIPPETS, *PAIRS)[:3].tolist() == [1, 0, 1]
    for settings, message in (
        ({"form": "number"}, r"llm: form was fixed by training \(can be given .*answers, url"),
        ({"ulr": "x"}, "llm: ulr is not a setting; did you mean 'url'"),
        ({"retries": "x"}, "llm: retries must be a whole number, not 'x'"),
    ):
        with pytest.raises(CodekinError, match=message):
            load_detector(tmp_path / "model", **settings)


def test_rows_that_an_endpoint_leaves_open_have_its_reason(
    endpoint: Endpoint, task: Corpus, tmp_path: Path
) -> None:
    one = asking(endpoint, tmp_path, sample=20, concurrency=1)
    one.fit(task)
    rows = [
        {"id": name, "language": "java", "candidate": "openFile()", "reference": code}
        for name, code in (("a", "openFile(1)"), ("b", "sendMail()"), ("c", "sendMail(2)"))
    ]
    endpoint.script = [(200, "yes", {}), *[(500, {"error": "overloaded"}, {})] * 3]
    found = predict_pairs(rows, one, workers=0).pairs
    assert [pair.clone for pair in found] == [True, None, None]
    for pair in found[1:]:
        assert "does not answer after 3 attempts (HTTP 500" in pair.problem
        assert pair.problem.endswith("run the command again for the rest")
    before = len(endpoint.seen)
    again = predict_pairs(rows, one, workers=0).pairs
    assert [pair.clone for pair in again] == [True, False, False]
    assert len(endpoint.seen) == before + 2, "what was answered is not asked again"


def test_answers_that_cannot_be_read(endpoint: Endpoint, task: Corpus, tmp_path: Path) -> None:
    odd = {"choices": [{"message": {"content": None}}]}
    endpoint.script = [(200, "I think yes", {}), (200, odd, {})]
    one = asking(endpoint, tmp_path, sample=40, concurrency=1)
    notes = one.fit(task).notes
    assert one.unreadable == 2
    assert notes[-2:] == (
        "2 of 40 validation pairs have no score",
        "2 answers were not in the form asked for",
    )


def test_passing_failures_are_retried(
    endpoint: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TINY_KEY", "secret")
    endpoint.script = [(429, {}, {"Retry-After": "0.05"}), (503, {}, {"Retry-After": "Fri"})]
    one = asking(endpoint, tmp_path, key="TINY_KEY", concurrency=1)
    assert one.score_pairs(SNIPPETS, *PAIRS)[:3].tolist() == [1, 0, 1]
    assert len(endpoint.seen) == 4 and set(endpoint.keys) == {"Bearer secret"}
    assert "secret" not in Path(one.answers).read_text()


def test_what_was_answered_is_kept_when_the_endpoint_fails(
    endpoint: Endpoint, task: Corpus, tmp_path: Path
) -> None:
    down = (500, {"error": "overloaded"}, {})
    endpoint.script = [(200, "no", {})] * 7 + [down] * 3
    one = asking(endpoint, tmp_path, concurrency=1)
    pairs = labelled(task, "test")
    first, second = pairs.first[:30], pairs.second[:30]
    with pytest.raises(CodekinError) as caught:
        one.score_pairs(task.snippets, first, second)
    assert "does not answer after 3 attempts (HTTP 500" in str(caught.value)
    assert "7 of" in str(caught.value) and "are kept in" in str(caught.value)
    assert len(Path(one.answers).read_text().splitlines()) == 7
    before = len(endpoint.seen)
    with Path(one.answers).open("a") as stream:
        stream.write('{"key": "half')
    scores = one.score_pairs(task.snippets, first, second)
    assert (scores == 0).sum() >= 7 and not np.isnan(scores).any()
    asked = len(endpoint.seen) - before
    assert len(Path(one.answers).read_text().splitlines()) == 7 + 1 + asked
    again = one.score_pairs(task.snippets, first, second)
    assert np.array_equal(scores, again) and len(endpoint.seen) == before + asked


def test_endpoint_down(endpoint: Endpoint, tmp_path: Path) -> None:
    one = asking(endpoint, tmp_path, url="http://127.0.0.1:1/v1", retries=1)
    with pytest.raises(CodekinError, match=r"after 2 attempts \(Connection.*0 of 2 ans"):
        one.score_pairs(SNIPPETS, *PAIRS)


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        ((401, {"error": "bad key"}, {}), "HTTP 401: .*bad key"),
        ((302, {}, {"Location": "http://127.0.0.1:1/elsewhere"}), "HTTP 302"),
        ((200, {"choices": []}, {}), "is not an OpenAI-compatible chat endpoint"),
        ((200, ["hello"], {}), "is not an OpenAI-compatible chat endpoint"),
    ],
)
def test_failures_that_stay(
    reply: tuple[int, Any, dict[str, str]], message: str, endpoint: Endpoint, tmp_path: Path
) -> None:
    endpoint.script = [reply]
    with pytest.raises(CodekinError, match=message):
        asking(endpoint, tmp_path, concurrency=1).score_pairs(SNIPPETS, *PAIRS)


def test_pairs_that_are_refused(endpoint: Endpoint, tmp_path: Path) -> None:
    too_long = (400, {"error": "too many tokens"}, {})
    endpoint.script = [too_long]
    one = asking(endpoint, tmp_path, concurrency=1)
    assert np.isnan(one.score_pairs(SNIPPETS, *PAIRS)).tolist() == [True, False, True, True]
    assert one.refused == 1
    endpoint.script = [too_long] * 2
    elsewhere = asking(endpoint, tmp_path, answers=str(tmp_path / "other.jsonl"))
    with pytest.raises(CodekinError, match=r"refuses to answer: HTTP 400: .*too many"):
        elsewhere.score_pairs(SNIPPETS, *PAIRS)


def test_errors(endpoint: Endpoint, tmp_path: Path) -> None:
    for settings, message in (
        ({"form": "essay"}, r"unknown form 'essay' \(known: yes-no, number\)"),
        ({"concurrency": 0}, "concurrency must be at least 1"),
        ({"timeout": 0.0}, "timeout and backoff"),
    ):
        with pytest.raises(CodekinError, match=message):
            Llm(**settings)  # type: ignore[arg-type]
    for settings, message in (
        ({"model": ""}, "name a model"),
        ({"answers": ""}, "name a file of answers"),
        ({"url": "file:///etc/passwd"}, "must begin with http"),
        ({"key": "NO_SUCH_KEY_HERE"}, "NO_SUCH_KEY_HERE, which should have the endpoint's key"),
        ({"answers": str(tmp_path / "no" / "a.jsonl")}, "No such file or directory"),
    ):
        with pytest.raises(CodekinError, match=message):
            asking(endpoint, tmp_path, **settings).score_pairs(SNIPPETS, *PAIRS)
    (tmp_path / "odd.jsonl").write_text("hello\n")
    with pytest.raises(CodekinError, match="is not a file of answers"):
        asking(endpoint, tmp_path, answers=str(tmp_path / "odd.jsonl")).score_pairs(
            SNIPPETS, *PAIRS
        )
    assert not endpoint.seen


def test_keys_depend_on_model_and_prompt() -> None:
    one, two = ("java", "a"), ("java", "b")
    prompts = [pair_prompt(one, two, form) for form in ("yes-no", "number")]
    keys = {answer_key(model, prompt) for model in ("m", "n") for prompt in prompts}
    assert len(keys) == 4
