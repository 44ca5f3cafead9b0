// What the nodes of a grammar do to the flow of data: tables that Python fills, one per language.
#pragma once

#include <nanobind/nanobind.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "common/arrays.hpp"
#include "common/checks.hpp"

namespace codekin::dataflow {

// What a kind of node is, as bits; the same numbers stand in measures/compat/codebleu/dataflow.py.
enum KindFlag : uint16_t {
    ATOM = 1,        // one token, whatever stands inside it
    COMMENT = 2,     // no token
    IDENTIFIER = 4,  // a variable
    COMMA = 16,      // parts the items of a list
    ELSE = 32,       // shows that a branch covers every case
    BRANCH = 64,     // starts again from the state before the branching
    FIRST = 128,     // visited before its siblings
    HEADER = 256,    // the part of a for statement after which the second round begins
    BODY = 512,      // the part of a for statement that is repeated
};

enum Operation : uint8_t {
    VISIT_CHILDREN,
    DEFINE,        // a name and perhaps a value: one edge per pair of tokens
    ASSIGN,        // left and right: one edge per pair of tokens
    ASSIGN_LISTS,  // left and right, item by item: one edge with all sources
    UPDATE,        // x++
    BRANCHES,
    REPEAT,       // every child twice
    REPEAT_TAIL,  // every child, then those after the header once more
    FOR_LISTS,    // left from right, item by item, then the body; twice
    FOR_EACH,     // left from right, then the body; twice
};

enum RuleFlag : uint32_t {
    STICKY = 1,           // after the first branch, every child is one
    ALWAYS_JOIN = 2,      // the state before the branching may survive it
    MAY_LACK_RIGHT = 4,   // without a right side, nothing happens
    ONE_SOURCE_LIST = 8,  // FOR_EACH: one edge with all sources
    COMES_FROM = 64,      // the edge's relation: a copy, not a computation
};

// Which child a rule means. Positive numbers are field numbers.
enum Selector : int32_t {
    NONE = 0,
    FIRST_CHILD = -1,
    LAST_CHILD = -2,
    SECOND_CHILD = -3,
    THIRD_CHILD = -4,
    SECOND_OF_TWO = -5,      // the second child where there are exactly two
    BY_KIND = -1000,         // BY_KIND - k: the first child of kind k
    BY_KIND_AGAIN = -70000,  // BY_KIND_AGAIN - k: the second one
};

struct Rule {
    uint8_t operation = VISIT_CHILDREN;
    int32_t left = NONE, right = NONE, body = NONE;
    uint32_t flags = 0;
    uint8_t relation() const { return flags & COMES_FROM ? 0 : 1; }
};

class DataflowRules {
  public:
    DataflowRules(std::vector<std::string> kinds, ArrayIn<uint16_t> flags, ArrayIn<uint8_t> rule_of,
                  std::vector<std::array<int32_t, 5>> rules)
        : kinds_(std::move(kinds)) {
        check::length("flags", flags.size(), check::KINDS);
        check::length("rule_of", rule_of.size(), check::KINDS);
        check::all_in_range("rule_of", rule_of, 0, static_cast<int64_t>(rules.size()) + 1);
        flags_.assign(flags.data(), flags.data() + 65536);
        rule_of_.assign(rule_of.data(), rule_of.data() + 65536);
        rules_.emplace_back();
        for (const auto &r : rules) {
            check::in_range("the operation of a rule", r[0], VISIT_CHILDREN, FOR_EACH);
            for (int selector = 1; selector <= 3; ++selector)
                check::in_range("the selector of a rule", r[selector], BY_KIND_AGAIN - LAST_KIND, LAST_KIND);
            rules_.push_back({static_cast<uint8_t>(r[0]), r[1], r[2], r[3], static_cast<uint32_t>(r[4])});
        }
    }

    uint16_t flags(uint16_t kind) const { return flags_[kind]; }
    const Rule &rule(uint16_t kind) const { return rules_[rule_of_[kind]]; }
    const std::string &name(uint16_t kind) const {
        static const std::string error = "ERROR";
        return kind < kinds_.size() ? kinds_[kind] : error;
    }

  private:
    static constexpr int32_t LAST_KIND = 65535;

    std::vector<std::string> kinds_;
    std::vector<uint16_t> flags_;
    std::vector<uint8_t> rule_of_;
    std::vector<Rule> rules_;
};

}  // namespace codekin::dataflow
