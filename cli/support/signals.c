// SPDX-License-Identifier: Apache-2.0
//
// Signal handlers; all they call is safe in one.
#include "signals.h"

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "exit.h"
#include "io/support/cleanup.h"

// Signals that end a program by default, from outside and by its own mistakes. SIGKILL cannot be
// caught, SIGBUS and SIGXFSZ have their own ways below.
static const int ending[] = {
    SIGHUP,    SIGINT,  SIGQUIT, SIGPIPE,   SIGALRM, SIGTERM,
    SIGUSR1,   SIGUSR2, SIGXCPU, SIGVTALRM, SIGPROF, SIGIO,
#ifdef SIGPWR
    SIGPWR,
#endif
#ifdef SIGSTKFLT
    SIGSTKFLT,
#endif
    SIGILL,    SIGABRT, SIGFPE,  SIGSEGV,   SIGTRAP, SIGSYS,
};

// A stack that has overflowed has no room for a handler.
enum { STACK_BYTES = 1 << 16 };
static char handler_stack[STACK_BYTES];

// Removes what is being written, then lets the signal do what it does by default, so that the
// parent sees it.
static void end_by_signal(int number)
{
    io_remove_all();
    signal(number, SIG_DFL);
    raise(number);
}

static void end_by_lost_page(int number)
{
    static const char text[] =
        "heddle: an input file became shorter while it was read, or its disk failed\n";
    (void)number;
    io_remove_all();
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0) _exit(EXIT_IO);
    _exit(EXIT_IO);
}

static void handle(int number, void (*handler)(int), int flags)
{
    struct sigaction old, action = {.sa_handler = handler, .sa_flags = flags};
    sigemptyset(&action.sa_mask);
    // A signal the parent chose to ignore (nohup) stays ignored, and a handler of others (a
    // sanitizer's) is theirs.
    if (sigaction(number, NULL, &old) != 0 || old.sa_handler != SIG_DFL) return;
    sigaction(number, &action, NULL);
}

// Opened the wrong way round, so that using it is an error and not a file's content.
static void occupy(int fd, int flags)
{
    if (fcntl(fd, F_GETFD) >= 0) return;
    const int got = open("/dev/null", flags);
    if (got >= 0 && got != fd) {
        dup2(got, fd);
        close(got);
    }
}

void signals_begin(void)
{
    const stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
    const int flags = (int)SA_NODEFER | SA_ONSTACK;
    occupy(STDIN_FILENO, O_WRONLY);
    occupy(STDOUT_FILENO, O_RDONLY);
    occupy(STDERR_FILENO, O_RDONLY);
    sigaltstack(&stack, NULL);
    for (size_t k = 0; k < sizeof ending / sizeof *ending; k++)
        handle(ending[k], end_by_signal, flags);
    for (int number = SIGRTMIN; number <= SIGRTMAX; number++) handle(number, end_by_signal, flags);
    handle(SIGBUS, end_by_lost_page, 0);
    // A file past the size limit is an error of write(), with a text, like a full disk.
    signal(SIGXFSZ, SIG_IGN);
}
