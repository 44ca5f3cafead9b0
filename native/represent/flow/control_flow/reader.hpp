// Draws the control-flow graph of a function while reading its items once, without recursion.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "represent/flow/control_flow/control_flow.hpp"
#include "represent/flow/control_flow/frames.hpp"
#include "represent/flow/control_flow/outline.hpp"
#include "represent/flow/control_flow/points.hpp"

namespace codekin::flow::control {

class Reader {
  public:
    Reader(ControlGraph &graph, const Items &items, const uint8_t *kind, const uint8_t *flags,
           const Outline &outline, const Options &options)
        : graph_(graph),
          items_(items),
          kind_(kind),
          flags_(flags),
          outline_(outline),
          options_(options),
          place_(graph),
          frames_(graph, place_) {}

    void read(const Routine &routine, int32_t exit) {
        place_.begin();
        frames_.begin(exit);
        labels_.clear();
        put_start(routine);
        for (int32_t i = routine.first_item; i < routine.end_item; ++i) read_item(i);
        place_.go(exit);
        place_.settle(exit);
    }

  private:
    // The entry and the parameters run first, whether the items say so or not.
    void put_start(const Routine &routine) {
        for (int32_t op = routine.first_operation; op < routine.end_operation; ++op) {
            if (op > routine.first_operation && kind_[op] != PARAMETER_KIND) return;
            if (!outline_.runs(op)) place_.put(op);
        }
    }

    void read_item(int32_t i) {
        const int32_t a = items_.a[i], b = items_.b[i];
        switch (items_.item(i)) {
            case Item::OP: run(a); break;
            case Item::IF: open_if(a); break;
            case Item::ELSE: open_else(); break;
            case Item::LOOP: open_loop(b); break;
            case Item::TEST: split(a, a, frames_.done_target()); break;
            case Item::NEXT: place_.arrive(frames_.top().next), frames_.top().has_next = true; break;
            case Item::LOOPELSE: close_loop_body(), frames_.top().stage = Stage::OTHERWISE; break;
            case Item::SWITCH: open_switch(a, b); break;
            case Item::CASE: open_alternative(i); break;
            case Item::MATCH: match(a); break;
            case Item::DEFAULT: start_body(); break;
            case Item::GUARD: guard(a); break;
            case Item::TRY: open_try(i); break;
            case Item::CATCH: open_handler(); break;
            case Item::TRYELSE: open_try_else(); break;
            case Item::FINALLY: open_finally(); break;
            case Item::LABEL: put_label(b); break;
            case Item::BLOCK: frames_.push(Item::BLOCK, b); break;
            case Item::END: close(); break;
            default: jump(items_.item(i), a, b);
        }
    }

    void run(int32_t operation) {
        place_.put(operation);
        if (options_.raising && (flags_[operation] & MAY_RAISE) && frames_.is_protected())
            place_.edge(operation, frames_.raise_target(), RAISED);
    }

    void jump(Item item, int32_t a, int32_t b) {
        int32_t target = 0;
        switch (item) {
            case Item::RETURN: target = frames_.exit_target(); break;
            case Item::THROW: target = frames_.raise_target(); break;
            case Item::BREAK: target = frames_.break_target(b); break;
            case Item::CONTINUE: target = frames_.continue_target(b); break;
            case Item::LEAVE: target = frames_.exit_of(frames_.innermost_switch()); break;
            default: target = ~label(b);
        }
        place_.jump(a, target, item == Item::THROW ? RAISED : FOLLOWS, options_.jumps);
    }

    // 1 where the operation is known to be true, -1 where it is known to be false.
    int constant(int32_t operation) const {
        if (!options_.fold || operation < 0) return 0;
        return ((flags_[operation] & CONSTANT_TRUE) != 0) - ((flags_[operation] & CONSTANT_FALSE) != 0);
    }

    // On when the operation is true, to the target when it is false. `decider` is whom the branch is
    // ascribed to where the operation is none.
    void split(int32_t operation, int32_t decider, int32_t otherwise) {
        const int known = constant(operation);
        const bool at_once = place_.is_just_after(operation);
        if (known < 0) {
            place_.go(otherwise, at_once ? WHEN_FALSE : FOLLOWS);
        } else if (known == 0) {
            const int32_t node = at_once ? operation : graph_.pseudo(decider);
            if (!at_once) place_.put(node);
            place_.edge(node, otherwise, WHEN_FALSE);
            place_.resume(node, WHEN_TRUE);
        } else if (at_once) {
            place_.resume(operation, WHEN_TRUE);
        }
    }

    void open_if(int32_t operation) {
        Frame &frame = frames_.push(Item::IF, -1);
        frame.other = place_.point();
        split(operation, operation, ~frame.other);
    }

    void open_else() {
        Frame &frame = frames_.top();
        place_.go(~frame.exit);
        place_.arrive(frame.other);
        frame.stage = Stage::OTHERWISE;
    }

    void open_loop(int32_t label) {
        Frame &frame = frames_.push(Item::LOOP, label);
        frame.head = place_.point(), frame.next = place_.point(), frame.other = place_.point();
        place_.arrive(frame.head);
        frames_.open_loop();
    }

