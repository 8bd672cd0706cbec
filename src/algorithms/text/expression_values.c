// SPDX-License-Identifier: Apache-2.0
// Values of numbers and of groups, which are what stands between two parentheses, by the cores:
// numbers in chunks, groups of one depth side by side.
#define _GNU_SOURCE
#include "expression.h"

#include "../support/team.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHUNK = 4096,       // numbers of a task
    SHARES = 8,         // tasks of a thread, of a depth
    LEAST_LEVEL = 8192, // tokens of a depth that are worth more than one thread
    FEW = 15            // characters of a number whose digits are an f64
};

typedef struct values {
    hd__expression *x;
    const unsigned char *text;
    const int32_t *kind, *depth;
    const int64_t *token, *begin, *length;
    uint64_t *number, *result;  // of each token; of each group, the last of which is outside of all
    bool *poisoned;             // groups in which an error was
    int64_t *begin_of, *closed; // of each group: its "(", and how many ")" are before that
    int64_t *error;             // of each task: the first byte of one
    int64_t bad;                // of all, or INT64_MAX
    char *last_number;          // a copy of what ends the text, and a NUL
    locale_t c;
    int64_t first, last, step; // groups that are evaluated now, and how many by a task
} values;

// ---- Numbers --------------------------------------------------------------------------------

// Numbers of few digits exactly: their digits and a power of ten that are both f64 (W. D. Clinger,
// "How to read floating point numbers accurately", 1990). Returns whether it is one.
static bool read_few(const char *s, int64_t length, double *value)
{
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    uint64_t digits = 0;
    int behind = 0;
    bool point = false;
    if (length > FEW) return false;
    for (int64_t k = 0; k < length; k++) {
        if (s[k] == 'e' || s[k] == 'E') return false;
        if (s[k] == '.')
            point = true;
        else
            digits = digits * 10 + (unsigned)(s[k] - '0'), behind += point;
    }
    *value = (double)digits / power[behind];
    return true;
}

// A decimal number of the text as the nearest f64. What follows it is no part of a number: tokens
// are as long as they can be. What ends the text has a copy that ends with a NUL.
static double read_f64(const values *v, int64_t begin, int64_t length)
{
    const bool ends = begin + length == hd_count(v->x->text);
    const char *s = ends ? v->last_number : (const char *)v->text + begin;
    double value;
    return read_few(s, length, &value) ? value : strtod_l(s, NULL, v->c);
}

// Whether it fits i64; 2^63 does behind a minus.
static bool read_i64(const values *v, int64_t token, bool negated, uint64_t *value)
{
    const unsigned char *s = v->text + v->begin[token];
    uint64_t n = 0;
    for (int64_t k = 0; k < v->length[token]; k++) {
        const unsigned digit = s[k] - (unsigned)'0';
        if (digit > 9 || n > (UINT64_MAX - digit) / 10) return false;
        n = n * 10 + digit;
    }
    *value = n;
    return n <= (uint64_t)INT64_MAX + negated;
}

// Numbers are converted in sorted order, where a minus before one stands before it as well.
static void convert(void *user, int64_t task)
{
    values *v = user;
    const int64_t end = (task + 1) * CHUNK < v->x->tokens ? (task + 1) * CHUNK : v->x->tokens;
    v->error[task] = INT64_MAX;
    for (int64_t k = task * CHUNK; k < end; k++) {
        const int64_t token = v->token[k];
        double real = 0;
        bool good = true;
        if (v->kind[k] != EXPRESSION_NUMBER) continue;
        if (v->x->is_i64) {
            good = read_i64(v, token, k > 0 && v->kind[k - 1] == EXPRESSION_NEGATE, &v->number[k]);
        } else {
            real = read_f64(v, v->begin[token], v->length[token]);
            memcpy(&v->number[k], &real, sizeof real);
        }
        if (!good && v->begin[token] < v->error[task]) v->error[task] = v->begin[token];
    }
}

// ---- Operators ------------------------------------------------------------------------------

static double real_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

uint64_t hd__expression_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static uint64_t quotient(uint64_t a, uint64_t b)
{
    if (b == UINT64_MAX) return 0 - a; // by -1, which may overflow
    return (uint64_t)((int64_t)a / (int64_t)b);
}

