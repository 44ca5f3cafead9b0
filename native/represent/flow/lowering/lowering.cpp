// Lowering: a syntax tree and a language's rules to the flow IR, as arrays.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <numeric>
#include <tuple>

#include "common/arrays.hpp"
#include "common/checks.hpp"
#include "common/deep_stack.hpp"
#include "represent/flow/lowering/engine.hpp"

namespace nb = nanobind;

namespace codekin::flow {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;
using RuleIn = std::tuple<int, uint32_t, std::string, std::vector<std::vector<std::pair<int, int>>>>;
using EffectIn = std::tuple<std::string, bool, std::vector<int32_t>, std::vector<int32_t>,
                            std::vector<int32_t>, std::vector<int32_t>, int32_t, int, bool>;

// Views into the table's own texts, which never move once all are there.
class Texts {
  public:
    explicit Texts(Table &table) : table_(table) { table_.texts.reserve(1 << 16); }
    std::string_view keep(const std::string &text) {
        if (table_.texts.size() == table_.texts.capacity())
            throw nb::value_error("a lowering table has too many words");
        return table_.texts.emplace_back(text);
    }
    Words words(const std::vector<std::string> &all) {
        Words kept;
        for (const auto &one : all) kept.insert(keep(one));
        return kept;
    }
    ByWord<std::string_view> pairs(const Pairs &all) {
        ByWord<std::string_view> kept;
        for (const auto &[key, value] : all) kept.emplace(keep(key), keep(value));
        return kept;
    }

  private:
    Table &table_;
};

std::unique_ptr<Table> make_table(std::vector<int16_t> rule_of, std::vector<int32_t> canonical,
                                  std::vector<uint8_t> named, const std::vector<RuleIn> &rules,
                                  const Pairs &operators, const Pairs &streams,
                                  const std::vector<EffectIn> &effects,
                                  const std::vector<std::vector<std::string>> &words,
                                  const std::string &wildcard, const std::vector<bool> &facts) {
    auto table = std::make_unique<Table>();
    const size_t kinds = size_t{ERROR_KIND} + 1;
    check::length("rule_of", rule_of.size(), kinds);
    check::length("canonical", canonical.size(), kinds);
    check::length("named", named.size(), kinds);
    check::length("words", words.size(), 9);
    check::length("facts", facts.size(), 9);
    Texts texts(*table);
    for (const auto &[shape, flags, label, slots] : rules) {
        Rule rule;
        check::in_range("the shape of a rule", shape, 0, static_cast<int>(Shape::IMPORT));
        check::length("the slots of a rule", slots.size(), slot::COUNT);
        rule.shape = static_cast<Shape>(shape);
        rule.flags = flags;
        rule.label = label;
        for (size_t i = 0; i < slots.size(); ++i)
            for (const auto &[by, id] : slots[i]) {
                check::in_range("the selector of a slot", by, Selector::FIELD, Selector::REST);
                rule.slots[i].push_back({static_cast<Selector::By>(by), id});
            }
        table->rules.push_back(std::move(rule));
    }
    for (int16_t rule : rule_of) check::in_range("rule_of", rule, -1, static_cast<int64_t>(rules.size()) - 1);
    table->rule_of = std::move(rule_of);
    table->canonical = std::move(canonical);
    table->named = std::move(named);
    table->operators = texts.pairs(operators);
    table->streams = texts.pairs(streams);
    for (const auto &[name, receiver, changed, assigned, bound, kept, after, result, ends] : effects) {
        check::in_range("the result of an effect", result, 0, static_cast<int>(Reach::COPY));
        Effect effect{receiver, changed, assigned, bound, kept, after, static_cast<Reach>(result), ends};
        table->member_effects |= !name.empty() && name[0] == '.';
        table->effects.emplace(texts.keep(name), std::move(effect));
    }
    table->logical = texts.words(words[0]);
    table->receivers = texts.words(words[1]);
    for (const auto &one : words[1]) table->receiver_names.push_back(texts.keep(one));
    table->primitives = texts.words(words[2]);
    table->raising = texts.words(words[3]);
    table->constructors = texts.words(words[4]);
    table->quiet = texts.words(words[5]);
    table->hoisting = texts.words(words[6]);
    table->parts = texts.words(words[7]);
    table->values = texts.words(words[8]);
    table->wildcard = wildcard;
    table->first_receiver = facts[0];
    table->assignment_declares = facts[1];
    table->class_scope = facts[2];
    table->pointer_arithmetic = facts[3];
    table->references = facts[4];
    table->declared_first = facts[5];
    table->shadowing = facts[6];
    table->capital_constants = facts[7];
    table->capital_types = facts[8];
    return table;
}

int32_t tree_depth(const ArrayIn<int32_t> &parent) {
    std::vector<int32_t> depth(parent.size());
    int32_t deepest = 0;
    for (size_t i = 1; i < parent.size(); ++i) {
        depth[i] = depth[parent(i)] + 1;
        deepest = std::max(deepest, depth[i]);
    }
    return deepest;
}

struct Job {
    const SyntaxTree &tree;
    Program &program;
    std::exception_ptr error;

