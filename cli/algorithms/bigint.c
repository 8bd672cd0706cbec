// SPDX-License-Identifier: Apache-2.0
//
// heddle bigint: sums, differences and the order of whole numbers of any length, in text files.
#include <string.h>

#include "heddle_algorithms.h"

#include "cli/command.h"
#include "cli/run/workspace.h"
#include "cli/support/progress.h"
#include "io/writer.h"

static const char name[] = "bigint";

typedef struct bigint_args {
    const char *output;
    bool hexadecimal, json;
    context_options run;
} bigint_args;

static const arg_option options[] = {
    ARG_FLAG(0, "hex", "hexadecimal digits, not decimal ones", bigint_args, hexadecimal),
    ARG_TEXT('o', "output", "FILE", "write the number to a file, not to standard output",
             bigint_args, output),
    CONTEXT_OPTION_ROWS(bigint_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", bigint_args, json),
    ARG_END,
};

const arg_spec bigint_spec = {
    name,
    "add|subtract|compare A B",
    "adds, subtracts or compares whole numbers of any length",
    "A and B are text files with one number each, - for standard input: a sign perhaps, then\n"
    "digits; blanks around them are skipped. compare prints -1, 0 or 1.\n\n"
    "Examples:\n"
    "  printf 99999999999999999999 >a.txt; printf 1 >b.txt\n"
    "  heddle bigint add a.txt b.txt           prints 100000000000000000000\n"
    "  heddle bigint subtract b.txt a.txt      prints -99999999999999999998\n",
    options,
    3,
    3,
};

// A magnitude in limbs, and its sign.
typedef struct number {
    hd_view limbs;
    bool negative;
} number;

typedef struct job {
    workspace w;
    const bigint_args *a;
    hd_bigint_text_options text;
    hd_bigint_options base;
    int64_t group; // digits of a limb
    double seconds;
} job;

static bool is_blank(unsigned char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static int timed(job *j, hd_status status)
{
    const int code = workspace_call(&j->w, status);
    j->seconds += j->w.seconds;
    return code;
}

static bool is_digit(unsigned char c, bool hexadecimal)
{
    return (c >= '0' && c <= '9') || (hexadecimal && (c | 32) >= 'a' && (c | 32) <= 'f');
}

// The digits of a file from begin to end - 1, or the place of the first byte that is none.
static int parse(job *j, const char *file, hd_view text, int64_t begin, int64_t end, hd_view limbs)
{
    const unsigned char *const p = text.data;
    const bool hexadecimal = j->text.hexadecimal;
    workspace_begin(&j->w);
    const hd_status status =
        hd_bigint_parse(j->w.ctx, hd_slice(text, 0, begin, end - begin, 1), limbs, &j->text);
    if (status != HD_ERROR_VALUE) return timed(j, status);
    while (begin + 1 < end && is_digit(p[begin], hexadecimal)) begin++;
    return fail(EXIT_DATA, name, "%s: byte %lld is 0x%02x; expected a %s digit", file,
                (long long)begin, p[begin], hexadecimal ? "hexadecimal" : "decimal");
}

static int load(job *j, const char *file, number *out)
{
    hd_view text;
    EXIT_TRY(workspace_load(&j->w, file, &(io_read_options){.format = IO_BYTES}, &text));
    const unsigned char *const p = text.data;
    int64_t begin = 0, end = hd_count(text);
    while (begin < end && is_blank(p[begin])) begin++;
    while (end > begin && is_blank(p[end - 1])) end--;
    out->negative = begin < end && p[begin] == '-';
    if (begin < end && (p[begin] == '-' || p[begin] == '+')) begin++;
    if (begin == end) return fail(EXIT_DATA, name, "%s: expected digits, got none", file);
    const int64_t count = (end - begin + j->group - 1) / j->group;
    EXIT_TRY(workspace_row(&j->w, HD_U64, count, &out->limbs));
    return parse(j, file, text, begin, end, out->limbs);
}

static int compare(job *j, const number *a, const number *b, int64_t *order)
{
    workspace_begin(&j->w);
    return timed(j, hd_bigint_compare(j->w.ctx, a->limbs, b->limbs, HD_VIEW(order, 1), NULL));
}

static bool is_zero(const number *x)
{
    const uint64_t *limb = x->limbs.data;
    int64_t n = hd_count(x->limbs);
    while (n > 0 && limb[n - 1] == 0) n--;
    return n == 0;
}

static int order_of(job *j, const number *a, const number *b, int64_t *order)
{
    EXIT_TRY(compare(j, a, b, order));
    const bool signs_differ = a->negative != b->negative && !(is_zero(a) && is_zero(b));
    if (signs_differ)
        *order = a->negative ? -1 : 1;
    else if (a->negative)
        *order = -*order;
    return EXIT_DONE;
}

static int64_t longer(const number *a, const number *b)
{
    const int64_t n = hd_count(a->limbs), m = hd_count(b->limbs);
    return n > m ? n : m;
}

// out = a + b, of any signs.
static int add(job *j, const number *a, const number *b, number *out)
{
    int64_t order = 0;
    const bool same = a->negative == b->negative;
    EXIT_TRY(workspace_row(&j->w, HD_U64, longer(a, b) + same, &out->limbs));
    out->negative = a->negative;
    if (same) {
        workspace_begin(&j->w);
        return timed(j, hd_bigint_add(j->w.ctx, a->limbs, b->limbs, out->limbs, &j->base));
    }
    EXIT_TRY(compare(j, a, b, &order));
    const number *const large = order < 0 ? b : a, *const small = order < 0 ? a : b;
    out->negative = large->negative;
    workspace_begin(&j->w);
    return timed(j, hd_bigint_subtract(j->w.ctx, large->limbs, small->limbs, out->limbs, &j->base));
}

// ---- The result -----------------------------------------------------------------------------

static int write_text(const job *j, const char *text, int64_t n)
{
    io_writer writer;
    io_error error;
    const char *const file = j->a->output != NULL ? j->a->output : "-";
    if (io_writer_open_as(&writer, file, IO_BYTES, HD_U8, 1, &n, &error) != IO_OK)
        return io_failed(name, &error);
    io_status status = io_writer_put(&writer, text, n, &error);
    if (status == IO_OK) status = io_writer_commit(&writer, &error);
    io_writer_abandon(&writer);
    return status == IO_OK ? EXIT_DONE : io_failed(name, &error);
}

static void report(const job *j, const char *operation, const char *text, int64_t digits)
{
    enum { SHOWN = 1000 };
    json out = json_begin(stdout);
    json_text(&out, "command", name);
    json_text(&out, "operation", operation);
    json_int(&out, "digits", digits);
    options_json(&out, j->w.ctx, j->seconds);
    if (j->a->output != NULL) json_text(&out, "output", j->a->output);
    if (j->a->output == NULL && digits <= SHOWN) json_text(&out, "value", text);
    json_end(&out);
}

// The digits without zeros in front, with the sign before and a line's end behind.
static int emit(job *j, const char *operation, const number *x)
{
    hd_view text;
    const int64_t room = hd_count(x->limbs) * j->group;
    EXIT_TRY(workspace_row(&j->w, HD_U8, room + 3, &text));
    char *const all = text.data, *p = all + 1;
    workspace_begin(&j->w);
    EXIT_TRY(
        timed(j, hd_bigint_format(j->w.ctx, x->limbs, hd_slice(text, 0, 1, room, 1), &j->text)));
    all[room + 1] = '\n', all[room + 2] = '\0';
    while (*p == '0' && p[1] != '\n') p++;
    if (x->negative && *p != '0') *--p = '-';
    const int64_t n = all + room + 2 - p;
    if (j->a->output != NULL || !j->a->json) EXIT_TRY(write_text(j, p, n));
    if (!j->a->json) return EXIT_DONE;
    all[room + 1] = '\0';
    report(j, operation, p, n - 1 - (*p == '-'));
    return EXIT_DONE;
}

static int emit_order(job *j, int64_t order)
{
    char text[8];
    const int n = snprintf(text, sizeof text, "%d\n", (int)order);
    if (j->a->output != NULL || !j->a->json) EXIT_TRY(write_text(j, text, n));
    if (!j->a->json) return EXIT_DONE;
    text[n - 1] = '\0';
    report(j, "compare", text, 1);
    return EXIT_DONE;
}

static int run(job *j, const char *const *operand)
{
    number a, b, out;
    int64_t order = 0;
    const char *const what = operand[0];
    const bool compares = strcmp(what, "compare") == 0, subtracts = strcmp(what, "subtract") == 0;
    if (!compares && !subtracts && strcmp(what, "add") != 0)
        return fail(EXIT_USAGE, name, "%s: expected add, subtract or compare", what);
    EXIT_TRY(options_one_pipe(name, operand[1], operand[2], NULL));
    if (j->a->json && j->a->output != NULL && strcmp(j->a->output, "-") == 0)
        return fail(EXIT_USAGE, name, "--json: standard output already has the number of -o -");
    EXIT_TRY(workspace_open(&j->w, name, &j->a->run));
    EXIT_TRY(load(j, operand[1], &a));
    EXIT_TRY(load(j, operand[2], &b));
    if (compares) {
        EXIT_TRY(order_of(j, &a, &b, &order));
        return emit_order(j, order);
    }
    b.negative ^= subtracts;
    EXIT_TRY(add(j, &a, &b, &out));
    return emit(j, what, &out);
}

int command_bigint(int argc, char **argv)
{
    bigint_args args = {0};
    job j = {.a = &args};
    arg_result operands;
    int code;
    if (!args_begin(&bigint_spec, argc, argv, &args, &operands, &code)) return code;
    j.text.hexadecimal = args.hexadecimal;
    j.base.base = args.hexadecimal ? 0 : HD_BIGINT_DECIMAL;
    j.group = args.hexadecimal ? 16 : 18;
    code = run(&j, operands.operand);
    workspace_close(&j.w);
    return code;
}
