// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as an arithmetic expression, of f64 and of i64: what is refused names a byte; what is
// taken has the value of two stacks, to the last bit.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <heddle_algorithms.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX = 2000 };

// ---- The definition: operands and operators wait on stacks ------------------------------------

typedef union number {
    double real;
    int64_t whole;
} number;

typedef struct stacks {
    bool is_whole, wrong;
    number operand[MAX + 1];
    char operator[MAX + 1]; // + - * / ( and ~, which negates
    int operands, operators;
} stacks;

static uint64_t magnitude(int64_t x)
{
    return (uint64_t)x;
}

static number applied(stacks *s, char op, number a, number b)
{
    number r = {.whole = 0};
    if (!s->is_whole) {
        r.real = op == '+'   ? a.real + b.real
                 : op == '-' ? a.real - b.real
                 : op == '*' ? a.real * b.real
                             : a.real / b.real;
        return r;
    }
    if (op == '+') r.whole = (int64_t)(magnitude(a.whole) + magnitude(b.whole));
    if (op == '-') r.whole = (int64_t)(magnitude(a.whole) - magnitude(b.whole));
    if (op == '*') r.whole = (int64_t)(magnitude(a.whole) * magnitude(b.whole));
    if (op != '/') return r;
    if (b.whole == 0)
        s->wrong = true;
    else
        r.whole = b.whole == -1 ? (int64_t)(0 - magnitude(a.whole)) : a.whole / b.whole;
    return r;
}

static int rank_of(char op)
{
    return op == '~' ? 3 : op == '*' || op == '/' ? 2 : op == '(' ? 0 : 1;
}

// Applies what waits with at least this rank.
static void settle(stacks *s, int rank)
{
    while (s->operators > 0 && rank_of(s->operator[s->operators - 1]) >= rank && !s->wrong) {
        const char op = s->operator[--s->operators];
        number *top = &s->operand[s->operands - 1];
        if (op == '~' && s->is_whole)
            top->whole = (int64_t)(0 - magnitude(top->whole));
        else if (op == '~')
            top->real = -top->real;
        else
            top[-1] = applied(s, op, top[-1], *top), s->operands--;
    }
}

static const char *take_number(stacks *s, const char *at)
{
    const char *end = at + strspn(at, "0123456789");
    const bool digits = end > at;
    bool real = false;
    if (*end == '.') {
        const size_t behind = strspn(end + 1, "0123456789");
        if (digits || behind > 0) end += 1 + behind, real = true;
    }
    if (end == at) return NULL;
    if (*end == 'e' || *end == 'E') {
        const char *exponent = end + 1 + (end[1] == '+' || end[1] == '-');
        const size_t length = strspn(exponent, "0123456789");
        if (length > 0) end = exponent + length, real = true;
    }
    number x = {.whole = 0};
    errno = 0;
    if (s->is_whole) {
        const unsigned long long whole = strtoull(at, NULL, 10);
        const bool negated = s->operators > 0 && s->operator[s->operators - 1] == '~';
        if (real || errno != 0 || whole > (unsigned long long)INT64_MAX + negated) s->wrong = true;
        x.whole = (int64_t)whole;
    } else {
        x.real = strtod(at, NULL);
    }
    s->operand[s->operands++] = x;
    return end;
}

// Whether text is an expression; *value is what it has.
static bool evaluate(const char *text, bool is_whole, number *value)
{
    static stacks s;
    bool expects = true; // an operand
    s.is_whole = is_whole, s.wrong = false, s.operands = s.operators = 0;
    for (const char *at = text; !s.wrong;) {
        at += strspn(at, " \t\r\n");
        if (*at == 0) break;
        if (expects && (*at == '(' || *at == '-')) {
            s.operator[s.operators++] = * at == '-' ? '~' : '(';
            at++;
        } else if (expects) {
            at = take_number(&s, at);
            if (at == NULL) return false;
            expects = false;
        } else if (*at == ')') {
            settle(&s, 1);
            if (s.operators == 0 || s.wrong) return false;
            s.operators--, at++; // "("
        } else if (strchr("+-*/", *at) != NULL) {
            settle(&s, rank_of(*at));
            s.operator[s.operators++] = * at++;
            expects = true;
        } else {
            return false;
        }
    }
    if (expects) return false;
    settle(&s, 1);
    *value = s.operand[0];
    return !s.wrong && s.operators == 0;
}

// ---- The library --------------------------------------------------------------------------------

static void check(hd_context *ctx, const uint8_t *data, int64_t n, bool is_whole, bool good,
                  number want)
{
    number got = {.whole = 0};
    int64_t error = -2;
    const hd_view value = hd_view_of(is_whole ? HD_I64 : HD_F64, &got, 1);
    const hd_status status = hd_evaluate(
        ctx, HD_VIEW(data, n), value, &(hd_evaluate_options){.error = HD_REF(HD_VIEW(&error, 1))});
    if (status != HD_OK && (status != HD_ERROR_VALUE || hd_error(ctx)[0] == 0)) abort();
    if ((status == HD_OK) != good) abort();
    if (good ? error != -1 : error < 0 || error > n) abort();
    if (!good || (!is_whole && got.real != got.real && want.real != want.real)) return;
    if (memcmp(&got, &want, sizeof got) != 0) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static hd_context *ctx[2];
    char text[MAX + 1];
    if (ctx[0] == NULL &&
        (hd_open(&ctx[0], &(hd_context_options){.backend = HD_SERIAL}) ||
         hd_open(&ctx[1], &(hd_context_options){.backend = HD_CPU, .threads = 2})))
        abort();
    if (size > MAX) return 0;
    memcpy(text, data, size);
    text[size] = 0;
    for (int is_whole = 0; is_whole < 2; is_whole++) {
        number want = {.whole = 0};
        const bool good = memchr(data, 0, size) == NULL && evaluate(text, is_whole, &want);
        // On one backend each: what takes the time is to compile the tokens' rules.
        check(ctx[(size + (size_t)is_whole) % 2], data, (int64_t)size, is_whole, good, want);
    }
    return 0;
}
