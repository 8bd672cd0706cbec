// SPDX-License-Identifier: Apache-2.0
//
// The table of paths that a signal handler walks: fixed memory, lock-free states, system calls that
// are safe there.
#include "cleanup.h"

#include <limits.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

enum { FREE, CLAIMED, NOTED };

static struct {
    atomic_int state;
    pid_t process;
    char path[PATH_MAX];
} table[IO_REMOVE_MAX];

int io_remove_on_signal(const char *path)
{
    const size_t n = strlen(path) + 1;
    for (int k = 0; k < IO_REMOVE_MAX && n <= PATH_MAX; k++) {
        int expected = FREE;
        if (!atomic_compare_exchange_strong(&table[k].state, &expected, CLAIMED)) continue;
        memcpy(table[k].path, path, n);
        table[k].process = getpid();
        atomic_store(&table[k].state, NOTED);
        return k;
    }
    return -1;
}

void io_remove_forget(int slot)
{
    if (slot >= 0) atomic_store(&table[slot].state, FREE);
}

static void remove_each(int (*how)(const char *path))
{
    const pid_t process = getpid();
    for (int k = 0; k < IO_REMOVE_MAX; k++)
        if (atomic_load(&table[k].state) == NOTED && table[k].process == process)
            how(table[k].path);
}

void io_remove_all(void)
{
    remove_each(unlink);
    remove_each(rmdir);
}
