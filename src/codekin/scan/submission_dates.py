"""When students handed in: dates as course systems and spreadsheets write them."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from codekin.errors import CodekinError
from codekin.opening import MOST_DOCUMENT_BYTES, read_text

__all__ = ["date_text", "known_date", "normal", "read_dates"]

_MONTHS = {
    word: number
    for words in (
        "january february march april may june july august september october november december",
        "jan feb mar apr may jun jul aug sep oct nov dec",
        "januar februar märz april mai juni juli august september oktober november dezember",
        "jan feb mrz apr mai jun jul aug sept okt nov dez",
    )
    for number, word in enumerate(words.split(), 1)
}
_TIME = (
    r"(?:,?\s+(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d))?"
    r"(?:\s*(?P<half>[ap])\.?m\.?)?)?"
)
_DOTS = re.compile(
    rf"(?P<day>\d{{1,2}})\.\s?(?P<month>\d{{1,2}})\.\s?(?P<year>\d{{4}}|\d\d){_TIME}", re.I
)
_YEAR_FIRST = re.compile(
    rf"(?P<year>\d{{4}})[/.](?P<month>\d{{1,2}})[/.](?P<day>\d{{1,2}}){_TIME}", re.I
)
_NUMBERS = re.compile(
    rf"(?P<one>\d{{1,2}})(?P<mark>[/-])(?P<two>\d{{1,2}})(?P=mark)(?P<year>\d{{4}}|\d\d){_TIME}",
    re.I,
)
_WORDS = re.compile(
    rf"(?:[^\W\d]+,?\s+)?(?:(?P<day>\d{{1,2}})\.?\s+(?P<month>[^\W\d]+)|"
    rf"(?P<name>[^\W\d]+)\s+(?P<first>\d{{1,2}}))\.?,?\s+(?P<year>\d{{4}}){_TIME}",
    re.I,
)
_CENTURY = 2000


def normal(name: str) -> str:
    """A name in composed Unicode; macOS writes ``ü`` as ``u`` with a mark of its own."""
    return unicodedata.normalize("NFC", name)


def read_dates(path: str | Path) -> dict[str, list[str]]:
    """When students handed in, from a CSV file with the columns ``student`` and ``date``.

    Dates with a time zone are converted to UTC. A student who handed in several times has several
    lines. Whether 5/1/26 is in May or in January is known from other dates of the file, such as
    5/13/26; if there are none, it is refused.
    """
    text = read_text(path, limit=MOST_DOCUMENT_BYTES, typed=True)
    try:
        dialect: type[csv.Dialect] | str = csv.Sniffer().sniff(text[:2000], ",;\t")
    except csv.Error:
        dialect = "excel"
    lines = csv.DictReader(io.StringIO(text), dialect=dialect, restkey="", restval="")
    rows: list[tuple[str, str, str]] = []
    try:
        heads = {(head or "").strip().lower(): head for head in lines.fieldnames or ()}
        if not {"student", "date"} <= set(heads):
            raise CodekinError(f"{path}: the first line must name the columns student and date")
        for row in lines:
            student, date = row[heads["student"]].strip(), row[heads["date"]].strip()
            if student and date:
                rows.append((normal(student), date, f"{path}: line {lines.line_num}"))
    except csv.Error as error:
        raise CodekinError(f"{path}: line {lines.line_num + 1}: is not CSV: {error}") from None
    month_first = _month_first((date for _, date, _ in rows), str(path))
    dates: dict[str, list[str]] = {}
    for student, date, where in rows:
        dates.setdefault(student, []).append(known_date(date, where, month_first=month_first))
    return {student: sorted(mine) for student, mine in dates.items()}


def _month_first(dates: Iterable[str], where: str) -> bool | None:
    """Whether dates such as 5/13/26 begin with the month; None if they do not tell."""
    month_first = day_first = ""
    for date in dates:
        if match := _NUMBERS.fullmatch(date):
            month_first = date if int(match["two"]) > 12 else month_first
            day_first = date if int(match["one"]) > 12 else day_first
    if month_first and day_first:
        raise CodekinError(
            f"{where}: {month_first!r} begins with the month, and {day_first!r} with the day; "
            "write all dates as in 2026-05-04 16:30"
        )
    return bool(month_first) if month_first or day_first else None


def known_date(text: str, where: str, *, month_first: bool | None = None) -> str:
    """A date in the form of results; an error says where it is from.

    Parameters
    ----------
    text : str
    where : str
    month_first : bool, optional
        Whether dates such as 5/1/26 begin with the month; they are refused if that is unknown.
    """
    numbers = _NUMBERS.fullmatch(text)
    if numbers is not None and month_first is None:
        one, two = int(numbers["one"]), int(numbers["two"])
        if one <= 12 and two <= 12 and one != two:
            raise CodekinError(
                f"{where}: {text!r} may begin with the day or with the month; write it as in "
                "2026-05-04 16:30"
            )
        month_first = two > 12
    try:
        when = _moment(text, numbers, bool(month_first))
        if when.tzinfo is not None:
            when = when.astimezone(UTC).replace(tzinfo=None)
    except (ValueError, OverflowError):  # OverflowError: a year before 1 or after 9999
        shown = repr(text if len(text) <= 50 else f"{text[:50]}…")
        raise CodekinError(
            f"{where}: {shown} is not a date; write it as in 2026-05-04 16:30"
        ) from None
    return date_text(when)


def _moment(text: str, numbers: re.Match[str] | None, month_first: bool) -> datetime:
    if numbers is not None:
        order = ("two", "one") if month_first else ("one", "two")
        day, month = (int(numbers[name]) for name in order)
        return _with_time(numbers, month, day)
    if match := _DOTS.fullmatch(text) or _YEAR_FIRST.fullmatch(text):
        return _with_time(match, int(match["month"]), int(match["day"]))
    if match := _WORDS.fullmatch(normal(text)):
        name = (match["month"] or match["name"]).lower()
        if name in _MONTHS:
            return _with_time(match, _MONTHS[name], int(match["day"] or match["first"]))
    return datetime.fromisoformat(text)


def _with_time(match: re.Match[str], month: int, day: int) -> datetime:
    year = int(match["year"])
    hour, minute, second = (int(match[name] or 0) for name in ("hour", "minute", "second"))
    if match["half"]:
        if not 1 <= hour <= 12:
            raise ValueError(hour)
        hour = hour % 12 + (12 if match["half"].lower() == "p" else 0)
    return datetime(year + _CENTURY if year < 100 else year, month, day, hour, minute, second)


def date_text(when: datetime) -> str:
    """A date as results have it."""
    return when.isoformat(sep=" ", timespec="seconds")
