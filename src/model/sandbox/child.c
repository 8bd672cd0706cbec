// SPDX-License-Identifier: Apache-2.0
//
// Programs run by the library: how a child is started, watched and ended. Its
// files are in child_files.c.
#define _GNU_SOURCE
#include "child.h"
#include "core/system/environment.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

extern char **environ;

// Sanitizers reserve terabytes of addresses, and the helper of an instrumented program is one too.
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define INSTRUMENTED 1
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define INSTRUMENTED 1
#endif
#endif
#ifndef INSTRUMENTED
#define INSTRUMENTED 0
#endif

bool hd__model_find_program(const char *name, char *path, size_t room)
{
    if (strchr(name, '/') != NULL)
        return (size_t)snprintf(path, room, "%s", name) < room && access(path, X_OK) == 0;
    const char *at = hd__trusted_env("PATH");
    if (at == NULL) at = "/usr/local/bin:/usr/bin:/bin";
    while (*at != 0) {
        const size_t n = strcspn(at, ":");
        struct stat s;
        if (n > 0 && n + strlen(name) + 2 < room) {
            snprintf(path, room, "%.*s/%s", (int)n, at, name);
            if (access(path, X_OK) == 0 && stat(path, &s) == 0 && S_ISREG(s.st_mode)) return true;
        }
        at += n + (at[n] == ':');
    }
    return false;
}

static int64_t named_limit(const char *name, int64_t usual, int64_t most)
{
    const char *text = getenv(name);
    const long long named = text != NULL ? atoll(text) : 0;
    return named > 0 && named <= most ? named : usual;
}

child_limits hd__model_compile_limits(void)
{
    return (child_limits){(int32_t)named_limit("HEDDLE_COMPILE_SECONDS", 20, 86400),
                          named_limit("HEDDLE_COMPILE_MEMORY", 768, 1 << 20) << 20};
}

// ---- In the child -------------------------------------------------------------------------------

typedef struct beginning {
    const child_plan *plan;
    pid_t parent;
    const sigset_t *mask; // to be restored
    int trouble;          // errno of what failed
} beginning;

static void limit(int what, int64_t soft, int64_t hard)
{
    struct rlimit now;
    if (getrlimit(what, &now) != 0) return;
    if (now.rlim_max == RLIM_INFINITY || (rlim_t)hard < now.rlim_max) now.rlim_max = (rlim_t)hard;
    now.rlim_cur = (rlim_t)soft < now.rlim_max ? (rlim_t)soft : now.rlim_max;
    setrlimit(what, &now);
}

static void set_limits(const child_limits *l)
{
    limit(RLIMIT_CORE, 0, 0);
    limit(RLIMIT_CPU, l->seconds, (int64_t)l->seconds + 1);
    limit(RLIMIT_FSIZE, (int64_t)HD_CHILD_OUTPUT, (int64_t)HD_CHILD_OUTPUT);
    if (!INSTRUMENTED) limit(RLIMIT_DATA, l->memory, l->memory);
}

// The files as 0, 1, 2, ... and no others. They go out of the way first: some may have those
// numbers.
static bool arrange_files(const child_plan *p)
{
    int above = p->file_count;
    for (int k = 0; k < p->file_count; k++)
        if (p->files[k] >= above) above = p->files[k] + 1;
    for (int k = 0; k < p->file_count; k++)
        if (dup2(p->files[k], above + k) < 0) return false;
    for (int k = 0; k < p->file_count; k++)
        if (dup2(above + k, k) < 0) return false;
#ifdef SYS_close_range
    if (syscall(SYS_close_range, p->file_count, ~0U, 0) == 0) return true;
#endif
    for (int k = p->file_count; k < 4096; k++) close(k);
    return true;
}

// Between the start and exec only system calls are made: the memory is the parent's.
__attribute__((no_sanitize("address", "thread"))) static int begin(void *at)
{
    beginning *b = at;
    struct sigaction usual = {.sa_handler = SIG_DFL};
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != b->parent) _exit(127); // it died before that
#endif
    setpgid(0, 0);
    for (int k = 1; k < 65; k++) sigaction(k, &usual, NULL);
    if (arrange_files(b->plan)) {
        set_limits(&b->plan->limits);
        sigprocmask(SIG_SETMASK, b->mask, NULL);
        execve(b->plan->path, b->plan->arguments, environ);
    }
    b->trouble = errno != 0 ? errno : EINVAL;
    _exit(127);
}

