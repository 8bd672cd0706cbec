// SPDX-License-Identifier: Apache-2.0
//
// NumPy in a child process: python3 runs numpy_peer.py, which lies beside this library. Data goes
// through files in memory that have no name (memfd), so nothing is ever left behind; turns go by
// lines over a socket; times are taken in the child. NumPy does these jobs on one thread.
#define _GNU_SOURCE // dladdr, memfd_create
#include "../peer.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATH 64 // room for /proc/PID/fd/N

static struct {
    pid_t child;
    FILE *say, *hear;
} numpy;

// ---- The child --------------------------------------------------------------------------------

static int script_path(char *path, size_t size)
{
    Dl_info info;
    if (!dladdr(&numpy, &info) || !info.dli_fname) return 0;
    snprintf(path, size, "%s", info.dli_fname);
    char *slash = strrchr(path, '/');
    if (!slash || (size_t)(slash - path) + sizeof "/numpy_peer.py" > size) return 0;
    strcpy(slash, "/numpy_peer.py");
    return access(path, R_OK) == 0;
}

static void become_python(int fd, const char *python, const char *script)
{
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(fd, 0), dup2(fd, 1), dup2(nowhere, 2);
    close(fd), close(nowhere);
    execlp(python, python, script, (char *)NULL);
    _exit(127);
}

// Says a line and reads the answer; 0 if the child is gone.
static int ask(const char *line, char *answer, size_t size)
{
    if (!numpy.hear || fputs(line, numpy.say) < 0 || fflush(numpy.say)) return 0;
    return fgets(answer, (int)size, numpy.hear) != NULL;
}

static int ask_ok(const char *line)
{
    char answer[512];
    return ask(line, answer, sizeof answer) && strncmp(answer, "ok", 2) == 0;
}

static int start_child(const char *python, const char *script)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return 0;
    numpy.child = fork();
    if (numpy.child == 0) {
        close(ends[0]);
        become_python(ends[1], python, script);
    }
    close(ends[1]);
    numpy.say = fdopen(ends[0], "w");
    numpy.hear = fdopen(dup(ends[0]), "r");
    char hello[128];
    return numpy.child > 0 && numpy.say && numpy.hear && fgets(hello, sizeof hello, numpy.hear) &&
           strncmp(hello, "numpy", strlen("numpy")) == 0;
}

static void stop_child(void)
{
    if (numpy.say) fclose(numpy.say);
    if (numpy.hear) fclose(numpy.hear);
    if (numpy.child > 0) waitpid(numpy.child, NULL, 0);
    numpy.say = numpy.hear = NULL, numpy.child = 0;
}

static int32_t open_numpy(int32_t threads)
{
    (void)threads;
    // The first Python of the path may be one without NumPy.
    const char *named = getenv("HEDDLE_PYTHON"),
               *pythons[] = {named, "python3", "/usr/bin/python3"};
    char script[4096];
    signal(SIGPIPE, SIG_IGN);
    if (!script_path(script, sizeof script)) return 0;
    for (int k = named ? 0 : 1; k < 3; k++) {
        if (start_child(pythons[k], script)) return 1;
        stop_child();
    }
    return 0;
}

static void close_numpy(void)
{
    stop_child();
}

// ---- Files ------------------------------------------------------------------------------------

static size_t type_size(int32_t type)
{
    static const size_t sizes[] = {2, 4, 8, 1, 8, 4, 8, 2, 4};
    return sizes[type];
}

// A file in memory with these bytes (or none: NULL), or -1. The child opens it by the path.
static int new_file(char *path, size_t size, const char *bytes, size_t count)
{
    const int fd = memfd_create("heddle-bench", MFD_CLOEXEC);
    snprintf(path, size, "/proc/%ld/fd/%d", (long)getpid(), fd);
    while (fd >= 0 && bytes && count > 0) {
        const ssize_t done = write(fd, bytes, count);
        if (done <= 0) {
            close(fd);
            return -1;
        }
        bytes += done, count -= (size_t)done;
    }
    return fd;
}

static void read_file(int fd, char *bytes, size_t count)
{
    for (off_t at = 0; count > 0;) {
        const ssize_t done = pread(fd, bytes, count, at);
        if (done <= 0) return;
        bytes += done, at += done, count -= (size_t)done;
    }
}

// ---- Jobs -------------------------------------------------------------------------------------

static int64_t outputs(const peer_job *job)
{
    return job->pattern == PEER_REDUCE ? 1 : job->pattern == PEER_SCAN ? job->n : job->segments;
}

static void run(const peer_job *job)
{
    char path[PATH], line[PATH + 16];
    const int fd = new_file(path, sizeof path, NULL, 0);
    if (fd < 0) return;
    snprintf(line, sizeof line, "once %s\n", path);
    if (ask_ok(line)) read_file(fd, job->out, (size_t)outputs(job) * type_size(job->out_type));
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
    char in[PATH], offsets[PATH], line[1024];
    const size_t offset_bytes = (size_t)(job->segments + 1) * sizeof *job->offsets;
    const int fd = new_file(in, sizeof in, job->in, (size_t)job->n * type_size(job->type));
    const int offset_fd =
        new_file(offsets, sizeof offsets, (const char *)job->offsets, offset_bytes);
    snprintf(line, sizeof line, "job %s %s %s %s %lld %d %d %lld %s %s\n",
             counts(job) ? "histogram" : patterns[job->pattern], ops[job->op], types[job->type],
             types[job->out_type], (long long)job->n, job->in == job->out, job->exclusive,
             (long long)job->segments, in, offsets);
    const int ready = fd >= 0 && offset_fd >= 0 && ask_ok(line);
    if (fd >= 0) close(fd);
    if (offset_fd >= 0) close(offset_fd);
    return ready;
}

static int64_t run_timed(const peer_job *job, int64_t calls)
{
    (void)job;
    char line[64], answer[128];
    snprintf(line, sizeof line, "run %lld\n", (long long)calls);
    if (!ask(line, answer, sizeof answer) || answer[0] < '0' || answer[0] > '9') return -1;
    return atoll(answer);
}

static void end(const peer_job *job)
{
    (void)job;
    ask_ok("end\n");
}

PEER_EXPORT const peer *heddle_peer(void)
{
    static const peer numpy_peer = {PEER_ABI,  "NumPy", open_numpy, find,
                                    run_timed, begin,   end,        close_numpy};
    return &numpy_peer;
}
