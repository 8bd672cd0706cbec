// SPDX-License-Identifier: Apache-2.0
// link: heddle_cli
//
// Runs of the program that end well and badly, all in one process: each must find nothing that the
// one before it left behind, and with AddressSanitizer none may lose memory.
#define _GNU_SOURCE
#define main program_main
#include "cli/main.c"
#undef main

#include <unistd.h>

#include "tests/support/check.h"

// By a link in the working folder: lines are split at spaces, which the source's path may have.
#define IO   "tests/data/"
#define TILE "tests/kernels/execution/transpose.ptx transpose_tiled --grid 2,2 --block 32,32 "

static const struct {
    int code;
    const char *words; // in what it says on standard error
    const char *line;
} runs[] = {
    {0, "", "reduce " IO "fortran_be.npy --op argmax --axis 0"},
    {6, "cannot create", "scan " IO "dims8.npy --op argmax -o y.npy --values-out no/v.npy"},
    {7, "too early", "scan - --dtype f32 --shape 4 -o y.npy"},
    {0, "", "tour scan --elements 100"},
    {2, "segments", "scan " IO "le_f4.npy --segments offsets.npy --verify"},
    {0, "", "convert x.pgm -o x.png"},
    {0, "", "show x.png"},
    {7, "damaged PNG", "reduce cut.png"},
    {6, "No space left", "convert x.pgm -o /dev/full --to png"},
    {0, "", "show " IO "two.npz"},
    {7, "no directory", "reduce cut.npz"},
    {7, "line 3, column 2", "scan x.csv"},
    {0, "", "show good.csv"},
    {7, "does not fit", "convert x.pgm -o y.npy --out-type i8 --scale 2"},
    {0, "",
     "model " TILE "--arg f32:range:64x64 --arg f32:empty:64x64 --arg 64 --html p.html --json"},
    {2, "nothing was given for parameter 2",
     "model " TILE "--arg f32:range:64x64 --arg f32:empty:64x64"},
    {5, "", "model " TILE "--arg f32:range:64 --arg f32:empty:64x64 --arg 64 --explore 2"},
    {0, "", "reduce x.pgm --json --backend serial"},
    {2, "no command 'redcue'", "redcue x.pgm"},
    {0, "", "help scan"},
};

// ---- Files that the runs read -------------------------------------------------------------------

static void write_file(const char *name, const char *bytes, size_t count)
{
    FILE *f = fopen(name, "wb");
    CHECK(f != NULL && fwrite(bytes, 1, count, f) == count && fclose(f) == 0, "%s", name);
}

// The beginning of another file.
static void cut_file(const char *name, const char *from, size_t count)
{
    char bytes[256];
    FILE *f = fopen(from, "rb");
    const size_t got = f != NULL ? fread(bytes, 1, count, f) : 0;
    if (f != NULL) fclose(f);
    write_file(name, bytes, got);
}

static void write_files(void)
{
    char offsets[131];
    snprintf(offsets, sizeof offsets, "\223NUMPY\1%c\166%c%-117s\n%c\2", 0, 0,
             "{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }", 0);
    write_file("offsets.npy", offsets, sizeof offsets - 1);
    CHECK(symlink(HEDDLE_SOURCE_DIR "/tests", "tests") == 0, "%s", HEDDLE_SOURCE_DIR);
    write_file("x.pgm", "P5\n3 1\n255\nabc", 14);
    write_file("x.csv", "a,b\n1,2\n3,x\n", 12);
    write_file("good.csv", "a,b\n1,2\n3,4\n", 12);
    cut_file("cut.npz", IO "two.npz", 200);
}

// ---- Runs ---------------------------------------------------------------------------------------

// Splits a line at its spaces.
static int split(char *line, char **words, int most)
{
    int count = 0;
    for (char *at = strtok(line, " "); at != NULL && count < most; at = strtok(NULL, " "))
        words[count++] = at;
    words[count] = NULL;
    return count;
}

// What the last run said.
static void read_words(char *words, size_t room)
{
    fflush(stderr);
    FILE *f = fopen("stderr.txt", "r");
    const size_t got = f != NULL ? fread(words, 1, room - 1, f) : 0;
    words[got] = 0;
    if (f != NULL) fclose(f);
}

static void play(int code, const char *expected, const char *text, FILE *results)
{
    char line[1000], words[4000], *argv[64];
    snprintf(line, sizeof line, "heddle %s", text);
    const int argc = split(line, argv, 63);
    if (freopen("stderr.txt", "w", stderr) == NULL || freopen("/dev/null", "r", stdin) == NULL ||
        freopen("/dev/null", "w", stdout) == NULL)
        exit(1);
    const int got = program_main(argc, argv);
    read_words(words, sizeof words);
    if (got == code && strstr(words, expected) != NULL) return;
    static bool without_png;
    without_png |= strstr(words, "install libpng-dev") != NULL;
    if (strstr(words, "install zlib1g-dev") != NULL) return;
    if (without_png && strstr(text, "png") != NULL) return;
    fprintf(results, "FAILED %s: exit %d, expected %d; expected '%s' in: %s\n", text, got, code,
            expected, words);
    check_failed(__FILE__, __LINE__, text, "see above");
}

int main(int argc, char **argv)
{
    // The program compiles in a process of its own, which it starts as what it is itself: here that
    // is this test.
    if (argc == 2 && strcmp(argv[1], HD_NVRTC_WORD) == 0) return hd__model_nvrtc_serve();
    char folder[] = "/tmp/heddle-program-XXXXXX", command[64];
    FILE *results = fdopen(dup(STDOUT_FILENO), "w");
    if (results == NULL || mkdtemp(folder) == NULL || chdir(folder) != 0) return 1;
    write_files();
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        if (strstr(runs[k].line, "cut.png") != NULL) cut_file("cut.png", "x.png", 50);
        play(runs[k].code, runs[k].words, runs[k].line, results);
    }
    fclose(results);
    snprintf(command, sizeof command, "rm -r %s", folder);
    CHECK(chdir("/") == 0 && system(command) == 0, "%s", command);
    return check_finish();
}
