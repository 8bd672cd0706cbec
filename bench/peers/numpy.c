// SPDX-License-Identifier: Apache-2.0
//
// NumPy in a child process: python3 runs numpy_peer.py, which lies beside this library. Data goes
// through files in memory (/dev/shm, else the folder for temporary files); turns go by lines over
// a socket; times are taken in the child. NumPy does these jobs on one thread.
#define _GNU_SOURCE // dladdr
#include "../peer.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static struct {
    pid_t child;
    FILE *say, *hear;
    char folder[256];
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

static int make_folder(void)
{
    const char *named = getenv("TMPDIR");
    const char *where = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : named ? named : "/tmp";
    snprintf(numpy.folder, sizeof numpy.folder, "%s/heddle-bench-XXXXXX", where);
    return mkdtemp(numpy.folder) != NULL;
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
        if (start_child(pythons[k], script)) return make_folder();
        stop_child();
    }
    return 0;
}

static void close_numpy(void)
{
    stop_child();
    if (numpy.folder[0]) rmdir(numpy.folder);
}

// ---- Files ------------------------------------------------------------------------------------

static size_t type_size(int32_t type)
{
    static const size_t sizes[] = {2, 4, 8, 1, 8, 4, 8};
    return sizes[type];
}

static void file_path(char *path, size_t size, const char *name)
{
    snprintf(path, size, "%s/%s", numpy.folder, name);
}

static int save(const char *name, const void *bytes, size_t count)
{
    char path[512];
    file_path(path, sizeof path, name);
    FILE *f = fopen(path, "wb");
    if (!f) return 0;
    const int whole = fwrite(bytes, 1, count, f) == count;
    return fclose(f) == 0 && whole;
}

static void drop(const char *name)
{
    char path[512];
    file_path(path, sizeof path, name);
    unlink(path);
}

static int load(const char *name, void *bytes, size_t count)
{
    char path[512];
    file_path(path, sizeof path, name);
    FILE *f = fopen(path, "rb");
    if (!f) return 0;
    const int whole = fread(bytes, 1, count, f) == count;
    fclose(f);
    drop(name);
    return whole;
}

// ---- Jobs -------------------------------------------------------------------------------------

static int64_t outputs(const peer_job *job)
{
    return job->pattern == PEER_REDUCE ? 1 : job->pattern == PEER_SCAN ? job->n : job->segments;
}

static void run(const peer_job *job)
{
    if (ask_ok("once\n")) load("out", job->out, (size_t)outputs(job) * type_size(job->out_type));
}

static peer_run *find(const peer_job *job)
{
    if (job->pattern > PEER_SEGMENTED || job->op > PEER_ARGMAX || job->type > PEER_F64) return NULL;
    return job->exclusive ? NULL : run;
}

static int32_t begin(const peer_job *job)
{
    static const char *const patterns[] = {"reduce", "scan", "segmented"};
    static const char *const ops[] = {"sum", "min", "max", "argmax"};
    static const char *const types[] = {"i2", "i4", "i8", "u1", "u8", "f4", "f8"};
    char line[1024];
    snprintf(line, sizeof line, "job %s %s %s %s %lld %d %d %lld %s\n", patterns[job->pattern],
             ops[job->op], types[job->type], types[job->out_type], (long long)job->n,
             job->in == job->out, job->exclusive, (long long)job->segments, numpy.folder);
    const size_t offsets = (size_t)(job->segments + 1) * sizeof *job->offsets;
    const int saved = save("in", job->in, (size_t)job->n * type_size(job->type)) &&
                      (!job->offsets || save("offsets", job->offsets, offsets));
    const int ready = saved && ask_ok(line);
    drop("in"), drop("offsets");
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
