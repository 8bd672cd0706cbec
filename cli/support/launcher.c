// SPDX-License-Identifier: Apache-2.0
//
// Variables of launchers, and the other program.
#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exit.h"

// A number of the environment, or -1.
static int number(const char *variable)
{
    const char *text = getenv(variable);
    char *end;
    if (text == NULL || *text == '\0') return -1;
    const long n = strtol(text, &end, 10);
    return *end == '\0' && n >= 0 && n <= INT_MAX ? (int)n : -1;
}

launched launcher_says(void)
{
    static const struct {
        const char *size, *rank;
    } variables[] = {
        {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}, // mpirun of Open MPI
        {"PMI_SIZE", "PMI_RANK"},                         // MPICH, Intel MPI; Slurm's PMI-1 and -2
        {"MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK"},   // MVAPICH2
        {"SLURM_STEP_NUM_TASKS", "PMIX_RANK"},            // srun --mpi=pmix
    };
    for (size_t k = 0; k < sizeof variables / sizeof *variables; k++) {
        const launched l = {number(variables[k].size), number(variables[k].rank)};
        if (l.size > 0 && l.rank >= 0) return l;
    }
    return (launched){1, 0};
}

static const char *choice(void)
{
    const char *text = secure_getenv("HEDDLE_MPI");
    return text != NULL && *text != '\0' ? text : NULL;
}

bool launcher_wants(int argc, char **argv)
{
    const char *chosen = choice();
    if (argc < 2 || *argv[1] == '-' || strcmp(argv[1], "help") == 0) return false;
    if (chosen != NULL && strcmp(chosen, "0") == 0) return false;
    if (launcher_says().size > 1) return true;
    for (int k = 2; k < argc && strcmp(argv[1], "bench") == 0; k++)
        if (strcmp(argv[k], "--mpi") == 0) return true;
    return false;
}

// Beside this program, wherever that is.
static bool find_beside(char path[PATH_MAX])
{
    static const char other[] = "heddle-mpi";
    const ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);
    if (n <= 0) return false;
    path[n] = '\0';
    char *slash = strrchr(path, '/');
    if (slash == NULL || (size_t)(slash + 1 - path) + sizeof other > PATH_MAX) return false;
    memcpy(slash + 1, other, sizeof other);
    return true;
}

int launcher_become(char **argv)
{
    char path[PATH_MAX];
    const launched l = launcher_says();
    const char *program = choice();
    if (program == NULL && find_beside(path)) program = path;
    if (program != NULL) execv(program, argv);
    // Once, not from each of them.
    if (l.rank > 0) return EXIT_BACKEND;
    const char *why = program != NULL ? strerror(errno) : "it is not found";
    if (l.size == 1)
        return fail(EXIT_BACKEND, "",
                    "%s: %s: this build has no MPI, or HEDDLE_MPI names another "
                    "file",
                    program != NULL ? program : "heddle-mpi", why);
    return fail(EXIT_BACKEND, "",
                "%d processes were started together, which %s would join: %s: this build has no "
                "MPI (HEDDLE_MPI=0 runs each of them by itself)",
                l.size, program != NULL ? program : "heddle-mpi", why);
}
