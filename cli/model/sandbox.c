// SPDX-License-Identifier: Apache-2.0
//
// The sandbox's child and the parent that watches it. The program has no other threads yet, so
// that fork is safe.
#define _GNU_SOURCE
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "cli/command.h"
#include "program.h"

// ---- The child ----------------------------------------------------------------------------------

#define MAX_WRITTEN 200

// Folders of files that will be written: beside each a temporary file is made and renamed.
typedef struct written {
    char *at[MAX_WRITTEN + 4];
    int count;
} written;

static void add_written(written *w, const char *path)
{
    if (w->count < MAX_WRITTEN + 3) w->at[w->count++] = strdup(path);
}

static void find_written(written *w, const char *const *files)
{
    char path[4096];
    if (hd__kept_folder(path, sizeof path)[0] == 0) add_written(w, path); // compiled kernels
    add_written(w, "/dev/null");
    for (int k = 0; files != NULL && files[k] != NULL; k++) {
        const char *slash = strrchr(files[k], '/');
        const int n = slash != NULL ? (int)(slash - files[k]) + 1 : 2;
        if ((size_t)snprintf(path, sizeof path, "%.*s", n, slash != NULL ? files[k] : "./") <
            sizeof path)
            add_written(w, path);
    }
}

// A part that tests leave out, as on a system that has it not.
static bool left_out(const char *part)
{
    const char *list = getenv("HEDDLE_SANDBOX_WITHOUT");
    return list != NULL && strstr(list, part) != NULL;
}

static void limit_memory(int64_t mib)
{
    // A second line behind the parent's watch: it counts addresses, of which the stacks of
    // threads that nobody uses are many. Sanitizers take them by the terabyte.
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
    const rlim_t bytes = ((rlim_t)mib * 2 + 16 * (rlim_t)sysconf(_SC_NPROCESSORS_CONF)) << 20;
    struct rlimit now;
    if (getrlimit(RLIMIT_DATA, &now) == 0 &&
        (now.rlim_max == RLIM_INFINITY || bytes < now.rlim_max))
        (void)setrlimit(RLIMIT_DATA, &(struct rlimit){bytes, bytes});
#else
    (void)mib;
#endif
    (void)setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
}

// What cannot be had is told in one line; where the sandbox was asked for by name, it is an error.
static int confine(const sandbox_wish *wish)
{
    written w = {.count = 0};
    find_written(&w, wish->write);
    const bool outputs = wish->write != NULL && wish->write[0] != NULL;
    const confined_files files = {.read_all = true, .write = (const char *const *)w.at};
    const bool landlock = !left_out("landlock") && hd__model_confine_files(&files);
    const bool seccomp = !left_out("seccomp") && hd__model_confine_calls(!landlock && !outputs);
    while (w.count > 0) free(w.at[--w.count]);
    const bool read_only = landlock || (seccomp && !outputs);
    if (read_only && seccomp) return EXIT_DONE;
    const char *lacks = !read_only && !seccomp ? "neither files nor the network are closed off"
                        : !read_only           ? "files can be written"
                                               : "the network is not closed off";
    if (wish->args->on)
        return fail(EXIT_BACKEND, wish->command,
                    "--sandbox: %s, for this system has %s; --no-sandbox goes on without", lacks,
                    seccomp    ? "no Landlock"
                    : landlock ? "no seccomp"
                               : "neither Landlock nor seccomp");
    fail(EXIT_DONE, wish->command, "the sandbox is not whole here: %s (%s missing)", lacks,
         seccomp    ? "Landlock is"
         : landlock ? "seccomp is"
                    : "Landlock and seccomp are");
    return EXIT_DONE;
}

// ---- The parent ---------------------------------------------------------------------------------

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// The beginning of a file of /proc; its length, 0 where it is not there.
static size_t read_proc(const char *path, char *text, size_t room)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t n = file >= 0 ? read(file, text, room - 1) : 0;
    if (file >= 0) close(file);
    text[n > 0 ? n : 0] = 0;
    return n > 0 ? (size_t)n : 0;
}

