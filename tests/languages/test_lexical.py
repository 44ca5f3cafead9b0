"""The lexical facts of each language: what its lexemes are."""

import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codekin.languages import get_language, languages
from codekin.languages.language import Language
from codekin.languages.lexical import Lexical
from codekin.source import Source

SAMPLES = sorted((Path(__file__).parent / "samples").iterdir())
NAMES = [language.name for language in languages()]

CASES = {
    "python": [
        ("a//=b**c", "a //= b ** c"),
        ("1if x else.5", "1 if x else .5"),
        ("0xfor 0", "0xf or 0"),
        ("1_000.5e-3j+1.real", "1_000.5e-3j + 1 . real"),
        ("x[1:2]", "x [ 1 : 2 ]"),
        ("x+Rb'\\'' f'{a}'", "x + Rb'\\'' f'{a}'"),
        ('f"{a["b"]:{\'>\'}{w}}"+1', 'f"{a["b"]:{\'>\'}{w}}" + 1'),
        ("f'{x:\">10}'+y", "f'{x:\">10}' + y"),
        ("f'{{'+y", "f'{{' + y"),
        ("x='open\ny", "x = 'open y"),
        ("x=f'{open\ny", "x = f'{open y"),
        ("(x:=1)->y@=z", "( x := 1 ) -> y @= z"),
        ("x=1\\\n+2", "x = 1 + 2"),
    ],
    "c": [
        ("#include <a b.h>\n#define X(a) #a##b", "# include <a b.h> # define X ( a ) # a ## b"),
        ('#  include"x.h"', '# include "x.h"'),
        ("a<b>c; #include <x", "a < b > c ; # include < x"),
        ("L'a'u8\"b\"1.5e+3f 0x1.8p-2 0x1e+5", "L'a' u8\"b\" 1.5e+3f 0x1.8p-2 0x1e + 5"),
        ("a // b \\\nc\nd", "a d"),
        ("a /* b /* c */ d */", "a d * /"),
        ("x+++y->z>>=1", "x ++ + y -> z >>= 1"),
        ('"a\\\nb" c', '"a\\\nb" c'),
    ],
    "cpp": [
        ("1'000'000ull+'a'", "1'000'000ull + 'a'"),
        ('u8R"x()")x"+R"y', 'u8R"x()")x" + R "y'),
        ('R"(never', 'R"(never'),
        ("a<=>b->*c.*d::e", "a <=> b ->* c .* d :: e"),
        ('"a"_s', '"a" _s'),
    ],
    "java": [
        ('"""a "b" \\""" c"""+d', '"""a "b" \\""" c""" + d'),
        ("a>>>=b>>>c::d->1.f+1.d", "a >>>= b >>> c :: d -> 1.f + 1.d"),
        ('"a\\\nb', '"a\\ b'),
        ("@A int $x=1..e", "@ A int $x = 1 . . e"),
    ],
    "javascript": [
        ("a=/[/]\\//g.test(b)/c/d", "a = /[/]\\//g . test ( b ) / c / d"),
        ("return/x/", "return /x/"),
        ("x++/2/y", "x ++ / 2 / y"),
        ("`a${`b${c}`+'}'+{d:1}}e`+f", "`a${`b${c}`+'}'+{d:1}}e` + f"),
        ("`${x.replace(/'/g,1)}`+1", "`${x.replace(/'/g,1)}` + 1"),
        ("`${'a\n}`+1", "`${'a\n}` + 1"),
        ("a?.b??c?.5:1n", "a ?. b ?? c ? .5 : 1n"),
        ("#!/bin/node\nthis.#x!==$y", "this . #x !== $y"),
        ("(a/\nb/c)", "( a / b / c )"),
        ("<A b={c}/>", "< A b = { c } />"),
    ],
    "typescript": [("let x:Array<Array<T>> =y!", "let x : Array < Array < T >> = y !")],
    "go": [
        ("a:=`x\\`+'\\''", "a := `x\\` + '\\''"),
        ("x&^=<-y...", "x &^= <- y ..."),
        ("0x1p-2+1i+1.", "0x1p-2 + 1i + 1."),
    ],
    "rust": [
        ("&'a str='x'+'\\''+b'\\n'", "& 'a str = 'x' + '\\'' + b'\\n'"),
        ("'outer:loop{break'outer}", "'outer : loop { break 'outer }"),
        ('r#"a"b"#+br##"x"#"##+r"\\"', 'r#"a"b"# + br##"x"#"## + r"\\"'),
        ("r#type.0.1..=2", "r#type . 0 . 1 ..= 2"),
        ("/* a /* b */ c */ d", "d"),
        ("'→'+'→", "'→' + ' →"),
        ("1.max(2)+1.0f64+$x", "1 . max ( 2 ) + 1.0f64 + $x"),
    ],
    "csharp": [
        ('@"a\\""b"+c', '@"a\\""b" + c'),
        ('$"{a["b"]:yyyy\'x\'}{{"+c', '$"{a["b"]:yyyy\'x\'}{{" + c'),
        ('$@"{a}\\"+@class', '$@"{a}\\" + @class'),
        ('"""a ""b" """+c', '"""a ""b" """ + c'),
        ('$$""""a"""b""""+c', '$$""""a"""b"""" + c'),
        ("a??=b?.c..d", "a ??= b ? . c .. d"),
    ],
    "kotlin": [
        ('"""a\\"""+b', '"""a\\""" + b'),
        ('"${a["b"]}"+b', '"${a["b"]}" + b'),
        ("a!in b&&!index?:c!!", "a !in b && ! index ?: c !!"),
        ("1..<2+`a b`", "1 ..< 2 + `a b`"),
        ("return@foo x", "return@ foo x"),
    ],
    "php": [
        ("$a->b.='x'", "$a -> b .= 'x'"),
        ("#[A]\n$x=1;# c\n$y", "#[ A ] $x = 1 ; $y"),
        ("<p>it's</p><?php $x // c ?>a'b", "< p > it ' s < / p > <?php $x ?> a ' b"),
        ('"{$a["b"]}" . c', '"{$a["b"]}" . c'),
        ("f(<<<'E'\n a E\n  E, 1)", "f ( <<<'E'\n a E\n  E , 1 )"),
        ("$$x??=\\A\\B::c", "$ $x ??= \\ A \\ B :: c"),
    ],
    "ruby": [
        ("@a.nil? ? :b : @@c!=$d", "@a . nil? ? :b : @@c != $d"),
        ("{a: 1, 'b': :+, :c=>2}", "{ a : 1 , 'b' : :+ , :c => 2 }"),
        ("f(<<~A, <<-'B')+1\n x\nA\n y\n  B\nz", "f ( <<~A , <<-'B' ) + 1 x\nA y\n  B z"),
        ("a << B", "a << B"),
        ("=begin\n# x\n=end y\nz", "z"),
        ("x\n__END__\ny", "x"),
        ("%w[a [b] c].map(&:d) % 2", "%w[a [b] c] . map ( & :d ) % 2"),
        ("x / y / z =~ /a\\/b/i", "x / y / z =~ /a\\/b/i"),
        ("puts /a b/", "puts /a b/"),
        ("f(?\\é)", "f ( ?\\é )"),
        ('"#{"a"}"+`b`+?c', '"#{"a"}" + `b` + ?c'),
        ("1..2", "1 .. 2"),
    ],
}