// ---- In the parent ------------------------------------------------------------------------------

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#define STACK_BYTES ((size_t)256 << 10)

// As posix_spawn does it: the child runs on a stack of its own in the parent's memory, while the
// thread that started it waits for its exec; other threads run on, no memory is copied and no lock
// is left behind. posix_spawn itself knows neither limits nor what happens when the parent dies.
static pid_t start(beginning *b)
{
#if defined __linux__ && !defined __ia64__
    char *stack =
        mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack == MAP_FAILED) return -1;
    const pid_t pid = clone(begin, stack + STACK_BYTES, CLONE_VM | CLONE_VFORK | SIGCHLD, b);
    munmap(stack, STACK_BYTES);
    return pid;
#else
    const pid_t pid = fork();
    if (pid == 0) begin(b);
    return pid;
#endif
}

bool hd__model_child_start(const child_plan *plan, child *c)
{
    sigset_t all, before;
    beginning b = {.plan = plan, .parent = getpid(), .mask = &before};
    *c = (child){.limits = plan->limits};
    sigfillset(&all);
    if (pthread_sigmask(SIG_BLOCK, &all, &before) != 0) return false;
    const pid_t pid = start(&b);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (pid < 0) return false;
    c->pid = (int)pid;
    c->end = now() + plan->limits.seconds;
    if (b.trouble == 0) return true;
    (void)hd__model_child_wait(c);
    return false;
}

// Bytes that it has in memory, or 0: not known.
static int64_t memory_of(int pid)
{
    char path[40], text[80];
    long long all, resident = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", pid);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    const ssize_t n = read(file, text, sizeof text - 1);
    close(file);
    text[n > 0 ? n : 0] = 0;
    if (sscanf(text, "%lld %lld", &all, &resident) != 2) return 0;
    return resident * sysconf(_SC_PAGESIZE);
}

static child_result ended(int status)
{
    if (WIFEXITED(status)) return (child_result){CHILD_EXITED, WEXITSTATUS(status)};
    const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return (child_result){signal == SIGXCPU ? CHILD_LATE : CHILD_CRASHED, signal};
}

// Asks often at first, then every 10 ms.
child_result hd__model_child_wait(child *c)
{
    long pause = 200000;
    int status = 0;
    child_result r = {CHILD_LOST, 0};
    for (const pid_t pid = c->pid; pid != 0;) {
        const pid_t got = waitpid(pid, &status, WNOHANG);
        if (got == pid) r = ended(status);
        if (got == pid || (got < 0 && errno != EINTR)) break;
        if (now() > c->end) r.end = CHILD_LATE;
        if (memory_of(pid) > c->limits.memory) r.end = CHILD_LARGE;
        if (r.end != CHILD_LOST) {
            kill(-pid, SIGKILL);
            while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
            break;
        }
        const struct timespec t = {0, pause};
        nanosleep(&t, NULL);
        if (pause < 10000000) pause *= 2;
    }
    if (c->pid != 0) kill(-c->pid, SIGKILL); // what it may have started itself
    c->pid = 0;
    return r;
}

child_result hd__model_child_run(const child_plan *plan)
{
    child c;
    if (!hd__model_child_start(plan, &c)) return (child_result){CHILD_LOST, 0};
    return hd__model_child_wait(&c);
}

const char *hd__model_child_trouble(const child_result *r, const child_limits *l, char *text,
                                    size_t room)
{
    switch (r->end) {
    case CHILD_LATE:
        snprintf(text, room, "was ended after %d s (HEDDLE_COMPILE_SECONDS sets another limit)",
                 (int)l->seconds);
        break;
    case CHILD_LARGE:
        snprintf(text, room,
                 "was ended at %d MiB of memory (HEDDLE_COMPILE_MEMORY sets another limit)",
                 (int)(l->memory >> 20));
        break;
    case CHILD_CRASHED:
        snprintf(text, room, "crashed (signal %d); it may use %d MiB of memory and %d s", r->code,
                 (int)(l->memory >> 20), (int)l->seconds);
        break;
    case CHILD_LOST: snprintf(text, room, "could not be run"); break;
    default: snprintf(text, room, "gave up (exit code %d)", r->code); break;
    }
    return text;
}
