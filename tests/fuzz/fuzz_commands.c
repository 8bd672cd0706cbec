// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as the files of the commands that are built on algorithms: the first byte chooses a
// command line, the rest are its one or two files, parted by a byte 0x1c. A command ends well, or
// says that its line, its files or their data are wrong; nothing else, and it always ends.
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/command.h"
#include "io/support/limit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FILES = 2, WORDS = 20, MAX_BYTES = 4000 };

// A and B are the files, L the second part as a list on the command line.
typedef struct line {
    int (*run)(int argc, char **argv);
    const char *words;
} line;

#define LIMITS " --backend serial --max-bytes 256K"

static const line lines[] = {
    {command_tree, "tree A --format text -g sizes" LIMITS},
    {command_tree, "tree A --format text -g tour" LIMITS},
    {command_tree, "tree A --format text --root 0 -g parents" LIMITS},
    {command_tree, "tree A --format text -g ancestors --queries B" LIMITS},
    {command_tree, "tree A --format text -g sums --values B --op max" LIMITS},
    {command_components, "components A --format text" LIMITS},
    {command_components, "components A --format csv --count" LIMITS},
    {command_mst, "mst A --format csv" LIMITS},
    {command_mst, "mst A --format text -w B --total" LIMITS},
    {command_hull, "hull A --format text --counts" LIMITS},
    {command_hull, "hull A --format csv --points --collinear" LIMITS},
    {command_hull, "hull A --format text --dtype i16" LIMITS},
    {command_spans, "spans A --format text --pool 50 --policy skip" LIMITS},
    {command_spans, "spans A --format text --pools B --segments B" LIMITS},
    {command_polynomial, "polynomial A --format text -c L" LIMITS},
    {command_polynomial, "polynomial A --format text -c B --method tree" LIMITS},
    {command_recurrence, "recurrence A --format text --dtype f64 -c L" LIMITS},
    {command_recurrence, "recurrence A --format text --dtype f32 -c 1,1 --initial L" LIMITS},
    {command_filter, "filter A --format text --dtype f64 -b 1,2 -a L" LIMITS},
    {command_tridiagonal, "tridiagonal A A B B --format text --dtype f64" LIMITS},
    {command_inverse, "inverse A --format text" LIMITS},
    {command_matmul, "matmul A B --format text" LIMITS},
    {command_spmv, "spmv A B --format text" LIMITS},
    {command_label, "label A --format text" LIMITS},
    {command_integral, "integral A --format text --border" LIMITS},
    {command_lex, "lex A --lang c" LIMITS},
    {command_lex, "lex B --rules A --errors" LIMITS},
    {command_evaluate, "evaluate A --type i64" LIMITS},
    {command_bigint, "bigint subtract A B --backend serial --json"},
    {command_bigint, "bigint compare A B --hex --backend serial --json"},
    {command_strings, "strings A" LIMITS},
    {command_strings, "strings A --compare B" LIMITS},
    {command_strings, "strings A --find L" LIMITS},
};

enum { LINES = sizeof lines / sizeof *lines };

static char folder[] = "/tmp/heddle_fuzz_XXXXXX";
static char name[FILES][sizeof folder + 8];
static int file[FILES] = {-1, -1};

static void remove_names(void)
{
    for (int k = 0; k < FILES; k++) unlink(name[k]);
    rmdir(folder);
}

// Files in memory, with names that say what they are.
static void make_names(void)
{
    if (mkdtemp(folder) == NULL) abort();
    for (int k = 0; k < FILES; k++) {
        char target[64];
        file[k] = memfd_create("fuzz", 0);
        snprintf(target, sizeof target, "/proc/self/fd/%d", file[k]);
        snprintf(name[k], sizeof name[k], "%s/%c.txt", folder, 'a' + k);
        if (file[k] < 0 || symlink(target, name[k]) != 0) abort();
    }
    atexit(remove_names);
}

static void fill(int k, const uint8_t *data, size_t size)
{
    if (ftruncate(file[k], 0) != 0 || pwrite(file[k], data, size, 0) != (ssize_t)size) abort();
}

// What the command prints goes nowhere; a sanitizer's report does not take this way.
static int quietly(const line *l, int argc, char **argv)
{
    static FILE *nowhere;
    FILE *const out = stdout, *const err = stderr;
    if (nowhere == NULL) nowhere = fopen("/dev/null", "w");
    if (nowhere == NULL) abort();
    stdout = stderr = nowhere;
    const int code = l->run(argc, argv);
    stdout = out, stderr = err;
    return code;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char words[256], list[MAX_BYTES + 1], *argv[WORDS + 1] = {NULL};
    int argc = 0;
    if (size == 0 || size > MAX_BYTES) return 0;
    const line *l = &lines[data[0] % LINES];
    const uint8_t *first = data + 1, *end = data + size;
    const uint8_t *between = memchr(first, 0x1c, size - 1);
    const uint8_t *second = between != NULL ? between + 1 : end;
    if (file[0] < 0) make_names();
    fill(0, first, (size_t)((between != NULL ? between : end) - first));
    fill(1, second, (size_t)(end - second));
    memcpy(list, second, (size_t)(end - second));
    list[end - second] = 0;
    snprintf(words, sizeof words, "%s", l->words);
    for (char *word = strtok(words, " "); word != NULL && argc < WORDS; word = strtok(NULL, " "))
        argv[argc++] = strcmp(word, "A") == 0   ? name[0]
                       : strcmp(word, "B") == 0 ? name[1]
                       : strcmp(word, "L") == 0 ? list
                                                : word;
    const int code = quietly(l, argc, argv);
    if (code != EXIT_DONE && code != EXIT_USAGE && code != EXIT_IO && code != EXIT_DATA) abort();
    return 0;
}
