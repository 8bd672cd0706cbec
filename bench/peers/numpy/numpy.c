// SPDX-License-Identifier: Apache-2.0
//
// NumPy in a child process (child.h), by numpy_peer.py: times are taken there. NumPy does these
// jobs on one thread.
#include "bench/peer/peer.h"
#include "bench/peers/support/child.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static peer_child numpy;

static int32_t open_numpy(int32_t threads)
{
    (void)threads;
    return child_start(&numpy, "numpy_peer.py", NULL, "numpy");
}

static void close_numpy(void)
{
    child_stop(&numpy);
}

PEER_EXPORT const char *heddle_peer_why(void)
{
    return numpy.why;
}

// ---- Jobs -------------------------------------------------------------------------------------

static int64_t outputs(const peer_job *job)
{
    return job->pattern == PEER_REDUCE ? 1 : job->pattern == PEER_SCAN ? job->n : job->segments;
}

static void run(const peer_job *job)
{
    char path[CHILD_PATH], line[CHILD_PATH + 16];
    const int fd = child_file(path, NULL, 0);
    if (fd < 0) return;
    snprintf(line, sizeof line, "once %s\n", path);
    if (child_ask_ok(&numpy, line))
        child_read(fd, job->out, (size_t)outputs(job) * child_type_size(job->out_type));
    close(fd);
}

static int counts(const peer_job *job)
{
    return job->pattern == PEER_HISTOGRAM && job->out_type == PEER_U32;
}

static peer_run *find(const peer_job *job)
{
    if (counts(job)) return run;
    if (job->pattern > PEER_SEGMENTED || job->op > PEER_ARGMAX || job->type > PEER_F64) return NULL;
    return job->exclusive ? NULL : run;
}

static int32_t begin(const peer_job *job)
{
    static const char *const patterns[] = {"reduce", "scan", "segmented"};
    static const char *const ops[] = {"sum", "min", "max", "argmax"};
    static const char *const types[] = {"i2", "i4", "i8", "u1", "u8", "f4", "f8", "u2", "u4"};
    char in[CHILD_PATH], offsets[CHILD_PATH], line[1024];
    const size_t offset_bytes = (size_t)(job->segments + 1) * sizeof *job->offsets;
    const int fd = child_file(in, job->in, (size_t)job->n * child_type_size(job->type));
    const int offset_fd = child_file(offsets, job->offsets, offset_bytes);
    snprintf(line, sizeof line, "job %s %s %s %s %lld %d %d %lld %s %s\n",
             counts(job) ? "histogram" : patterns[job->pattern], ops[job->op], types[job->type],
             types[job->out_type], (long long)job->n, job->in == job->out, job->exclusive,
             (long long)job->segments, in, offsets);
    const int ready = fd >= 0 && offset_fd >= 0 && child_ask_ok(&numpy, line);
    if (fd >= 0) close(fd);
    if (offset_fd >= 0) close(offset_fd);
    return ready;
}

static int64_t run_timed(const peer_job *job, int64_t calls)
{
    (void)job;
    char line[64], answer[128];
    snprintf(line, sizeof line, "run %lld\n", (long long)calls);
    if (!child_ask(&numpy, line, answer, sizeof answer) || answer[0] < '0' || answer[0] > '9')
        return -1;
    return atoll(answer);
}

static void end(const peer_job *job)
{
    (void)job;
    child_ask_ok(&numpy, "end\n");
}

PEER_EXPORT const peer *heddle_peer(void)
{
    static const peer numpy_peer = {PEER_ABI,  "NumPy", open_numpy, find,
                                    run_timed, begin,   end,        close_numpy};
    return &numpy_peer;
}
