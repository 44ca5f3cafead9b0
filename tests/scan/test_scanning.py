from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from codekin import CodekinError, Scan, add_to_index, index_info, scan_paths
from codekin.scan import scanned_code

MEAN = """def weighted_mean(values, weights):
    total = 0
    count = 0
    for value, weight in zip(values, weights):
        if weight > 0:
            total += value * weight
            count += weight
    if count == 0:
        raise ValueError("no weights")
    return total / count
"""
RENAMED = """def average(items, factors):
    acc = 0
    norm = 0
    for item, factor in zip(items, factors):
        if factor > 0:
            acc += item * factor
            norm += factor
    if norm == 0:
        raise ValueError("nothing")
    return acc / norm
"""
CHANGED = MEAN.replace("    count = 0\n", "    count = 0\n    log('start', values)\n").replace(
    "            count += weight\n", "            count += weight\n            seen.append(value)\n"
)
REPORT = """def sales_report(orders, rates, limit):
    totals = {}
    skipped = []
    for order in orders:
        price = order.amount * rates.get(order.currency, 1.0)
        if price > limit:
            skipped.append((order.number, price))
            continue
        region = order.customer.region or "unknown"
        totals[region] = totals.get(region, 0) + price
    best = max(totals, key=totals.get)
    lines = [f"{name}: {value:.2f}" for name, value in sorted(totals.items())]
    lines.append(f"best region: {best}, {len(skipped)} skipped")
    return chr(10).join(lines), skipped
"""
REWRITTEN = """def sales_report(orders, rates, limit):
    skipped = []
    totals = {}
    place = 0
    while place < len(orders):
        order = orders[place]
        place += 1
        price = order.amount * rates.get(order.currency, 1.0)
        if not price <= limit:
            skipped.append((order.number, price))
        else:
            region = order.customer.region or "unknown"
            totals[region] = price + totals.get(region, 0)
    best = max(totals, key=totals.get)
    lines = [f"{name}: {value:.2f}" for name, value in sorted(totals.items())]
    lines.append(f"best region: {best}, {len(skipped)} skipped")
    return chr(10).join(lines), skipped
"""
OTHER = """def read_table(path):
    rows = []
    with open(path) as file:
        for line in file:
            fields = line.strip().split(",")
            rows.append(tuple(fields))
    return sorted(rows, key=len)
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("code").mkdir()
    return Path("code")


def scanned(*texts: str, suffix: str = "py", **options) -> Scan:
    for path in Path("code").glob("f*"):
        path.unlink()
    for number, text in enumerate(texts):
        Path(f"code/f{number}.{suffix}").write_text(text)
    return scan_paths(["code"], **{"workers": 0, **options})


def pairs(scan: Scan) -> list[tuple[str, str, str]]:
    return [(one.type, str(one.first), str(one.second)) for one in scan.findings]


@pytest.mark.parametrize(
    ("copy", "type_"),
    [
        (MEAN, "T1"),
        (MEAN.replace("    total = 0\n", "    # the sum\n\n    total  =  0\n"), "T1"),
        (RENAMED, "T2"),
        (CHANGED, "T3"),
    ],
)
def test_copies_are_found_with_their_type(copy: str, type_: str) -> None:
    found = scanned(MEAN, OTHER, OTHER[:1] + copy[1:])
    lines = copy.count("\n")
    assert pairs(found) == [(type_, "code/f0.py:1-10", f"code/f2.py:1-{lines}")]
    assert (found.findings[0].score == 1) == (type_ in ("T1", "T2"))
    assert found.findings[0].first.name == "weighted_mean"


def test_a_rewritten_copy_is_found() -> None:
    found = scanned(REPORT, REWRITTEN, OTHER)
    assert [(one.first.file, one.second.file) for one in found.findings] == [
        ("code/f0.py", "code/f1.py")
    ]
    assert 0.3 < found.findings[0].score < 1


def test_different_functions_are_no_clones() -> None:
    found = scanned(MEAN, OTHER)
    assert (found.findings, found.classes, found.duplicated_lines) == ((), (), 0)
    assert (found.files, found.lines, found.languages) == (2, 17, {"python": 17})
    assert str(found).startswith("2 files, 17 lines of code: no clones")


def test_only_a_score_of_1_is_shown_as_1() -> None:
    found = scanned(MEAN, MEAN)
    near = replace(found, classes=(replace(found.classes[0], type="T3", score=0.9956),))
    assert "T3  0.99" in str(near)
    assert "1.00" in str(found)


def test_a_single_path_may_be_given_by_itself(tmp_path) -> None:
    for name in ("one.py", "two.py"):
        (tmp_path / name).write_text(MEAN)
    several = scan_paths([tmp_path], workers=0)
    assert len(several.findings) == 1
    for one in (tmp_path, str(tmp_path)):
        assert scan_paths(one, workers=0).to_json() == several.to_json()
    index = add_to_index(tmp_path / "index", str(tmp_path), workers=0)
    assert index.files == 2


def test_copies_form_a_class() -> None:
    found = scanned(MEAN, RENAMED, MEAN, OTHER)
    assert len(found.findings) == 3
    exact, renamed = found.classes
    assert [str(one) for one in renamed.members] == [f"code/f{i}.py:1-10" for i in range(3)]
    assert [str(one) for one in exact.members] == ["code/f0.py:1-10", "code/f2.py:1-10"]
    assert (exact.number, exact.type, exact.score, exact.within) == (1, "T1", 1.0, 2)
    assert (renamed.number, renamed.type, renamed.score, renamed.within) == (2, "T2", 1.0, None)
    assert [one.clone_class for one in found.findings] == [2, 1, 2]
    assert list(found.findings_of(renamed)) == list(found.findings)
    assert found.inside_of(renamed) == [1]
    assert found.around(exact) == [renamed]
    assert found.duplicated_lines == 30


def test_lines_are_saved_once_by_classes_inside_of_each_other() -> None:
    found = scanned(MEAN, RENAMED, MEAN, CHANGED)
    assert [copies.type for copies in found.classes] == ["T1", "T2", "T3"]
    assert [copies.saved_lines for copies in found.classes] == [10, 10, 10]
    assert sum(copies.saved_lines for copies in found.classes) == 42 - 12


COMMENTED = """\
def weighted_mean(values, weights):
    \"\"\"The mean of values.

    A long story
    about means.
    \"\"\"
    total = 0
    # Nothing yet.

    count = 0
    for value, weight in zip(values, weights):
        if weight > 0:
            total += value * weight
            count += weight  # so far
    if count == 0:
        raise ValueError("no weights")
    return total / count
