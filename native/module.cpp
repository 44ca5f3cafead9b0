// The extension module codekin._native. Every kernel file defines one of these functions, which adds its
// names to the module.
#include <nanobind/nanobind.h>

namespace codekin {

void register_flat_tree(nanobind::module_ &m);
void register_piece_reader(nanobind::module_ &m);
void register_code_tokens(nanobind::module_ &m);
void register_lexemes(nanobind::module_ &m);
void register_levenshtein(nanobind::module_ &m);
void register_lcs(nanobind::module_ &m);
void register_three_way_lcs(nanobind::module_ &m);
void register_anchors(nanobind::module_ &m);
void register_regions(nanobind::module_ &m);
void register_line_hunks(nanobind::module_ &m);
void register_excision(nanobind::module_ &m);
void register_line_diff(nanobind::module_ &m);
void register_ngrams(nanobind::module_ &m);
void register_plain_tokens(nanobind::module_ &m);
void register_sorted_grams(nanobind::module_ &m);
void register_dataflow(nanobind::module_ &m);
void register_lowering(nanobind::module_ &m);
void register_subtrees(nanobind::module_ &m);
void register_python_comments(nanobind::module_ &m);
void register_codebleu(nanobind::module_ &m);
void register_rank_statistics(nanobind::module_ &m);
void register_sari(nanobind::module_ &m);
void register_interrupt(nanobind::module_ &m);
void register_tree_edit(nanobind::module_ &m);
void register_graph_edit(nanobind::module_ &m);
void register_control_flow(nanobind::module_ &m);
void register_dominance(nanobind::module_ &m);
void register_calls(nanobind::module_ &m);
void register_effects(nanobind::module_ &m);
void register_reaching_definitions(nanobind::module_ &m);
void register_graph_features(nanobind::module_ &m);
void register_refinement(nanobind::module_ &m);
void register_token_words(nanobind::module_ &m);
void register_feature_overlap(nanobind::module_ &m);
void register_near_copies(nanobind::module_ &m);
void register_common_lengths(nanobind::module_ &m);
void register_scanned_tokens(nanobind::module_ &m);
void register_fragment_features(nanobind::module_ &m);
void register_common_features(nanobind::module_ &m);
void register_found_ids(nanobind::module_ &m);
void register_similar_rows(nanobind::module_ &m);
void register_statement_alignment(nanobind::module_ &m);
void register_token_runs(nanobind::module_ &m);

}  // namespace codekin

NB_MODULE(_native, m) {
    using namespace codekin;
    // Sources cached at module level live until the interpreter ends; that is no leak.
    nanobind::set_leak_warnings(false);
    m.doc() = "Native kernels of codekin; use them through the packages that wrap them.";
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
    register_tree_edit(m);
    register_graph_edit(m);
    register_control_flow(m);
    register_dominance(m);
    register_calls(m);
    register_effects(m);
    register_reaching_definitions(m);
    register_graph_features(m);
    register_refinement(m);
    register_token_words(m);
    register_feature_overlap(m);
    register_near_copies(m);
    register_common_lengths(m);
    register_scanned_tokens(m);
    register_fragment_features(m);
    register_common_features(m);
    register_found_ids(m);
    register_similar_rows(m);
    register_statement_alignment(m);
    register_token_runs(m);
}
