import datetime
import decimal
import json
from collections import UserDict

import numpy as np
import pandas as pd
import pytest

from codekin.runs.rows import TYPE_MARKER, type_name
from codekin.runs.rows.objects import to_json


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (True, "true or false"),
        (3, "a number"),
        (0.5, "a number"),
        ("x", "a text"),
        ((), "a list"),
        (None, "null"),
        (b"x", "bytes"),
        ({}, "an object"),
        ({"a": 1}, "an object"),
        ({TYPE_MARKER: "bytes"}, "bytes"),
        ({TYPE_MARKER: "Decimal"}, "a Decimal"),
        ({TYPE_MARKER: "bytes", "a": 1}, "an object"),
        ({TYPE_MARKER: 1}, "an object"),
        (decimal.Decimal(1), "a Decimal"),
    ],
)
def test_names(value, name):
    assert type_name(value) == name


@pytest.mark.parametrize(
    ("value", "held"),
    [
        (np.int64(3), 3),
        (np.float32(0.5), 0.5),
        (np.bool_(True), True),
        (np.array([[1, 2]]), [[1, 2]]),
        (pd.NA, None),
        (pd.NaT, None),
        (UserDict(a=1), {"a": 1}),
        ((1, 2), [1, 2]),
        ("\ud800 é \0", "\ud800 é \0"),
    ],
)
def test_values_that_have_a_form_in_json(value, held):
    assert json.loads(to_json({"x": value})) == {"x": held}


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (b"x", "bytes"),
        (bytearray(b"x"), "a bytearray"),
        ({1}, "a set"),
        (datetime.date(2020, 1, 1), "a date"),
        (decimal.Decimal("1.5"), "a Decimal"),
        (1j, "a complex"),
        (np.longdouble(1), "a longdouble"),
        (object(), "an object"),
    ],
)
def test_values_that_have_none_keep_the_name_of_their_type(value, name):
    held = json.loads(to_json({"x": value}))["x"]
    assert type_name(held) == name
    assert type_name(value) == name
