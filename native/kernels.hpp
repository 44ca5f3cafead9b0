// What each kernel file offers to module.cpp.
#pragma once

#include <nanobind/nanobind.h>

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

namespace codekin::flow {
void register_control_flow(nanobind::module_ &m);
void register_dominance(nanobind::module_ &m);
void register_reaching_definitions(nanobind::module_ &m);
void register_calls(nanobind::module_ &m);
void register_effects(nanobind::module_ &m);
}

namespace codekin {
void register_tree_edit(nanobind::module_ &m);
}

namespace codekin::features {
void register_graph_features(nanobind::module_ &m);
void register_token_words(nanobind::module_ &m);
void register_feature_overlap(nanobind::module_ &m);
}

namespace codekin::graph_edit {
void register_graph_edit(nanobind::module_ &m);
}
