// The extension module codekin._native: every kernel registers itself here.
#include <nanobind/nanobind.h>

#include "kernels.hpp"

NB_MODULE(_native, m) {
    // Sources cached at module level live until the interpreter ends; that is no leak.
    nanobind::set_leak_warnings(false);
    m.doc() = "Native kernels of codekin; use them through the rooms that wrap them.";
    register_flat_tree(m);
    register_piece_reader(m);
    register_code_tokens(m);
    register_lexemes(m);
    register_levenshtein(m);
    register_lcs(m);
    register_three_way_lcs(m);
    register_anchors(m);
    register_regions(m);
    register_line_hunks(m);
    register_excision(m);
    register_line_diff(m);
    register_ngrams(m);
    register_plain_tokens(m);
    register_sorted_grams(m);
    register_dataflow(m);
    register_lowering(m);
    register_subtrees(m);
    register_python_comments(m);
    register_codebleu(m);
    register_rank_statistics(m);
    register_sari(m);
    register_interrupt(m);
    codekin::register_tree_edit(m);
    codekin::graph_edit::register_graph_edit(m);
    codekin::flow::register_control_flow(m);
    codekin::flow::register_dominance(m);
    codekin::flow::register_calls(m);
    codekin::flow::register_effects(m);
    codekin::flow::register_reaching_definitions(m);
    codekin::features::register_graph_features(m);
    codekin::features::register_token_words(m);
    codekin::features::register_feature_overlap(m);
}
