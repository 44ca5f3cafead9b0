// A first look at a function's items: whether the marks are balanced, and what a construct will have.
#pragma once

#include <cstdint>
#include <vector>

#include "represent/flow/control_flow/control_flow.hpp"

namespace codekin::flow::control {

// What is known of a construct before its parts are read. Of a CASE: DEFAULTED, GUARDED; of a TRY the rest.
enum Trait : uint8_t { DEFAULTED = 1, GUARDED = 2, CAUGHT = 4, CAUGHT_OFTEN = 8, FINAL = 16 };

class Outline {
  public:
    Outline(size_t items, size_t operations) : traits_(items, 0), runs_(operations, 0) {}

    uint8_t traits(int32_t item) const { return traits_[item]; }
    bool runs(int32_t operation) const { return runs_[operation] != 0; }

    // Throws std::invalid_argument where a mark stands where it has no meaning.
    void read(const Items &items, const Routine &routine) {
        open_.clear(), switches_.clear();
        loops_ = 0;
        for (int32_t i = routine.first_item; i < routine.end_item; ++i) {
            if (items.code[i] >= static_cast<uint8_t>(Item::COUNT)) malformed("unknown code", i);
            const int32_t a = items.a[i];
            const Item item = items.item(i);
            const bool named = a >= routine.first_operation && a < routine.end_operation;
            if (!named && (a != -1 || item == Item::OP)) malformed("no operation of the function", i);
            if (item == Item::OP)
                runs_[a] = 1;
            else
                mark(item, i);
        }
        if (!open_.empty()) malformed("a construct without END", open_.back().item);
    }

  private:
    enum Stage : uint8_t { FIRST, CATCHING, OTHERWISE, AT_LAST };
    struct Open {
        Item kind;
        Stage stage;
        int32_t item;
        bool next;  // of a loop: NEXT was seen
    };
    struct Switch {
        int32_t alternative;  // its item, -1 where none was seen
        bool tested, guarded;
    };

    void mark(Item item, int32_t i) {
        switch (item) {
            case Item::IF:
            case Item::LOOP:
            case Item::SWITCH:
            case Item::TRY:
            case Item::BLOCK: open(item, i); break;
            case Item::END: close(i); break;
            case Item::ELSE: stage_of(Item::IF, FIRST, i) = OTHERWISE; break;
            case Item::LOOPELSE: stage_of(Item::LOOP, FIRST, i) = OTHERWISE, --loops_; break;
            case Item::TEST:
                if (loops_ == 0) malformed("TEST outside of a loop", i);
                break;
            case Item::NEXT: {
                stage_of(Item::LOOP, FIRST, i);
                if (open_.back().next) malformed("a second NEXT", i);
                open_.back().next = true;
                break;
            }
            case Item::CASE:
            case Item::MATCH:
            case Item::DEFAULT:
            case Item::GUARD: alternative(item, i); break;
            case Item::LEAVE:
                if (switches_.empty()) malformed("LEAVE outside of a switch", i);
                break;
            case Item::CATCH: {
                stage_of(Item::TRY, CATCHING, i) = CATCHING;
                uint8_t &traits = traits_[open_.back().item];
                traits |= traits & CAUGHT ? CAUGHT_OFTEN : CAUGHT;
                break;
            }
            case Item::TRYELSE: stage_of(Item::TRY, CATCHING, i) = OTHERWISE; break;
            case Item::FINALLY: {
                stage_of(Item::TRY, OTHERWISE, i) = AT_LAST;
                traits_[open_.back().item] |= FINAL;
                break;
            }
            default: break;
        }
    }

    void open(Item kind, int32_t i) {
        open_.push_back({kind, FIRST, i, false});
        if (kind == Item::LOOP) ++loops_;
        if (kind == Item::SWITCH) switches_.push_back({-1, true, true});
    }

    void close(int32_t i) {
        if (open_.empty()) malformed("END of nothing", i);
        const Open &top = open_.back();
        if (top.kind == Item::LOOP && top.stage == FIRST) --loops_;
        if (top.kind == Item::SWITCH) {
            if (!switches_.back().tested) malformed("a CASE without MATCH or DEFAULT", i);
            switches_.pop_back();
        }
        open_.pop_back();
    }

    Stage &stage_of(Item kind, Stage latest, int32_t i) {
        if (open_.empty() || open_.back().kind != kind || open_.back().stage > latest)
            malformed("a mark of another construct", i);
        return open_.back().stage;
    }

    // The alternatives of a switch may stand inside other constructs: Duff's device.
    void alternative(Item item, int32_t i) {
        if (switches_.empty()) malformed("an alternative outside of a switch", i);
        Switch &of = switches_.back();
        if (item == Item::CASE) {
            if (!of.tested) malformed("a CASE without MATCH or DEFAULT", i);
            of = {i, false, false};
        } else if (item == Item::GUARD) {
            if (!of.tested || of.guarded) malformed("GUARD without MATCH or DEFAULT", i);
            traits_[of.alternative] |= GUARDED;
            of.guarded = true;
        } else {
            if (of.tested) malformed("MATCH or DEFAULT without CASE", i);
            if (item == Item::DEFAULT) traits_[of.alternative] |= DEFAULTED;
            of.tested = true;
        }
    }

    std::vector<uint8_t> traits_;  // of items
    std::vector<uint8_t> runs_;    // operations that the items name
    std::vector<Open> open_;
    std::vector<Switch> switches_;
    int32_t loops_ = 0;
};

}  // namespace codekin::flow::control
