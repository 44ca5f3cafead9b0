import builtins
import keyword
import random

from codekin.languages import languages
from codekin.rewrite.fresh_names import WORDS, FreshNames


def test_words_mean_nothing_in_any_language():
    assert len(set(WORDS)) == len(WORDS)
    assert not set(WORDS) & (set(dir(builtins)) | set(keyword.kwlist))
    for language in languages():
        known = {word for grammar in language.grammars for word in grammar.reserved}
        spelled = {kind for grammar in language.grammars for kind in grammar.kinds}
        assert not set(WORDS) & (known | spelled | language.prelude)


def test_there_is_no_end_of_names():
    names = FreshNames({WORDS[0], WORDS[1] + "2"}, random.Random(0))
    given = [names.take() for _ in range(3 * len(WORDS))]
    assert len(set(given)) == len(given)
    assert WORDS[0] not in given
    assert WORDS[1] + "2" not in given