def blankless(texts):
    return "".join("".join(texts).split())


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [(name, text, expected) for name, cases in CASES.items() for text, expected in cases],
)
def test_lexemes_of(name, text, expected):
    lexemes = Source(text, name).lexemes
    shown = [t for t, layout in zip(lexemes.texts, lexemes.layout, strict=True) if not layout]
    assert " ".join(shown) == expected


def test_every_language_has_cases():
    assert set(CASES) == set(NAMES)


def test_a_language_without_facts_is_read_like_c():
    plain = Language("plain", "Plain", (".plain",), get_language("c").grammars)
    assert plain.lexical == Lexical()
    source = Source("a->b /* x */ = 'c'; // d", plain)
    assert source.lexemes.texts == ["a", "->", "b", "=", "'c'", ";"]


def words_of_tree(source):
    """Tokens of the tree without layout, their blanks taken out."""
    tokens = source.tokens
    return [t for t, c in zip(tokens.texts, tokens.classes.tolist(), strict=True) if c < 14]


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_samples_hold_the_characters_of_their_tokens(path):
    source = Source.from_file(path)
    lexemes = source.lexemes
    shown = [t for t, layout in zip(lexemes.texts, lexemes.layout, strict=True) if not layout]
    # Ruby's tree has the mark of the end as a token.
    tree = [t for t in words_of_tree(source) if t != "__END__"]
    assert blankless(shown) == blankless(tree)


