// SPDX-License-Identifier: Apache-2.0
//
// SciPy and NumPy do algorithms (peer_algorithm.h) in a child process (child.h), by scipy_peer.py:
// times are taken there.
#include "bench/peer/peer_algorithm.h"
#include "bench/peers/support/child.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static peer_child scipy;

static int32_t open_scipy(int32_t threads)
{
    (void)threads;
    return child_start(&scipy, "scipy_peer.py", NULL, "scipy");
}

static void close_scipy(void)
{
    child_stop(&scipy);
}

PEER_EXPORT const char *heddle_peer_why(void)
{
    return scipy.why;
}

static void run(const peer_job *job)
{
    const peer_algorithm *a = job->more;
    char path[CHILD_PATH], line[CHILD_PATH + 16];
    const int fd = child_file(path, NULL, 0);
    if (fd < 0) return;
    snprintf(line, sizeof line, "once %s\n", path);
    if (child_ask_ok(&scipy, line))
        child_read(fd, job->out, (size_t)a->out_n * child_type_size(job->out_type));
    close(fd);
}

// The script knows what it can do: begin refuses the rest.
static peer_run *find(const peer_job *job)
{
    return job->pattern == PEER_ALGORITHM ? run : NULL;
}

static int32_t begin(const peer_job *job)
{
    static const char *const types[] = {"i2", "i4", "i8", "u1", "u8", "f4", "f8", "u2", "u4"};
    const peer_algorithm *a = job->more;
    char line[1024];
    int files[PEER_ARRAYS_MAX], ready = 1;
    int length = snprintf(line, sizeof line, "job %s %s %lld", a->work, types[job->out_type],
                          (long long)a->out_n);
    for (int k = 0; k < a->arrays; k++) {
        const peer_array *x = &a->array[k];
        char path[CHILD_PATH];
        files[k] = child_file(path, x->data, (size_t)x->n * child_type_size(x->type));
        ready = ready && files[k] >= 0;
        length +=
            snprintf(line + length, sizeof line - (size_t)length, " %s %s", types[x->type], path);
    }
    snprintf(line + length, sizeof line - (size_t)length, "\n");
    ready = ready && child_ask_ok(&scipy, line);
    for (int k = 0; k < a->arrays; k++)
        if (files[k] >= 0) close(files[k]);
    return ready;
}

static int64_t run_timed(const peer_job *job, int64_t calls)
{
    (void)job;
    char line[64], answer[128];
    snprintf(line, sizeof line, "run %lld\n", (long long)calls);
    if (!child_ask(&scipy, line, answer, sizeof answer) || answer[0] < '0' || answer[0] > '9')
        return -1;
    return atoll(answer);
}

static void end(const peer_job *job)
{
    (void)job;
    child_ask_ok(&scipy, "end\n");
}

PEER_EXPORT const peer *heddle_peer(void)
{
    static const peer scipy_peer = {PEER_ABI,  "SciPy", open_scipy, find,
                                    run_timed, begin,   end,        close_scipy};
    return &scipy_peer;
}
