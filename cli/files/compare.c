// SPDX-License-Identifier: Apache-2.0
//
// heddle compare: two files of heddle bench --json (or of google-benchmark), row by row.
#include "cli/command.h"

#include "bench/harness/compare.h"
#include "bench/harness/table.h"
#include "cli/support/escaped.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct compare_args {
    const char *fail_over;
    bool all;
} compare_args;

static const arg_option options[] = {
    ARG_TEXT(0, "fail-over", "PCT", "exit with 1 if a row got slower by more than so many percent",
             compare_args, fail_over),
    ARG_FLAG(0, "all", "peers and peak bandwidths too, not only Heddle's own rows", compare_args,
             all),
    ARG_END};

const arg_spec compare_spec = {
    "compare",
    "BEFORE.json AFTER.json",
    "compares two results of heddle bench --json",
    "  heddle compare before.json after.json --fail-over 10\n\n"
    "'ratio' is the time before over the time after: above 1 is faster. A row is faster or slower\n"
    "if each median lies outside the other's range from p10 to p90 and they are more than 2 % "
    "apart;\n"
    "else it is the same. Files of google-benchmark are read too (--all).\n",
    options,
    2,
    2};

#define FILE_MAX ((size_t)1 << 30) // far more than any run writes

// The whole file, or NULL and why.
static char *read_file(const char *path, size_t *size, const char **why)
{
    FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    char *bytes = NULL;
    size_t room = 0;
    *size = 0, *why = f ? NULL : strerror(errno);
    while (f && !*why) {
        if (*size == room) {
            room = room ? 2 * room : 65536;
            char *grown = room <= FILE_MAX ? realloc(bytes, room) : NULL;
            *why = grown ? NULL : "too large";
            if (!grown) break;
            bytes = grown;
        }
        const size_t got = fread(bytes + *size, 1, room - *size, f);
        *size += got;
        if (ferror(f))
            *why = strerror(errno);
        else if (got == 0)
            break;
    }
    if (f && f != stdin) fclose(f);
    if (*why) free(bytes);
    return *why ? NULL : bytes;
}

static int load(const char *path, timed_rows *rows)
{
    size_t size;
    const char *why;
    char error[256];
    char *bytes = read_file(path, &size, &why);
    if (!bytes) return fail(EXIT_IO, "compare", "%s: %s", path, why);
    json_value *document = json_read(bytes, size, error, sizeof error);
    free(bytes);
    if (!document) return fail(EXIT_DATA, "compare", "%s: not JSON: %s", path, error);
    const bool good = timed_rows_read(rows, document, error, sizeof error);
    json_free(document);
    return good ? 0 : fail(EXIT_DATA, "compare", "%s: %s", path, error);
}

// Heddle's own rows are PATTERN/TYPE/OPERATOR/N; a contestant's name makes a fifth part.
static bool is_own(const char *name)
{
    int parts = 1;
    for (; *name; name++) parts += *name == '/';
    return parts <= 4;
}

// Prints one row; returns by how many percent it got slower beyond its spread, or 0.
static double compare_row(const timed_row *a, const timed_row *b, int verdicts[3])
{
    static const char *const words[] = {"faster", "same", "slower"};
    char before[24], after[24];
    const int verdict = statistics_compare(&a->time, &b->time, COMPARE_MIN);
    table_time(before, a->time.median), table_time(after, b->time.median);
    printf("%-44s %9s ±%4.1f%% %9s ±%4.1f%% %7.3fx  %s\n", shown(a->name), before,
           50 * statistics_spread(&a->time), after, 50 * statistics_spread(&b->time),
           a->time.median / b->time.median, words[verdict + 1]);
    verdicts[verdict + 1]++;
    return verdict > 0 ? 100 * (b->time.median / a->time.median - 1) : 0;
}

static double compare_all(const timed_rows *a, const timed_rows *b, bool all)
{
    int verdicts[3] = {0, 0, 0}, missing = 0;
    double worst = 0;
    printf("%-44s %16s %16s %8s\n", "row", "before", "after", "ratio");
    for (int64_t i = 0; i < a->count; i++) {
        if (!all && !is_own(a->row[i].name)) continue;
        const timed_row *other = timed_rows_find(b, a->row[i].name);
        if (!other) {
            missing++;
            continue;
        }
        const double slower = compare_row(&a->row[i], other, verdicts);
        if (slower > worst) worst = slower;
    }
    printf("%d faster, %d the same, %d slower", verdicts[0], verdicts[1], verdicts[2]);
    if (missing) printf("; %d only in the first file", missing);
    printf("\n");
    return worst;
}

int command_compare(int argc, char **argv)
{
    compare_args args = {0};
    arg_result operands;
    int code;
    if (!args_begin(&compare_spec, argc, argv, &args, &operands, &code)) return code;
    double most = -1;
    if (args.fail_over) {
        char *end;
        most = strtod(args.fail_over, &end);
        if (*end || end == args.fail_over || !(most >= 0))
            return fail(EXIT_USAGE, "compare", "--fail-over %s: expected a percentage, 0 or more",
                        args.fail_over);
    }
    timed_rows a = {NULL, 0}, b = {NULL, 0};
    code = load(operands.operand[0], &a);
    if (code == 0) code = load(operands.operand[1], &b);
    if (code == 0) {
        const double worst = compare_all(&a, &b, args.all);
        if (most >= 0 && worst > most) code = EXIT_CHECK;
    }
    timed_rows_free(&a), timed_rows_free(&b);
    return code;
}
