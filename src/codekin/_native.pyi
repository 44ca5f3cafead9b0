"""Types of the native kernels."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import tree_sitter

from codekin.represent.flow.flow_ir import FlowIR

_U8 = npt.NDArray[np.uint8]
_U16 = npt.NDArray[np.uint16]
_U32 = npt.NDArray[np.uint32]
_I32 = npt.NDArray[np.int32]
_I64 = npt.NDArray[np.int64]
_U64 = npt.NDArray[np.uint64]
_F64 = npt.NDArray[np.float64]

def flatten(tree: tree_sitter.Tree) -> tuple[_U16, _U16, _I32, _I32, _I32, _I32, _I32]: ...

class PieceReader:
    def __init__(
        self,
        data: bytes,
        piece: int,
        tail: bytes,
        buffers: list[bytearray | None] | None,
        reads: int,
        allocations: int,
        allocations_per_byte: int,
        stack_nodes: int,
        node_bytes: int,
    ) -> None: ...
    def __call__(self, byte: int, point: object, /) -> bytes | bytearray: ...
    def start(self) -> None: ...
    def stop(self) -> None: ...
    @property
    def cut(self) -> int: ...
    @property
    def allocations(self) -> int: ...
    @property
    def commonest_size(self) -> int: ...

def code_tokens(
    data: bytes,
    kind: _U16,
    size: _I32,
    start: _I32,
    end: _I32,
    table: _U8,
    reserved: _U64,
    reserved_classes: _U8,
    docstrings: _I32,
    keep_comments: bool,
    layout: bool,
) -> tuple[_I32, _I32, _U8]: ...

class LexicalRules:
    def __init__(
        self,
        line_comments: list[str],
        block_comments: list[tuple[str, str, bool, bool]],
        strings: list[tuple[str, str, list[str], list[bool], str]],
        operators: list[str],
        characters: tuple[str, str, str, str],
        words: tuple[list[str], list[str], list[str]],
        heredocs: str,
        flags: list[str],
    ) -> None: ...

def lexemes(
    data: bytes, rules: LexicalRules, comments: bool
) -> tuple[_I32, _I32, _U64, _I32, _U8]: ...
def code_token_ids(data: bytes, start: _I32, end: _I32, cls: _U8) -> _U64: ...
def levenshtein_text(a: str, b: str) -> int: ...
def levenshtein_ids(a: _U64, b: _U64) -> int: ...
def levenshtein_ids_by(sweep: str, a: _U64, b: _U64) -> int: ...
def levenshtein_sweeps() -> list[str]: ...
def lcs_hunks(first: _U64, second: _U64) -> _I32: ...
def lcs_positions(first: _U64, second: _U64) -> tuple[_I32, _I32]: ...
def three_way_lcs(first: _U64, second: _U64, origin: _U64, steps: int) -> _I32 | None: ...
def anchored_hunks(first: _U64, first_lines: _I32, second: _U64, second_lines: _I32) -> _I32: ...
def shared_ends(first: _U64, second: _U64, origin: _U64) -> tuple[int, int]: ...
def divergent_regions(
    first: _U64,
    second: _U64,
    origin: _U64,
    lines: tuple[_I32, _I32, _I32] | None = None,
) -> _I32: ...
def merge_hunks(first: _I32, second: _I32) -> _I32: ...
def pair_hunks(origin: _U64, revision: _U64, lines: tuple[_I32, _I32] | None = None) -> _I32: ...
def line_hunks(origin: _U64, origin_lines: _I32, revision: _U64, revision_lines: _I32) -> _I32: ...
def revision_grams(
    origin: _U64, reference: _U64, candidate: _U64, regions: _I32, order: int, context: bool
) -> list[list[int]]: ...
def excision_score(
    origin: _U64,
    reference: _U64,
    candidate: _U64,
    regions: _I32,
    order: int,
    zero: int,
    keep: int,
    precise_deletion: bool,
) -> tuple[float, float, float, float]: ...
def pooled_score(
    origin: _U64,
    reference: _U64,
    candidate: _U64,
    regions: _I32,
    order: int,
    context: bool,
    overlap: float,
) -> float: ...
def excision_matrix(
    origin: _U64, texts: list[_U64], hunks: list[_I32], order: int, zero: int, keep: int
) -> _F64: ...
def line_diff(before: list[bytes], after: list[bytes], ignore_all_space: bool) -> _I32: ...
def word_ids(text: str) -> _U64: ...
def blank_split_ids(text: str) -> _U64: ...
def character_ids(text: str, whitespace: bool) -> _U64: ...
def string_ids(strings: Sequence[str]) -> _U64: ...
def ids_13a(text: str) -> _U64: ...
def clipped_matches(
    candidate: _U64,
    references: list[_U64],
    orders: int,
    candidate_dropped: _U8 | None = None,
    references_dropped: list[_U8] | None = None,
) -> list[int]: ...
def near_copies(
    offsets: _I64, ids: _I32, alphabet: int, above: int, below: int, shortest: int
) -> _I32: ...
def common_lengths(
    offsets: _I64, ids: _I32, alphabet: int, first: _I32, second: _I32, above: int, below: int
) -> _I32: ...
def sorted_overlap(a: _U64, b: _U64) -> tuple[int, int, int]: ...
def sorted_ngrams(ids: _U64, order: int, unique: bool) -> _U64: ...
def chrf_statistics(
    candidate: str, reference: str, char_order: int, word_order: int, whitespace: bool
) -> list[int]: ...
def edit_operations(
    origin: _U64, candidate: _U64, references: list[_U64], order: int
) -> list[float]: ...

class NgramSet:
    def __init__(self) -> None: ...
    def add(self, ngram: list[int]) -> None: ...
    def mask(self, ids: _U64) -> _U8: ...

class SortedGrams:
    def __init__(self, ids: _U64, order: int, dropped: _U8 | None = None) -> None: ...

def tree_edit_distance(
    labels1: npt.NDArray[Any],
    parents1: npt.NDArray[Any],
    labels2: npt.NDArray[Any],
    parents2: npt.NDArray[Any],
    delete: float,
    insert: float,
    rename: float,
    steps: int,
    memory: int = ...,
) -> tuple[float, float, bool, int]: ...
def tree_edit_mapping(
    labels1: npt.NDArray[Any],
    parents1: npt.NDArray[Any],
    labels2: npt.NDArray[Any],
    parents2: npt.NDArray[Any],
    delete: float,
    insert: float,
    rename: float,
    steps: int,
    memory: int = ...,
) -> tuple[list[tuple[int, int]], float, float, bool, int]: ...
def graph_edit_distance(
    labels1: _I32,
    source1: _I32,
    target1: _I32,
    kind1: _I32,
    labels2: _I32,
    source2: _I32,
    target2: _I32,
    kind2: _I32,
    fixed: list[tuple[int, int]],
    forbidden: list[tuple[int, int]],
    typed: bool,
    node_costs: _I32,
    edge_costs: _I32,
    steps: int,
) -> tuple[int, int, int, list[tuple[int, int]]]: ...
def merge_matches(a: SortedGrams, b: SortedGrams) -> list[int]: ...
def bleu(
    statistics: Sequence[float], smoothing: int, amount: float, effective: bool, gaps: bool
) -> tuple[float, float, list[float]]: ...

class DataflowRules:
    def __init__(
        self,
        kinds: list[str],
        flags: _U16,
        rule_of: _U8,
        rules: list[list[int]],
    ) -> None: ...

def dataflow(
    rules: DataflowRules,
    data: bytes,
    kind: _U16,
    field: _U16,
    parent: _I32,
    size: _I32,
    start: _I32,
    end: _I32,
) -> tuple[_U64, _I32, _I32, _U8, _I32, _I32, _I32]: ...
def subtree_shapes(
    kind: _U16,
    field: _U16,
    parent: _I32,
    size: _I32,
    kind_label: _U64,
    field_label: _U64,
    part: _U8,
    special: _I32,
    special_label: _U64,
    left_out: _I32,
    hidden: _U8,
) -> tuple[_U64, _I32]: ...
def sorted_members(a: _U64, b: _U64) -> int: ...
def without_python_comments(text: str) -> str | None: ...

class CodeBags:
    def __init__(self, keywords: _U64, shapes: _U64, items: _U64) -> None: ...

def shared_bags(a: CodeBags, b: CodeBags) -> list[int]: ...
def codebleu_value(
    counts: Sequence[float], weights: tuple[float, float, float, float]
) -> tuple[float, float, float, float, float]: ...
def rank_statistics(
    first: _I32, second: _I32, unit: _I32, counts: _I32
) -> tuple[_F64, _F64, _F64]: ...
def resolve_calls(ir: FlowIR, limit: int) -> tuple[_I32, _I32, bool]: ...
def effects(
    ir: FlowIR, call: _I32, callee: _I32, unknown: str, summaries: bool, limit: int
) -> tuple[_I32, _I32, _I32, _I32, _U8, _I32, _I32, _I32, bool]: ...
def reaching_definitions(
    nodes: int,
    source: _I32,
    target: _I32,
    kind: _U8,
    entry: _I32,
    late_entry: _I32,
    before_late: int,
    use_from: _I32,
    use: _I32,
    definition_from: _I32,
    definition: _I32,
    strong: _U8,
    limit: int,
) -> tuple[_I32, _I32, _I32, bool]: ...

class LoweringTable: ...

def lowering_table(
    rule_of: list[int],
    canonical: list[int],
    named: list[int],
    rules: list[tuple[int, int, str, list[list[tuple[int, int]]]]],
    operators: list[tuple[str, str]],
    streams: list[tuple[str, str]],
    effects: list[tuple[str, bool, list[int], list[int], list[int], list[int], int, int, bool]],
    words: list[list[str]],
    wildcard: str,
    facts: list[bool],
) -> LoweringTable: ...
def lower(
    table: LoweringTable,
    data: bytes,
    kind: _U16,
    field: _U16,
    parent: _I32,
    size: _I32,
    start: _I32,
    end: _I32,
) -> list[Any]: ...
def control_flow(
    first_operation: _I32,
    end_operation: _I32,
    first_item: _I32,
    end_item: _I32,
    kind: _U8,
    flags: _U8,
    code: _U8,
    a: _I32,
    b: _I32,
    fold: bool,
    jumps: bool,
    raising: bool,
) -> tuple[_I32, _I32, _U8, _I32, _I32, _I32, _I32]: ...
def post_dominators(count: int, source: _I32, target: _I32, exits: _I32) -> _I32: ...
def control_dependence(
    entries: _I32,
    operations: int,
    source: _I32,
    target: _I32,
    kind: _U8,
    decides: _I32,
    choice: _I32,
    chosen_by: _I32,
    closing: _I32,
    limit: int,
) -> tuple[_I32, _I32, bool]: ...

FEATURE_FAMILY_SHIFT: int

def graph_features(
    nodes: _U64, source: _I32, target: _I32, edge_kind: _U8
) -> tuple[_U64, _U64, _U64, _U64]: ...
def refined_nodes(nodes: _U64, source: _I32, target: _I32, link: _U8, rounds: int) -> _U64: ...
def feature_set(bags: Sequence[tuple[int, _U64]], most: int) -> tuple[_U64, _U8]: ...
def numbered_features(family: int, features: _U64) -> _U64: ...
def token_words(
    ids: _U64,
    classes: _U8,
    starts: _I32,
    calls: _U64,
    call_words: _U64,
    tokens: _U64,
    words: _U64,
    own: _U64,
    values: _U64,
    called: _I32,
    held: _I32,
    arrows: bool,
    name: int,
    own_word: int,
) -> tuple[_I32, _U64]: ...
def shared_weights(a: _U64, b: _U64, weights_of_a: _I32) -> _I64: ...
def pair_overlaps(offsets: _I64, columns: _I32, weights: _I32, left: _I32, right: _I32) -> _I64: ...
def all_overlaps(offsets: _I64, columns: _I32, weights: _I32) -> _I64: ...
def scanned_tokens(
    data: bytes,
    rules: LexicalRules,
    reserved: _U64,
    constants: _U64,
    conditions: _U64,
    imports: _U64,
    line_ends: bool,
    import_blocks: bool,
    seed: int,
    fewest_lines: int,
) -> tuple[_I32, _I32, _I32, _U32, _U32, _U8, _U8, _I32, _U64, _U8, _I32, _I32, _I32]: ...
def fragment_features(
    bags: Sequence[tuple[int, _I32, _U64]], begin: _I32, end: _I32, most: int
) -> tuple[_I64, _U64, _U8]: ...
def statement_sets(ids: _U64, weights: _U8, begin: _I32, end: _I32) -> tuple[_I64, _U64, _U8]: ...
def distinct_weights(ids: _U64, weights: _U8, begin: _I32, end: _I32) -> _I32: ...
def sequence_ids(ids: _U32, begin: _I32, end: _I32) -> _U64: ...
def common_features(features: _U64) -> tuple[_I32, _I32, _I32]: ...
def ranked_rows(offsets: _I64, columns: _I32, first: int) -> tuple[_I64, _I32]: ...
def found_ids(ids: _U64, wanted: _U64) -> tuple[_I64, _I32]: ...
def similar_rows(
    offsets: _I64,
    columns: _I32,
    weights: _I32,
    totals: _I64,
    least: _F64,
    file: _I32,
    begin: _I32,
    end: _I32,
    most: int,
    partners: int,
) -> tuple[_I32, _I32, _I64]: ...
def statement_alignment(
    ids: _U64,
    weights: _U8,
    tokens: _I32,
    raw: _U32,
    blind: _U32,
    traits: _U8,
    begin: _I32,
    end: _I32,
    left: _I32,
    right: _I32,
) -> tuple[_I32, _I32, _I32, _I32]: ...
def token_runs(
    files: _I64,
    raw: _U32,
    blind: _U32,
    traits: _U8,
    levels: _U8,
    window: int,
    shortest: int,
    most: int,
    gap: int,
) -> tuple[_I32, _I32, _I32, _I32, _I32, _I32, _I32, _I32]: ...
def end_on_interrupt(line: str, code: int) -> None: ...
