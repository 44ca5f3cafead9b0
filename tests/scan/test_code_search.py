from __future__ import annotations

from pathlib import Path

import pytest
from tests.scan.test_scanning import REPORT, REWRITTEN

from codekin import CodeIndex, CodekinError, add_to_index, find_code

LONG = """package shop;

class Orders {
    int settle(Order[] orders, Rates rates, int limit) {
        int total = 0;
        for (Order order : orders) {
            if (order.amount > limit && !order.isPaid()) {
                total += order.amount * rates.of(order.currency);
                order.markPaid(rates.today());
            }
        }
        log.info("settled " + total);
        String[] names = new String[orders.length];
        for (int i = 0; i < orders.length; i++) {
            names[i] = orders[i].customer.trim().toLowerCase();
            if (names[i].isEmpty()) {
                names[i] = "unknown-" + i;
            }
        }
        registry.store(names, total);
        return total;
    }
}
"""
PIECE = """        String[] names = new String[orders.length];
        for (int i = 0; i < orders.length; i++) {
            names[i] = orders[i].customer.trim().toLowerCase();
            if (names[i].isEmpty()) {
                names[i] = "unknown-" + i;
            }
        }
"""
OTHER = """package shop;

class Files {
    static byte[] digest(Path path, String kind) throws IOException {
        MessageDigest made = MessageDigest.getInstance(kind);
        try (InputStream in = Files.newInputStream(path)) {
            byte[] buffer = new byte[8192];
            for (int n; (n = in.read(buffer)) > 0; ) {
                made.update(buffer, 0, n);
            }
        }
        return made.digest();
    }
}
"""
RENAMED = REWRITTEN.replace("def sales_report", "def report")


@pytest.fixture(scope="module")
def index(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("find")
    for name, text in (("Orders.java", LONG), ("Files.java", OTHER), ("sales.py", REPORT)):
        (folder / name).write_text(text)
    (folder / "broken.py").write_text("def f(:\n  return ((\n")
    add_to_index(folder / "index", [folder], workers=0)
    return folder / "index"


def places(index: Path, snippet: str, **options) -> list[tuple[str, int, int, int, int]]:
    return [
        (Path(one.file).name, one.start, one.end, one.snippet_start, one.snippet_end)
        for one in find_code(snippet, index, **options).places
    ]


def test_a_copy_is_found_with_its_lines(index) -> None:
    found = find_code(REPORT, index)
    (place,) = found.places
    assert (Path(place.file).name, place.start, place.end, place.name) == (
        "sales.py",
        1,
        14,
        "sales_report",
    )
    assert place.score == place.tokens_share == place.same_words == 1
    assert (found.languages, found.files, found.lines) == (("python",), 2, 14)


def test_a_piece_of_a_longer_function_is_found_by_loose_lines(index) -> None:
    (place,) = find_code(PIECE, index, language="java").places
    assert (place.start, place.end, place.name, place.score) == (13, 19, "settle", 1.0)
    assert places(index, PIECE) == [("Orders.java", 13, 19, 1, 7)]


def test_a_renamed_copy_is_found(index) -> None:
    renamed = PIECE
    for old, new in (("names", "labels"), ("orders", "rows"), ("customer", "who"), ('"unk', '"x')):
        renamed = renamed.replace(old, new)
    (place,) = find_code(renamed, index, language="java").places
    assert place.score == 1
    assert place.same_words < 0.7


def test_a_partly_changed_copy_is_found(index) -> None:
    lines = PIECE.splitlines()
    lines[2] = "            audit.add(i, LEVEL, new Entry(a ? b : c));"
    lines.insert(5, "                counter.increment();")
    (place,) = find_code("\n".join(lines), index, language="java").places
    assert (place.start, place.end) == (13, 17)  # of the rest, only brackets are left
    assert 0.5 < place.score < 1


def test_a_piece_of_a_longer_snippet_is_found(index) -> None:
    own = "".join(f"int f{i}(int a) {{ return g{i}(a * {i}) >> h[{i}]; }}\n" for i in range(40))
    (place,) = find_code(own + PIECE + own, index, language="java").places
    assert place.snippet_start == 41
    assert place.snippet_end in (47, 48)
    assert place.score < 0.2
    assert place.start == 13
    assert place.end in (19, 20)


def test_a_rewritten_function_is_found_by_its_features(index) -> None:
    (place,) = find_code(RENAMED, index).places
    assert place.name == "sales_report"
    assert place.features_share > 0.5


def test_other_code_is_not_found(index) -> None:
    other = """def walk(tree, depth):
    if tree is None:
        return depth
    left = walk(tree.left, depth + 1)
    right = walk(tree.right, depth + 1)
    return left if left > right else right
"""
    assert find_code(other, index).places == ()
    assert find_code(REPORT, index, language="c").places == ()
    assert places(index, REPORT, threshold=1) == [("sales.py", 1, 14, 1, 14)]


def test_several_places_in_one_file_are_found(tmp_path) -> None:
    body = PIECE.replace("names", "other")
    text = f"class A {{\n  void a(Order[] orders) {{\n{PIECE}  }}\n  void b(Order[] orders) {{\n"
    (tmp_path / "A.java").write_text(f"{text}{body}  }}\n}}\n")
    add_to_index(tmp_path / "index", [tmp_path / "A.java"], workers=0)
    found = find_code(PIECE, tmp_path / "index", language="java").places
    assert [(one.start, one.end, one.name) for one in found] == [(3, 9, "a"), (12, 18, "b")]


def test_an_index_without_features_is_searched_by_tokens(tmp_path) -> None:
    (tmp_path / "sales.py").write_text(REPORT)
    add_to_index(tmp_path / "index", [tmp_path / "sales.py"], fast=True, workers=0)
    (place,) = find_code(REPORT, tmp_path / "index").places
    assert (place.score, place.features_share, place.name) == (1, 0, "sales_report")


def test_what_cannot_be_searched_is_an_error(index, tmp_path) -> None:
    with pytest.raises(CodekinError, match="fewer than 5 tokens"):
        find_code("a b", index)
    with pytest.raises(CodekinError, match="the threshold must be from 0 to 1"):
        find_code(PIECE, index, threshold=2)
    with pytest.raises(CodekinError, match="no such file"):
        find_code(Path("missing.py"), index)
    empty = CodeIndex(tmp_path / "index", create=True)
    assert find_code(REPORT, empty).places == ()