    void close_loop_body() {
        const Frame frame = frames_.top();
        place_.go(~frame.head);
        if (!frame.has_next) {
            place_.arrive(frame.next);
            place_.go(~frame.head);
        }
        frames_.close_loop();
        place_.arrive(frame.other);
    }

    void open_switch(int32_t subject, int32_t b) {
        Frame &frame = frames_.push(Item::SWITCH, -1);
        frame.node = subject;
        frame.breaks = b != 1;
        frame.other = place_.point();
        place_.go(~frame.other);
        frames_.open_switch();
    }

    void open_alternative(int32_t i) {
        Frame &frame = frames_.innermost_switch();
        frame.traits = outline_.traits(i);
        frame.next = place_.point();
        place_.go(~frame.next);
        if (!(frame.traits & DEFAULTED)) return place_.arrive(frame.other);
        const int32_t start = place_.point();
        place_.arrive(start);
        if (frame.head >= 0) return;  // a second default: only what stands before it leads here
        frame.head = start;
        place_.use(start);
    }

    void match(int32_t operation) {
        Frame &frame = frames_.innermost_switch();
        frame.other = place_.point();
        split(operation, operation >= 0 ? operation : frame.node, ~frame.other);
        start_body();
    }

    // With a guard the body starts behind it.
    void start_body() {
        const Frame &frame = frames_.innermost_switch();
        if (!(frame.traits & GUARDED)) place_.arrive(frame.next);
    }

    void guard(int32_t operation) {
        const Frame &frame = frames_.innermost_switch();
        split(operation, operation, frame.traits & DEFAULTED ? ~frame.exit : ~frame.other);
        place_.arrive(frame.next);
    }

    void close_switch(const Frame &frame) {
        frames_.close_switch();
        if (frame.head < 0) return place_.arrive(frame.other);
        place_.go(~frame.exit);
        place_.arrive(frame.other);
        place_.go(~frame.head);
    }

    void open_try(int32_t i) {
        Frame &frame = frames_.push(Item::TRY, -1);
        frame.traits = outline_.traits(i);
        frame.head = place_.point(), frame.next = place_.point(), frame.other = place_.point();
        frames_.open_try();
    }

    void open_handler() {
        Frame &frame = frames_.top();
        if (frame.stage == Stage::BODY) {
            close_guarded_body(frame);
            frames_.close_handlers();
            frame.stage = Stage::CATCH;
            place_.arrive(frame.head);
            if (frame.traits & CAUGHT_OFTEN) place_.put(frame.node = graph_.pseudo(-1));
        } else {
            place_.go(~frame.exit);
        }
        if (!(frame.traits & CAUGHT_OFTEN)) return;
        const int32_t start = place_.point();
        place_.edge(frame.node, ~start, RAISED);
        place_.nowhere();
        place_.arrive(start);
    }

    // Where no operation is known to raise, something may have after all: nobody knows what.
    void close_guarded_body(const Frame &frame) {
        if (!place_.is_used(frame.head) && !place_.is_dead()) {
            const int32_t node = graph_.pseudo(-1);
            place_.put(node);
            place_.edge(node, ~frame.head, RAISED);
        }
        place_.go(~frame.other);
    }

    void open_try_else() {
        Frame &frame = frames_.top();
        if (frame.stage == Stage::CATCH) {
            place_.go(~frame.exit);
            place_.arrive(frame.other);
        }
        frame.stage = Stage::OTHERWISE;
    }

    void open_finally() {
        Frame &frame = frames_.top();
        if (frame.stage == Stage::CATCH) place_.arrive(frame.other);
        place_.arrive(frame.exit);
        frame.normal = !place_.is_dead();
        place_.arrive(frame.next);
        frame.stage = Stage::FINALLY;
        frames_.close_protection();
    }

    void close() {
        const Frame frame = frames_.top();
        if (frame.kind == Item::IF && frame.stage == Stage::BODY) place_.arrive(frame.other);
        if (frame.kind == Item::LOOP && frame.stage == Stage::BODY) close_loop_body();
        if (frame.kind == Item::SWITCH) close_switch(frame);
        if (frame.kind == Item::TRY && frame.stage == Stage::CATCH) place_.arrive(frame.other);
        if (frame.kind == Item::BLOCK) frames_.forget_label();
        if (frame.kind == Item::TRY && frame.stage == Stage::FINALLY)
            frames_.close_finally();
        else
            place_.arrive(frame.exit);
        frames_.pop();
    }

    int32_t label(int32_t name) {
        const auto [found, added] = labels_.try_emplace(name, Label{-1, false});
        if (added) {
            found->second.point = place_.point();
            place_.use(found->second.point);
        }
        return found->second.point;
    }

    void put_label(int32_t name) {
        const int32_t point = label(name);
        bool &is_put = labels_[name].is_put;
        if (!is_put) place_.arrive(point);
        is_put = true;
    }

    struct Label {
        int32_t point;
        bool is_put;
    };

    ControlGraph &graph_;
    const Items items_;
    const uint8_t *kind_, *flags_;
    const Outline &outline_;
    const Options options_;
    Place place_;
    Frames frames_;
    std::unordered_map<int32_t, Label> labels_;
};

}  // namespace codekin::flow::control
