#include "represent/tree/parse_meter.hpp"

#include <algorithm>

namespace codekin {

namespace {

thread_local ParseMeter *current = nullptr;
PyMemAllocatorEx real;
int hooked = 0;  // how many meters run, in all threads; the interpreter lock guards it

void *hooked_malloc(void *, size_t bytes) {
    void *block = real.malloc(real.ctx, bytes);
    if (current) current->allocated(block, bytes);
    return block;
}

void *hooked_calloc(void *, size_t count, size_t each) {
    void *block = real.calloc(real.ctx, count, each);
    if (current) current->allocated(block, count * each);
    return block;
}

void *hooked_realloc(void *, void *block, size_t bytes) {
    if (current && block) current->released(block);
    void *moved = real.realloc(real.ctx, block, bytes);
    if (current) current->allocated(moved, bytes);
    return moved;
}

void hooked_free(void *, void *block) {
    if (current && block) current->released(block);
    real.free(real.ctx, block);
}

}  // namespace

size_t BlockSet::slot(uintptr_t address) const {
    return static_cast<size_t>((address >> 4) * 11400714819323198485ull >> 20) & (table_.size() - 1);
}

void BlockSet::add(void *block) {
    if (2 * ++used_ > table_.size()) grow();
    const auto address = reinterpret_cast<uintptr_t>(block);
    size_t at = slot(address);
    while (table_[at]) at = (at + 1) & (table_.size() - 1);
    table_[at] = address;
}

void BlockSet::remove(void *block) {
    const auto address = reinterpret_cast<uintptr_t>(block);
    const size_t last = table_.size() - 1;
    size_t hole = slot(address);
    while (table_[hole] && table_[hole] != address) hole = (hole + 1) & last;
    if (!table_[hole]) return;
    --used_;
    // What comes behind moves up, unless its own slot lies between the hole and itself.
    for (size_t at = (hole + 1) & last; table_[at]; at = (at + 1) & last) {
        const size_t own = slot(table_[at]);
        if (((at - own) & last) < ((at - hole) & last)) continue;
        table_[hole] = table_[at];
        hole = at;
    }
    table_[hole] = 0;
}

void BlockSet::grow() {
    std::vector<uintptr_t> old(2 * table_.size());
    old.swap(table_);
    for (const uintptr_t address : old) {
        if (!address) continue;
        size_t at = slot(address);
        while (table_[at]) at = (at + 1) & (table_.size() - 1);
        table_[at] = address;
    }
}

void ParseMeter::start() {
    if (running_) return;
    running_ = true;
    outer_ = current;
    current = this;
    // A collection in between would count what the finalizers of other objects ask for.
    collects_ = PyGC_Disable();
    if (hooked++) return;
    PyMem_GetAllocator(PYMEM_DOMAIN_MEM, &real);
    PyMemAllocatorEx hook{nullptr, hooked_malloc, hooked_calloc, hooked_realloc, hooked_free};
    PyMem_SetAllocator(PYMEM_DOMAIN_MEM, &hook);
}

void ParseMeter::stop() {
    if (!running_) return;
    running_ = false;
    current = outer_;
    if (collects_) PyGC_Enable();
    if (--hooked == 0) PyMem_SetAllocator(PYMEM_DOMAIN_MEM, &real);
}

size_t ParseMeter::commonest_size() const {
    const auto most = std::max_element(sizes_.begin(), sizes_.end(), [](const auto &one, const auto &other) {
        return one.second != other.second ? one.second < other.second : one.first < other.first;
    });
    return most == sizes_.end() ? 0 : most->first;
}

void ParseMeter::allocated(void *block, size_t bytes) {
    ++allocations_;
    if (!block) return;
    if (!node_bytes_)
        ++sizes_[bytes];
    else if (bytes == node_bytes_)
        nodes_.add(block);
}

}  // namespace codekin
