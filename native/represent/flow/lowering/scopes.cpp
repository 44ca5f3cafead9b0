#include "represent/flow/lowering/scopes.hpp"

#include <algorithm>

namespace codekin::flow {

int32_t Scopes::make(int32_t name, int32_t owner, VariableKind kind, bool tentative) {
    Variable made{name, owner, -1, kind, tentative};
    program_.variables.push_back(made);
    return static_cast<int32_t>(program_.variables.size()) - 1;
}

// The innermost binding of a name at a depth or deeper, or -1.
int32_t Scopes::binding(int32_t name, int32_t least_depth) const {
    if (name < 0 || static_cast<size_t>(name) >= bound_.size() || bound_[name].empty()) return -1;
    const Binding &found = bound_[name].back();
    return found.depth >= least_depth ? found.variable : -1;
}

void Scopes::bind(int32_t name, int32_t depth, int32_t variable) {
    if (static_cast<size_t>(name) >= bound_.size()) bound_.resize(name + 1);
    auto &stack = bound_[name];
    // Usually last; a function's or the module's scope may lie under open blocks.
    auto at = std::upper_bound(stack.begin(), stack.end(), depth,
                               [](int32_t d, const Binding &b) { return d < b.depth; });
    stack.insert(at, {depth, variable});
    scopes_[depth].names.push_back(name);
}

// Where a name waits for its declaration: in its block, which may declare it below; in languages
// without such declarations in the function.
int32_t Scopes::reading_depth() const {
    int32_t at = depth();
    if (table_.declared_first || table_.assignment_declares) return function_depth();
    while (at > 0 && scopes_[at].kind == Kind::CLASS) --at;
    return at;
}

int32_t Scopes::read(int32_t name) {
    const int32_t base = function_depth();
    const int32_t here = binding(name, base);
    if (here >= 0) return here;
    const int32_t made =
        make(name, scopes_[base].function, base == 0 ? VariableKind::GLOBAL : VariableKind::LOCAL, true);
    bind(name, reading_depth(), made);
    return made;
}

bool Scopes::declared(int32_t name) const {
    if (static_cast<size_t>(name) >= bound_.size()) return false;
    for (const Binding &one : bound_[name])
        if (!program_.variables[one.variable].tentative) return true;
    return false;
}

int32_t Scopes::known(int32_t name) {
    const int32_t found = binding(name, 0);
    if (found >= 0) return resolved(found);
    const int32_t cls = current_class();
    return cls < 0 ? -1 : inherited(cls, name);
}

int32_t Scopes::write(int32_t name) {
    if (!table_.assignment_declares) return read(name);
    if (scopes_.back().kind == Kind::CLASS) return declare(name);
    const int32_t here = binding(name, function_depth());
    if (here >= 0) {
        program_.variables[here].tentative = false;
        return here;
    }
    return declare(name, true);
}

int32_t Scopes::declare(int32_t name, bool hoisted, bool early) {
    const int32_t at = hoisted ? function_depth() : depth();
    Scope &scope = scopes_[at];
    if (scope.kind == Kind::CLASS) {
        const int32_t variable = field(scope.cls, name);
        if (binding(name, at) != variable) {
            // Methods above may have read it already.
            const int32_t earlier = binding(name, at);
            if (earlier >= 0 && program_.variables[earlier].tentative) {
                forward(earlier, variable);
                program_.variables[earlier].tentative = false;
            }
            bind(name, at, variable);
        }
        return variable;
    }
    if (static_cast<size_t>(name) < bound_.size())
        for (auto b = bound_[name].rbegin(); b != bound_[name].rend() && b->depth >= at; ++b)
            if (b->depth == at) {
                Variable &known = program_.variables[b->variable];
                const bool is_other = table_.shadowing || (table_.declared_first && known.tentative);
                if (is_other && at > 0 && !early) break;
                known.tentative = false;
                return b->variable;
            }
    const int32_t made = make(name, scope.function, at == 0 ? VariableKind::GLOBAL : VariableKind::LOCAL);
    bind(name, at, made);
    return made;
}

void Scopes::declare_global(int32_t name) {
    if (function_depth() == 0) return;
    int32_t variable = -1;
    if (static_cast<size_t>(name) < bound_.size())
        for (const Binding &b : bound_[name])
            if (b.depth == 0) variable = b.variable;
    if (variable < 0) {
        variable = make(name, 0, VariableKind::GLOBAL, true);
        bind(name, 0, variable);
    }
    bind(name, function_depth(), variable);
}

void Scopes::declare_nonlocal(int32_t name) {
    const int32_t base = function_depth();
    if (base == 0) return;
    int32_t variable = -1;
    if (static_cast<size_t>(name) < bound_.size())
        for (const Binding &b : bound_[name])
            if (b.depth < base && b.depth > 0) variable = b.variable;
    if (variable < 0) {
        int32_t above = base - 1;
        while (above > 0 && scopes_[above].kind != Kind::FUNCTION) --above;
        variable = make(name, scopes_[above].function, VariableKind::LOCAL, true);
        bind(name, above, variable);
    }
    bind(name, base, variable);
}

void Scopes::close() {
    const Scope closed = std::move(scopes_.back());
    scopes_.pop_back();
    const int32_t at = static_cast<int32_t>(scopes_.size());
    std::vector<std::pair<int32_t, int32_t>> open;
    for (int32_t name : closed.names) {
        auto &stack = bound_[name];
        while (!stack.empty() && stack.back().depth >= at) {
            const int32_t variable = stack.back().variable;
            const Variable &known = program_.variables[variable];
            if (known.tentative && known.forward < 0) open.emplace_back(name, variable);
            stack.pop_back();
        }
    }
    if (!scopes_.empty())
        for (const auto &[name, variable] : open) settle(name, variable, closed);
}

// What a name means that its function (or class) only read.
void Scopes::settle(int32_t name, int32_t variable, const Scope &closed) {
    Variable &known = program_.variables[variable];
    if (known.owner != closed.function) return;  // declared as another function's
    if (table_.class_scope && closed.kind == Kind::FUNCTION && closed.cls >= 0) {
        const int32_t field = inherited(closed.cls, name);
        if (field >= 0) {
            forward(variable, field);
            return;
        }
    }
    // Where names wait in too many scopes, they are the top level's.
    const bool waits = --waits_left_ >= 0;
    if (!waits) program_.complete = false;
    const int32_t border = waits ? function_depth() : 0;
    const auto &stack = bound_[name];
    for (auto b = stack.rbegin(); b != stack.rend() && b->depth >= border; ++b) {
        if (!table_.class_scope && scopes_[b->depth].kind == Kind::CLASS) continue;
        forward(variable, b->variable);
        return;
    }
    // Beyond a function's border the name is settled when that function ends.
    int32_t at = depth();
    const bool waits_in_block = waits && reading_depth() != border;
    while (at > border && scopes_[at].kind == Kind::BLOCK && !waits_in_block) --at;
    while (at > border && !table_.class_scope && scopes_[at].kind == Kind::CLASS) --at;
    if (!waits) at = 0;
    known.owner = scopes_[at].function;
    known.kind = at == 0 ? VariableKind::GLOBAL : VariableKind::LOCAL;
    bind(name, at, variable);
}

int32_t Scopes::class_number(int32_t name) {
    const auto [at, is_new] = class_of_.try_emplace(name, static_cast<int32_t>(classes_.size()));
    if (is_new) {
        classes_.push_back({name, {}, {}, {}, {}});
        ++bases_known_;
    }
    return at->second;
}

int32_t Scopes::known_class(int32_t name) const {
    const auto at = class_of_.find(name);
    return at == class_of_.end() ? -1 : at->second;
}

void Scopes::add_base(int32_t cls, int32_t name) {
    if (!classes_[cls].known_bases.insert(name).second) return;
    classes_[cls].bases.push_back(name);
    ++bases_known_;
}

// A class and those it inherits from, each once: a text may say that they inherit from each other,
// and bases go by name, which several classes may have.
const std::vector<int32_t> &Scopes::line_of(int32_t cls) {
    std::vector<int32_t> &line = classes_[cls].above;
    if (classes_[cls].above_at == bases_known_) return line;
    classes_[cls].above_at = bases_known_;
    line.clear();
    std::unordered_set<int32_t> seen;
    std::vector<int32_t> pending{cls};
    while (!pending.empty()) {
        const int32_t next = pending.back();
        pending.pop_back();
        if (!seen.insert(next).second) continue;
        if (line.size() == MOST_ABOVE) {
            program_.complete = false;
            break;
        }
        line.push_back(next);
        const std::vector<int32_t> &bases = classes_[next].bases;
        if (bases.size() > MOST_ABOVE) program_.complete = false;
        for (size_t i = std::min(bases.size(), MOST_ABOVE); i-- > 0;)
            if (const int32_t above = known_class(bases[i]); above >= 0) pending.push_back(above);
    }
    return line;
}

int32_t Scopes::inherited(int32_t cls, int32_t name) {
    for (int32_t one : line_of(cls)) {
        const auto found = classes_[one].fields.find(name);
        if (found != classes_[one].fields.end()) return found->second;
    }
    return -1;
}

int32_t Scopes::field(int32_t cls, int32_t name) {
    const int32_t known = inherited(cls, name);
    if (known >= 0) return known;
    const int32_t made = make(name, 0, VariableKind::FIELD);
    classes_[cls].fields.emplace(name, made);
    return made;
}

}  // namespace codekin::flow