# Pieces that are one lexeme wherever they stand between blanks.
PIECES = {
    "python": [
        "x",
        "é1",
        "'a b'",
        '"""c\nd"""',
        "f'{x!r:>{w}}'",
        "0x1F",
        "1.5e-3",
        "**=",
        "//",
        ":=",
    ],
    "c": ["x", "$a", '"a // b"', "'\\''", "1.5f", "0x1p-3", "...", "->", "<<=", "##", ";"],
    "cpp": ["x", 'R"(a"b)"', "1'000", "<=>", "::", "->*", '"/*"', "'\"'", ">>"],
    "java": ["x", '"""a\n"b"""', "'\\u0041'", "1_000L", ">>>=", "::", "->", "@"],
    "javascript": ["x", "`a${`b`}\n`", "'//'", "1n", "===", "?.", "=>", "#y", "..."],
    "typescript": ["x", "`${a}`", '"/*"', "=>", "??=", "as", "readonly"],
    "go": ["x", "`a\n\\`", "'\\''", ":=", "<-", "&^=", "0b11", "1i"],
    "rust": ["x", "'a", "'x'", 'r#"a"b"#', 'b"c"', "1.0f64", "..=", "::", "r#fn", "1_u8"],
    "csharp": ["x", '@"a""\n"', '$"{a}"', "'\\''", "??=", "=>", "@if", "1.5m"],
    "kotlin": ["x", '"""a\n"""', '"${"b"}"', "'c'", "?:", "!!", "..<", "`d e`", "1L"],
    "php": ["$x", "'a\n'", '"{$b}"', "===", "?->", "<=>", "1.5", "foo", ".="],
    "ruby": ["@x", "y?", "'a\n'", '"#{"b"}"', ":c", "1.5", "=~", "&.", "<=>", "||="],
}
BLANKS = [" ", "\t", "\n", "\r\n", "\r", "\u00a0", "\ufeff", "  \n "]
COMMENTS = {"python": "# c '\"\n", "ruby": "# c '\"\n", "php": "# c '\"\n"}


@settings(max_examples=25, deadline=None)
@given(st.data())
@pytest.mark.parametrize("name", NAMES)
def test_pieces_between_blanks_are_found_again(name, data):
    pieces = data.draw(st.lists(st.sampled_from(PIECES[name]), max_size=12))
    between = st.sampled_from([*BLANKS, "/* c */ ", COMMENTS.get(name, "// c '\"\n")])
    if name in ("python", "ruby"):
        between = st.sampled_from([*BLANKS, " " + COMMENTS[name]])
    text = " ".join(piece + data.draw(between) for piece in pieces)
    lexemes = Source(text, name).lexemes
    shown = [t for t, layout in zip(lexemes.texts, lexemes.layout, strict=True) if not layout]
    if name == "python":  # lines of strings alone are documentation
        pieces = without_documentation(text)
    assert shown == pieces


def without_documentation(text):
    """The pieces of Python, read by a plain pattern, without logical lines of strings alone."""
    pattern = "|".join(re.escape(p) for p in sorted(PIECES["python"], key=len, reverse=True))
    kept, line = [], []
    for match in re.finditer(rf"(#[^\r\n]*)|({pattern})|([\r\n])|(.)", text, re.DOTALL):
        if match[2]:
            line.append(match[2])
        elif match[3]:
            kept += [] if all(p[-1] in "'\"" for p in line) else line
            line = []
    return kept + ([] if all(p[-1] in "'\"" for p in line) else line)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_a_prefix_of_letters_changes_nothing_in_a_sample(path):
    source = Source.from_file(path)
    chance = random.Random(path.name)
    for _ in range(5):
        prefix = "".join(chance.choices("abcdef \n", k=chance.randint(1, 300)))
        longer = Source(prefix + "\n" + source.text, source.language)
        for comments in (False, True):
            own = source.lexemes_with(comments=comments)
            both = longer.lexemes_with(comments=comments)
            assert both.ids[len(both) - len(own) :].tolist() == own.ids.tolist()
            assert both.texts[len(both) - len(own) :] == own.texts
