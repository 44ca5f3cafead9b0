from __future__ import annotations

import pytest

from codekin import CodekinError
from codekin.scan.submission_dates import known_date, normal, read_dates

MAY_1 = "2026-05-01 10:00:00"


@pytest.mark.parametrize(
    "text",
    [
        *("01.05.2026 10:00", "1.5.26 10:00", "1. 5. 2026, 10:00:00", "2026/05/01 10:00"),
        *("1 May 2026, 10:00 AM", "Friday, 1 May 2026, 10:00 AM", "May 1, 2026 10:00"),
        *("Freitag, 1. Mai 2026, 10:00", "2026-05-01 10:00", "2026-05-01T12:00+02:00"),
        *("1 may 2026 10:00 a.m.",),
    ],
)
def test_dates_of_course_systems_and_spreadsheets(text) -> None:
    assert known_date(text, "here") == MAY_1


def test_noon_and_midnight_are_twelve() -> None:
    assert known_date("5/13/26 12:05 AM", "here") == "2026-05-13 00:05:00"
    assert known_date("5/13/26 12:05 PM", "here") == "2026-05-13 12:05:00"
    assert known_date("13-05-2026 1:05 pm", "here") == "2026-05-13 13:05:00"
    for wrong in ("5/13/26 13:05 PM", "31.02.2026", "13/13/2026", "1 Foo 2026", "46143.4"):
        with pytest.raises(CodekinError, match=r"here: .* is not a date"):
            known_date(wrong, "here")


@pytest.mark.parametrize(
    ("more", "expected"),
    [("5/13/26", "2026-05-01 10:00:00"), ("13/5/26", "2026-01-05 10:00:00")],
)
def test_the_order_of_day_and_month_is_that_of_the_file(tmp_path, more, expected) -> None:
    path = tmp_path / "dates.csv"
    path.write_text(f"student;date\nanna;5/1/26 10:00\nben;{more} 9:00\n")
    assert read_dates(path)["anna"] == [expected]


def test_an_order_that_is_unknown_is_refused(tmp_path) -> None:
    path = tmp_path / "dates.csv"
    path.write_text("student,date\nanna,5/5/26\nben,5/1/26 10:00\n")
    with pytest.raises(CodekinError, match=r"line 3: '5/1/26 10:00' may begin with the day or"):
        read_dates(path)
    path.write_text("student,date\nanna,5/13/26\nben,13/5/26\n")
    with pytest.raises(CodekinError, match=r"'5/13/26' begins with the month, and '13/5/26' "):
        read_dates(path)


def test_names_are_composed(tmp_path) -> None:
    decomposed = "Mu\u0308ller"
    assert normal(decomposed) == "M\u00fcller"
    path = tmp_path / "dates.csv"
    path.write_text(f"student,date\n{decomposed},2026-05-01\n", "utf-8")
    assert list(read_dates(path)) == ["M\u00fcller"]
