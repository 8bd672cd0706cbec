// SPDX-License-Identifier: Apache-2.0
// An expression by one thread, in one pass with a stack of what each "(" interrupts. It gives up
// where anything is wrong: then tokens are made, and the error is found as elsewhere.
#define _GNU_SOURCE
#include "expression.h"

#include "../support/team.h"

#include <locale.h>
#include <stdlib.h>

// What a group has so far: sum op product op; an op of 0: there is none yet.
typedef struct group {
    uint64_t sum, product;
    char add, multiply;
    bool minus; // before the operand that comes
} group;

typedef struct pass {
    hd__expression *x;
    const unsigned char *text;
    int64_t n, at;
    group *stack, now;
    int64_t depth;
    locale_t c;
    bool good;
} pass;

static bool is_digit(const pass *p, int64_t at)
{
    return at < p->n && p->text[at] - (unsigned)'0' <= 9;
}

static void combine(pass *p, uint64_t *value, char op, uint64_t other)
{
    if (op == 0)
        *value = other;
    else if (p->x->is_i64 && op == '/' && other == 0)
        p->good = false;
    else
        *value = hd__expression_apply(p->x->is_i64,
                                      op == '+'   ? EXPRESSION_PLUS
                                      : op == '-' ? EXPRESSION_MINUS
                                      : op == '*' ? EXPRESSION_TIMES
                                                  : EXPRESSION_OVER,
                                      *value, other);
}

static void take_operand(pass *p, uint64_t value)
{
    if (p->now.minus) value = hd__expression_negated(p->x->is_i64, value);
    p->now.minus = false;
    combine(p, &p->now.product, p->now.multiply, value);
}

// The number that begins at p->at: all bytes that can be one.
static uint64_t read_i64(pass *p)
{
    const bool negated = p->at > 0 && p->now.minus && p->text[p->at - 1] == '-';
    uint64_t value = 0;
    for (; is_digit(p, p->at); p->at++) {
        const unsigned digit = p->text[p->at] - (unsigned)'0';
        if (value > (UINT64_MAX - digit) / 10) p->good = false;
        value = value * 10 + digit;
    }
    if (value > (uint64_t)INT64_MAX + negated) p->good = false;
    return value; // a point or an exponent comes next where an operator must
}

// Where the exponent at `at` ends; at itself: there is none.
static int64_t behind_exponent(const pass *p, int64_t at)
{
    int64_t i = at + 1;
    if (at >= p->n || (p->text[at] | 32) != 'e') return at;
    if (i < p->n && (p->text[i] == '+' || p->text[i] == '-')) i++;
    if (!is_digit(p, i)) return at;
    while (is_digit(p, i)) i++;
    return i;
}

static uint64_t read_f64(pass *p)
{
    static const double power[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    enum { FEW = 15 }; // digits that are an f64, as is their power of ten
    const int64_t begin = p->at;
    int64_t i = begin, point = -1, digits = 0;
    uint64_t whole = 0;
    for (; i < p->n; i++) {
        const unsigned digit = p->text[i] - (unsigned)'0';
        if (digit <= 9)
            whole = whole * 10 + digit, digits++;
        else if (p->text[i] == '.' && point < 0)
            point = i;
        else
            break;
    }
    const int64_t end = behind_exponent(p, i);
    double value = 0;
    if (digits == 0 || (end == p->n && (end > i || digits > FEW)))
        p->good = false; // a point alone; strtod would read behind the text
    else if (end == i && digits <= FEW)
        value = (double)whole / power[point < 0 ? 0 : i - point - 1];
    else
        value = strtod_l((const char *)p->text + begin, NULL, p->c);
    p->at = end;
    return hd__expression_bits(value);
}

// Up to an operand: numbers, or what is in parentheses.
static void begin_operand(pass *p, unsigned char byte)
{
    if (byte == '-') {
        p->now.minus = !p->now.minus, p->at++;
    } else if (byte == '(') {
        p->stack[p->depth++] = p->now;
        p->now = (group){0}, p->at++;
    } else if (is_digit(p, p->at) || (byte == '.' && !p->x->is_i64)) {
        take_operand(p, p->x->is_i64 ? read_i64(p) : read_f64(p));
    } else {
        p->good = false;
    }
}

static void end_sum(pass *p)
{
    combine(p, &p->now.sum, p->now.add, p->now.product);
}

// Behind an operand; returns whether another one must come.
static bool take_operator(pass *p, unsigned char byte)
{
    p->at++;
    if (byte == '*' || byte == '/') {
        p->now.multiply = (char)byte;
        return true;
    }
    if (byte == '+' || byte == '-') {
        end_sum(p);
        p->now.add = (char)byte, p->now.multiply = 0;
        return true;
    }
    p->good &= byte == ')' && p->depth > 0;
    if (!p->good) return false;
    end_sum(p);
    const uint64_t value = p->now.sum;
    p->now = p->stack[--p->depth];
    take_operand(p, value);
    return false;
}

static void run(void *user, int64_t task)
{
    pass *p = user;
    bool begins = true; // an operand
    (void)task;
    for (; p->good && p->at < p->n;) {
        const unsigned char byte = p->text[p->at];
        if (byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n') {
            p->at++;
        } else if (begins) {
            begin_operand(p, byte);
            begins = byte == '-' || byte == '(';
        } else {
            begins = take_operator(p, byte);
        }
    }
    if (begins || p->depth > 0) p->good = false;
    end_sum(p);
}

hd_status hd__expression_pass(hd__expression *x, const unsigned char *text, bool *good)
{
    pass p = {.x = x, .text = text, .n = hd_count(x->text), .good = true};
    int64_t opened = 0;
    hd_view stack;
    *good = false;
    for (int64_t i = 0; i < p.n; i++) opened += text[i] == '(';
    const hd_status status = hd__frame_row(&x->f, HD_STRUCT(group), opened, &stack);
    if (status != HD_OK) return status;
    p.stack = stack.data;
    p.c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (p.c == (locale_t)0)
        return hd__frame_fail(&x->f, HD_ERROR_MEMORY, "could not allocate the locale C");
    hd__team_run(1, 1, run, &p);
    freelocale(p.c);
    *good = p.good;
    if (p.good) x->value = p.now.sum;
    return hd__frame_drop(&x->f, &stack);
}
