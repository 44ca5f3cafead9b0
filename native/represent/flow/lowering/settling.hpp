// What can be said only at the end: which variable a name meant, which call is known.
#pragma once

#include "represent/flow/lowering/emitter.hpp"

namespace codekin::flow {

void settle(const Emitter &lowered);

}  // namespace codekin::flow
