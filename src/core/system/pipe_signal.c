// SPDX-License-Identifier: Apache-2.0
// Holding SIGPIPE back for one thread: pipe_signal.h.
#include "pipe_signal.h"

#include <stddef.h>

static bool waits(void)
{
    sigset_t pending;
    return sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1;
}

void hd__hold_sigpipe(hd__pipe_signal *s)
{
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    s->held = !waits() && pthread_sigmask(SIG_BLOCK, &pipe, &s->before) == 0;
}

void hd__release_sigpipe(const hd__pipe_signal *s)
{
    sigset_t pipe;
    int taken;
    if (!s->held) return; // one that waits takes in any other
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    if (waits())
        sigwait(&pipe, &taken); // that of a write is the thread's own: nobody else takes it
    pthread_sigmask(SIG_SETMASK, &s->before, NULL);
}
