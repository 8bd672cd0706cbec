// SPDX-License-Identifier: Apache-2.0
//
// Signal handlers; all they call is safe in one.
#include "signals.h"

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "command.h"
#include "io/aside.h"

// Removes what is being written, then lets the signal do what it does by default.
static void end_by_signal(int number)
{
    io_aside_remove_all();
    signal(number, SIG_DFL);
    raise(number);
}

static void end_by_lost_page(int number)
{
    static const char text[] =
        "heddle: an input file became shorter while it was read, or its disk failed\n";
    (void)number;
    io_aside_remove_all();
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0) _exit(EXIT_IO);
    _exit(EXIT_IO);
}

static void handle(int number, void (*handler)(int), int flags)
{
    struct sigaction old, action = {.sa_handler = handler, .sa_flags = flags};
    sigemptyset(&action.sa_mask);
    // A signal the parent chose to ignore (nohup) stays ignored.
    if (sigaction(number, NULL, &old) == 0 && old.sa_handler == SIG_IGN) return;
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
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    occupy(STDIN_FILENO, O_WRONLY);
    occupy(STDOUT_FILENO, O_RDONLY);
    occupy(STDERR_FILENO, O_RDONLY);
    for (size_t k = 0; k < sizeof ending / sizeof *ending; k++)
        handle(ending[k], end_by_signal, (int)SA_NODEFER);
    handle(SIGBUS, end_by_lost_page, 0);
    // A file past the size limit is an error of write(), with a text, like a full disk.
    signal(SIGXFSZ, SIG_IGN);
}
