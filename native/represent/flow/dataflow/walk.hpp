// Walks a tree in the order in which its code runs and notes from where each variable has its value.
//
// Pending work lies on an explicit stack, so nesting costs no machine stack. Loops are walked
// twice, that a use may see what a later line of the loop assigned.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "represent/flow/dataflow/edges.hpp"
#include "represent/flow/dataflow/reader.hpp"
#include "represent/flow/dataflow/rules.hpp"
#include "represent/flow/dataflow/state.hpp"
#include "represent/flow/dataflow/tokens.hpp"

namespace codekin::dataflow {

class Walk : public FlowReader {
  public:
    Walk(const TreeView &tree, const DataflowRules &rules)
        : FlowReader(tree, rules), edges(tokens), state_(tokens.name_count(), tokens.size(), MOST_STEPS) {
        if (tree.nodes > 0) visit(0);
        if (too_deep()) failed_ = true;
        while (!work_.empty() && !failed_) {
            const Task task = work_.back();
            work_.pop_back();
            if (charge(1)) run(task);
        }
        if (failed_) edges.clear();
        edges.filter([this](const Edge &edge) { return state_.used()[edge.token]; });
        if (!edges.merge(0, false)) edges.clear();
    }

    Edges edges;

  private:
    static constexpr int64_t MOST_STEPS = int64_t{1} << 25;
    static constexpr int64_t PAIR_STEPS = 4;

    enum Do : uint8_t { VISIT, PAIRS, LISTS, MERGE, APART, RESUME, JOIN };
    struct Task {
        Do what;
        int32_t left, right;
        size_t mark;
        const Rule *rule;
    };
    struct Branching {
        size_t mark;
        FlowState::Outcome current;  // set aside while a branch runs
        std::vector<FlowState::Outcome> outcomes;
    };

    // Takes the steps of some work from what is left; false, and all fails, where it is not enough.
    bool charge(int64_t steps) {
        steps_ += steps;
        failed_ = failed_ || steps_ + state_.steps() > MOST_STEPS;
        return !failed_;
    }

    // Each pair of a target and a source takes memory as well.
    bool charge_pairs(size_t written, size_t read) {
        return charge(PAIR_STEPS * static_cast<int64_t>(written) * static_cast<int64_t>(read + 1));
    }

    // ---- the work

    void visit(int32_t node) { work_.push_back({VISIT, node, -1, 0, nullptr}); }
    void visit_all(const Nodes &nodes) {  // the first one on top
        for (size_t i = nodes.size(); i-- > 0;) visit(nodes[i]);
    }

    void run(const Task &task) {
        switch (task.what) {
            case VISIT: return run_visit(task.left);
            case PAIRS: return run_pairs(task.left, task.right, task.rule->relation());
            case LISTS: return run_lists(task.left, task.right);
            case MERGE:
                if (charge(static_cast<int64_t>(edges.size() - task.mark)) && !edges.merge(task.mark, true))
                    failed_ = true;
                return;
            case APART: {
                Branching &top = branchings_.back();
                top.current = state_.take(top.mark);
                return;
            }
            case RESUME: {
                Branching &top = branchings_.back();
                top.outcomes.push_back(state_.take(top.mark));
                return state_.redo(top.current);
            }
            case JOIN: {
                Branching &top = branchings_.back();
                top.outcomes.push_back(state_.take(top.mark));
                if (task.mark) top.outcomes.emplace_back();
                state_.join(top.outcomes);
                branchings_.pop_back();
                return;
            }
        }
    }

    void run_visit(int32_t node) {
        if (!must(node >= 0)) return;
        if (tokens.is_leaf(node)) return visit_leaf(node);
        const Rule &rule = rules_.rule(tree_.kind[node]);
        switch (rule.operation) {
            case DEFINE: return visit_define(node, rule);
            case ASSIGN: return visit_assign(node, rule);
            case ASSIGN_LISTS: return visit_assign_lists(node, rule);
            case UPDATE: return run_pairs(node, node, rule.relation());
            case BRANCHES: return visit_branches(node, rule);
            case REPEAT: return visit_repeat(node);
            case REPEAT_TAIL: return visit_repeat_tail(node, rule);
            case FOR_LISTS: return visit_for_lists(node, rule);
            case FOR_EACH: return visit_for_each(node, rule);
            default: return visit_children(node);
        }
    }

    void visit_children(int32_t node) {
        const auto base = static_cast<std::ptrdiff_t>(work_.size());
        bool ordered = true;
        for (int32_t c = node + 1; c < after(node); c = after(c)) {
            visit(c);
            ordered = ordered && !(flags(c) & FIRST);
        }
        std::reverse(work_.begin() + base, work_.end());
        if (ordered) return;
        // The first ones belong on top, which is at the end.
        std::stable_partition(work_.begin() + base, work_.end(),
                              [this](const Task &task) { return !(flags(task.left) & FIRST); });
    }

    void visit_leaf(int32_t node) {
        const int32_t token = tokens.of(node);
        if (!must(token >= 0) || !tokens.variable[token]) return;
        const int32_t name = tokens.name[token];
        if (state_.knows(name)) {
            state_.use_token(token);
            state_.use(name);
            return edges.add(token, 0, {name});
        }
        if (flags(node) & IDENTIFIER) state_.assign(name, token);
        edges.add(token, 0, {});
    }

    void visit_define(int32_t node, const Rule &rule) {
        const int32_t name = child(node, rule.left), value = child(node, rule.right);
        if (!must(name >= 0)) return;
        if (value >= 0) {
            work_.push_back({PAIRS, name, value, 0, &rule});
            return visit(value);
        }
        for (int32_t token : variables(name)) {
            edges.add(token, 0, {});
            state_.assign(tokens.name[token], token);
        }
    }

