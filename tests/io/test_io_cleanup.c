// SPDX-License-Identifier: Apache-2.0
//
// The table of temporary files: what is noted goes away, what is forgotten stays, a child process
// removes nothing of its parent's.
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/check.h"
#include "io/support/cleanup.h"

static void make(const char *path)
{
    const int fd = open(path, O_WRONLY | O_CREAT, 0600);
    CHECK(fd >= 0, "%s", path);
    close(fd);
}

static bool there(const char *path)
{
    return access(path, F_OK) == 0;
}

static void test_removal(void)
{
    mkdir("cleanup_folder", 0700);
    make("cleanup_folder/noted"), make("cleanup_forgotten");
    // The folder comes first: it is empty only when the file is gone.
    const int folder = io_remove_on_signal("cleanup_folder");
    const int noted = io_remove_on_signal("cleanup_folder/noted");
    const int forgotten = io_remove_on_signal("cleanup_forgotten");
    const int absent = io_remove_on_signal("cleanup_absent");
    CHECK(folder >= 0 && noted >= 0 && forgotten >= 0 && absent >= 0, "four places");
    io_remove_forget(forgotten);
    const pid_t child = fork();
    if (child == 0) {
        io_remove_all();
        _exit(0);
    }
    CHECK(child > 0 && waitpid(child, NULL, 0) == child, "a child");
    CHECK(there("cleanup_folder/noted"), "a child removes nothing");
    io_remove_all();
    CHECK(!there("cleanup_folder/noted") && !there("cleanup_folder"), "what was noted");
    CHECK(there("cleanup_forgotten"), "what was forgotten");
    unlink("cleanup_forgotten");
    io_remove_forget(folder), io_remove_forget(noted), io_remove_forget(absent);
    io_remove_forget(-1);
}

static void test_room(void)
{
    int slots[IO_REMOVE_MAX];
    char path[8192];
    for (int k = 0; k < IO_REMOVE_MAX; k++) slots[k] = io_remove_on_signal("cleanup_none");
    CHECK(slots[IO_REMOVE_MAX - 1] >= 0, "the last place");
    CHECK(io_remove_on_signal("cleanup_none") == -1, "one more");
    io_remove_forget(slots[3]);
    CHECK(io_remove_on_signal("cleanup_none") == slots[3], "a place that is free again");
    for (int k = 0; k < IO_REMOVE_MAX; k++) io_remove_forget(slots[k]);
    memset(path, 'x', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    CHECK(io_remove_on_signal(path) == -1, "too long");
}

int main(void)
{
    test_removal();
    test_room();
    return check_finish();
}
