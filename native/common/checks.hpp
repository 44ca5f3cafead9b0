// Checks of arguments: each kernel calls them first and may rely on its input from then on.
//
// All take the argument's name, are linear in the input, and throw ValueError with the place and the
// value that do not fit. The loops have no branches, so that the compiler can vectorise them; only where
// one fails is the place looked for.
#pragma once

#include <nanobind/nanobind.h>

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "common/arrays.hpp"

namespace codekin::check {

[[noreturn]] inline void refuse(const std::string &problem) { throw nanobind::value_error(problem.c_str()); }

// ---- numbers

inline void in_range(const char *name, int64_t value, int64_t least, int64_t most) {
    if (value >= least && value <= most) return;
    refuse(std::string(name) + " must be from " + std::to_string(least) + " to " + std::to_string(most) +
           ", not " + std::to_string(value));
}

inline void not_negative(const char *name, int64_t value) {
    if (value < 0) refuse(std::string(name) + " must not be negative, but is " + std::to_string(value));
}

inline void between(const char *name, double value, double least, double most) {
    if (value >= least && value <= most) return;  // false for nan
    refuse(std::string(name) + " must be from " + std::to_string(least) + " to " + std::to_string(most) +
           ", not " + std::to_string(value));
}

inline void finite(const char *name, double value) {
    if (!std::isfinite(value)) refuse(std::string(name) + " must be finite, not " + std::to_string(value));
}

// Counts: finite and not negative.
inline void counts(const char *name, const std::vector<double> &values) {
    for (size_t i = 0; i < values.size(); ++i)
        if (!(std::isfinite(values[i]) && values[i] >= 0))
            refuse(std::string(name) + "[" + std::to_string(i) +
                   "] must be finite and not negative, but is " + std::to_string(values[i]));
}

// What is numbered or multiplied must not outgrow its numbers.
inline void at_most(const char *what, uint64_t size, uint64_t most) {
    if (size > most)
        refuse(std::string(what) + ": at most " + std::to_string(most) + " are possible, not " +
               std::to_string(size));
}

// A number of things of which the other arguments name at most `named`: memory is spent on each of them, so
// the number may exceed what is named, but not by any amount.
inline void not_far_beyond(const char *name, int64_t number, uint64_t named) {
    constexpr uint64_t SLACK = uint64_t{1} << 16;
    not_negative(name, number);
    if (static_cast<uint64_t>(number) > 2 * named + SLACK)
        refuse(std::string(name) + " is " + std::to_string(number) +
               ", far more than the other arguments mention (" + std::to_string(named) + ")");
}

// ---- arrays

// Positions are 32 bits wide.
constexpr uint64_t MOST_POSITIONS = INT32_MAX - 1;

inline void positions(const char *name, uint64_t length) { at_most(name, length, MOST_POSITIONS); }

struct Length {
    const char *name;
    uint64_t length;
};

// The same length for each of several arrays.
inline void same_length(const char *name, uint64_t length, std::initializer_list<Length> others) {
    for (const Length &other : others)
        if (other.length != length)
            refuse(std::string(other.name) + " must be as long as " + name + " (" + std::to_string(length) +
                   "), not " + std::to_string(other.length));
}

inline void length(const char *name, uint64_t found, uint64_t wanted) {
    if (found != wanted)
        refuse(std::string(name) + " must have " + std::to_string(wanted) + " elements, not " +
               std::to_string(found));
}

// Every element from `least` up to, but not including, `end`.
template <typename T>
void all_in_range(const char *name, const ArrayIn<T> &values, int64_t least, int64_t end) {
    const T *data = values.data();
    const size_t n = values.size();
    bool fits = true;
    for (size_t i = 0; i < n; ++i) fits &= data[i] >= least && data[i] < end;
    if (fits) return;
    size_t i = 0;
    while (data[i] >= least && data[i] < end) ++i;
    refuse(
        std::string(name) + "[" + std::to_string(i) + "] is " + std::to_string(data[i]) + "; expected " +
        (end > least ? "a number from " + std::to_string(least) + " to " + std::to_string(end - 1) : "none"));
}

// Sorted; equal elements may follow one another.
template <typename T> void ascending(const char *name, const ArrayIn<T> &values) {
    const T *data = values.data();
    const size_t n = values.size();
    bool fits = true;
    for (size_t i = 1; i < n; ++i) fits &= data[i - 1] <= data[i];
    if (fits) return;
    size_t i = 1;
    while (data[i - 1] <= data[i]) ++i;
    refuse(std::string(name) + " must ascend, but " + name + "[" + std::to_string(i) +
           "] is less than the one before");
}

// Where the lists of `count` owners begin among so many items: ascending from 0 to their number.
template <typename T>
void offsets(const char *name, const ArrayIn<T> &values, uint64_t count, uint64_t items) {
    length(name, values.size(), count + 1);
    if (values(0) != 0 || static_cast<uint64_t>(values(count)) != items)
        refuse(std::string(name) + " must begin with 0 and end with " + std::to_string(items) + ", not " +
               std::to_string(values(0)) + " and " + std::to_string(values(count)));
    ascending(name, values);
}

// Where lines of so many tokens begin: at 0, each with a token at least, and none where there are no tokens.
inline void line_starts(const char *name, const ArrayIn<int32_t> &starts, int32_t tokens) {
    const size_t n = starts.size();
    bool fits = n == 0 ? tokens == 0 : starts(0) == 0 && starts(n - 1) < tokens;
    for (size_t i = 1; i < n; ++i) fits &= starts(i) > starts(i - 1);
    if (!fits)
        refuse(std::string(name) + " must begin at 0, ascend, and hold a token each of " +
               std::to_string(tokens));
}

// Spans that lie in a text of so many bytes.
inline void spans(const ArrayIn<int32_t> &start, const ArrayIn<int32_t> &end, uint64_t bytes) {
    at_most("bytes of a text", bytes, INT32_MAX);
    same_length("start", start.size(), {{"end", end.size()}});
    const int32_t *from = start.data(), *to = end.data();
    const auto most = static_cast<int64_t>(bytes);
    bool fits = true;
    const size_t n = start.size();
    for (size_t i = 0; i < n; ++i) fits &= from[i] >= 0 && from[i] <= to[i] && to[i] <= most;
    if (fits) return;
    size_t i = 0;
    while (from[i] >= 0 && from[i] <= to[i] && to[i] <= most) ++i;
    refuse("start and end: span " + std::to_string(i) + ", from " + std::to_string(from[i]) + " to " +
           std::to_string(to[i]) + ", does not lie in a text of " + std::to_string(bytes) + " bytes");
}

// ---- trees

// How many nodes the subtree of each holds; none reaches beyond the last.
inline void sizes(const ArrayIn<int32_t> &size) {
    positions("nodes", size.size());
    const int32_t *data = size.data();
    const auto n = static_cast<int32_t>(size.size());
    bool fits = true;
    for (int32_t i = 0; i < n; ++i) fits &= data[i] >= 1 && data[i] <= n - i;
    if (fits) return;
    int32_t i = 0;
    while (data[i] >= 1 && data[i] <= n - i) ++i;
    refuse("size[" + std::to_string(i) + "] is " + std::to_string(data[i]) + ", but of " + std::to_string(n) +
           " nodes from 1 to " + std::to_string(n - i) + " can be in that subtree");
}

// The arrays of a flat tree in preorder, with sound nesting.
inline void tree(const ArrayIn<uint16_t> &kind, const ArrayIn<uint16_t> &field,
                 const ArrayIn<int32_t> &parent, const ArrayIn<int32_t> &size) {
    positions("nodes", kind.size());
    same_length("kind", kind.size(),
                {{"field", field.size()}, {"parent", parent.size()}, {"size", size.size()}});
    const auto n = static_cast<int32_t>(kind.size());
    for (int32_t i = 0; i < n; ++i) {
        int32_t above = i - 1;  // the innermost node that is not over yet
        while (above >= 0 && i - above >= size(above)) above = parent(above);
        const int32_t stop = above < 0 ? n : above + size(above);
        if (parent(i) != above || size(i) < 1 || size(i) > stop - i)
            refuse("parent and size are not the arrays of a tree in preorder: node " + std::to_string(i) +
                   " has parent " + std::to_string(parent(i)) + " and size " + std::to_string(size(i)));
    }
}

// The same, and that the spans lie in a text of so many bytes.
inline void tree(uint64_t bytes, const ArrayIn<uint16_t> &kind, const ArrayIn<uint16_t> &field,
                 const ArrayIn<int32_t> &parent, const ArrayIn<int32_t> &size, const ArrayIn<int32_t> &start,
                 const ArrayIn<int32_t> &end) {
    tree(kind, field, parent, size);
    same_length("kind", kind.size(), {{"start", start.size()}, {"end", end.size()}});
    spans(start, end, bytes);
}

// Tables by kind of node have an entry for each of the 65536 numbers that a kind may have.
constexpr uint64_t KINDS = 65536;

// ---- graphs

inline void edges(const ArrayIn<int32_t> &source, const ArrayIn<int32_t> &target, int64_t nodes) {
    at_most("edges", source.size(), INT32_MAX / 4);
    same_length("source", source.size(), {{"target", target.size()}});
    all_in_range("source", source, 0, nodes);
    all_in_range("target", target, 0, nodes);
}

}  // namespace codekin::check
