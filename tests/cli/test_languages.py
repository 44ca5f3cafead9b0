from __future__ import annotations

import json
from importlib import metadata

from codekin.languages import get_language, languages


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
