"""A language from outside: one file (lua.py) and one entry point are all that it takes."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import codekin
from codekin.errors import CodekinError
from codekin.evaluation.adequacy import made_languages
from codekin.languages import language_of_file, registry
from codekin.rewrite import BREAKING, PRESERVING, rewritable_languages, rewrite

TOTAL = """\
local function total(prices, tax)
  local sum = 0
  for i, price in ipairs(prices) do
    if price > 10 then
      sum = sum + price * (1 + tax)
    else
      sum = sum + price -- no tax
    end
  end
  return sum
end
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder with the package as an installer leaves it: its module, and its entry point."""
    folder = tmp_path_factory.mktemp("site-packages")
    shutil.copy(Path(__file__).with_name("lua.py"), folder / "codekin_lua.py")
    info = folder / "codekin_lua-1.0.dist-info"
    info.mkdir()
    info.joinpath("METADATA").write_text("Metadata-Version: 2.1\nName: codekin-lua\nVersion: 1.0\n")
    info.joinpath("entry_points.txt").write_text("[codekin.languages]\nlua = codekin_lua:LUA\n")
    return folder


@pytest.fixture(autouse=True)
def lua(installed, monkeypatch):
    monkeypatch.syspath_prepend(installed)
    _forget()
    yield
    monkeypatch.undo()
    _forget()


def _forget():
    registry.languages.cache_clear()
    registry._by_name.cache_clear()
    registry.language_of_suffix.cache_clear()


def test_it_is_the_thirteenth_language():
    assert codekin.language_names()[12:] == ["lua"]
    assert language_of_file("init.lua").title == "Lua"
    assert codekin.detect_language(TOTAL).name == "lua"


def test_tokens_and_lexemes():
    text = "local x <const> = f(1.5, 'a') --[[ why ]]\nx = x // 2 .. [[ long ]]"
    tokens = codekin.Source(text, "lua").tokens
    assert [(t.text, t.cls.label) for t in tokens] == [
        ("local", "keyword"),
        ("x", "identifier"),
        ("<", "operator"),
        ("const", "identifier"),
        (">", "operator"),
        ("=", "operator"),
        ("f", "identifier"),
        ("(", "delimiter"),
        ("1.5", "float"),
        (",", "delimiter"),
        ("'a'", "string"),
        (")", "delimiter"),
        ("x", "identifier"),
        ("=", "operator"),
        ("x", "identifier"),
        ("//", "operator"),
        ("2", "integer"),
        ("..", "operator"),
        ("[[ long ]]", "string"),
    ]
    assert codekin.Source(text, "lua").lexemes.texts == tokens.texts


def test_measures():
    other = TOTAL.replace("price > 10", "price < 10")
    result = codekin.compare(other, TOTAL, language="lua", measures=["nes", "tsed", "bleu"])
    assert result["tsed"].value == 1.0
    assert 0.9 < result["nes"].value < 1.0
    assert 0.9 < result["bleu"].value < 1.0
    operators = codekin.measure("tsed", operators=True)
    assert operators.score(other, TOTAL, language="lua").value < 1.0
    assert codekin.measure("tsed").score("f(x)", "x = 1", language="lua").value < 1.0


def test_every_measure_that_needs_no_semantic_graph_compares_it():
    mine = codekin.compare(TOTAL, TOTAL, origin="", language="lua").scores
    theirs = codekin.compare("x = f(1)", "x = f(1)", origin="", language="python").scores
    assert set(theirs) - set(mine) == {"cssg"}
    assert {name: mine[name].value for name in mine} == {name: theirs[name].value for name in mine}


def test_what_it_leaves_out_is_named():
    with pytest.raises(CodekinError, match="no semantic graphs for Lua; languages that have them"):
        codekin.semantic_graph(TOTAL, "lua")
    assert rewrite(codekin.Source(TOTAL, "lua"), "statement") is None
    assert rewrite(codekin.Source(TOTAL * 2, "lua"), "functions") is None


def test_locals_are_renamed_and_nothing_else():
    assert "lua" in rewritable_languages()
    text = """\