"""


def test_sizes_are_in_lines_of_code() -> None:
    found = scanned(MEAN, COMMENTED)
    (finding,) = found.findings
    assert finding.type == "T1"
    assert (finding.second.start, finding.second.end, finding.second.code_lines) == (1, 17, 10)
    assert (found.lines, found.code_lines, found.duplicated_lines) == (27, 20, 20)
    assert (found.classes[0].saved_lines, found.duplication) == (10, 1.0)
    assert [line.number for line in found.lines_of_code(finding.second)] == [
        *(1, 7, 10, 11, 12, 13, 14, 15, 16, 17)
    ]


@pytest.mark.parametrize("fast", [False, True])
def test_only_lines_of_code_make_a_clone_long_enough(fast: bool) -> None:
    assert scanned(COMMENTED, COMMENTED, min_lines=10, fast=fast).findings
    assert not scanned(COMMENTED, COMMENTED, min_lines=11, fast=fast).findings


def test_all_lines_of_a_long_string_are_code() -> None:
    query = 'QUERY = """\nselect *\n\nfrom t\n"""\n\n\n'
    found = scanned(query + MEAN)
    assert (found.lines, found.code_lines) == (17, 15)


def test_only_clones_of_some_types_are_found() -> None:
    texts = (MEAN, RENAMED, MEAN, CHANGED)
    exact = scanned(*texts, types=("T1",))
    assert [(one.type, one.first.file, one.second.file) for one in exact.findings] == [
        ("T1", "code/f0.py", "code/f2.py")
    ]
    assert [copies.type for copies in exact.classes] == ["T1"]
    assert exact.duplicated_lines == 20
    assert "1 clone pair of T1 in 1 class" in str(exact)
    both = scanned(*texts, types=("t2", "T1"))
    assert (both.types, {one.type for one in both.findings}) == (("T1", "T2"), {"T1", "T2"})
    assert {copies.type for copies in scanned(*texts, types=("T3",)).classes} == {"T3"}


def test_an_exact_stretch_of_a_changed_copy_is_found_if_only_exact_ones_are() -> None:
    longer = REPORT.replace("    return", "    log('end', rows)\n    return")
    assert [one.type for one in scanned(REPORT, longer).findings] == ["T3"]
    (exact,) = scanned(REPORT, longer, types=("T1", "T2")).findings
    assert (exact.type, exact.score) == ("T1", 1.0)
    assert exact.first.code_lines < 14


def test_short_clones_in_tokens_are_left_out() -> None:
    size = scanned(MEAN, MEAN).findings[0].tokens
    assert scanned(MEAN, MEAN, min_tokens=size).findings
    none = scanned(MEAN, MEAN, min_tokens=size + 1)
    assert (none.findings, none.classes, none.duplication) == ((), (), 0.0)
    assert "no clones of at least" in str(none)


def test_an_index_keeps_results_by_what_was_looked_for() -> None:
    texts = (MEAN, RENAMED, MEAN, CHANGED)
    wanted = [scanned(*texts).to_json(), scanned(*texts, types=("T1",)).to_json()]
    for _ in range(2):
        assert scanned(*texts, index="code.index").to_json() == wanted[0]
        assert scanned(*texts, index="code.index", types=("T1",)).to_json() == wanted[1]
    texts = (*texts[:3], f"# new\n{CHANGED}")
    assert scanned(*texts, index="code.index").to_json() == scanned(*texts).to_json()


def test_a_finding_inside_a_larger_one_is_part_of_it() -> None:
    both = f"{MEAN}\n\n{OTHER}"
    (only,) = scanned(both, both).findings
    assert (only.first.start, only.first.end, only.type) == (1, 19, "T1")


def test_a_copied_part_of_a_function_is_found() -> None:
    part = MEAN.split("\n", 1)[1].replace("    return total / count\n", "")
    one = f"def first(values, weights):\n    start()\n{part}    return count\n"
    two = f"def second(values, weights, x):\n{part}    for y in x:\n        use(y, total)\n" + (
        "        if y:\n            stop(y)\n    return [total, x, count]\n"
    )
    found = scanned(one, two)
    assert [(one.first.start, one.second.start) for one in found.findings] in ([(3, 2)], [(1, 1)])


def test_shorter_clones_are_found_on_request() -> None:
    short = (
        "def f(a):\n    b = [one.name for one in a.rows if one.name]\n"
        "    c = max(b, key=len)\n    return c.strip() + a.tail(3)\n"
    )
    assert scanned(short, short).findings == ()
    assert pairs(scanned(short, short, min_lines=3)) == [("T1", "code/f0.py:1-4", "code/f1.py:1-4")]


def test_imports_tables_and_headers_are_left_out_and_counted() -> None:
    header = "# Copyright 2024, all rights reserved.\n# Licence: MIT\n"
    imports = "".join(f"from package.module{i} import first, second\n" for i in range(12))
    rows = "".join(f"    ('name{i}', {i}, {i}.5),\n" for i in range(12))
    text = f"{header}{imports}TABLE = [\n{rows}]\n"
    found = scanned(text, text)
    assert found.findings == ()
    assert (found.imports, found.tables, found.headers) == (24, 28, 4)
    assert found.notes() == [
        "Lines left out: 24 of imports, 28 of tables of constants, 4 of licence headers."
    ]


CODE = {
    "java": (
        "class A {{ int {0}(int[] {1}) {{\n int s = 0;\n for (int v : {1}) {{\n"
        " if (v > 3) {{\n s += v * 2;\n log(s, v);\n }}\n }}\n return s / 7;\n}} }}\n"
    ),
    "c": (
        "int {0}(int *{1}, int n) {{\n int s = 0;\n for (int i = 0; i < n; i++) {{\n"
        " if ({1}[i] > 3) {{\n s += {1}[i] * 2;\n put(s, i);\n }}\n }}\n return s / 7;\n"
        "}}\n"
    ),
    "cpp": (
        "int {0}(std::vector<int> {1}) {{\n int s = 0;\n for (int v : {1}) {{\n"
        " if (v > 3) {{\n s += v * 2;\n put(s, v);\n }}\n }}\n return s / 7;\n}}\n"
    ),
    "js": (
        "function {0}({1}) {{\n let s = 0;\n for (const v of {1}) {{\n if (v > 3) {{\n"
        " s += v * 2;\n put(s, v);\n }}\n }}\n return s / 7;\n}}\n"
    ),
    "ts": (
        "function {0}({1}: number[]) {{\n let s = 0;\n for (const v of {1}) {{\n"
        " if (v > 3) {{\n s += v * 2;\n put(s, v);\n }}\n }}\n return s / 7;\n}}\n"
    ),
    "go": (
        "package p\nfunc {0}({1} []int) int {{\n s := 0\n for _, v := range {1} {{\n"
        " if v > 3 {{\n s += v * 2\n put(s, v)\n }}\n }}\n return s / 7\n}}\n"
    ),
    "rs": (
        "fn {0}({1}: &[i32]) -> i32 {{\n let mut s = 0;\n for v in {1} {{\n"
        " if *v > 3 {{\n s += v * 2;\n put(s, v);\n }}\n }}\n return s / 7;\n}}\n"
    ),
    "cs": (
        "class A {{ int {0}(int[] {1}) {{\n int s = 0;\n foreach (int v in {1}) {{\n"
        " if (v > 3) {{\n s += v * 2;\n Put(s, v);\n }}\n }}\n return s / 7;\n}} }}\n"
    ),
    "php": (
        "<?php\nfunction {0}(${1}) {{\n $s = 0;\n foreach (${1} as $v) {{\n"
        " if ($v > 3) {{\n $s += $v * 2;\n put($s, $v);\n }}\n }}\n return $s / 7;\n}}\n"
    ),
    "rb": (
        "def {0}({1})\n  s = 0\n  {1}.each do |v|\n    if v > 3\n      s += v * 2\n"
        "      put(s, v)\n    end\n  end\n  return s / 7\nend\n"
    ),
    "kt": (
        "fun {0}({1}: List<Int>): Int {{\n var s = 0\n for (v in {1}) {{\n"
        " if (v > 3) {{\n s += v * 2\n put(s, v)\n }}\n }}\n return s / 7\n}}\n"
    ),
}


@pytest.mark.parametrize("suffix", CODE)
def test_renamed_copies_are_found_in_every_language(suffix: str) -> None:
    text = CODE[suffix]
    found = scanned(text.format("sum", "xs"), text.format("total", "values"), suffix=suffix)
    assert [one.type for one in found.findings] == ["T2"]


def test_fast_compares_tokens_alone() -> None:
    found = scanned(MEAN, RENAMED, OTHER, fast=True)
    assert [one.type for one in found.findings] == ["T2"]
    assert found.fast
    assert scanned(MEAN, OTHER, fast=True).findings == ()


def test_files_of_different_languages_are_not_compared() -> None:
    Path("code/a.c").write_text(CODE["c"].format("sum", "xs"))
    Path("code/b.cpp").write_text(CODE["c"].format("sum", "xs"))
    Path("code/c.java").write_text(CODE["c"].format("sum", "xs"))
    assert [one.first.file for one in scan_paths(["code"], workers=0).findings] == ["code/a.c"]


def test_the_result_is_the_same_with_workers_and_in_any_order() -> None:
    texts = [MEAN, RENAMED, OTHER, CHANGED, REPORT, REWRITTEN, OTHER.replace("rows", "lines")]
    alone = scanned(*texts)
    assert len(alone.findings) > 4
    assert scan_paths(["code"], workers=2).to_json() == alone.to_json()
    files = sorted(Path("code").iterdir(), reverse=True)
    assert scan_paths(files, workers=0).to_json() == alone.to_json()


def test_a_file_that_cannot_be_read_is_named_and_the_rest_is_scanned() -> None:
    Path("code/z.py").write_bytes(b"\0")
    found = scanned(MEAN, MEAN)
    assert len(found.findings) == 1
    assert [one.path for one in found.unreadable] == ["code/z.py"]
    assert found.notes() == [
        "Not read: code/z.py (looks binary (it has NUL bytes); only text can be read)."
    ]


@pytest.mark.parametrize("text", ["", "\n\n", "(" * 3000, "def f(:\n  x\n" * 20, "'", "\\\n" * 50])
def test_empty_and_broken_code_is_scanned(text: str) -> None:
    for suffix in ("py", "c", "js", "kt"):
        Path(f"code/broken.{suffix}").write_text(text)
    assert len(scanned(MEAN, MEAN).findings) >= 1


def test_files_that_do_not_parse_are_named_also_from_an_index() -> None:
    broken = [f"def f{i}(:\n    return {i}\n" for i in range(4)]
    scan = scanned(MEAN, *broken)
    assert len(scan.unparsed) == 4
    assert scan.notes()[-1] == (
        f"4 files have places that do not parse: {', '.join(scan.unparsed[:3])}, …"
    )
    for _ in range(2):
        assert scan_paths(["code"], index="idx").unparsed == scan.unparsed
    assert index_info("idx").unparsed == scan.unparsed
    assert "4 files have places that do not parse" in "\n".join(index_info("idx").notes())
    assert scanned(*broken, fast=True).unparsed == ()
    assert scanned(MEAN).unparsed == ()


def test_a_file_of_repetitions_is_found_as_a_copy() -> None:
    getter = (
        "  int g{0}() {{\n    if (c{0} == 0) {{\n      c{0} = 1;\n    }}\n    return c{0};\n  }}\n"
    )
    text = "class A {\n" + "".join(getter.format(i) for i in range(9)) + "}\n"
    (only,) = scanned(text, text, suffix="java").findings
    assert (only.type, only.first.start, only.first.end) == ("T1", 1, 56)


def test_endless_repetition_takes_no_quadratic_time() -> None:
    Path("code/x.go").write_text("x := 1\n" * 40_000)
    assert scanned(MEAN, MEAN).lines == 40_020


def test_many_similar_functions_do_not_make_all_pairs() -> None:
    body = "".join(f"    a = f{i}(b, {i})\n" for i in range(9))
    texts = [f"def g{i}(a, b):\n{body}    b{'.c' * i} = a\n    return a\n" for i in range(120)]
    found = scanned("\n\n".join(texts))
    assert 119 <= len(found.findings) <= 120 * 32
    assert [one.within for one in found.classes].count(None) == 1


def test_a_notebook_is_scanned_by_cells() -> None:
    cells = [{"cell_type": "code", "source": MEAN}, {"cell_type": "code", "source": RENAMED}]
    Path("code/n.ipynb").write_text(json.dumps({"cells": cells}))
    found = scanned(OTHER)
    assert pairs(found) == [("T2", "code/n.ipynb#1:1-10", "code/n.ipynb#2:1-10")]
    assert found.files == 2
    assert found.code_of(found.findings[0].first)[0] == "def weighted_mean(values, weights):"


def test_the_records_of_a_scan() -> None:
    found = scanned(MEAN, RENAMED)
    assert found.to_csv("found.csv") == Path("found.csv").read_text()
    assert found.to_csv().splitlines() == [
        "file1,start1,end1,file2,start2,end2,type,score,lines,tokens,class",
        "code/f0.py,1,10,code/f1.py,1,10,T2,1.0,10,53,1",
    ]
    assert scanned(OTHER).to_csv().count("\n") >= 1
    assert found.duplication == 1.0


def test_what_a_scan_refuses() -> None:
    with pytest.raises(CodekinError, match="'T5' is not a type of clones; the types are T1"):
        scanned(MEAN, types=("t1", "t5"))
    with pytest.raises(CodekinError, match="name at least one type of clones"):
        scanned(MEAN, types=())
    with pytest.raises(CodekinError, match="min_tokens must be from 0"):
        scanned(MEAN, min_tokens=-1)
    with pytest.raises(CodekinError, match="min_lines must be at least 1, not 0"):
        scan_paths(["code"], min_lines=0)
    with pytest.raises(CodekinError, match="name files or folders"):
        scan_paths([])
    with pytest.raises(CodekinError, match="unknown language 'pyton'"):
        scan_paths(["code"], languages=["pyton"])


def test_short_functions_must_be_equal() -> None:
    getter = "def level(self):\n    found = self.levels.get(self.name)\n    if found is None:\n"
    getter += "        return default(self.name, 3)\n    self.seen = True\n    return found\n"
    assert [one.type for one in scanned(getter, getter).findings] == ["T1"]
    assert not scanned(getter, getter.replace("level", "color")).findings
    longer = getter.replace("    return found\n", "    found.add(self.name, 2, [])\n" * 4)
    assert scanned(longer, longer.replace("level", "color")).findings


@pytest.mark.parametrize(("same", "found"), [(1, False), (4, True)])
def test_calls_that_differ_in_most_texts_are_no_clones(same: int, found: bool) -> None:
    def log(words: list[str]) -> str:
        fields = "".join(f'    text("{word}", node.{word}.name()),\n' for word in FIELDS)
        for old, new in zip(FIELDS, words, strict=True):
            fields = fields.replace(f'"{old}"', f'"{new}"')
        return f"log.info(\n{fields}    state(node.now(), node.peers),\n)\n"

    words = FIELDS[:same] + [f"{word}-of-peer" for word in FIELDS[same:]]
    one, two = log(FIELDS), log(words)
    assert bool(scanned(f"{REPORT}\n{one}", f"{OTHER}\n{two}").findings) == found


FIELDS = ["cluster", "member", "address", "reason", "version"]


def test_too_much_code_for_one_scan_is_refused(monkeypatch) -> None:
    Path("one.py").write_text(MEAN)
    monkeypatch.setattr(scanned_code, "_MOST", 20)
    with pytest.raises(CodekinError, match="more than 20 tokens or features"):
        scan_paths(["one.py"], workers=0)


LOAD = """def load_users(self, path, limit):
    self.check_open(path)
    rows = self.reader.read(path)
    found = []
    for row in rows:
        if row.age > limit:
            found.append(self.make_user(row.name, row.age))
    self.cache.store(path, found)
    self.log.note("users", len(found))
    return found
