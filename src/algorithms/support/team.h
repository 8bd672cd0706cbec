// SPDX-License-Identifier: Apache-2.0
// The context's threads for the few algorithms that have a path of their own for host memory: the
// rest of src/algorithms leaves threads to the patterns.
#ifndef HEDDLE_ALGORITHMS_SUPPORT_TEAM_H
#define HEDDLE_ALGORITHMS_SUPPORT_TEAM_H

#include <heddle.h>

// Whether a call is one of the cores: its memory is the host's, and its last pattern ran there.
bool hd__team_serves(const hd_context *ctx, bool on_device);

// How many threads a path of its own has: those of the context, or 1 in a forked process, whose
// OpenMP has no team any more.
int32_t hd__team_size(const hd_context *ctx);

// Runs task(user, k) for k = 0 .. tasks - 1, in any order, each by one of so many threads, and
// waits for all. One thread runs them in the caller. Tasks may not call the library. They compute
// in the floating-point state of the library's calls.
void hd__team_run(int32_t threads, int64_t tasks, void (*task)(void *user, int64_t k), void *user);

#endif