    void visit_assign(int32_t node, const Rule &rule) {
        const int32_t left = child(node, rule.left), right = child(node, rule.right);
        if (!must(left >= 0 && right >= 0)) return;
        work_.push_back({PAIRS, left, right, 0, &rule});
        visit(right);
    }

    // The pairs of an assignment of lists, as the package finds them: by the number of children.
    Pairs listed_pairs(int32_t left, int32_t right) {
        Nodes a, b;
        if (!must(left >= 0 && right >= 0)) return {};
        for (int32_t c : children(left))
            if (!(flags(c) & COMMA)) a.push_back(c);
        for (int32_t c : children(right))
            if (!(flags(c) & COMMA)) b.push_back(c);
        if (a.size() != b.size() || a.empty()) return {{left, right}};
        Pairs out;
        for (size_t i = 0; i < a.size(); ++i) out.emplace_back(a[i], b[i]);
        return out;
    }

    void push_lists(const Pairs &pairs, const Rule &rule) {
        for (size_t i = pairs.size(); i-- > 0;)
            work_.push_back({LISTS, pairs[i].first, pairs[i].second, 0, &rule});
        for (size_t i = pairs.size(); i-- > 0;) visit(pairs[i].second);
    }

    void visit_assign_lists(int32_t node, const Rule &rule) {
        const int32_t left = child(node, rule.left), right = child(node, rule.right);
        if (right < 0 && rule.flags & MAY_LACK_RIGHT) return;
        if (!must(left >= 0 && right >= 0)) return;
        // `body` selects a target that is taken whole: of a comprehension, of an operator's result.
        if (rule.body == NONE) return push_lists(listed_pairs(left, right), rule);
        push_lists({{child(node, rule.body), child(node, LAST_CHILD)}}, rule);
    }

    void visit_branches(int32_t node, const Rule &rule) {
        const Nodes all = children(node);
        bool covered = flags(node) & ELSE, sticky = false;
        for (int32_t c : all) covered = covered || flags(c) & ELSE;
        branchings_.push_back({state_.mark(), {}, {}});
        work_.push_back({JOIN, node, -1, !covered || rule.flags & ALWAYS_JOIN, nullptr});
        std::vector<uint8_t> apart;
        for (int32_t c : all) {
            apart.push_back(sticky || flags(c) & BRANCH);
            sticky = sticky || (apart.back() && rule.flags & STICKY);
        }
        for (size_t i = all.size(); i-- > 0;) {
            if (apart[i]) work_.push_back({RESUME, node, -1, 0, nullptr});
            visit(all[i]);
            if (apart[i]) work_.push_back({APART, node, -1, 0, nullptr});
        }
    }

    void begin_loop() { work_.push_back({MERGE, -1, -1, edges.size(), nullptr}); }

    void visit_repeat(int32_t node) {
        const Nodes all = children(node);
        begin_loop();
        visit_all(all);
        visit_all(all);
    }

    void visit_repeat_tail(int32_t node, const Rule &rule) {
        const Nodes all = children(node);
        Nodes tail;
        bool passed = false;
        for (int32_t c : all) {
            if (passed) {
                tail.push_back(c);
            } else if (flags(c) & HEADER) {
                const int32_t step = child(c, rule.right);
                if (step >= 0) tail.push_back(step);
                passed = true;
            }
        }
        begin_loop();
        visit_all(tail);
        visit_all(all);
    }

    void visit_for_lists(int32_t node, const Rule &rule) {
        const Pairs pairs = listed_pairs(child(node, rule.left), child(node, rule.right));
        const int32_t last = child(node, LAST_CHILD);
        begin_loop();
        for (int round = 0; round < 2; ++round) {
            if (last >= 0 && flags(last) & BODY) visit(last);
            push_lists(pairs, rule);
        }
    }

    void visit_for_each(int32_t node, const Rule &rule) {
        const int32_t left = child(node, rule.left), right = child(node, rule.right);
        const int32_t body = child(node, rule.body);
        if (!must(left >= 0 && right >= 0 && body >= 0)) return;
        begin_loop();
        for (int round = 0; round < 2; ++round) {
            visit(body);
            work_.push_back({rule.flags & ONE_SOURCE_LIST ? LISTS : PAIRS, left, right, 0, &rule});
            visit(right);
        }
    }

    void run_pairs(int32_t left, int32_t right, uint8_t relation) {
        const Nodes written = variables(left), read = variables(right);
        if (!charge_pairs(written.size(), read.size())) return;
        const Nodes names = names_of(read, written.size());
        for (int32_t target : written) {
            edges.add_each(target, relation, names);
            if (!read.empty()) state_.use_token(target);
            state_.assign(tokens.name[target], target);
        }
    }

    void run_lists(int32_t left, int32_t right) {
        const Nodes written = variables(left), read = variables(right);
        if (!charge_pairs(written.size(), read.size())) return;
        const Nodes names = names_of(read, written.size());
        for (int32_t target : written) {
            if (!read.empty()) state_.use_token(target);
            edges.add(target, 1, names);
            state_.assign(tokens.name[target], target);
        }
    }

    // The names of tokens, which are used where there is a target.
    Nodes names_of(const Nodes &read, size_t targets) {
        Nodes names;
        for (int32_t source : read) {
            names.push_back(tokens.name[source]);
            if (targets > 0) state_.use_token(source);
        }
        return names;
    }

    FlowState state_;
    std::vector<Task> work_;
    std::vector<Branching> branchings_;
};

}  // namespace codekin::dataflow
