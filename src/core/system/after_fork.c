// SPDX-License-Identifier: Apache-2.0
// Knowing that the process was forked, and a thread without a past: after_fork.h.
#include "after_fork.h"

#include <pthread.h>
#include <signal.h>

static volatile sig_atomic_t forked; // written in the child, while it has one thread

static void note_fork(void)
{
    forked = 1;
}

// As the library is loaded, not by hd_open: the caller's own parallel regions have teams as well.
__attribute__((constructor)) static void watch_forks(void)
{
    (void)pthread_atfork(NULL, NULL, note_fork);
}

bool hd__was_forked(void)
{
    return forked != 0;
}

typedef struct errand {
    void (*run)(void *job);
    void *job;
} errand;

static void *run_errand(void *any)
{
    const errand *e = any;
    e->run(e->job);
    return NULL;
}

bool hd__on_new_thread(void (*run)(void *job), void *job)
{
    errand e = {run, job};
    pthread_t thread;
    sigset_t all, before;
    sigfillset(&all); // signals are for the caller's own threads
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0) return false;
    const bool made = pthread_create(&thread, NULL, run_errand, &e) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (made) pthread_join(thread, NULL);
    return made;
}
