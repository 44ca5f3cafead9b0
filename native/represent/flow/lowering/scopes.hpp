// Which variable a name means: scopes, and names that are read before they are declared.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "represent/flow/lowering/program.hpp"
#include "represent/flow/lowering/table.hpp"

namespace codekin::flow {

struct Class {
    int32_t name;
    std::vector<int32_t> bases;                   // names, each once
    std::unordered_map<int32_t, int32_t> fields;  // variable by name
    std::vector<int32_t> above;                   // itself and the classes it inherits from, nearest first
    std::unordered_set<int32_t> known_bases;
    int32_t above_at = -1;  // how many classes and bases were known then
};

// A name that a function reads and has not declared is tentative until the function ends: then it
// is what the enclosing scopes mean by it, or tentative there. So order of declaration is free.
class Scopes {
  public:
    // `nodes`: how large the text is. Names wait from scope to scope for their declaration; that
    // costs no more than a multiple of it.
    Scopes(Program &program, const Table &table, int32_t nodes)
        : program_(program), table_(table), waits_left_(WAITS + WAITS_PER_NODE * int64_t{nodes}) {}

    enum class Kind : uint8_t { FUNCTION, BLOCK, CLASS };

    void open(Kind kind, int32_t function, int32_t cls = -1) {
        const auto depth = static_cast<int32_t>(scopes_.size());
        const int32_t base = kind == Kind::FUNCTION || scopes_.empty() ? depth : scopes_.back().base;
        const int32_t within = cls >= 0 ? cls : current_class();
        scopes_.push_back({kind, function, cls, within, base, {}});
    }
    void close();

    // The variable that a name means here.
    int32_t read(int32_t name);
    // The variable that a name means here if any is known by now, or -1.
    int32_t known(int32_t name);
    // The innermost binding of a name, in whatever function; -1: none.
    int32_t innermost(int32_t name) const { return binding(name, 0); }
    // The variable that an assignment to the name changes.
    int32_t write(int32_t name);
    // A variable of the innermost scope, or of the function's if hoisted. `early`: what stands
    // above its declaration means it too.
    int32_t declare(int32_t name, bool hoisted = false, bool early = false);
    // Whether a declaration of the name has been seen.
    bool declared(int32_t name) const;
    void declare_global(int32_t name);
    void declare_nonlocal(int32_t name);

    int32_t class_number(int32_t name);  // made if it is new
    int32_t field(int32_t cls, int32_t name);
    int32_t known_class(int32_t name) const;
    int32_t inherited(int32_t cls, int32_t name);
    void add_base(int32_t cls, int32_t name);
    int32_t current_class() const { return scopes_.empty() ? -1 : scopes_.back().within; }
    bool in_class() const { return !scopes_.empty() && scopes_.back().kind == Kind::CLASS; }
    const std::vector<Class> &classes() const { return classes_; }

    // The variable that a name turned out to mean.
    int32_t resolved(int32_t variable) const {
        int32_t last = variable;
        while (program_.variables[last].forward >= 0) last = program_.variables[last].forward;
        while (variable != last) {
            int32_t &next = program_.variables[variable].forward;
            variable = std::exchange(next, last);
        }
        return last;
    }
    // One variable turns out to be another, unless that one is it already.
    void forward(int32_t variable, int32_t meant) {
        if (resolved(meant) != variable) program_.variables[variable].forward = meant;
    }
    int32_t make(int32_t name, int32_t owner, VariableKind kind, bool tentative = false);

  private:
    struct Scope {
        Kind kind;
        int32_t function, cls;
        int32_t within;  // the class around, or -1
        int32_t base;    // how deep the function's own scope lies
        std::vector<int32_t> names;
    };
    struct Binding {
        int32_t depth, variable;
    };

    int32_t depth() const { return static_cast<int32_t>(scopes_.size()) - 1; }
    int32_t function_depth() const { return scopes_.back().base; }
    int32_t reading_depth() const;
    int32_t binding(int32_t name, int32_t least_depth) const;
    void bind(int32_t name, int32_t depth, int32_t variable);
    void settle(int32_t name, int32_t variable, const Scope &closed);
    const std::vector<int32_t> &line_of(int32_t cls);

    static constexpr int64_t WAITS = 2'000'000, WAITS_PER_NODE = 16;
    static constexpr size_t MOST_ABOVE = 256;  // classes that one inherits from

    Program &program_;
    const Table &table_;
    std::vector<Scope> scopes_;
    std::vector<std::vector<Binding>> bound_;  // by name, innermost last
    std::vector<Class> classes_;
    std::unordered_map<int32_t, int32_t> class_of_;
    int32_t bases_known_ = 0;  // classes and bases so far
    int64_t waits_left_;
};

}  // namespace codekin::flow
