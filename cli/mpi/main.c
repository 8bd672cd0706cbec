// SPDX-License-Identifier: Apache-2.0
//
// The entry of heddle-mpi, which heddle becomes under mpirun or srun: the ranks' commands, and what
// ranks must have in common.
#include "commands.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/support/launcher.h"
#include "cli/support/signals.h"
#include "heddle.h"

static const struct {
    const char *name;
    const arg_spec *spec;
    ranks_command *run;
} commands[] = {
#define RANKS_COMMAND(name) {#name, &name##_spec, ranks_##name},
#include "commands.def"
#undef RANKS_COMMAND
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void help(FILE *out)
{
    fputs("usage: mpirun -n RANKS heddle COMMAND [ARGUMENT...]\n"
          "       mpirun -n RANKS heddle-mpi COMMAND [ARGUMENT...]\n\n"
          "Patterns over files of any size, on several machines: each rank has a part of the\n"
          "arrays. The output has the same bytes as that of heddle on one machine.\n\n",
          out);
    for (int k = 0; k < COMMANDS; k++)
        fprintf(out, "  %-10s  %s\n", commands[k].name, commands[k].spec->about);
    fputs(
        "\nheddle COMMAND --help has the options. .npy and raw files are read and written by all\n"
        "ranks at once, others by rank 0. Ranks share the cores of their node, unless --threads\n"
        "or HEDDLE_THREADS says how many each gets. HEDDLE_MPI=0 makes heddle run in each\n"
        "process by itself, HEDDLE_MPI=PATH names another heddle-mpi.\n",
        out);
}

static int unknown(const char *name)
{
    char all[256] = "";
    for (int k = 0; k < COMMANDS; k++) {
        const size_t at = strlen(all);
        snprintf(all + at, sizeof all - at, "%s%s", k > 0 ? ", " : "", commands[k].name);
    }
    return fail(EXIT_USAGE, "",
                "no command '%s' over several ranks; there are %s (HEDDLE_MPI=0 runs heddle in "
                "each process by itself)",
                name, all);
}

static int run(job *r, int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0)
        return help(stdout), argc < 2 ? EXIT_USAGE : EXIT_DONE;
    if (strcmp(argv[1], "--version") == 0)
        return printf("heddle-mpi %s\n", hd_version()), EXIT_DONE;
    for (int k = 0; k < COMMANDS; k++)
        if (strcmp(argv[1], commands[k].name) == 0) return commands[k].run(r, argc - 1, argv + 1);
    return unknown(argv[1]);
}

// A program of one MPI under the launcher of another is as many jobs of one rank.
static int check_alone(const job *r)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    const launched l = launcher_says();
    if (l.size == r->size || r->size > 1) return EXIT_DONE;
    if (l.rank > 0) return EXIT_BACKEND; // said once
    MPI_Get_library_version(version, &length);
    version[strcspn(version, "\n,")] = '\0';
    return fail(EXIT_BACKEND, "",
                "%d processes were started together, but each is alone: heddle-mpi was built with "
                "%s, the launcher is of another MPI; HEDDLE_MPI=PATH names another heddle-mpi",
                l.size, version);
}

// FNV-1a of all arguments with their ends.
static uint64_t hash_of(int argc, char **argv)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (int k = 1; k < argc; k++)
        for (size_t i = 0; i <= strlen(argv[k]); i++)
            hash = (hash ^ (unsigned char)argv[k][i]) * 0x100000001b3u;
    return hash;
}

static int check_same(int argc, char **argv)
{
    const uint64_t mine = hash_of(argc, argv);
    uint64_t least = 0, most = 0;
    MPI_Allreduce(&mine, &least, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&mine, &most, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    if (least == most) return EXIT_DONE;
    return fail(EXIT_USAGE, "",
                "the processes have different arguments, so they are no ranks of one command; "
                "HEDDLE_MPI=0 runs each by itself");
}

static int work(job *r, int argc, char **argv)
{
    EXIT_TRY(check_alone(r));
    EXIT_TRY(check_same(argc, argv));
    EXIT_TRY(options_environment());
    const int code = run(r, argc, argv);
    // A full disk behind standard output shows only now.
    if (fflush(stdout) != 0 || ferror(stdout))
        return fail(EXIT_IO, "", "standard output: cannot write: %s", strerror(errno));
    return code;
}

int main(int argc, char **argv)
{
    job r;
    int level;
    signals_begin();
    if (MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS)
        return fail(EXIT_BACKEND, "", "MPI_Init_thread failed");
    ranks_begin(&r);
    // What is printed is printed once: help, too.
    const bool quiet = r.rank == 0 || freopen("/dev/null", "w", stdout) != NULL;
    int code = quiet ? work(&r, argc, argv) : fail(EXIT_IO, "", "/dev/null: %s", strerror(errno));
    code = ranks_end(&r, code);
    ranks_close(&r);
    MPI_Finalize();
    return code;
}