    void run() noexcept {
        try {
            Lowering lowering(tree, program);
            Engine(lowering).run();
        } catch (...) {
            error = std::current_exception();
        }
    }
};

// The engine calls itself level by level; deep trees get a stack that is deep enough.
void run_engine(const SyntaxTree &tree, Program &program, int32_t depth) {
    constexpr int32_t SHALLOW = 400 / FRAME_GROWTH;
    constexpr size_t PER_LEVEL = 8192 * FRAME_GROWTH, AT_MOST = (size_t{1} << 30) * FRAME_GROWTH;
    Job job{tree, program, nullptr};
    if (depth <= SHALLOW)
        job.run();
    else
        run_on_stack(
            std::min(AT_MOST, (size_t{1} << 20) + depth * PER_LEVEL),
            [](void *given) { static_cast<Job *>(given)->run(); }, &job);
    if (job.error) std::rethrow_exception(job.error);
}

// Lists by owner, in the order in which they came.
template <class Record, class Owner, class Copy>
std::vector<int32_t> grouped(const std::vector<Record> &records, size_t owners, Owner owner, Copy copy) {
    std::vector<int32_t> offsets(owners + 1, 0);
    for (const Record &record : records) ++offsets[owner(record) + 1];
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    std::vector<int32_t> next(offsets.begin(), offsets.end() - 1);
    for (const Record &record : records) copy(record, next[owner(record)]++);
    return offsets;
}

template <class T, class Record, class Get> nb::object column(const std::vector<Record> &records, Get get) {
    std::vector<T> values(records.size());
    for (size_t i = 0; i < records.size(); ++i) values[i] = static_cast<T>(get(records[i]));
    return nb::cast(to_numpy(std::move(values)));
}

// Operations of one function stand together in the arrays.
std::vector<int32_t> by_function(const Program &program, std::vector<int32_t> &first) {
    first.assign(program.functions.size() + 1, 0);
    for (const Operation &operation : program.operations) ++first[operation.function + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<int32_t> next(first.begin(), first.end() - 1), place(program.operations.size());
    for (size_t i = 0; i < place.size(); ++i) place[i] = next[program.operations[i].function]++;
    return place;
}

nb::list arrays_of(const Program &program) {
    nb::list out;
    nb::list strings;
    for (std::string_view text : program.strings.all())
        strings.append(
            nb::steal(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace")));
    out.append(nb::tuple(strings));
    std::vector<int32_t> first;
    const std::vector<int32_t> place = by_function(program, first);
    const size_t functions = program.functions.size(), count = program.operations.size();

    std::vector<int32_t> first_item(functions + 1, 0);
    std::vector<uint8_t> codes;
    std::vector<int32_t> a, b;
    for (size_t f = 0; f < functions; ++f) {
        for (const Item &item : program.functions[f].items) {
            codes.push_back(static_cast<uint8_t>(item.code));
            a.push_back(item.a < 0 ? -1 : place[item.a]);
            b.push_back(item.b);
        }
        first_item[f + 1] = static_cast<int32_t>(codes.size());
    }
    out.append(column<int32_t>(program.functions, [](const Function &f) { return f.name; }));
    out.append(column<uint8_t>(program.functions, [](const Function &f) { return f.kind; }));
    out.append(column<int32_t>(program.functions, [](const Function &f) { return f.parent; }));
    out.append(column<int32_t>(program.functions, [](const Function &f) { return f.owner; }));
    out.append(column<int32_t>(program.functions, [](const Function &f) { return f.start; }));
    out.append(column<int32_t>(program.functions, [](const Function &f) { return f.end; }));
    out.append(to_numpy(std::vector<int32_t>(first.begin(), first.end() - 1)));
    out.append(to_numpy(std::vector<int32_t>(first.begin() + 1, first.end())));
    out.append(to_numpy(std::vector<int32_t>(first_item.begin(), first_item.end() - 1)));
    out.append(to_numpy(std::vector<int32_t>(first_item.begin() + 1, first_item.end())));
    out.append(column<int32_t>(program.functions, [](const Function &f) { return f.least; }));
    out.append(column<int32_t>(program.functions, [](const Function &f) { return f.most; }));

    std::vector<Operation> operations(count);
    for (size_t i = 0; i < count; ++i) operations[place[i]] = program.operations[i];
    out.append(column<uint8_t>(operations, [](const Operation &o) { return o.kind; }));
    out.append(column<int32_t>(operations, [](const Operation &o) { return o.name; }));
    out.append(column<int32_t>(operations, [](const Operation &o) { return o.function; }));
    out.append(column<int32_t>(operations, [](const Operation &o) { return o.start; }));
    out.append(column<int32_t>(operations, [](const Operation &o) { return o.end; }));
    out.append(column<int32_t>(operations, [](const Operation &o) { return o.statement; }));
    out.append(column<uint8_t>(operations, [](const Operation &o) { return o.flags; }));

    std::vector<int32_t> operands(program.operands.size());
    out.append(to_numpy(grouped(
        program.operands, count, [&](const Operand &o) { return place[o.operation]; },
        [&](const Operand &o, int32_t at) { operands[at] = place[o.value]; })));
    out.append(to_numpy(std::move(operands)));
    const size_t touched = program.accesses.size();
    std::vector<int32_t> variable(touched), field(touched);
    std::vector<uint8_t> mode(touched);
    out.append(to_numpy(grouped(
        program.accesses, count, [&](const AccessRecord &r) { return place[r.operation]; },
        [&](const AccessRecord &r, int32_t at) {
            variable[at] = r.variable;
            field[at] = r.field;
            mode[at] = static_cast<uint8_t>(r.mode);
        })));
    out.append(to_numpy(std::move(variable)));
    out.append(to_numpy(std::move(field)));
    out.append(to_numpy(std::move(mode)));

    out.append(column<int32_t>(program.variables, [](const Variable &v) { return v.name; }));
    out.append(column<int32_t>(program.variables, [](const Variable &v) { return v.owner; }));
    out.append(column<uint8_t>(program.variables, [](const Variable &v) { return v.kind; }));
    out.append(column<int32_t>(program.variables, [](const Variable &v) { return v.type; }));
    out.append(column<int32_t>(program.aliases, [](const Alias &x) { return x.left; }));
    out.append(column<int32_t>(program.aliases, [](const Alias &x) { return x.right; }));
    out.append(column<uint8_t>(program.aliases, [](const Alias &x) { return x.kind; }));

    out.append(column<int32_t>(program.calls, [&](const CallRecord &c) { return place[c.operation]; }));
    out.append(column<int32_t>(program.calls, [](const CallRecord &c) { return c.name; }));
    out.append(column<int32_t>(program.calls, [](const CallRecord &c) { return c.count; }));
    out.append(column<int32_t>(program.calls, [](const CallRecord &c) { return c.receiver; }));
    out.append(column<int32_t>(program.calls, [](const CallRecord &c) { return c.target; }));
    out.append(column<uint8_t>(program.calls, [](const CallRecord &c) { return c.shape; }));
    out.append(column<int32_t>(program.calls, [](const CallRecord &c) { return c.owner; }));
    std::vector<int32_t> offsets{0}, base;
    std::vector<uint8_t> address;
    for (const CallRecord &call : program.calls) {
        for (const Argument &argument : call.arguments) {
            base.push_back(argument.variable);
            address.push_back(argument.address ? 1 : 0);
        }
        offsets.push_back(static_cast<int32_t>(base.size()));
    }
    out.append(to_numpy(std::move(offsets)));
    out.append(to_numpy(std::move(base)));
    out.append(to_numpy(std::move(address)));
    out.append(column<int32_t>(program.statements, [](const Statement &s) { return s.start; }));
    out.append(column<int32_t>(program.statements, [](const Statement &s) { return s.end; }));
    out.append(to_numpy(std::move(codes)));
    out.append(to_numpy(std::move(a)));
    out.append(to_numpy(std::move(b)));
    out.append(program.complete);
    return out;
}

nb::list lower(const Table &table, nb::bytes data, ArrayIn<uint16_t> kind, ArrayIn<uint16_t> field,
               ArrayIn<int32_t> parent, ArrayIn<int32_t> size, ArrayIn<int32_t> start, ArrayIn<int32_t> end) {
    check::tree(data.size(), kind, field, parent, size, start, end);
    const bool has_errors =
        std::find(kind.data(), kind.data() + kind.size(), ERROR_KIND) != kind.data() + kind.size();
    const SyntaxTree tree{
        {data.c_str(), data.size()},       kind.data(), field.data(), size.data(), start.data(), end.data(),
        static_cast<int32_t>(kind.size()), table,       has_errors};
    Program program;
    {
        nb::gil_scoped_release unlocked;
        run_engine(tree, program, tree_depth(parent));
    }
    return arrays_of(program);
}

}  // namespace
}  // namespace codekin::flow

namespace codekin {

void register_lowering(nb::module_ &m) {
    using namespace flow;
    nb::class_<Table>(m, "LoweringTable");
    m.def("lowering_table", &make_table, nb::arg("rule_of"), nb::arg("canonical"), nb::arg("named"),
          nb::arg("rules"), nb::arg("operators"), nb::arg("streams"), nb::arg("effects"), nb::arg("words"),
          nb::arg("wildcard"), nb::arg("facts"));
    m.def("lower", &lower, nb::arg("table"), nb::arg("data"), nb::arg("kind"), nb::arg("field"),
          nb::arg("parent"), nb::arg("size"), nb::arg("start"), nb::arg("end"),
          "The flow IR of a tree: its arrays, in the order of FlowIR's fields.");
}

}  // namespace codekin