uint64_t hd__expression_apply(bool is_i64, int kind, uint64_t a, uint64_t b)
{
    if (is_i64) switch (kind) {
        case EXPRESSION_PLUS: return a + b;
        case EXPRESSION_MINUS: return a - b;
        case EXPRESSION_TIMES: return a * b;
        default: return quotient(a, b);
        }
    switch (kind) {
    case EXPRESSION_PLUS: return hd__expression_bits(real_of(a) + real_of(b));
    case EXPRESSION_MINUS: return hd__expression_bits(real_of(a) - real_of(b));
    case EXPRESSION_TIMES: return hd__expression_bits(real_of(a) * real_of(b));
    default: return hd__expression_bits(real_of(a) / real_of(b));
    }
}

uint64_t hd__expression_negated(bool is_i64, uint64_t a)
{
    return is_i64 ? 0 - a : a ^ UINT64_C(1) << 63;
}

// ---- Groups ---------------------------------------------------------------------------------

// A row of tokens without parentheses, but for those that close, which stand for groups.
typedef struct row {
    const values *v;
    int64_t at, end, closed; // closed: how many ")" were before
    int64_t zero;            // the byte of a division by zero, or -1
    bool poisoned;
} row;

static uint64_t operand(row *r)
{
    const values *v = r->v;
    bool minus = false;
    while (v->kind[r->at] == EXPRESSION_NEGATE) r->at++, minus = !minus;
    uint64_t value;
    if (v->kind[r->at] == EXPRESSION_NUMBER) {
        value = v->number[r->at];
    } else {
        value = v->result[r->closed];
        r->poisoned |= v->poisoned[r->closed++];
    }
    r->at++;
    return minus ? hd__expression_negated(v->x->is_i64, value) : value;
}

static uint64_t product(row *r)
{
    const values *v = r->v;
    uint64_t value = operand(r);
    while (r->at < r->end &&
           (v->kind[r->at] == EXPRESSION_TIMES || v->kind[r->at] == EXPRESSION_OVER)) {
        const int64_t at = r->at++;
        const uint64_t other = operand(r);
        if (v->x->is_i64 && v->kind[at] == EXPRESSION_OVER && other == 0) {
            if (!r->poisoned) r->zero = v->begin[v->token[at]];
            r->poisoned = true;
            continue;
        }
        value = hd__expression_apply(v->x->is_i64, v->kind[at], value, other);
    }
    return value;
}

static uint64_t sum(row *r)
{
    uint64_t value = product(r);
    while (r->at < r->end) {
        const int kind = r->v->kind[r->at++];
        const uint64_t other = product(r);
        value = hd__expression_apply(r->v->x->is_i64, kind, value, other);
    }
    return value;
}

static int64_t group_end(const values *v, int64_t k)
{
    return k < v->x->groups ? v->begin_of[k + 1] : v->x->tokens;
}

static void evaluate_groups(void *user, int64_t task)
{
    values *v = user;
    const int64_t from = v->first + task * v->step;
    const int64_t to = from + v->step < v->last ? from + v->step : v->last;
    v->error[task] = INT64_MAX;
    for (int64_t k = from; k < to; k++) {
        row r = {v, v->begin_of[k] + (k < v->x->groups), group_end(v, k), v->closed[k], -1, false};
        v->result[k] = sum(&r);
        v->poisoned[k] = r.poisoned;
        if (r.zero >= 0 && r.zero < v->error[task]) v->error[task] = r.zero;
    }
}

static void least_error(values *v, int64_t tasks)
{
    for (int64_t k = 0; k < tasks; k++)
        if (v->error[k] < v->bad) v->bad = v->error[k];
}

// Groups first .. last - 1, which are of one depth.
static void evaluate_level(values *v, int32_t threads)
{
    const int64_t groups = v->last - v->first, end = group_end(v, v->last - 1);
    const int64_t tasks = end - v->begin_of[v->first] < LEAST_LEVEL ? 1 : (int64_t)threads * SHARES;
    v->step = (groups + tasks - 1) / tasks;
    const int64_t used = (groups + v->step - 1) / v->step;
    hd__team_run(threads, used, evaluate_groups, v);
    least_error(v, used);
}

