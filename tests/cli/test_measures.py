from __future__ import annotations

import json

from codekin import measure, measure_names
from codekin.measures import named_classes


def test_table_lists_every_measure_and_package(cli) -> None:
    shown = cli("measures").stdout
    for name, forms in named_classes().items():
        assert f"\n{name}  " in "\n" + shown
        for package in filter(None, forms):
            assert f"compat={package}" in shown


def test_json_gives_parameters_that_work(cli) -> None:
    listed = json.loads(cli("measures", "--format", "json").stdout)
    assert [one["name"] for one in listed] == [*measure_names(), "bertscore"]
    for one in listed:
        given = {k: tuple(v) if isinstance(v, list) else v for k, v in one["parameters"].items()}
        assert measure(one["name"], **given) == measure(one["name"])
    by_name = {one["name"]: one for one in listed}
    assert by_name["ed"]["distance"]
    assert by_name["bleu"]["references"] == "pooled"
    assert by_name["nes"]["references"] == "best"
    assert {"sacrebleu", "nltk"} <= {form["package"] for form in by_name["bleu"]["compat"]}


def test_a_distance_takes_the_nearest_reference(cli) -> None:
    shown = cli("measures").stdout
    assert "distance, several references: nearest" in shown
    assert "distance, several references: best" not in shown
