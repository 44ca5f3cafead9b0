// The constructs that are open while a function's items are read, and where jumps lead among them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "represent/flow/control_flow/control_flow.hpp"
#include "represent/flow/control_flow/outline.hpp"
#include "represent/flow/control_flow/points.hpp"

namespace codekin::flow::control {

enum class Stage : uint8_t { BODY, CATCH, OTHERWISE, FINALLY };

// An open construct. Points that its kind does not have are -1.
struct Frame {
    Item kind = Item::BLOCK;
    Stage stage = Stage::BODY;
    uint8_t traits = 0;
    bool has_next = false, breaks = false;  // of a loop; of a switch: `break` leaves it
    int32_t label = -1, shadowed = -1;      // the frame that had the label before
    int32_t finallies = 0;                  // how many FINALLYs protect the construct itself
    int32_t exit = -1;                      // after the construct
    int32_t other =
        -1;  // IF: the else part; LOOP: left by TEST; SWITCH: next alternative; TRY: end of the body
    int32_t head = -1;  // LOOP: its start; SWITCH: the default; TRY: the handlers
    int32_t next = -1;  // LOOP: where `continue` goes; SWITCH: start of the body; TRY: start of FINALLY
    int32_t node = -1;  // SWITCH: its subject; TRY: chooses among handlers
    // Of a TRY with FINALLY: what happens after it.
    bool normal = false;
    int32_t raise_way = -1;         // the node by which what is raised comes into it
    int32_t continuation = -1;      // the first of a list
    int32_t outermost = INT32_MAX;  // jumps go on through the FINALLYs around it, out to this one
};

// A jump that leaves a TRY by its FINALLY: `way` leads into it; from its end on to `target`, unless
// more FINALLYs lie between.
struct Continuation {
    int32_t target, way;
    bool leads_there;
    int32_t following;
};

class Frames {
  public:
    Frames(ControlGraph &graph, Place &place) : graph_(graph), place_(place) {}

    void begin(int32_t exit) {
        exit_ = exit;
        frames_.clear(), breakable_.clear(), loops_.clear(), switches_.clear();
        finallies_.clear(), protectors_.clear(), labelled_.clear(), continuations_.clear();
    }

    Frame &top() { return frames_.back(); }
    Frame &loop() { return frames_[loops_.back()]; }
    Frame &innermost_switch() { return frames_[switches_.back()]; }

    Frame &push(Item kind, int32_t label) {
        Frame frame;
        frame.kind = kind;
        frame.label = label;
        frame.finallies = static_cast<int32_t>(finallies_.size());
        frame.exit = place_.point();
        if (label >= 0) {
            const auto index = static_cast<int32_t>(frames_.size());
            const auto [found, added] = labelled_.try_emplace(label, index);
            if (!added) frame.shadowed = found->second, found->second = index;
        }
        frames_.push_back(frame);
        return frames_.back();
    }

    void pop() { frames_.pop_back(); }

    void open_loop() { loops_.push_back(depth()), breakable_.push_back(depth()); }

    // Jumps no longer mean this loop.
    void close_loop() {
        loops_.pop_back(), breakable_.pop_back();
        forget_label();
    }

    void open_switch() {
        switches_.push_back(depth());
        if (top().breaks) breakable_.push_back(depth());
    }

    void close_switch() {
        switches_.pop_back();
        if (top().breaks) breakable_.pop_back();
    }

    void forget_label() {
        const Frame &frame = top();
        if (frame.label < 0) return;
        if (frame.shadowed >= 0)
            labelled_[frame.label] = frame.shadowed;
        else
            labelled_.erase(frame.label);
    }

    void open_try() {
        if (top().traits & (CAUGHT | FINAL)) protectors_.push_back(depth());
        if (top().traits & FINAL) finallies_.push_back(depth());
    }

    // From here on the TRY's own handlers catch nothing.
    void close_handlers() {
        if (top().stage == Stage::BODY && (top().traits & CAUGHT) && !(top().traits & FINAL))
            protectors_.pop_back();
    }

    void close_protection() { protectors_.pop_back(), finallies_.pop_back(); }

    bool is_protected() const { return !protectors_.empty(); }

    int32_t break_target(int32_t label) {
        if (label < 0) return breakable_.empty() ? exit_target() : exit_of(frames_[breakable_.back()]);
        const auto found = labelled_.find(label);
        return found == labelled_.end() ? exit_target() : exit_of(frames_[found->second]);
    }

    int32_t continue_target(int32_t label) {
        int32_t index = loops_.empty() ? -1 : loops_.back();
        if (label >= 0) {
            const auto found = labelled_.find(label);
            index = found == labelled_.end() ? -1 : found->second;
            // The label of a block around a loop is the loop's.
            if (index >= 0 && frames_[index].kind == Item::BLOCK) ++index;
            if (index > depth() || (index >= 0 && frames_[index].kind != Item::LOOP)) index = -1;
        }
        return index < 0 ? exit_target() : through(~frames_[index].next, frames_[index].finallies);
    }