function M.f(M, step, ...)
  local x = x
  for step in next, step do print(step.step, { step = step, [step] = x }) end
  repeat local done = M:step(x) until done
  goto step
  ::step::
  return function(y) return step .. x .. y end
end
"""
    renamed = rewrite(codekin.Source(text, "lua"), "locals")
    names = dict(zip(_words(text), _words(renamed), strict=True))
    own = {name for name, new in names.items() if name != new}
    # x also is a name of the outside, M one in the head of its own function.
    assert own == {"step", "done", "y"}
    new, done, y = names["step"], names["done"], names["y"]
    assert renamed == (
        text.replace("M, step", f"M, {new}")
        .replace("for step in next, step do", f"for {new} in next, {new} do")
        .replace(
            "print(step.step, { step = step, [step]", f"print({new}.step, {{ step = {new}, [{new}]"
        )
        .replace("local done", f"local {done}")
        .replace("until done", f"until {done}")
        .replace("return step ..", f"return {new} ..")
        .replace("(y)", f"({y})")
        .replace("x .. y", f"x .. {y}")
    )


def _words(text):
    tokens = codekin.Source(text, "lua").tokens
    return [t.text for t in tokens if t.cls.label == "identifier"]


def test_a_text_that_sees_its_variables_keeps_them():
    source = codekin.Source("function f(x)\n  return debug.getlocal(1, 1), x\nend\n", "lua")
    assert rewrite(source, "locals") is None
    assert rewrite(source, "dead-code") is None


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("change", ["layout", "comments"])
def test_layout_and_comments_keep_the_tokens(change, seed):
    changed = rewrite(codekin.Source(TOTAL, "lua"), change, seed)
    assert changed != TOTAL
    same = codekin.Source(changed, "lua")
    assert same.tokens.texts == codekin.Source(TOTAL, "lua").tokens.texts
    assert not same.problems


def test_layout_indents_by_keywords():
    changed = rewrite(codekin.Source(TOTAL, "lua"), "layout", 1)
    lines = [line for line in changed.splitlines() if line]
    step = lines[1].removesuffix(lines[1].lstrip())
    assert step
    depths = [(len(line) - len(line.lstrip())) // len(step) for line in lines]
    assert depths == [0, 1, 1, 2, 3, 2, 3, 2, 1, 1, 0]


def test_comments_are_its_own():
    forms = {
        mark
        for seed in range(20)
        for mark in ("-- ", "--[[ ", "--[[*")
        if mark in (rewrite(codekin.Source(TOTAL, "lua"), "comments", seed) or "")
    }
    assert forms == {"-- ", "--[[ ", "--[[*"}


def test_dead_code_opens_the_body():
    changed = rewrite(codekin.Source(TOTAL, "lua"), "dead-code")
    before, after = changed.splitlines(), TOTAL.splitlines()
    added = len(before) - len(after)
    assert 1 <= added <= 2
    assert before[:1] + before[1 + added :] == after
    assert all("local " in line and line.startswith("  ") for line in before[1 : 1 + added])


@pytest.mark.parametrize("change", ["operator", "constant", "condition", "argument"])
def test_mutations_break_it(change):
    changed = rewrite(codekin.Source(TOTAL, "lua"), change)
    assert not codekin.Source(changed, "lua").problems
    assert codekin.Source(changed, "lua").tokens.texts != codekin.Source(TOTAL, "lua").tokens.texts


def test_changes_are_all_tried_here():
    assert {*PRESERVING, *BREAKING} == {
        *("locals", "layout", "comments", "dead-code", "functions"),
        *("operator", "constant", "condition", "argument", "statement"),
    }


def test_adequacy_is_judged_in_it():
    assert "lua" in made_languages()
    judged = codekin.evaluate_adequacy("bleu", criteria=["1a"], cases=20, languages="lua")
    assert str(judged.measures[0].verdicts[0]) == "holds"


def test_the_command_line_knows_it(installed, tmp_path):
    for name in ("one.lua", "two.lua"):
        tmp_path.joinpath(name).write_text(TOTAL)
    done = subprocess.run(
        [sys.executable, "-m", "codekin", "compare", "one.lua", "two.lua", "-m", "tsed"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "1.0000" in done.stdout
    assert "Lua" in done.stdout or "lua" in done.stdout
