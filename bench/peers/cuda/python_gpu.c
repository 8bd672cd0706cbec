// SPDX-License-Identifier: Apache-2.0
//
// PyTorch or CuPy, on a device, in a child process (child.h), by gpu_peer.py: the child has arrays
// of its own there, made of the host's; times are those of its events. PEER_MODULE is the module's
// name, PEER_TITLE the peer's; PyTorch unless told.
#include "bench/peer/peer.h"
#include "bench/peer/peer_runs.h"
#include "bench/peer/peer_select.h"
#include "bench/peers/support/child.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef PEER_MODULE
#define PEER_MODULE "torch"
#define PEER_TITLE  "PyTorch"
#endif

static peer_child child;

static int32_t open_child(int32_t threads)
{
    (void)threads;
    return child_start(&child, "gpu_peer.py", PEER_MODULE, PEER_MODULE);
}

static void close_child(void)
{
    child_stop(&child);
}

PEER_EXPORT const char *heddle_peer_why(void)
{
    return child.why;
}

// ---- Jobs -------------------------------------------------------------------------------------

static const char *pattern_of(const peer_job *job)
{
    switch (job->pattern) {
    case PEER_REDUCE: return "reduce";
    case PEER_SCAN: return job->exclusive || job->in == job->out ? NULL : "scan";
    case PEER_COMPACT: return "compact";
    case PEER_UNIQUE: return "unique";
    case PEER_RUN_LENGTHS: return "run_lengths";
    default: return NULL;
    }
}

static const uint8_t *flags_of(const peer_job *job)
{
    return job->pattern == PEER_COMPACT ? ((const peer_select *)job->more)->flags : NULL;
}

// What was found goes where the check looks for it.
static void tell(const peer_job *job, int64_t count, int out, int other)
{
    const size_t size = child_type_size(job->out_type);
    const int64_t most = job->pattern == PEER_REDUCE ? 1 : job->n;
    if (count < 0 || count > most) return;
    child_read(out, job->out, (size_t)count * size);
    if (job->pattern == PEER_COMPACT) ((const peer_select *)job->more)->counts[0] = count;
    if (job->pattern != PEER_UNIQUE && job->pattern != PEER_RUN_LENGTHS) return;
    const peer_runs *runs = job->more;
    *runs->count = count;
    if (job->pattern == PEER_RUN_LENGTHS) child_read(other, runs->lengths, 4 * (size_t)count);
}

static void run(const peer_job *job)
{
    char out_path[CHILD_PATH], other_path[CHILD_PATH], line[2 * CHILD_PATH + 16], answer[128];
    const int out = child_file(out_path, NULL, 0), other = child_file(other_path, NULL, 0);
    snprintf(line, sizeof line, "once %s %s\n", out_path, other_path);
    if (out >= 0 && other >= 0 && child_ask(&child, line, answer, sizeof answer) &&
        strncmp(answer, "ok ", 3) == 0)
        tell(job, atoll(answer + 3), out, other);
    if (out >= 0) close(out);
    if (other >= 0) close(other);
}

static peer_run *find(const peer_job *job)
{
    return pattern_of(job) && job->type <= PEER_F64 ? run : NULL;
}

static int32_t begin(const peer_job *job)
{
    static const char *const ops[] = {"sum", "min", "max", "argmax", "other"};
    static const char *const types[] = {"i2", "i4", "i8", "u1", "u8", "f4", "f8", "u2", "u4"};
    char in[CHILD_PATH], with[CHILD_PATH] = "-", line[1024];
    const uint8_t *flags = flags_of(job);
    const int fd = child_file(in, job->in, (size_t)job->n * child_type_size(job->type));
    const int flags_fd = flags ? child_file(with, flags, (size_t)job->n) : -1;
    snprintf(line, sizeof line, "job %s %s %s %s %lld %s %s\n", pattern_of(job), ops[job->op],
             types[job->type], types[job->out_type], (long long)job->n, in, with);
    const int ready = fd >= 0 && (!flags || flags_fd >= 0) && child_ask_ok(&child, line);
    if (fd >= 0) close(fd);
    if (flags_fd >= 0) close(flags_fd);
    return ready;
}

static int64_t run_timed(const peer_job *job, int64_t calls)
{
    (void)job;
    char line[64], answer[128];
    snprintf(line, sizeof line, "run %lld\n", (long long)calls);
    if (!child_ask(&child, line, answer, sizeof answer) || answer[0] < '0' || answer[0] > '9')
        return -1;
    return atoll(answer);
}

static void end(const peer_job *job)
{
    (void)job;
    child_ask_ok(&child, "end\n");
}

PEER_EXPORT const peer *heddle_peer(void)
{
    static const peer python_peer = {PEER_ABI | PEER_ON_DEVICE | PEER_APART,
                                     PEER_TITLE,
                                     open_child,
                                     find,
                                     run_timed,
                                     begin,
                                     end,
                                     close_child};
    return &python_peer;
}