    int32_t exit_of(const Frame &frame) { return through(~frame.exit, frame.finallies); }
    int32_t done_target() { return through(~loop().other, loop().finallies); }
    int32_t exit_target() { return through(exit_, 0); }

    // Where what is raised here goes: to the handlers around it, or into a FINALLY, or to the exit.
    int32_t raise_target() {
        if (protectors_.empty()) return exit_;
        Frame &frame = frames_[protectors_.back()];
        if (frame.stage == Stage::BODY && (frame.traits & CAUGHT)) return ~frame.head;
        if (frame.raise_way < 0) frame.raise_way = way_into(frame);
        return frame.raise_way;
    }

    // After a FINALLY: on to where each way into it was going. Which of them it is was chosen where
    // the ways parted; so what depends on the choice at the end depends on what chose the way in.
    void close_finally() {
        const Frame frame = top();
        const auto outer = static_cast<int32_t>(finallies_.size());  // those that protect this TRY
        const bool on = frame.outermost < outer;
        int32_t count = frame.normal + on + (frame.raise_way >= 0), single = -1;
        for (int32_t c = frame.continuation; c >= 0; c = continuations_[c].following)
            if (continuations_[c].leads_there) ++count, single = c;
        if (place_.is_dead() || count == 0) return;
        if (count == 1 && !on) {
            if (frame.normal) return;
            if (frame.raise_way >= 0)
                place_.go(raise_target());
            else
                place_.go(continuations_[single].target);
            return;
        }
        choose_continuation(frame, on);
    }

  private:
    int32_t depth() const { return static_cast<int32_t>(frames_.size()) - 1; }

    int32_t way_into(const Frame &frame) {
        const int32_t way = graph_.pseudo(-1);
        place_.edge(way, ~frame.next, FOLLOWS);
        return way;
    }

    // The target of a jump that leaves all FINALLYs but the outermost `kept`.
    int32_t through(int32_t target, int32_t kept) {
        const auto protecting = static_cast<int32_t>(finallies_.size());
        if (protecting == kept) return target;
        Frame &inner = frames_[finallies_.back()];
        if (protecting == kept + 1) return way_to(inner, target, true);
        inner.outermost = std::min(inner.outermost, kept);
        way_to(frames_[finallies_[kept]], target, true, false);
        return way_to(inner, target, false);
    }

    // The node that leads into the FINALLY on the way to a target; few are looked through for an
    // equal one, because a second for the same target does no harm.
    int32_t way_to(Frame &frame, int32_t target, bool leads_there, bool enters = true) {
        int32_t c = frame.continuation;
        for (int32_t tries = 16; c >= 0 && tries > 0; --tries, c = continuations_[c].following) {
            Continuation &known = continuations_[c];
            if (known.target != target || known.leads_there != leads_there) continue;
            if (known.way < 0 && enters) known.way = way_into(frame);
            return known.way;
        }
        const int32_t way = enters ? way_into(frame) : -1;
        continuations_.push_back({target, way, leads_there, frame.continuation});
        frame.continuation = static_cast<int32_t>(continuations_.size()) - 1;
        return way;
    }

    void choose_continuation(const Frame &frame, bool on) {
        const int32_t end = graph_.pseudo(-1);
        place_.put(end);
        const auto chosen = [&](int32_t way) {
            graph_.choice.push_back(end), graph_.chosen_by.push_back(way);
        };
        for (int32_t c = frame.continuation; c >= 0; c = continuations_[c].following) {
            if (continuations_[c].way >= 0) chosen(continuations_[c].way);
            if (continuations_[c].leads_there) place_.edge(end, continuations_[c].target, FOLLOWS);
        }
        if (on) {
            Frame &outer = frames_[finallies_.back()];
            place_.edge(end, ~outer.next, FOLLOWS);
            outer.outermost = std::min(outer.outermost, frame.outermost);
            continuations_.push_back({end, end, false, outer.continuation});
            outer.continuation = static_cast<int32_t>(continuations_.size()) - 1;
        }
        if (frame.raise_way >= 0) {
            chosen(frame.raise_way);
            place_.edge(end, raise_target(), RAISED);
        }
        if (frame.normal)
            place_.resume(end, FOLLOWS);
        else
            place_.nowhere();
    }

    ControlGraph &graph_;
    Place &place_;
    int32_t exit_ = -1;
    std::vector<Frame> frames_;
    std::vector<int32_t> breakable_, loops_, switches_;  // frames, innermost last
    std::vector<int32_t> finallies_;                     // TRYs whose FINALLY is still to come
    std::vector<int32_t> protectors_;                    // TRYs that do something about what is raised
    std::unordered_map<int32_t, int32_t> labelled_;
    std::vector<Continuation> continuations_;
};

}  // namespace codekin::flow::control
