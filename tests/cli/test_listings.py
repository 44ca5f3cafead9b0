from __future__ import annotations

import json
from importlib import metadata

from codekin import measure, measure_names
from codekin.languages import get_language, languages
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


def test_table_lists_every_language(cli) -> None:
    shown = cli("languages", width=160).stdout
    for language in languages():
        assert language.title in shown
        assert all(suffix in shown for suffix in language.suffixes)


def test_json_names_the_installed_grammars(cli) -> None:
    listed = json.loads(cli("languages", "--format", "json").stdout)
    assert [one["name"] for one in listed] == [*(language.name for language in languages()), "text"]
    for one in listed:
        assert all(get_language(alias).name == one["name"] for alias in one["aliases"])
        assert bool(one["grammars"]) == (one["name"] != "text")
        for grammar in one["grammars"]:
            assert metadata.version(grammar["wheel"]) == grammar["version"]
