// SPDX-License-Identifier: Apache-2.0
//
// Several tests in one program, whose argument is the name of a test, or of a folder and a slash:
// those run one after another, each in the same folder and environment. The build writes the table
// of their mains.
#define _GNU_SOURCE // clearenv
#include "family.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

enum { MAX_VARIABLES = 1000, SKIPPED = 77 };
static char *variables[MAX_VARIABLES + 1];
static char folder[4096];

static void keep_surroundings(void)
{
    for (int k = 0; k < MAX_VARIABLES && environ[k] != NULL; k++) variables[k] = strdup(environ[k]);
    if (getcwd(folder, sizeof folder) == NULL) folder[0] = 0;
}

// What strings the environment has is the process's until its end.
static bool restore_surroundings(void)
{
    clearenv();
    for (int k = 0; variables[k] != NULL; k++)
        if (putenv(variables[k]) != 0) return false;
    return folder[0] != 0 && chdir(folder) == 0;
}

// "scan" is a test, "scan/" all of a folder.
static bool is_meant(const family_test *t, const char *name)
{
    const size_t n = strlen(t->folder);
    return strcmp(t->name, name) == 0 ||
           (strncmp(t->folder, name, n) == 0 && strcmp(name + n, "/") == 0);
}

int main(int argc, char **argv)
{
    int failed = 0, skipped = 0, all = 0;
    if (argc != 2) return 2;
    keep_surroundings();
    for (const family_test *t = family; t->name != NULL; t++) {
        if (!is_meant(t, argv[1])) continue;
        all++;
        printf("-- %s\n", t->name);
        fflush(stdout);
        const int code = t->run();
        skipped += code == SKIPPED;
        failed += code != 0 && code != SKIPPED;
        if (!restore_surroundings()) return 1;
    }
    printf("%d of %d failed, %d were skipped\n", failed, all, skipped);
    return all == 0 ? 2 : failed > 0 ? 1 : skipped == all ? SKIPPED : 0;
}
