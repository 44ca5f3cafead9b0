import codecs
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codekin.runs.rows.texts import json_array_pieces, json_line_pieces, json_pieces

ROWS = [{"id": n, "candidate": "x" * n, "references": ["é\n", "😀"]} for n in range(20)]


def records(runs):
    return [record for run in runs for record in run.records()]


def shown(runs):
    return [(record.where, record.problem or record.fields) for record in records(runs)]


def problems(line):
    return [record.problem for record in records(json_line_pieces("a", [line + b"\n"]))]


def test_blank_lines_are_no_rows_but_are_counted():
    text = b'\n{"a":1}\r\n  \t\r\n{"a":2}\n\n\n{"a":3}'
    assert shown(json_line_pieces("a", [text])) == [
        ("a, line 2", {"a": 1}),
        ("a, line 4", {"a": 2}),
        ("a, line 7", {"a": 3}),
    ]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b'{"a": 1 "b": 2}', "not JSON: Expecting ',' delimiter at column 9"),
        (b'{"a": "\xff"}', "not UTF-8 (byte 8)"),
        (
            b"[1]",
            "a JSON array, not an object with fields; a file that is one array is named .json",
        ),
        (b"null", "a JSON null, not an object with fields"),
        (b"true", "a JSON boolean, not an object with fields"),
        (b'"x"', "a JSON string, not an object with fields"),
        (b"1", "a JSON number, not an object with fields"),
        (b"1.5", "a JSON number, not an object with fields"),
        (b'{"a": "\0"}', "not JSON: Invalid control character at column 8"),
        (b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}", "JSON nested too deeply"),
    ],
)
def test_what_is_wrong_with_a_row_is_its_own_problem(line, problem):
    assert problems(line) == [problem]


def test_a_number_of_too_many_digits_is_a_problem():
    (problem,) = problems(b'{"a": ' + b"9" * 5000 + b"}")
    assert problem.startswith("not readable: Exceeds the limit")


def test_values_that_json_only_tolerates_are_read():
    (record,) = records(json_line_pieces("a", [rb'{"a": 1, "a": NaN, "b": "\ud800\u0000"}']))
    assert record.fields is not None
    assert record.fields["a"] != record.fields["a"]
    assert record.fields["b"] == "\ud800\0"


@pytest.mark.parametrize("runs", [json_line_pieces, json_pieces])
def test_long_lines_are_unreadable_and_the_next_is_read(runs):
    blocks = [b'{"a":1}\n{"a":"', b"x" * 50, b'"}\n', b'{"a":3}\n']
    assert shown(runs("a", blocks, 30)) == [
        ("a, line 1", {"a": 1}),
        ("a, line 2", "a line of more than 30 bytes"),
        ("a, line 3", {"a": 3}),
    ]


def test_ten_megabytes_in_a_line():
    text = "é\n" * 5_000_000
    data = json.dumps({"a": text}, ensure_ascii=False).encode()
    blocks = [data[i : i + 2**16] for i in range(0, len(data), 2**16)]
    (record,) = records(json_line_pieces("a", blocks))
    assert record.fields == {"a": text}


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("block", [1, 7, 10**9])
def test_an_array_of_objects_is_read_from_any_blocks(indent, block):
    data = b" \n" + json.dumps(ROWS, indent=indent, ensure_ascii=True).encode() + b"\n "
    blocks = [data[i : i + block] for i in range(0, len(data), block)]
    assert shown(json_pieces("a", blocks)) == [
        (f"a, item {n}", row) for n, row in enumerate(ROWS, 1)
    ]


@given(
    st.lists(st.recursive(st.integers() | st.floats(allow_nan=False) | st.text(), st.lists)),
    st.integers(1, 40),
)
def test_the_items_of_an_array_are_cut_where_they_end(items, block):
    data = json.dumps(items, ensure_ascii=False).encode("utf-8", "replace")
    blocks = [data[i : i + block] for i in range(0, len(data), block)]
    runs = list(json_array_pieces("a", blocks))
    assert [json.loads(line) for run in runs for line in run.lines] == json.loads(data)
    assert all(len(run) == len(run.lines) for run in runs)


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"[]", []),
        (b"[1", ["a JSON number, not an object with fields", "not JSON: the array has no end"]),
        (b'[{"a":1}', [{"a": 1}, "not JSON: the array has no end"]),
        (b'[{"a":1},', [{"a": 1}, "not JSON: Expecting value"]),
        (b"[", ["not JSON: Expecting value"]),
        (
            b'[{"a":1} {"a":2}]',
            [{"a": 1}, "not JSON: a comma or the end of the array should follow"],
        ),
        (b'[{"a":1}]\n[]', [{"a": 1}, "not JSON: something follows the end of the array"]),
        (b'[{"a":1},{"b":"\xff"}]', ["not UTF-8 from here on"]),
        (b"[" * 100_000, ["JSON nested too deeply"]),
    ],
)
def test_a_broken_array_is_read_as_far_as_it_goes(data, found):
    assert [problem for _, problem in shown(json_pieces("a", [data]))] == found


def test_an_array_keeps_its_memory_bounded():
    text = "x" * 100
    (first, second) = records(
        json_array_pieces("a", [b'[{"a":1},{"b":"', *[text.encode()] * 10, b'"}]'], 300)
    )
    assert first.fields == {"a": 1}
    assert second.problem == "not JSON, or an item of more than 300 characters"


def test_one_object_over_several_lines_is_one_record():
    data = json.dumps({"a": [1, 2]}, indent=2).encode()
    assert shown(json_pieces("a", [data])) == [("a, item 1", {"a": [1, 2]})]
    assert shown(json_pieces("a", [data[:-1]])) == [
        ("a, line 1", "not JSON: the object has no end")
    ]


@pytest.mark.parametrize(
    "data",
    [
        codecs.BOM_UTF8 + '{"a":"é"}\n{"a":"文"}'.encode(),
        '{"a":"é"}\r\n{"a":"文"}'.encode("utf-16"),
        codecs.BOM_UTF16_BE + '{"a":"é"}\n{"a":"文"}\n'.encode("utf-16-be"),
        '{"a":"é"}\n{"a":"文"}'.encode("utf-32"),
    ],
)
def test_byte_order_marks_tell_the_encoding(here, read, data):
    (here / "a.jsonl").write_bytes(data)
    assert [record.fields for record in read("a.jsonl")] == [{"a": "é"}, {"a": "文"}]


def test_utf_16_that_is_none_is_a_row_with_a_problem(here, read):
    (here / "a.jsonl").write_bytes('{"a":1}\n'.encode("utf-16") + b"\x00\xd8\x00")
    *_, last = read("a.jsonl")
    assert last.problem.startswith("not UTF-16")
