// What a scan keeps of every token; see scanned_tokens.cpp.
#pragma once

#include <cstdint>

namespace codekin::scan {

// These mirror codekin.scan.code_tokens.Trait.
enum Trait : uint8_t {
    IMPORT = 1,   // part of an import
    TABLE = 2,    // part of a table of constants
    NAME = 4,     // a word that is not reserved
    LITERAL = 8,  // a number or a string
    BEGINS = 16,  // the first token of a statement
    CLOSES = 32,  // a closing bracket
};

}  // namespace codekin::scan
