// SPDX-License-Identifier: Apache-2.0
//
// Environment variables that name files, libraries and programs: followed as they stand, and passed
// over in a process with more rights than its caller. For that, root makes a copy of this program
// that belongs to another user and is set-user-ID; others see the first half only.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/check.h"
#include "core/system/cache_folder.h"
#include "core/system/environment.h"
#include "model/sandbox/child.h"

static const char *const names[] = {"HEDDLE_CUDA_DRIVER", "HEDDLE_NVRTC",       "HEDDLE_CACHE_DIR",
                                    "HEDDLE_LOAD_KERNEL", "HEDDLE_DUMP_KERNEL", "HEDDLE_TRACE",
                                    "HEDDLE_MODEL_CLANG", "HEDDLE_PTXAS"};
enum { NAMES = sizeof names / sizeof *names };

static char folder[] = "/tmp/heddle-environment-XXXXXX";

static void path_of(const char *name, char *path, size_t room)
{
    snprintf(path, room, "%s/%s", folder, name);
}

static bool exists(const char *name)
{
    char path[200];
    path_of(name, path, sizeof path);
    return access(path, F_OK) == 0;
}

// What the library does with variables that all name something in the folder.
static void look(bool trusted)
{
    char path[4096] = "";
    const char *why = "";
    hd_context *ctx = NULL;
    for (int k = 0; k < NAMES; k++) {
        const char *got = hd__trusted_env(names[k]);
        CHECK((got != NULL) == trusted, "%s is %s", names[k], got != NULL ? got : "not set");
    }
    CHECK(!hd_backend_available(HD_CUDA, &why) || !trusted, "a driver where there is none");
    CHECK((strstr(why, folder) != NULL) == trusted, "HEDDLE_CUDA_DRIVER: %s", why);
    CHECK(hd__model_find_program("heddle_no_such", path, sizeof path) == trusted, "PATH: %s", path);
    hd__kept_folder(path, sizeof path);
    CHECK((strncmp(path, folder, strlen(folder)) == 0) == trusted, "HEDDLE_CACHE_DIR: %s", path);
    // One thread: libomp makes files that a process with other rights cannot.
    CHECK(hd_open(&ctx, &(hd_context_options){.threads = 1}) == HD_OK, "%s", hd_error(ctx));
    hd_close(ctx);
    CHECK(exists("HEDDLE_TRACE") == trusted, "the file of HEDDLE_TRACE");
}

static bool copy_self(const char *to)
{
    char piece[65536];
    const int in = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    const int out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
    ssize_t got = in < 0 || out < 0 ? -1 : 1;
    while (got > 0 && (got = read(in, piece, sizeof piece)) > 0)
        if (write(out, piece, (size_t)got) != got) got = -1;
    if (in >= 0) close(in);
    return out >= 0 && close(out) == 0 && got == 0;
}

// Exit 77: no such process can be made here (not root, or the file system does not allow it).
static int look_with_rights(void)
{
    char program[200];
    path_of("with_rights", program, sizeof program);
    if (geteuid() != 0 || !copy_self(program) || chown(program, 65534, 65534) != 0 ||
        chmod(program, 04755) != 0 || chmod(folder, 0755) != 0)
        return CHECK_SKIP;
    const pid_t child = fork();
    if (child == 0) {
        execl(program, program, folder, (char *)NULL);
        _exit(CHECK_SKIP);
    }
    int status = 1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int main(int count, char **words)
{
    char path[200];
    if (count > 1) {
        if (getauxval(AT_SECURE) == 0) return CHECK_SKIP;
        strcpy(folder, words[1]);
        look(false);
        _exit(check_finish()); // LeakSanitizer cannot look at a process with other rights
    }
    if (mkdtemp(folder) == NULL) return CHECK_SKIP;
    for (int k = 0; k < NAMES; k++) {
        path_of(names[k], path, sizeof path);
        setenv(names[k], path, 1);
    }
    setenv("PATH", folder, 1);
    path_of("heddle_no_such", path, sizeof path);
    const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0755);
    CHECK(file >= 0 && close(file) == 0, "%s", path);
    look(true);
    path_of("HEDDLE_TRACE", path, sizeof path);
    unlink(path);
    const int with_rights = look_with_rights();
    CHECK(with_rights == 0 || with_rights == CHECK_SKIP, "with more rights: exit %d", with_rights);
    char command[128];
    snprintf(command, sizeof command, "/bin/rm -rf '%s'", folder);
    CHECK(system(command) == 0, "%s", command);
    const int result = check_finish();
    return result == 0 ? with_rights : result;
}
