// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "apart.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

void apart_set(const char *name, const char *value)
{
    if (value != NULL)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

void apart_run(char *program, const char *name, void (*prepare)(int number), int number)
{
    int status = 1;
    char *const arguments[] = {program, (char *)(uintptr_t)name, NULL};
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        prepare(number);
        execv("/proc/self/exe", arguments);
        _exit(127);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0, "%s: status %d", name,
          status);
}
