// Running a function on a stack of a given size, for algorithms that recurse as deep as their input nests.
#pragma once

#include <cstddef>

namespace codekin {

// Under AddressSanitizer everything on the stack has guards around it: frames are this much larger.
#if defined(__SANITIZE_ADDRESS__)
constexpr size_t FRAME_GROWTH = 8;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr size_t FRAME_GROWTH = 8;
#else
constexpr size_t FRAME_GROWTH = 1;
#endif
#else
constexpr size_t FRAME_GROWTH = 1;
#endif

// Calls function(argument) in a thread with `bytes` of stack, and waits for it. The function must not
// throw. Throws std::runtime_error where the system gives no such thread.
void run_on_stack(size_t bytes, void (*function)(void *), void *argument);

}  // namespace codekin
