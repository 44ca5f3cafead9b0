from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codekin.corpora.printed_lines import line_ends
from codekin.source import Source


def printed(text, language):
    source = Source(text, language)
    pieces = []
    for word, count in zip(source.tokens.texts, line_ends(source), strict=True):
        if count >= 0 and word not in "⏎⇥⇤":
            pieces.append(word + " ")
        pieces.append("\n" * max(count, 0))
    return [line.strip() for line in "".join(pieces).rstrip().split("\n")]


def test_every_statement_has_a_line_whatever_the_layout():
    lines = [
        "int f ( int x ) {",
        "int y = 2 ;",
        "return x + y ;",
        "}",
    ]
    assert printed("int f(int x) { int y = 2; return x + y; }", "java") == lines
    assert (
        printed("int f(\n  int x)\n{\n int y\n = 2;\n\n return x /* y */ + y;\n}", "java") == lines
    )


def test_an_empty_line_follows_a_statement_that_ends_another_one():
    assert printed("if (x) y(); z();", "java") == ["if ( x ) y ( ) ;", "", "z ( ) ;"]
    assert printed("if (x) { y(); } z();", "java") == ["if ( x ) {", "y ( ) ;", "}", "z ( ) ;"]
    nested = printed("while (a) while (b) if (c) d(); e();", "java")
    assert nested == ["while ( a ) while ( b ) if ( c ) d ( ) ;", "", "e ( ) ;"]


def test_else_stays_with_what_is_before_unless_a_statement_ended():
    braces = ["if ( x ) {", "y ( ) ;", "} else {", "z ( ) ;", "}", "a ( ) ;"]
    assert printed("if (x) { y(); } else { z(); } a();", "java") == braces
    chain = ["if ( x ) {", "} else if ( y ) {", "} else z ( ) ;", "", "a ( ) ;"]
    assert printed("if (x) { } else if (y) { } else z(); a();", "java") == chain
    plain = ["if ( x ) y ( ) ;", "else z ( ) ;", "", "a ( ) ;"]
    assert printed("if (x) y(); else z(); a();", "java") == plain


def test_the_head_of_a_for_with_a_declaration_has_two_lines():
    declared = ["for ( int i = 0 ;", "i < n ; i ++ ) {", "f ( ) ;", "}"]
    assert printed("for (int i = 0; i < n; i++) { f(); }", "java") == declared
    assert printed("for (i = 0; i < n; i++) { f(); }", "c")[0] == "for ( i = 0 ; i < n ; i ++ ) {"
    assert printed("for (;;) { f(); }", "c")[0] == "for ( ; ; ) {"
    assert printed("for (String s : t) { f(); }", "java")[0] == "for ( String s : t ) {"


def test_annotations_labels_and_empty_statements():
    assert printed("@A @b.C({1, 2}) void f() { }", "java") == [
        "@ A",
        "@ b . C ( { 1 , 2 } )",
        "void f ( ) {",
        "}",
    ]
    text = "void f() { ; switch (x) { case 1: case 2: y(); break; default: z(); } ; }"
    assert printed(text, "java")[1:] == [
        *("switch ( x ) {", "case 1 :", "case 2 :", "y ( ) ;", "break ;", "default :", "z ( ) ;"),
        *("}", "}"),
    ]
    assert printed("while (x) ; y();", "c") == ["while ( x ) ;", "", "y ( ) ;"]


def test_anonymous_classes_and_lambdas_are_printed_like_blocks():
    text = "R r = new R() { public void run() { g(); } }; sort(a, (x, y) -> { return x; });"
    assert printed(text, "java") == [
        *("R r = new R ( ) {", "public void run ( ) {", "g ( ) ;", "}", "}", ";"),
        *("sort ( a , ( x , y ) -> {", "return x ;", "}", ") ;"),
    ]
    assert printed("int[][] x = {{1}, {2}};", "java") == ["int [ ] [ ] x = { { 1 } , { 2 } } ;"]


def test_try_and_do():
    text = "try (R r = f()) { g(); } catch (E e) { } finally { h(); } do { i(); } while (j);"
    assert printed(text, "java") == [
        *("try ( R r = f ( ) ) {", "g ( ) ;", "} catch ( E e ) {", "} finally {", "h ( ) ;", "}"),
        *("do {", "i ( ) ;", "} while ( j ) ;"),
    ]


def test_types_and_directives_of_c():
    text = "#define SQ(x) \\\n ((x) * (x))\n#include <a.h>\ntypedef struct { int a; } T;\nint x;"
    assert printed(text, "c") == [
        *("#define SQ ( x ) ( ( x ) * ( x ) )", "#include <a.h>", "typedef struct {", "int a ;"),
        *("} T ;", "int x ;"),
    ]
    assert printed("struct n *f(struct n *a) { return a; } int y;", "c")[-1] == "int y ;"


def test_values_and_members_of_cpp():
    text = (
        "struct A { int x{5}; A() : x(1) {} int f() const { return x; } private: int y; }; int z;"
    )
    assert printed(text, "cpp") == [
        *("struct A {", "int x { 5 } ;", "A ( ) : x ( 1 ) {", "}", "int f ( ) const {"),
        *("return x ;", "}", "private :", "int y ;", "} ;", "int z ;"),
    ]
    assert printed("namespace n { } int f() { }", "cpp")[1:] == ["}", "int f ( ) {", "}"]


def test_words_that_may_be_names_begin_a_statement_only_as_keywords():
    assert printed("lock(x); y();", "c") == ["lock ( x ) ;", "y ( ) ;"]
    assert printed("class A { void f() { lock (x) y(); z(); } }", "csharp")[2:5] == [
        *("lock ( x ) y ( ) ;", "", "z ( ) ;")
    ]
    assert printed("synchronized void f() { }", "java")[0] == "synchronized void f ( ) {"


def test_python_has_logical_lines():
    text = "def f(x, y=lambda a: a):\n  if x: return {1: 2}[x]\n  y = [x,\n    1]; z = y[0:1]\n"
    assert printed(text, "python") == [
        *("def f ( x , y = lambda a : a ) :", "if x :", "return { 1 : 2 } [ x ]"),
        *("y = [ x , 1 ] ;", "z = y [ 0 : 1 ]"),
    ]


@pytest.mark.parametrize(
    ("language", "text", "lines"),
    [
        ("go", "for i := 0; i < 3; i++ {\nx += i\ny = x }", 4),
        ("javascript", "const a = 1\nlet b = a.map(x => x)\n  .filter(y)\nreturn b", 3),
        ("ruby", "def f(x)\n  if x\n    y\n  end\nend", 5),
    ],
)
def test_line_ends_count_where_they_end_statements(language, text, lines):
    assert len(printed(text, language)) == lines


WORDS = "if else while for do try catch case default struct class { } ( ) [ ] ; : , = @ # x y 1"


@given(
    st.lists(st.sampled_from(WORDS.split()), max_size=40),
    st.sampled_from(["java", "c", "cpp", "python", "go", "javascript"]),
)
@settings(max_examples=150, deadline=None)
def test_any_tokens_can_be_printed(words, language):
    source = Source(" ".join(words), language)
    ends = line_ends(source)
    assert len(ends) == len(source.tokens)
    assert set(ends) <= {-1, 0, 1, 2}


@pytest.mark.parametrize("text", ["{" * 20_000, "(" * 20_000, "if " * 20_000, "x{" * 20_000])
def test_deep_nesting_takes_no_recursion(text):
    assert len(line_ends(Source(text, "cpp"))) >= 20_000
