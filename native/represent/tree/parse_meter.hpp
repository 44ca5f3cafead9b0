// Counts what tree-sitter allocates while it parses, which tells how hard it works and how deep its
// stack is.
//
// The binding lets tree-sitter allocate by PyMem_Malloc and its siblings. They are hooked only while a
// parse is metered, and only the thread that parses is counted.
#pragma once

#include <Python.h>

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace codekin {

// The addresses of blocks that are in use.
class BlockSet {
  public:
    void add(void *block);
    void remove(void *block);
    size_t size() const { return used_; }

  private:
    size_t slot(uintptr_t address) const;
    void grow();

    std::vector<uintptr_t> table_ = std::vector<uintptr_t>(1024);
    size_t used_ = 0;
};

class ParseMeter {
  public:
    // `node_bytes`: how large a node of the parser's stack is; 0 where every size is to be counted
    // apart, to find that out.
    explicit ParseMeter(size_t node_bytes) : node_bytes_(node_bytes) {}
    ParseMeter(const ParseMeter &) = delete;
    ParseMeter &operator=(const ParseMeter &) = delete;
    ~ParseMeter() { stop(); }

    void start();
    void stop();

    int64_t allocations() const { return allocations_; }
    int64_t stack_nodes() const { return static_cast<int64_t>(nodes_.size()); }

    // The size that was asked for most often; 0 if none was, or if node_bytes was given.
    size_t commonest_size() const;

    void allocated(void *block, size_t bytes);
    void released(void *block) {
        if (node_bytes_) nodes_.remove(block);
    }

  private:
    size_t node_bytes_;
    int64_t allocations_ = 0;
    BlockSet nodes_;
    std::unordered_map<size_t, int64_t> sizes_;
    ParseMeter *outer_ = nullptr;
    bool running_ = false;
    int collects_ = 0;
};

}  // namespace codekin
