// Ctrl-C ends the program at once and with one line, even while a kernel runs: Python's own handlers
// wait until the kernel returns.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <string>

#ifndef _WIN32
#include <unistd.h>
#endif

namespace nb = nanobind;

namespace codekin {

namespace {

constexpr size_t kLongest = 256;
char last_words[kLongest];
size_t words_length = 0;
int exit_code = 0;

#ifndef _WIN32
// Only what POSIX allows in a handler.
extern "C" void say_and_end(int) {
    [[maybe_unused]] const auto written = write(STDERR_FILENO, last_words, words_length);
    _exit(exit_code);
}
#endif

void end_on_interrupt(const std::string &line, int code) {
    words_length = std::min(line.size(), kLongest);
    std::memcpy(last_words, line.data(), words_length);
    exit_code = code;
#ifndef _WIN32
    struct sigaction action = {};
    action.sa_handler = say_and_end;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, nullptr);
#endif
}

}  // namespace

void register_interrupt(nb::module_ &m) {
    m.def("end_on_interrupt", &end_on_interrupt, nb::arg("line"), nb::arg("code"),
          "Have SIGINT write a line of at most 256 bytes to stderr and end the process with a code.");
}

}  // namespace codekin