// Bytes in memory of a process and of the compiler it may have started.
static int64_t memory_of(long pid, bool with_children)
{
    char path[64], text[256];
    long long all, resident = 0;
    snprintf(path, sizeof path, "/proc/%ld/statm", pid);
    if (read_proc(path, text, sizeof text) == 0 || sscanf(text, "%lld %lld", &all, &resident) != 2)
        return 0;
    int64_t sum = resident * sysconf(_SC_PAGESIZE);
    if (!with_children) return sum;
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", pid, pid);
    read_proc(path, text, sizeof text);
    char *end;
    for (const char *at = text; *at != 0; at = end) {
        const long child = strtol(at, &end, 10);
        if (end == at) break;
        sum += memory_of(child, false);
    }
    return sum;
}

static int exit_code_of(const sandbox_wish *wish, int status)
{
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    const int number = WIFSIGNALED(status) ? WTERMSIG(status) : SIGKILL;
    if (number == SIGPIPE || number == SIGINT || number == SIGTERM || number == SIGHUP) {
        signal(number, SIG_DFL); // as the command alone would have ended
        raise(number);
    }
    return fail(wish->given_up, wish->command, "the sandbox was ended by signal %d", number);
}

static int watch(const sandbox_wish *wish, pid_t child, int64_t seconds, int64_t mib)
{
    const double end = now() + (double)seconds;
    int status = 0, code = EXIT_DONE;
    for (long pause = 200000;;) {
        const pid_t got = waitpid(child, &status, WNOHANG);
        if (got == child) return exit_code_of(wish, status);
        if (got < 0 && errno != EINTR)
            return fail(EXIT_IO, wish->command, "waitpid: %s", strerror(errno));
        if (now() > end)
            code = fail(wish->given_up, wish->command,
                        "ended after %lld s in the sandbox; --seconds sets another limit",
                        (long long)seconds);
        else if (memory_of(child, true) > mib << 20)
            code = fail(wish->given_up, wish->command,
                        "ended at %lld MiB of memory in the sandbox; --memory sets another limit",
                        (long long)mib);
        if (code != EXIT_DONE) break;
        nanosleep(&(struct timespec){0, pause}, NULL);
        if (pause < 5000000) pause *= 2;
    }
    kill(child, SIGTERM); // what is half written goes
    for (int k = 0; k < 100 && waitpid(child, &status, WNOHANG) == 0; k++)
        nanosleep(&(struct timespec){0, 2000000}, NULL);
    kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    return code;
}

// ---- Both ---------------------------------------------------------------------------------------

static bool wanted(const sandbox_wish *wish, int *code)
{
    const sandbox_args *a = wish->args;
    *code = EXIT_DONE;
    if (a->on && a->off) *code = fail(EXIT_USAGE, wish->command, "--sandbox and --no-sandbox");
    if (a->on && wish->unfit != NULL)
        *code = fail(EXIT_USAGE, wish->command, "--sandbox: %s", wish->unfit);
    if (*code == EXIT_DONE && wish->unfit != NULL && wish->usual && !a->off)
        fail(EXIT_DONE, wish->command, "without the sandbox: %s", wish->unfit);
    const bool on = wish->unfit == NULL && (a->on || (wish->usual && !a->off));
    if (*code == EXIT_DONE && !on && (a->seconds.given || a->memory.given))
        *code =
            fail(EXIT_USAGE, wish->command, "--%s is a limit of the sandbox: expected --sandbox",
                 a->seconds.given ? "seconds" : "memory");
    return on;
}

bool sandbox_enter(const sandbox_wish *wish, int *code)
{
    if (!wanted(wish, code) || *code != EXIT_DONE) return *code == EXIT_DONE;
    const int64_t seconds = wish->args->seconds.given ? wish->args->seconds.value : SANDBOX_SECONDS;
    const int64_t mib = wish->args->memory.given ? wish->args->memory.value : SANDBOX_MEMORY;
    const pid_t parent = getpid(), child = fork();
    if (child > 0) {
        *code = watch(wish, child, seconds, mib);
        return false;
    }
    if (child < 0) {
        *code = fail(EXIT_IO, wish->command,
                     "no process for the sandbox: %s; --no-sandbox goes on "
                     "without",
                     strerror(errno));
        return false;
    }
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGTERM); // so that what is half written goes
    if (getppid() != parent) _exit(EXIT_IO);
#endif
    (void)parent;
    limit_memory(mib);
    // clang's OpenMP opens shared memory when it starts, and ends the process where it may not.
    (void)omp_get_max_threads();
    *code = confine(wish);
    return *code == EXIT_DONE;
}