static void evaluate_all(values *v, int32_t threads)
{
    const int64_t groups = v->x->groups;
    for (v->first = 0; v->first < groups; v->first = v->last) {
        const int32_t depth = v->depth[v->begin_of[v->first]];
        v->last = v->first + 1;
        while (v->last < groups && v->depth[v->begin_of[v->last]] == depth) v->last++;
        evaluate_level(v, threads);
    }
    v->first = groups, v->last = groups + 1;
    evaluate_level(v, threads);
}

// What is in no parentheses is the last group: it begins where depth 0 does.
static void add_outside(values *v)
{
    const int64_t n = v->x->tokens, groups = v->x->groups;
    int64_t low = 0, high = n, closed = groups;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (v->depth[middle] > 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (int64_t k = low; k < n; k++) closed -= v->kind[k] == EXPRESSION_CLOSE;
    v->begin_of[groups] = low, v->closed[groups] = closed;
}

// ---- The call -------------------------------------------------------------------------------

static hd_status allocate(values *v, int32_t threads)
{
    hd__frame *f = &v->x->f;
    const int64_t n = v->x->tokens, groups = v->x->groups + 1, chunks = (n + CHUNK - 1) / CHUNK,
                  shares = (int64_t)threads * SHARES;
    const int64_t all = hd_count(v->x->text), last = v->begin[n - 1];
    hd_view row[7];
    f->on_device = false; // all that follows is the host's
    hd_status status = hd__frame_row(f, HD_U64, n, &row[0]);
    if (status == HD_OK) status = hd__frame_row(f, HD_U64, groups, &row[1]);
    if (status == HD_OK) status = hd__frame_row(f, HD_BOOL, groups, &row[2]);
    if (status == HD_OK)
        status = hd__frame_row(f, HD_I64, chunks > shares ? chunks : shares, &row[3]);
    if (status == HD_OK) status = hd__frame_row(f, HD_I64, groups, &row[4]);
    if (status == HD_OK) status = hd__frame_row(f, HD_I64, groups, &row[5]);
    if (status == HD_OK) status = hd__frame_row(f, HD_U8, all - last + 1, &row[6]);
    if (status != HD_OK) return status;
    v->number = row[0].data, v->result = row[1].data, v->poisoned = row[2].data;
    v->error = row[3].data, v->begin_of = row[4].data, v->closed = row[5].data;
    v->last_number = row[6].data;
    memcpy(v->last_number, v->text + last, (size_t)(all - last));
    v->last_number[all - last] = 0;
    memcpy(v->begin_of, v->x->group.data, (size_t)v->x->groups * sizeof *v->begin_of);
    memcpy(v->closed, v->x->closed.data, (size_t)v->x->groups * sizeof *v->closed);
    return HD_OK;
}

static hd_status compute(values *v, int32_t threads)
{
    hd__expression *x = v->x;
    const int64_t chunks = (x->tokens + CHUNK - 1) / CHUNK;
    hd__team_run(threads, chunks, convert, v);
    least_error(v, chunks);
    if (v->bad != INT64_MAX)
        return hd__expression_fail(x, v->bad, "expected an integer of 64 bits");
    add_outside(v);
    evaluate_all(v, threads);
    if (v->bad != INT64_MAX) return hd__expression_fail(x, v->bad, "a division by zero");
    x->value = v->result[x->groups];
    return HD_OK;
}

hd_status hd__expression_values(hd__expression *x, const unsigned char *text)
{
    const int32_t threads = hd__team_size(x->f.ctx);
    values v = {.x = x,
                .text = text,
                .kind = x->kind.data,
                .depth = x->depth.data,
                .token = x->token.data,
                .begin = x->begin.data,
                .length = x->length.data,
                .bad = INT64_MAX};
    hd_status status = allocate(&v, threads);
    if (status != HD_OK) return status;
    v.c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (v.c == (locale_t)0)
        return hd__frame_fail(&x->f, HD_ERROR_MEMORY, "could not allocate the locale C");
    status = compute(&v, threads);
    freelocale(v.c);
    return status;
}
