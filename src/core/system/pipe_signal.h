// SPDX-License-Identifier: Apache-2.0
// Writing where nobody may read any more, without the signal that ends a process for it.
#ifndef HEDDLE_CORE_SYSTEM_PIPE_SIGNAL_H
#define HEDDLE_CORE_SYSTEM_PIPE_SIGNAL_H

#include <signal.h>
#include <stdbool.h>

typedef struct hd__pipe_signal {
    sigset_t before; // the thread's mask
    bool held;       // SIGPIPE is kept back by us, and was not waiting before
} hd__pipe_signal;

// Between the two SIGPIPE does not reach this thread; one that its own writes raised is gone with
// the second. The handler of the process, other threads and a signal that waited before are as they
// were.
void hd__hold_sigpipe(hd__pipe_signal *s);
void hd__release_sigpipe(const hd__pipe_signal *s);

#endif
