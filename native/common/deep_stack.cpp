#include "common/deep_stack.hpp"

#include <stdexcept>

#ifdef _WIN32
#define NOMINMAX
#include <windows.h>
#else
#include <pthread.h>
#endif

namespace codekin {

namespace {

struct Job {
    void (*function)(void *);
    void *argument;
};

[[noreturn]] void no_thread() { throw std::runtime_error("no thread for a deeply nested program"); }

#ifdef _WIN32
DWORD WINAPI work(void *given) {
    const Job &job = *static_cast<Job *>(given);
    job.function(job.argument);
    return 0;
}
#else
void *work(void *given) {
    const Job &job = *static_cast<Job *>(given);
    job.function(job.argument);
    return nullptr;
}
#endif

}  // namespace

void run_on_stack(size_t bytes, void (*function)(void *), void *argument) {
    Job job{function, argument};
#ifdef _WIN32
    const HANDLE thread =
        CreateThread(nullptr, bytes, work, &job, STACK_SIZE_PARAM_IS_A_RESERVATION, nullptr);
    if (thread == nullptr) no_thread();
    WaitForSingleObject(thread, INFINITE);
    CloseHandle(thread);
#else
    pthread_attr_t settings;
    pthread_attr_init(&settings);
    pthread_attr_setstacksize(&settings, bytes);
    pthread_t thread;
    const int failed = pthread_create(&thread, &settings, work, &job);
    pthread_attr_destroy(&settings);
    if (failed) no_thread();
    pthread_join(thread, nullptr);
#endif
}

}  // namespace codekin
