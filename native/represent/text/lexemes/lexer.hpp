// All lexemes of a text, comments included; see lexemes.cpp.
#pragma once

#include <string_view>
#include <vector>

#include "represent/text/lexemes/lines.hpp"

namespace codekin {

std::vector<Lexeme> lexed(const LexicalRules &rules, std::string_view text);

}  // namespace codekin
