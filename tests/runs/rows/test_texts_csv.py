import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codekin.errors import CodekinError
from codekin.runs.rows import texts
from codekin.runs.rows.texts import csv_pieces


def shown(data, delimiter=",", **limits):
    blocks = [data[i : i + 5] for i in range(0, len(data), 5)]
    return [
        (record.where, record.problem or record.fields)
        for run in csv_pieces("a.csv", blocks, delimiter, **limits)
        for record in run.records()
    ]


def test_rows_are_numbered_by_the_line_on_which_they_begin():
    data = b'id,c\r\n1,"a\nb ""q"" \r\n"\r\n\r\n2,x "y" z\r\n3,\xc3\xa9'
    assert shown(data) == [
        ("a.csv, line 2", {"id": "1", "c": 'a\nb "q" \r\n'}),
        ("a.csv, line 6", {"id": "2", "c": 'x "y" z'}),
        ("a.csv, line 7", {"id": "3", "c": "é"}),
    ]


def test_tabs():
    assert shown(b"id\tc\n1\ta,b\n", "\t") == [("a.csv, line 2", {"id": "1", "c": "a,b"})]


def test_what_is_wrong_with_a_row_is_its_own_problem():
    assert shown(b'id,c\n1\n2,a,b\n3,"a"b\n4,\xff\n5,\0\n6,a\rb\n7,end') == [
        ("a.csv, line 2", "1 field where the header has 2"),
        ("a.csv, line 3", "3 fields where the header has 2"),
        ("a.csv, line 4", "broken CSV: ',' expected after '\"'"),
        ("a.csv, line 5", "not UTF-8 (in column c)"),
        ("a.csv, line 6", {"id": "5", "c": "\0"}),
        ("a.csv, line 7", "broken CSV: new-line character seen in unquoted field"),
        ("a.csv, line 8", {"id": "7", "c": "end"}),
    ]


def test_a_quote_that_is_never_closed_takes_the_rest():
    assert shown(b'id,c\n1,a\n2,"b\n3,c\n') == [
        ("a.csv, line 2", {"id": "1", "c": "a"}),
        ("a.csv, line 3", "broken CSV: unexpected end of data"),
    ]


def test_a_row_without_end_is_not_held():
    found = shown(b'id,c\n1,a\n2,"' + b"b\n" * 100, longest=50)
    assert found == [
        ("a.csv, line 2", {"id": "1", "c": "a"}),
        ("a.csv, line 3", "a row of more than 50 bytes; is a quote never closed?"),
    ]


def test_fields_of_any_size_leave_the_limit_of_others_alone():
    before = csv.field_size_limit()
    text = "x" * 10_000_000
    ((_, fields),) = [
        (record.where, record.fields)
        for run in csv_pieces("a.csv", [b"id,c\n1,", text.encode(), b"\n"])
        for record in run.records()
    ]
    assert fields == {"id": "1", "c": text}
    assert csv.field_size_limit() == before


def test_a_broken_header_takes_the_rest():
    assert shown(b'"id"x,c\n1,2\n') == [
        ("a.csv, line 1", "broken CSV: ',' expected after '\"'"),
    ]


def test_a_header_of_very_many_columns_is_checked_in_time():
    header = b",".join(b"c%d" % i for i in range(50_000))
    ((where, fields),) = shown(header + b"\n" + b"," * 49_999 + b"\n")
    assert (where, len(fields)) == ("a.csv, line 2", 50_000)


def test_a_header_of_too_many_columns(monkeypatch):
    monkeypatch.setattr(texts, "_MOST_COLUMNS", 3)
    assert shown(b"a,b,c\n1,2,3\n")
    with pytest.raises(CodekinError, match=r"a\.csv: has 4 columns, and at most 3 are read"):
        shown(b"a,b,c,d\n")


def test_no_rows():
    assert shown(b"id,c\n") == []


def test_no_header():
    reason = "the file is empty; its first line must name the columns"
    assert shown(b"") == shown(b"\n\n") == [("a.csv, line 1", reason)]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b",c\n1,2\n", "a.csv: column 1 has no name"),
        (b"id, \n1,2\n", "a.csv: column 2 has no name"),
        (b"id,c,id\n1,2,3\n", "a.csv: two columns are named 'id'"),
    ],
)
def test_headers_name_each_column_once(here, read, data, message):
    with pytest.raises(CodekinError, match=message):
        shown(data)
    (here / "a.csv").write_bytes(data)
    with pytest.raises(CodekinError, match=message):
        read("a.csv")


@given(st.lists(st.tuples(st.text("a\"\n,'é"), st.text('a"\n\t, ')), max_size=600))
def test_what_the_csv_module_writes_comes_back(rows):
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerows([("id", "c"), *rows])
    found = [fields for _, fields in shown(text.getvalue().encode())]
    assert found == [{"id": a, "c": b} for a, b in rows]
