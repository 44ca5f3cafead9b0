import pytest

from codekin.adapters.pytest import assert_similar
from codekin.errors import CodekinError

pytest_plugins = ["pytester"]

ADD = "def add(a, b):\n    return a + b\n"
SUBTRACT = "def add(a, b):\n    return a - b\n"


def test_similar_code_passes() -> None:
    assert_similar(ADD, ADD.replace("\n", "  # sum\n", 1), language="python", at_least=1)


def test_a_failure_shows_score_threshold_explanation_diff_and_signature() -> None:
    with pytest.raises(AssertionError) as failure:
        assert_similar(SUBTRACT, ADD, language="python", at_least=0.95)
    first, *others = str(failure.value).splitlines()
    assert first.startswith("codebleu is 0.") and first.endswith(", below 0.95")
    assert any("The parts are ngram" in line for line in others)
    assert "-    return a + b" in others and "+    return a - b" in others
    assert others[-1].startswith("codebleu|")


def test_a_score_that_rounds_to_the_threshold_is_printed_with_all_digits() -> None:
    one, other = "a = " + "x" * 996, "a = " + "x" * 996 + "y" * 3
    with pytest.raises(AssertionError, match=r"nes is 0\.99700\d+, below 0\.99703"):
        assert_similar(one, other, measure="nes", at_least=0.99703, language="python")


def test_a_long_failure_is_cut_and_shows_no_control_characters() -> None:
    many = "".join(f"x{i} = '\x1b[31m{i}'\n" for i in range(500)) + f"y = '{'z' * 5000}'\n"
    with pytest.raises(AssertionError) as failure:
        assert_similar("x = 1\n", many, measure="nes", language="python")
    text = str(failure.value)
    assert "\x1b" not in text
    assert len(text.splitlines()) < 60
    assert max(map(len, text.splitlines())) < 1000


def test_edits_and_several_references() -> None:
    assert_similar("x = 2", "x = 2", "x = 1", measure="es", language="python", at_least=1)
    assert_similar(ADD, references=[SUBTRACT, ADD], measure="nes", language="python", at_least=1)
    with pytest.raises(AssertionError):
        assert_similar("x = 1", "x = 2", "x = 1", measure="es", language="python")


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"at_least": 90}, r"at_least must be a number in \[0, 1\], not 90"),
        ({"at_least": float("nan")}, "not nan"),
        ({"at_least": "0.9"}, "not '0.9'"),
        ({"at_least": True}, "not True"),
        ({"measure": "blue"}, "did you mean 'bleu'"),
        ({"measure": "bleu,nes"}, "give one measure"),
        ({"measure": "ed"}, "ed is a distance"),
        ({"measure": "es"}, "needs the text that both were made from"),
        ({"references": [ADD]}, "either reference or references"),
        ({"language": "latin"}, "latin"),
    ],
)
def test_bad_arguments_are_errors_not_failures(settings, words) -> None:
    with pytest.raises(CodekinError, match=words):
        assert_similar(ADD, ADD, **{"language": "python", **settings})


def test_pytest_shows_the_message_and_not_the_inside_of_the_assertion(pytester) -> None:
    pytester.makepyfile(
        """
        from codekin.adapters.pytest import assert_similar

        def test_answer():
            assert_similar("x = 1", "y = 2", measure="nes", language="python")
        """
    )
    done = pytester.runpytest_inprocess("-p", "no:cacheprovider", "-p", "no:xdist")
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(["E *AssertionError: nes is 0.6000, below 0.9", "E *-y = 2"])
    assert "_failure(" not in done.stdout.str()
