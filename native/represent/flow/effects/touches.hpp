// What an operation touches: keys of locations, from its accesses.
#pragma once

#include <cstdint>
#include <vector>

#include "represent/flow/effects/aliases.hpp"
#include "represent/flow/effects/frames.hpp"
#include "represent/flow/flow_ir.hpp"

namespace codekin::flow::effect {

// A variable or alias class, and which of its locations: the variable's binding; all that the class
// holds, all its fields, what methods changed in it, its elements, or one field.
using Key = uint64_t;
enum Part : uint32_t { BINDING, ALL, FIELDS, STATE, CONTENTS, FIRST_FIELD };

inline Key key_of(int32_t number, uint32_t part) { return static_cast<Key>(number) << 32 | part; }
inline int32_t number_of(Key key) { return static_cast<int32_t>(key >> 32); }
inline uint32_t part_of(Key key) { return static_cast<uint32_t>(key); }

struct Written {
    Key key;
    bool strong;
    bool operator<(const Written &other) const {
        return key != other.key ? key < other.key : strong > other.strong;
    }
    bool operator==(const Written &other) const { return key == other.key && strong == other.strong; }
};

enum class Unknown { RECEIVER, PURE, ARGUMENTS };

class Touches {
  public:
    std::vector<Key> uses;
    std::vector<Written> definitions;

    Touches(const FlowArrays &ir, const Frames &frames, AliasClasses &classes, Unknown unknown,
            bool summaries, Budget &budget)
        : ir_(ir),
          frames_(frames),
          classes_(classes),
          unknown_(unknown),
          summaries_(summaries),
          budget_(budget),
          shared_(ir.variables, 0),
          resolved_(ir.operations, 0) {
        for (int32_t o = 0; o < ir.operations; ++o)
            frames.each_access(o, [&](int32_t v, int32_t, uint8_t) {
                shared_[v] |= ir.variable_owner(v) != ir.function(o);
            });
        for (const Site &site : frames.sites) resolved_[site.operation] = 1;
        for (int32_t f = 0; f < ir.functions; ++f) names_.push_back(ir.function_name(f));
        std::sort(names_.begin(), names_.end());
    }

    void gather(int32_t o) {
        uses.clear();
        definitions.clear();
        frames_.each_access(o, [&](int32_t v, int32_t field, uint8_t mode) { access(o, v, field, mode); });
        if (ir_.kind(o) == operation_kind::CALL && !resolved_[o] && frames_.call_of[o] >= 0) unknown_call(o);
    }

    // Through a class: its addressed variables change with it.
    void store(int32_t cls, uint32_t part) {
        define(key_of(cls, part), false);
        if (part == CONTENTS && budget_.take(static_cast<int64_t>(classes_.addressed_in(cls).size())))
            for (int32_t x : classes_.addressed_in(cls)) define(key_of(x, BINDING), false);
    }
    void load(int32_t cls, uint32_t part) {
        uses.push_back(key_of(cls, part));
        if (budget_.take(static_cast<int64_t>(classes_.addressed_in(cls).size())))
            for (int32_t x : classes_.addressed_in(cls)) uses.push_back(key_of(x, BINDING));
    }
    void load_all(int32_t cls) {
        classes_.each_within(cls, [&](int32_t inner) { load(inner, ALL); });
    }
    void define(Key key, bool strong) { definitions.push_back({key, strong}); }

  private:
    const FlowArrays &ir_;
    const Frames &frames_;
    AliasClasses &classes_;
    Unknown unknown_;
    bool summaries_;
    Budget &budget_;
    std::vector<uint8_t> shared_, resolved_;  // variables touched by several functions; calls
    std::vector<int32_t> names_;              // of the functions, sorted

    static uint32_t part_for(int32_t field) {
        return field < 0 ? CONTENTS : FIRST_FIELD + static_cast<uint32_t>(field);
    }

