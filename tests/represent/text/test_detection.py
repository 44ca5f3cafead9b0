from pathlib import Path

import pytest

from codekin.errors import CodekinError
from codekin.languages import get_language, language_of_file
from codekin.represent.text.detection import detect_language

SAMPLES = sorted((Path(__file__).parents[2] / "languages" / "samples").iterdir())

FRAGMENTS = [
    ("python", "for i in range(10):\n    print(i, end=' ')\n"),
    ("python", "n, m = map(int, input().split())\nprint(max(n, m))\n"),
    ("python", "x = [a for a in b if a is not None]\n"),
    ("java", "public static void copy(File a, File b) throws IOException { a.to(b); }"),
    ("java", "private int size(List<String> xs) { int n = xs.size(); return n; }"),
    ("java", '@Override\npublic String toString() { return "A" + this.name; }'),
    ("c", 'int main() { int n; scanf("%d", &n); printf("%d\\n", n); return 0; }'),
    ("c", "void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }"),
    ("cpp", "#include <iostream>\nusing namespace std;\nint main() { cout << 1 << endl; }"),
    ("cpp", "vector<int> f(vector<int> v) { sort(v.begin(), v.end()); return v; }"),
    ("javascript", "const f = (xs) => xs.map((x) => x * 2).filter(Boolean);"),
    ("javascript", "function f(a) { var n = a.length; console.log(n); return n === 0; }"),
    ("go", "func f(xs []int) (n int, err error) {\n\tfor _, x := range xs { n += x }\n\treturn\n}"),
    ("rust", "fn f(xs: &[i32]) -> i32 { xs.iter().map(|x| x * 2).sum() }"),
    ("rust", "let mut v: Vec<u8> = Vec::new(); v.push(1);"),
    ("typescript", "interface User { id: number; name?: string; tags: string[] }"),
    ("typescript", "export function f<T>(xs: T[], g: (x: T) => boolean): T[] { return xs; }"),
    ("typescript", "type Point = { x: number; y: number };\nconst p: Point = { x: 1, y: 2 };"),
    ("typescript", "enum Color { Red = 'r', Green = 'g' }\nlet c: Color | undefined;"),
    ("typescript", "class A { private n: number = 0; constructor(public readonly s: string) {} }"),
    ("csharp", "public async Task<int> LoadAsync(string path) { return await Read(path); }"),
    ("csharp", 'using System;\nclass P { static void Main() { Console.WriteLine("hi"); } }'),
    ("csharp", "class A { public string Name { get; set; }\npublic int N => xs.Count; }"),
    ("csharp", 'foreach (var x in xs) { Console.WriteLine($"{x}"); }'),
    (
        "csharp",
        "namespace A { public class B : C { override public bool Equals(object o) => true; } }",
    ),
    ("php", "<?php\nfunction f(array $xs): int { return count($xs); }\necho f([1]);"),
    ("php", "$names = array_map(function ($x) { return $x->name; }, $users);"),
    ("php", "public function getName(): ?string { return $this->name; }"),
    ("php", "foreach ($rows as $key => $row) { echo $row['id'] . \"\\n\"; }"),
    ("php", "class A extends B { private $x = 1; function f() { return self::$y; } }"),
    ("ruby", "def add(a, b)\n  a + b\nend\nputs add(1, 2)\n"),
    (
        "ruby",
        "class A\n  attr_reader :name\n  def initialize(name)\n    @name = name\n  end\nend\n",
    ),
    ("ruby", "xs.each do |x|\n  puts x if x > 1\nend\n"),
    ("ruby", "module M\n  def self.f(x) = x.map { |y| y * 2 }\nend\n"),
    ("ruby", 'n = gets.to_i\nn.times { |i| print i, " " }\nunless n.zero?\n  puts n\nend\n'),
    ("kotlin", "fun main() { val xs = listOf(1, 2); println(xs.sum()) }"),
    ("kotlin", 'data class P(val x: Int, var y: String = "a")'),
    ("kotlin", 'fun f(x: Int?): String = when (x) { null -> "n"; else -> "$x" }'),
    ("kotlin", "class A(private val n: Int) : B() { override fun f(): Int { return n } }"),
    ("kotlin", "val m = mutableMapOf<String, Int>()\nfor ((k, v) in m) { println(k) }"),
]


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_samples(path):
    found = detect_language(path.read_text(encoding="utf-8")).name
    # The sample of C is valid C++ too.
    assert found == language_of_file(path).name or (path.suffix, found) == (".c", "cpp")


@pytest.mark.parametrize(("name", "text"), FRAGMENTS)
def test_fragments(name, text):
    assert detect_language(text).name == name


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\t",
        "42",
        "1 2 3 4 5",
        "3.14, 2.71",
        "Hello world",
        "map the list and set it to true",
        "The quick brown fox jumps over the lazy dog.",
        "This is not for the faint of heart, and if you do it, you will return while others wait.",
        "To be, or not to be, that is the question:\nWhether 'tis nobler in the mind to suffer",
        "- item one\n- item two\n",
        "a,b,c\n1,2,3\n",
        "日本語のテキストです。",
    ],
)
def test_undecidable_text_says_what_to_do(text):
    with pytest.raises(CodekinError, match="language="):
        detect_language(text)


def test_candidates_bound_the_choice():
    text = "int f(int x) { return x + 1; }"
    assert detect_language(text, ["java", "csharp"]).name == "java"
    assert detect_language(text, [get_language("c#")]).name == "csharp"
    with pytest.raises(CodekinError, match="no candidate"):
        detect_language(text, [])


def test_what_two_languages_read_goes_to_the_earlier():
    assert detect_language("let x = { a: 1 }; f(x);").name == "javascript"
    assert detect_language("int f(int x) { return x + 1; }", ["c", "cpp"]).name == "c"


def test_long_texts_are_decided_on_their_start():
    text = "def f(x):\n    return x\n" * 900
    assert detect_language(text + "}{" * 10_000).name == "python"


def test_a_cut_inside_a_class_does_not_matter():
    method = "    public int size(List<String> xs) { int n = xs.size(); return n; }\n"
    assert detect_language("public class A {\n" + method * 400 + "}\n").name == "java"


def test_a_byte_order_mark_does_not_matter():
    assert detect_language("\ufeffdef f(x):\n    return x\n").name == "python"
