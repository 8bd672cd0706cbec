// SPDX-License-Identifier: Apache-2.0
// Threads in a process that was made by fork().
#ifndef HEDDLE_CORE_SYSTEM_AFTER_FORK_H
#define HEDDLE_CORE_SYSTEM_AFTER_FORK_H

#include "exported.h"

#include <stdbool.h>

// Whether this process was forked since the library was loaded. Only the thread that called fork()
// lives on in it, but libgomp still counts on the team that this thread had: a parallel region that
// it enters waits for that team for ever.
HD__EXPORTED bool hd__was_forked(void);

// Runs run(job) on a thread of its own, to which libgomp gives a new team, and waits for its end.
// False: no thread could be made, and nothing ran.
HD__EXPORTED bool hd__on_new_thread(void (*run)(void *job), void *job);

#endif