    void access(int32_t o, int32_t v, int32_t field, uint8_t mode) {
        const bool writes_reached = mode == access_mode::STORE || mode == access_mode::MAYBE;
        if (writes_reached && ir_.kind(o) == operation_kind::CALL && is_overruled(o, v)) return;
        if (mode != access_mode::DEFINE && mode != access_mode::MAYBE) uses.push_back(key_of(v, BINDING));
        switch (mode) {
            case access_mode::READ: read(v); break;
            case access_mode::LOAD: load_through(v, field); break;
            case access_mode::DEFINE:
                define(key_of(v, BINDING), true);
                if (is_fresh(o, v)) define(key_of(classes_.find(v), ALL), true);
                break;
            case access_mode::MAYBE:
                define(key_of(v, BINDING), false);
                if (ir_.kind(o) == operation_kind::OPAQUE) store_through(v, -1);
                break;
            case access_mode::STORE: store_through(v, field); break;
            default: break;
        }
        const bool writes = mode >= access_mode::DEFINE;
        if (writes && ir_.variable_kind(v) == variable_kind::FIELD) change_state(o);
    }

    void read(int32_t v) {
        const int32_t cls = classes_.find(v);
        if (classes_.is_value(v))
            uses.push_back(key_of(cls, FIELDS));
        else
            load_all(cls);
    }

    // The parts count too: &a[i] reaches them, and a store through it changes a[i].
    void load_through(int32_t v, int32_t field) {
        const int32_t cls = classes_.find(v), part = classes_.part(cls);
        if (field >= 0) uses.push_back(key_of(cls, part_for(field)));
        if (!classes_.is_value(v)) load(cls, CONTENTS);
        if (part >= 0 && part != cls) load(part, CONTENTS);
    }

    void store_through(int32_t v, int32_t field) {
        const int32_t cls = classes_.find(v);
        if (!classes_.is_value(v) || field >= 0) return store(cls, part_for(field));
        define(key_of(cls, CONTENTS), false);
        define(key_of(v, BINDING), false);
    }

    // A field that a method changes is part of its object.
    void change_state(int32_t o) {
        const int32_t self = frames_.receiver_of[ir_.function(o)];
        if (self >= 0) define(key_of(classes_.find(self), STATE), false);
    }

    // What a resolved call changes, its callee says; what an unknown one changes, the options.
    bool is_overruled(int32_t o, int32_t v) const {
        const int32_t k = frames_.call_of[o];
        if (k < 0) return false;
        if (!resolved_[o]) return unknown_ == Unknown::PURE;
        if (!summaries_) return false;
        for (int32_t i = ir_.argument_from(k); i < ir_.argument_from(k + 1); ++i)
            if (ir_.argument_variable(i) == v && ir_.argument_kind(i) == 1) return true;
        return false;
    }

    void unknown_call(int32_t o) {
        const int32_t k = frames_.call_of[o], receiver = ir_.call_receiver(k);
        if (unknown_ == Unknown::ARGUMENTS)
            frames_.each_access(o, [&](int32_t v, int32_t, uint8_t mode) {
                if (mode != access_mode::READ) return;
                define(key_of(v, BINDING), false);
                store_through(v, -1);
            });
        if (unknown_ != Unknown::RECEIVER || receiver < 0) return;
        if (std::binary_search(names_.begin(), names_.end(), ir_.call_name(k))) store_through(receiver, -1);
    }

    // A new value in the only variable that reaches it: nothing that was stored before matters.
    bool is_fresh(int32_t o, int32_t v) const {
        const uint8_t kind = ir_.variable_kind(v);
        if (kind == variable_kind::FIELD || kind == variable_kind::RECEIVER || shared_[v] ||
            classes_.addressed(v))
            return false;
        if (!classes_.is_alone(classes_.find(v))) return false;
        for (int32_t i = ir_.operand_from(o); i < ir_.operand_from(o + 1); ++i) {
            const int32_t value = ir_.operand(i), k = frames_.call_of[value];
            if (k >= 0 && !resolved_[value] && ir_.call_shape(k) == call_shape::MEMBER) return false;
        }
        return true;
    }
};

}  // namespace codekin::flow::effect
