// The assignment problem: partners for the rows of a matrix such that their weights sum to the most.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "align/graph_edit/budget.hpp"

namespace codekin::graph_edit {

// Shortest augmenting paths (Jonker and Volgenant), dense, with at most as many rows as columns.
//
// Weights are not negative. Afterwards row_price[x] + column_price[y] >= weight(x, y) everywhere,
// with equality on the assignment; column prices are not negative, and 0 where no row is assigned.
class Assignment {
  public:
    // Longer than the last problem needs, if an earlier one was larger.
    std::vector<std::int32_t> column_of;  // of each row
    std::vector<std::int64_t> row_price, column_price;

    std::int64_t solve(std::int32_t rows, std::int32_t columns, const std::int32_t *weights, Budget &budget) {
        make_room(rows, columns);
        std::fill_n(column_of.data(), rows, -1);
        std::fill_n(column_price.data(), columns, std::int64_t{0});
        std::fill_n(row_of_.data(), columns, -1);
        budget.spend(std::int64_t{rows} * columns);
        for (std::int32_t x = 0; x < rows; ++x) take_largest(x, columns, weights + std::size_t(x) * columns);
        for (std::int32_t x = 0; x < rows; ++x)
            if (column_of[x] < 0) augment(x, columns, weights, budget);
        std::int64_t sum = 0;
        for (std::int32_t x = 0; x < rows; ++x) sum += weights[std::size_t(x) * columns + column_of[x]];
        return sum;
    }

  private:
    // Thousands of small problems are solved, so nothing is allocated but for the largest.
    void make_room(std::int32_t rows, std::int32_t columns) {
        const auto x = static_cast<std::size_t>(rows), y = static_cast<std::size_t>(columns);
        if (column_of.size() < x) {
            column_of.resize(x);
            row_price.resize(x);
        }
        if (column_price.size() < y) {
            column_price.resize(y);
            row_of_.resize(y);
            before_.resize(y);
            distance_.resize(y);
            done_.resize(y);
        }
    }

    void take_largest(std::int32_t x, std::int32_t columns, const std::int32_t *row) {
        std::int32_t best = 0;
        for (std::int32_t y = 1; y < columns; ++y)
            if (row[y] > row[best]) best = y;
        row_price[x] = row[best];
        if (row_of_[best] < 0) {
            row_of_[best] = x;
            column_of[x] = best;
        }
    }

    // Finds a partner for a row; rows on the way change theirs.
    void augment(std::int32_t start, std::int32_t columns, const std::int32_t *weights, Budget &budget) {
        constexpr auto kFar = std::numeric_limits<std::int64_t>::max() / 4;
        std::fill_n(distance_.data(), columns, kFar);
        std::fill_n(before_.data(), columns, -1);
        std::fill_n(done_.data(), columns, std::uint8_t{0});
        reached_.clear();
        std::int32_t row = start, column = -1;
        std::int64_t length = 0;
        for (;;) {
            budget.spend(columns);
            const std::int32_t *weight = weights + std::size_t(row) * columns;
            const std::int64_t base = length + row_price[row];
            std::int64_t nearest = kFar;
            std::int32_t next = -1;
            for (std::int32_t y = 0; y < columns; ++y) {
                if (done_[y]) continue;
                const std::int64_t through = base + column_price[y] - weight[y];
                if (through < distance_[y]) {
                    distance_[y] = through;
                    before_[y] = row;
                }
                if (distance_[y] < nearest) {
                    nearest = distance_[y];
                    next = y;
                }
            }
            length = nearest;
            column = next;
            if (row_of_[column] < 0) break;
            done_[column] = 1;
            reached_.push_back(column);
            row = row_of_[column];
        }
        row_price[start] -= length;
        for (const std::int32_t y : reached_) {
            const std::int64_t change = length - distance_[y];
            row_price[row_of_[y]] -= change;
            column_price[y] += change;
        }
        while (column >= 0) {
            const std::int32_t from = before_[column], left = column_of[from];
            row_of_[column] = from;
            column_of[from] = column;
            column = left;
        }
    }

    std::vector<std::int32_t> row_of_, before_, reached_;
    std::vector<std::int64_t> distance_;
    std::vector<std::uint8_t> done_;
};

}  // namespace codekin::graph_edit
