// SPDX-License-Identifier: Apache-2.0
//
// The program's entry: the table of commands, help, and the check that what was printed arrived.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "heddle.h"
#include "program.h"
#include "cli/args/options.h"
#include "cli/support/launcher.h"
#include "cli/support/signals.h"

static const command commands[] = {
#define GROUP(title)
#define COMMAND(name) {#name, &name##_spec, command_##name},
#include "commands.def"
#undef COMMAND
#undef GROUP
    {NULL, NULL, NULL},
};

// The help's lines: a group has a title, a command its one line.
static const struct {
    const char *title;
    const arg_spec *spec;
} help_lines[] = {
#define GROUP(title)  {title, NULL},
#define COMMAND(name) {NULL, &name##_spec},
#include "commands.def"
#undef COMMAND
#undef GROUP
};

static const char *command_name(int k, const void *user)
{
    (void)user;
    return commands[k].name;
}

static const command *find(const char *name)
{
    for (const command *c = commands; c->name != NULL; c++)
        if (strcmp(c->name, name) == 0) return c;
    return NULL;
}

static void help_commands(FILE *out)
{
    for (size_t k = 0; k < sizeof help_lines / sizeof *help_lines; k++) {
        const arg_spec *spec = help_lines[k].spec;
        if (spec == NULL)
            fprintf(out, "%s:\n", help_lines[k].title);
        else
            fprintf(out, "  %-10s  %s\n", spec->command, spec->about);
    }
    fputs("  help        explains a command: heddle help reduce\n\n", out);
}

static void help(FILE *out)
{
    fputs("usage: heddle COMMAND [ARGUMENT...]\n\n"
          "Data-parallel patterns over files, with the same bits on every backend.\n\n",
          out);
    help_commands(out);
    fputs(
        "Try it:\n"
        "  printf '\\3\\1\\7\\0\\4\\1\\6\\3' | heddle scan - --dtype u8\n\n"
        "Files: .npy .npz .png .pgm .ppm .pfm .csv .tsv .txt, or raw with --dtype; - is standard\n"
        "input or output. Results go to standard output, trace and progress to standard\n"
        "error.\n\n"
        "Several machines: mpirun -n 8 heddle sort big.npy -o sorted.npy (docs/howto/mpi.md).\n\n"
        "Exit codes:\n",
        out);
#define EXIT_CODE_LINE(name, value, text) fprintf(out, "  %d  %s\n", value, text);
    EXIT_CODE_MAP(EXIT_CODE_LINE)
#undef EXIT_CODE_LINE
    fputs("\nEnvironment: HEDDLE_BACKEND, HEDDLE_THREADS, HEDDLE_ISA, HEDDLE_TRACE,\n"
          "HEDDLE_MAX_BYTES (as --max-bytes), HEDDLE_MPI (under mpirun), NO_COLOR.\n",
          out);
}

static int unknown(const char *name)
{
    const char *near = args_nearest(name, command_name, NULL);
    if (near != NULL)
        return fail(EXIT_USAGE, "", "no command '%s'; the nearest is '%s' (heddle --help)", name,
                    near);
    return fail(EXIT_USAGE, "", "no command '%s' (heddle --help)", name);
}

static int help_on(int argc, char **argv)
{
    if (argc < 2) return help(stdout), EXIT_DONE;
    const command *c = find(argv[1]);
    if (c == NULL) return unknown(argv[1]);
    args_help(c->spec, stdout);
    return EXIT_DONE;
}

static int run(int argc, char **argv)
{
    if (argc < 2) return help(stderr), EXIT_USAGE;
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) return help(stdout), EXIT_DONE;
    if (strcmp(name, "help") == 0) return help_on(argc - 1, argv + 1);
    if (strcmp(name, "--version") == 0) return printf("heddle %s\n", hd_version()), EXIT_DONE;
    const command *c = find(name);
    return c == NULL ? unknown(name) : c->run(argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], HD_NVRTC_WORD) == 0) return hd__model_nvrtc_serve();
    if (access("/proc/self/exe", X_OK) == 0) hd__model_compile_by_helper("/proc/self/exe");
    if (launcher_wants(argc, argv)) return launcher_become(argv);
    signals_begin();
    int code = options_environment();
    if (code == EXIT_DONE) code = run(argc, argv);
    // A full disk behind standard output shows only now.
    if (fflush(stdout) != 0 || ferror(stdout))
        return fail(EXIT_IO, "", "standard output: cannot write: %s", strerror(errno));
    return code;
}
