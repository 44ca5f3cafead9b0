// The tokens between which data flows, and the names they carry.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "represent/flow/dataflow/rules.hpp"
#include "represent/flow/dataflow/set_order.hpp"

namespace codekin::dataflow {

using Nodes = std::vector<int32_t>;

struct TreeView {
    std::string_view text;
    const uint16_t *kind, *field;
    const int32_t *parent, *size, *start, *end;
    int32_t nodes;

    int32_t after(int32_t node) const { return node + size[node]; }

    Nodes children(int32_t node) const {
        Nodes out;
        for (int32_t c = node + 1; c < after(node); c += size[c]) out.push_back(c);
        return out;
    }

    // The child that a selector means; -1 where there is none.
    int32_t child(int32_t node, int32_t selector) const {
        if (node < 0 || selector == NONE) return -1;
        const Nodes all = children(node);
        const auto at = [&all](size_t i) { return i < all.size() ? all[i] : -1; };
        if (selector == FIRST_CHILD) return at(0);
        if (selector == LAST_CHILD) return all.empty() ? -1 : all.back();
        if (selector == SECOND_CHILD) return at(1);
        if (selector == THIRD_CHILD) return at(2);
        if (selector == SECOND_OF_TWO) return all.size() == 2 ? all[1] : -1;
        const bool again = selector <= BY_KIND_AGAIN;
        const int32_t wanted = (again ? BY_KIND_AGAIN : BY_KIND) - selector;
        bool seen = false;
        for (size_t i = 0; i < all.size(); ++i) {
            if (selector > 0) {
                if (field[all[i]] == selector) return all[i];
            } else if (kind[all[i]] == wanted) {
                if (!again || seen) return all[i];
                seen = true;
            }
        }
        return -1;
    }
};

class FlowTokens {
  public:
    FlowTokens(const TreeView &tree, const DataflowRules &rules)
        : tree_(tree), rules_(rules), token_of_(tree.nodes, -1) {
        ascii_ = true;
        for (char c : tree.text) ascii_ &= static_cast<signed char>(c) >= 0;
        if (!ascii_) split_lines();
        const auto guess = static_cast<size_t>(tree.nodes / 2 + 1);
        start.reserve(guess), end.reserve(guess), name.reserve(guess), variable.reserve(guess);
        numbers_.reserve(guess);
        for (int32_t i = 0; i < tree.nodes;) {
            if (is_leaf(i)) {
                add(i);
                i += tree.size[i];
            } else {
                ++i;
            }
        }
    }

    bool is_leaf(int32_t node) const {
        const uint16_t flags = rules_.flags(tree_.kind[node]);
        return (tree_.size[node] == 1 || flags & ATOM) && !(flags & COMMENT);
    }

    // The token of a leaf; -1 where there is none.
    int32_t of(int32_t node) const {
        if (token_of_[node] >= 0) return token_of_[node];
        // A leaf inside a string: the package finds it only if it covers the very same text.
        for (size_t lo = 0, hi = start.size(); lo < hi;) {
            const size_t mid = (lo + hi) / 2;
            if (start[mid] == tree_.start[node] && end[mid] == tree_.end[node]) {
                size_t last = mid;
                while (last + 1 < start.size() && start[last + 1] == start[mid] && end[last + 1] == end[mid])
                    ++last;
                return static_cast<int32_t>(last);
            }
            const bool before =
                start[mid] != tree_.start[node] ? start[mid] < tree_.start[node] : end[mid] < tree_.end[node];
            if (before)
                lo = mid + 1;
            else
                hi = mid;
        }
        return -1;
    }

    const std::string_view &text(int32_t name_number) const { return names_[name_number]; }
    int32_t example(int32_t name_number) const { return first_[name_number]; }  // a token of that name
    size_t name_count() const { return names_.size(); }
    size_t size() const { return start.size(); }

    std::vector<int32_t> start, end, name;
    std::vector<uint8_t> variable;  // whether the token can stand in an edge

  private:
    void add(int32_t node) {
        const auto index = static_cast<int32_t>(start.size());
        const std::string_view code = code_of(node);
        // The package finds tokens by their place, so of two at one place it knows the last.
        for (int32_t k = index - 1; k >= 0 && start[k] == tree_.start[node] && end[k] == tree_.end[node]; --k)
            token_of_[node_[k]] = index;
        token_of_[node] = index;
        node_.push_back(node);
        start.push_back(tree_.start[node]);
        end.push_back(tree_.end[node]);
        name.push_back(number(code));
        variable.push_back(rules_.name(tree_.kind[node]) != code);
    }

    int32_t number(std::string_view code) {
        const auto found = numbers_.try_emplace(code, static_cast<int32_t>(names_.size()));
        if (found.second) {
            names_.push_back(code);
            first_.push_back(static_cast<int32_t>(start.size()) - 1);
        }
        return found.first->second;
    }

    std::string_view code_of(int32_t node) {
        const std::string_view text =
            tree_.text.substr(tree_.start[node], tree_.end[node] - tree_.start[node]);
        if (!ascii_) return keep(sliced(tree_.start[node], tree_.end[node]));
        if (text.find('\n') == text.npos) return text;
        std::string joined;
        for (char c : text)
            if (c != '\n') joined.push_back(c);
        return keep(std::move(joined));
    }

    std::string_view keep(std::string &&text) {
        kept_.push_back(std::move(text));
        return kept_.back();
    }

    void split_lines() {
        line_start_.push_back(0);
        for (size_t i = 0; i < tree_.text.size(); ++i)
            if (tree_.text[i] == '\n') line_start_.push_back(static_cast<int32_t>(i + 1));
    }

    // The package cuts lines of characters at columns counted in bytes.
    std::string sliced(int32_t from, int32_t to) const {
        const size_t first = line_of(from), last = line_of(to);
        std::string out;
        for (size_t line = first; line <= last; ++line) {
            const int32_t begin = line_start_[line];
            const int32_t stop = line + 1 < line_start_.size() ? line_start_[line + 1] - 1
                                                               : static_cast<int32_t>(tree_.text.size());
            const int32_t skip = line == first ? from - begin : 0;
            const int32_t limit = line == last ? to - begin : INT32_MAX;
            int32_t column = -1;
            for (int32_t i = begin; i < stop; ++i) {
                if ((tree_.text[i] & 0xC0) != 0x80) ++column;
                if (column >= skip && column < limit) out.push_back(tree_.text[i]);
            }
        }
        return out;
    }

    size_t line_of(int32_t byte) const {
        size_t lo = 0, hi = line_start_.size();
        while (hi - lo > 1) {
            const size_t mid = (lo + hi) / 2;
            if (line_start_[mid] <= byte)
                lo = mid;
            else
                hi = mid;
        }
        return lo;
    }

    const TreeView &tree_;
    const DataflowRules &rules_;
    std::vector<int32_t> token_of_, node_, first_;
    bool ascii_;
    std::vector<int32_t> line_start_;
    std::deque<std::string> kept_;
    std::vector<std::string_view> names_;
    std::unordered_map<std::string_view, int32_t> numbers_;
};

}  // namespace codekin::dataflow