"""
_CALLS = ("check_open", "reader", "age", "make_user", "cache", "log", "note", "name")
_SAVE = ("lock_table", "parser", "weight", "ship", "queue", "stats", "count", "target")


def with_other_calls(count: int) -> str:
    """`LOAD` with a line less and other names of what it calls."""
    text = LOAD.replace("    found = []\n", "    found = []\n    total = 0\n")
    text = text.replace("    self.log.note", "    total += 1\n    self.log.note")
    for old, new in list(zip(_CALLS, _SAVE, strict=True))[:count]:
        text = text.replace(old, f"{new}", 1 if old == "age" else -1)
    return text


def test_a_changed_copy_keeps_its_names() -> None:
    assert [one.type for one in scanned(LOAD, with_other_calls(0)).findings] == ["T3"]
    assert not scanned(LOAD, with_other_calls(8)).findings


def test_a_changed_copy_may_be_renamed_consistently() -> None:
    found = scanned(RENAMED, CHANGED)
    assert [one.type for one in found.findings] == ["T3"]


_FIELDS = ("size", "shape", "colour", "weight", "owner", "price")
_OTHER_FIELDS = ("city", "street", "country", "phone", "mail", "birth")
RESTORE = "def restore(self, source):\n" + "".join(
    f"    self.{name} = source.read()\n" for name in _FIELDS
)


def test_small_functions_that_differ_in_unrelated_names_are_no_clones() -> None:
    others = RESTORE
    for old, new in zip(_FIELDS, _OTHER_FIELDS, strict=True):
        others = others.replace(old, new)
    assert not scanned(f"{RESTORE}    self.done()\n", f"{others}    self.done()\n").findings


def test_blocks_with_other_literals_are_no_clones() -> None:
    block = """def run_{0}(env):
    {0} = prepare_{0}(env)
    if env.{0}:
        register(env, "{0} plugin", "the options of {0}", {1}, kind="{0}")
        check(env, "{0}.json", level={1}, name="{0} check")
        env.{0}.apply(first, second)
        env.{0}.start(third, key=lambda one: one.size + one.shape)
        env.{0}.finish(fourth, fifth)
    return [{0}.result(x) for x in env if x.{0} or x.more]
"""
    one, two = block.format("red", 4), block.format("red", 4)
    two = two.replace('"red', '"blue').replace("of red", "of blue").replace("4", "5")
    two = two.replace("def run_red(env):\n", "def other(env, a):\n    yield from a.parts(3)\n")
    two = two.replace("return [red.result(x) for x in env if x.red or x.more]", "use(red, a)")
    assert not [one for one in scanned(one, two).findings if not one.first.name]
