// SPDX-License-Identifier: Apache-2.0
//
// The built-in operators of reference.h. A cell holds whatever an operator accumulates; its number
// is a 64-bit whole (outputs keep its low bits), a float or a double. The tree is in
// reference_tree.c, the 16-bit floats in reference_number.c.
#include "reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

typedef enum { WHOLE, SINGLE, DOUBLE } number_kind;

typedef struct cell {
    union {
        uint64_t u;
        float f;
        double d; // of VARIANCE: the mean
    } x;
    union {
        int64_t index; // of ARGMIN, ARGMAX
        double count;  // of all others
    };
    union {
        double m2;    // of VARIANCE
        double lo;    // of SUM_COMPENSATED: what was rounded off, a float where x is one
        double small; // of NORM2, whose ordinary elements are in x
    };
    union {
        double low;   // of VARIANCE, whose mean is d + low
        double large; // of NORM2
    };
} cell;

// One call: what is accumulated, and how.
typedef struct job {
    const hd_operator *op;
    hd_type type, out_type;
    number_kind kind;
    bool is_signed;
    int32_t ddof;
} job;

// An operator that this file has nothing for must fail a test, not pass as some other.
static _Noreturn void refuse(const hd_operator *op, const char *where)
{
    fprintf(stderr, "tests/support/reference.c: %s: no operator %s\n", where, hd_operator_name(op));
    abort();
}

static bool is_arithmetic(const hd_operator *op)
{
    return op == HD_SUM || op == HD_PRODUCT || op == HD_DOT;
}

static bool is_extreme(const hd_operator *op)
{
    return op == HD_MIN || op == HD_MAX;
}

static bool is_arg(const hd_operator *op)
{
    return op == HD_ARGMIN || op == HD_ARGMAX;
}

static bool is_moment(const hd_operator *op)
{
    return op == HD_MEAN || op == HD_VARIANCE;
}

static bool is_norm(const hd_operator *op)
{
    return op == HD_NORM2;
}

static bool is_logical(const hd_operator *op)
{
    return op == HD_ALL || op == HD_ANY;
}

// ---- Which types ----------------------------------------------------------------------------

static bool is_bitwise(const hd_operator *op)
{
    return op == HD_AND || op == HD_OR || op == HD_XOR;
}

static bool is_unsigned(hd_type type)
{
    return !check_is_float(type) && !check_is_signed(type) && type != HD_BOOL;
}

static bool same_kind(hd_type a, hd_type b)
{
    return check_is_float(a) == check_is_float(b) && check_is_signed(a) == check_is_signed(b) &&
           (a == HD_BOOL) == (b == HD_BOOL);
}

static bool widens(hd_type type, hd_type out_type)
{
    return type == out_type ||
           (same_kind(type, out_type) && hd_type_size(out_type) > hd_type_size(type));
}

bool ref_accepts(const hd_operator *op, hd_type type, hd_type out_type)
{
    const bool real = out_type == HD_F32 || out_type == HD_F64;
    if (is_arg(op)) return out_type == HD_I64;
    if (is_logical(op)) return out_type == HD_BOOL;
    if (op == HD_SUM_COMPENSATED && !check_is_float(type)) return real;
    if (is_moment(op) || is_norm(op)) return real || (out_type == type && check_is_float(type));
    if (op == HD_SUM_EXACT && !check_is_float(out_type)) return false;
    if (is_bitwise(op)) return !check_is_float(type) && widens(type, out_type);
    if (is_extreme(op)) return widens(type, out_type);
    if (op == HD_GCD) return is_unsigned(type) && widens(type, out_type);
    if (!is_arithmetic(op) && op != HD_SUM_COMPENSATED && op != HD_SUM_EXACT)
        refuse(op, "ref_accepts");
    if (check_is_float(type)) return widens(type, out_type);
    if (check_is_float(out_type)) return real;
    return out_type != HD_BOOL && hd_type_size(out_type) >= hd_type_size(type);
}

hd_type ref_default(const hd_operator *op, hd_type type)
{
    const bool real = check_is_float(type);
    if (is_arg(op)) return HD_I64;
    if (is_logical(op)) return HD_BOOL;
    if (is_moment(op) || is_norm(op) || op == HD_SUM_COMPENSATED || op == HD_SUM_EXACT)
        return real ? type : HD_F64;
    if (is_bitwise(op)) return real ? HD_NONE : type;
    if (is_extreme(op)) return type;
    if (op == HD_GCD) return is_unsigned(type) ? type : HD_NONE;
    if (!is_arithmetic(op)) refuse(op, "ref_default");
    if (real) return type;
    return check_is_signed(type) || type == HD_BOOL ? HD_I64 : HD_U64;
}

static number_kind kind_of(hd_type type)
{
    return type == HD_F64 ? DOUBLE : check_is_float(type) ? SINGLE : WHOLE;
}

// The type that is accumulated in: the wider of what comes in and what goes out, never a 16-bit
// float, and f64 for the moments of integers, and where it is asked for.
static number_kind accumulator(const hd_operator *op, hd_type type, hd_type out_type,
                               const ref_how *how)
{
    if (how && how->accumulate == HD_F64) return DOUBLE;
    if (is_arg(op) || is_logical(op)) return kind_of(type);
    if (op == HD_VARIANCE || is_norm(op)) return DOUBLE;
    if (op == HD_MEAN && !check_is_float(type)) return DOUBLE;
    return kind_of(out_type) > kind_of(type) ? kind_of(out_type) : kind_of(type);
}

// Whether the mean of a variance is held in two parts: f64, and integers of 32 and 64 bits.
static bool is_wide(const job *j)
{
    return j->type == HD_F64 || (!check_is_float(j->type) && hd_type_size(j->type) >= 4);
}

// ---- One element ----------------------------------------------------------------------------

static cell number(const job *j, hd_type type, const void *p)
{
    cell c = {.count = 0};
    const uint64_t whole = check_is_float(type) ? 0 : ref_to_whole(type, p);
    const double real = check_is_float(type)    ? ref_to_double(type, p)
                        : check_is_signed(type) ? (double)(int64_t)whole
                                                : (double)whole;
    if (j->kind == DOUBLE)
        c.x.d = real;
    else if (j->kind == SINGLE && check_is_float(type))
        c.x.f = (float)real;
    else if (j->kind == SINGLE) // straight from the integer: one rounding
        c.x.f = check_is_signed(type) ? (float)(int64_t)whole : (float)whole;
    else
        c.x.u = whole;
    return c;
}

static bool truth(const job *j, cell c)
{
    return j->kind == DOUBLE ? c.x.d != 0 : j->kind == SINGLE ? c.x.f != 0 : c.x.u != 0;
}

// What a double leaves of a 64-bit integer, by the remainder of its lowest 12 bits.
static double rest_of(const job *j, const void *p, double x)
{
    if (check_is_float(j->type) || hd_type_size(j->type) < 8) return 0;
    const uint64_t whole = ref_to_whole(j->type, p);
    const uint64_t low = whole & 0xfff,
                   high = whole - low; // high is a double, x - high a small one
    const double top = j->is_signed ? (double)(int64_t)high : (double)high;
    return (double)low - (x - top);
}

// Where f64 comes in or goes out, elements far from 1 are scaled first. volatile: no contraction.
static cell square(const job *j, cell c)
{
    const bool wide = j->type == HD_F64 || j->out_type == HD_F64;
    const double x = c.x.d;
    const bool small = wide && fabs(x) < 0x1p-511, large = wide && fabs(x) > 0x1p486;
    volatile double y = small ? ldexp(x, 537) : large ? ldexp(x, -538) : x;
    y = y * y;
    return (cell){.x.d = small || large ? 0 : y, .small = small ? y : 0, .large = large ? y : 0};
}

static cell load(const job *j, const void *in, int64_t i)
{
    const void *at = (const char *)in + hd_type_size(j->type) * (size_t)i;
    cell c = number(j, j->type, at);
    if (j->op == HD_VARIANCE) c.low = rest_of(j, at, c.x.d);
    if (is_arg(j->op))
        c.index = i;
    else
        c.count = 1;
    if (is_logical(j->op)) c.x.u = truth(j, c);
    if (is_norm(j->op)) c = square(j, c);
    return c;
}

// ---- Combining two --------------------------------------------------------------------------

// -1, 0, 1; both NaN never come here.
static int order(const job *j, cell a, cell b)
{
    if (j->kind == DOUBLE) return a.x.d < b.x.d ? -1 : a.x.d > b.x.d;
    if (j->kind == SINGLE) return a.x.f < b.x.f ? -1 : a.x.f > b.x.f;
    if (j->is_signed) return (int64_t)a.x.u < (int64_t)b.x.u ? -1 : (int64_t)a.x.u > (int64_t)b.x.u;
    return a.x.u < b.x.u ? -1 : a.x.u > b.x.u;
}

static bool is_nan(const job *j, cell c)
{
    return j->kind == DOUBLE ? c.x.d != c.x.d : j->kind == SINGLE ? c.x.f != c.x.f : false;
}

static bool is_negative(const job *j, cell c)
{
    return j->kind == DOUBLE ? signbit(c.x.d) : j->kind == SINGLE ? signbit(c.x.f) : false;
}

// +0 is above -0 for min and max.
static cell extreme(const job *j, cell a, cell b, int sign)
{
    if (is_nan(j, a)) return a;
    if (is_nan(j, b)) return b;
    const int by_value = order(j, a, b) * sign;
    if (by_value) return by_value > 0 ? a : b;
    return (is_negative(j, a) ? -sign : sign) > 0 ? a : b;
}

// The first NaN, else the extreme, else the lower index. Both zeros are equal.
static cell arg(const job *j, cell a, cell b, int sign)
{
    const cell first = a.index < b.index ? a : b, second = a.index < b.index ? b : a;
    if (is_nan(j, first)) return first;
    if (is_nan(j, second)) return second;
    return order(j, second, first) * sign > 0 ? second : first;
}

static cell add_or_multiply(const job *j, cell a, cell b, bool multiply)
{
    if (j->kind == DOUBLE)
        a.x.d = multiply ? a.x.d * b.x.d : a.x.d + b.x.d;
    else if (j->kind == SINGLE)
        a.x.f = multiply ? a.x.f * b.x.f : a.x.f + b.x.f;
    else
        a.x.u = multiply ? a.x.u * b.x.u : a.x.u + b.x.u;
    return a;
}

// a + b - sum, exactly: the smaller of the two less what of it went into the sum (Dekker).
static double lost(double a, double b, double sum)
{
    const double great = fabs(a) >= fabs(b) ? a : b, small = fabs(a) >= fabs(b) ? b : a;
    volatile double went = sum - great;
    return small - went;
}

static cell join_moments(const job *j, cell a, cell b)
{
    if (a.count == 0) return b;
    if (b.count == 0) return a;
    // volatile: no contraction, whatever the flags
    const double n = a.count + b.count;
    volatile double upper = b.x.d - a.x.d, lower = b.low - a.low, d = upper + lower;
    volatile double share = b.count / n, weight = a.count * b.count / n;
    volatile double shift = d * share, square = d * d, both = a.m2 + b.m2;
    volatile double spread = square * weight, mean = a.x.d + shift;
    cell c = {.x.d = mean, .count = n, .m2 = both + spread};
    if (is_wide(j)) c.low = a.low + lost(a.x.d, shift, mean);
    return c;
}

// The greater in magnitude first: s + (smaller - (s - greater)) is exactly their sum.
static cell compensated(const job *j, cell a, cell b)
{
    cell sum = add_or_multiply(j, a, b, false);
    volatile double error, lo;
    if (j->kind == DOUBLE) {
        const bool left = fabs(a.x.d) >= fabs(b.x.d);
        volatile double shift = sum.x.d - (left ? a.x.d : b.x.d);
        error = (left ? b.x.d : a.x.d) - shift;
        lo = a.lo + b.lo;
        lo = lo + error;
    } else { // sums of a few floats in doubles, each rounded to a float: exact where a float is
        error = ((double)a.x.f - (double)sum.x.f) + (double)b.x.f;
        if (fabsf(a.x.f) < fabsf(b.x.f)) error = ((double)b.x.f - (double)sum.x.f) + (double)a.x.f;
        volatile float both = (float)a.lo + (float)b.lo;
        both = both + (float)error;
        lo = (double)both;
    }
    sum.lo = isfinite(lo) ? lo : 0;
    sum.count = a.count + b.count;
    return sum;
}

// By subtraction of powers of two times the smaller: no division.
static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (a != 0 && b != 0) {
        uint64_t great = a > b ? a : b, small = a > b ? b : a, step = small;
        while (step <= great / 2) step *= 2;
        great -= step;
        a = great, b = small;
    }
    return a + b;
}

static cell joined(const job *j, cell a, cell b)
{
    const hd_operator *op = j->op;
    if (op == HD_SUM_COMPENSATED) return compensated(j, a, b);
    if (op == HD_VARIANCE) return join_moments(j, a, b);
    if (is_arg(op)) return arg(j, a, b, op == HD_ARGMAX ? 1 : -1);
    if (is_extreme(op)) return extreme(j, a, b, op == HD_MAX ? 1 : -1);
    if (op == HD_AND || op == HD_ALL) return (cell){.x.u = a.x.u & b.x.u};
    if (op == HD_OR || op == HD_ANY) return (cell){.x.u = a.x.u | b.x.u};
    if (op == HD_GCD) return (cell){.x.u = common_divisor(a.x.u, b.x.u)};
    if (op == HD_XOR) return (cell){.x.u = a.x.u ^ b.x.u};
    if (!is_arithmetic(op) && op != HD_MEAN && !is_norm(op)) refuse(op, "joined");
    cell sum = add_or_multiply(j, a, b, op == HD_PRODUCT);
    sum.count = a.count + b.count;
    if (is_norm(op)) sum.small = a.small + b.small, sum.large = a.large + b.large;
    return sum;
}

static void combine(const void *self, void *out, const void *a, const void *b)
{
    cell x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    const cell result = joined(self, x, y);
    memcpy(out, &result, sizeof result);
}

// ---- Results --------------------------------------------------------------------------------

static void store_whole(hd_type type, void *out, uint64_t u)
{
    if (type == HD_F64) // from an integer accumulator: never happens
        abort();
    if (type == HD_BOOL) u = u != 0;
    const uint8_t b = (uint8_t)u;
    const uint16_t h = (uint16_t)u;
    const uint32_t w = (uint32_t)u;
    switch (hd_type_size(type)) {
    case 1: memcpy(out, &b, 1); break;
    case 2: memcpy(out, &h, 2); break;
    case 4: memcpy(out, &w, 4); break;
    default: memcpy(out, &u, 8);
    }
}

static void store_real(hd_type type, void *out, double x)
{
    const float f = (float)x;
    const uint16_t h = type == HD_F16 || type == HD_BF16 ? ref_narrow(type, x) : 0;
    if (type == HD_F64)
        memcpy(out, &x, sizeof x);
    else if (type == HD_F32)
        memcpy(out, &f, sizeof f);
    else
        memcpy(out, &h, sizeof h);
}

static void store_number(const job *j, cell c, hd_type type, void *out)
{
    if (j->kind == WHOLE || is_logical(j->op))
        store_whole(type, out, c.x.u);
    else
        store_real(type, out, j->kind == DOUBLE ? c.x.d : (double)c.x.f);
}

static void store_moment(const job *j, cell c, void *out)
{
    if (j->op == HD_VARIANCE) {
        const double freedom = c.count - j->ddof;
        const bool defined = freedom > 0 && isfinite(c.x.d);
        store_real(j->out_type, out, defined ? c.m2 / freedom : (double)NAN);
    } else if (j->kind == DOUBLE) {
        store_real(j->out_type, out, c.x.d / c.count);
    } else {
        volatile float mean = c.x.f / (float)(int64_t)c.count;
        store_real(j->out_type, out, (double)mean);
    }
}

// hi + lo, and what of it the output has no room for.
static void store_pair(const job *j, cell c, void *out, void *value)
{
    const double hi = j->kind == DOUBLE ? c.x.d : (double)c.x.f;
    volatile float single = c.x.f + (float)c.lo;
    volatile double total = j->kind == DOUBLE ? c.x.d + c.lo : (double)single;
    store_real(j->out_type, out, c.lo == 0 ? hi : total);
    if (!value) return;
    const double given = ref_to_double(j->out_type, out);
    volatile double rest = fabs(hi) >= fabs(c.lo) ? (hi - given) + c.lo : (c.lo - given) + hi;
    store_real(j->out_type, value, isfinite(rest) ? rest : 0);
}

static void store_norm(const job *j, cell c, void *out)
{
    const double x = c.x.d;
    double root = sqrt(x);
    if (c.large != 0)
        root = ldexp(sqrt(c.large + ldexp(x, -1076)), 538);
    else if (c.small != 0 && x < 0x1p-400)
        root = ldexp(sqrt(c.small + ldexp(x, 1074)), -537);
    store_real(j->out_type, out, root);
}

static void store(const job *j, cell c, void *out, void *value)
{
    if (j->op == HD_SUM_COMPENSATED) {
        store_pair(j, c, out, value);
        return;
    }
    if (is_arg(j->op)) {
        memcpy(out, &c.index, sizeof c.index);
        if (value) store_number(j, c, j->type, value);
    } else if (is_moment(j->op)) {
        store_moment(j, c, out);
    } else if (is_norm(j->op)) {
        store_norm(j, c, out);
    } else {
        store_number(j, c, j->out_type, out);
    }
}

// The greatest or least value of a type: infinities for floats.
static void store_limit(hd_type type, void *out, bool greatest)
{
    const int bits = 8 * (int)hd_type_size(type);
    if (check_is_float(type))
        store_real(type, out, greatest ? (double)INFINITY : -(double)INFINITY);
    else if (check_is_signed(type))
        store_whole(type, out, ((uint64_t)1 << (bits - 1)) - (greatest ? 1 : 0));
    else
        store_whole(type, out, greatest ? UINT64_MAX : 0);
}

static void store_empty(const job *j, void *out, void *value)
{
    const hd_operator *op = j->op;
    if (op == HD_SUM_COMPENSATED && value) memset(value, 0, hd_type_size(j->out_type));
    if (is_arg(op)) {
        store_whole(HD_I64, out, UINT64_MAX);
        if (value) memset(value, 0, hd_type_size(j->type));
    } else if (is_moment(op)) {
        store_real(j->out_type, out, (double)NAN);
    } else if (is_extreme(op)) {
        store_limit(j->out_type, out, op == HD_MIN);
    } else if (!is_arithmetic(op) && !is_norm(op) && !is_bitwise(op) && !is_logical(op) &&
               op != HD_SUM_COMPENSATED && op != HD_GCD) {
        refuse(op, "store_empty");
    } else if (check_is_float(j->out_type)) {
        store_real(j->out_type, out, op == HD_PRODUCT ? 1 : 0);
    } else {
        store_whole(j->out_type, out,
                    op == HD_PRODUCT               ? 1
                    : op == HD_AND || op == HD_ALL ? UINT64_MAX
                                                   : 0);
    }
}

// ---- Calls ----------------------------------------------------------------------------------

static job make_job(const hd_operator *op, hd_type type, hd_type out_type, const ref_how *how)
{
    return (job){op,
                 type,
                 out_type,
                 accumulator(op, type, out_type, how),
                 check_is_signed(type),
                 how ? how->ddof : 0};
}

// The result: init, if there is one, on the left; nothing to reduce gives init or the empty value.
static void deliver(const job *j, const cell *c, const void *init, void *out, void *value)
{
    if (!c && init && is_norm(j->op)) {
        store_norm(j, square(j, number(j, j->out_type, init)), out);
    } else if (!c && init) {
        memcpy(out, init, hd_type_size(j->out_type));
        if (value) memset(value, 0, hd_type_size(j->out_type));
    } else if (!c) {
        store_empty(j, out, value);
    } else if (init) {
        cell left = number(j, j->out_type, init);
        if (is_logical(j->op)) left.x.u = *(const unsigned char *)init != 0;
        if (is_norm(j->op)) left = square(j, left);
        store(j, joined(j, left, *c), out, value);
    } else {
        store(j, *c, out, value);
    }
}

void ref_reduce(const hd_operator *op, hd_type type, const void *in, int64_t n, hd_type out_type,
                void *out, void *values, const ref_how *how)
{
    if (op == HD_SUM_EXACT) {
        ref_exact_sum(type, in, n, out_type, out, how ? how->init : NULL);
        return;
    }
    const job j = make_job(op, type, out_type, how);
    const ref_monoid monoid = {sizeof(cell), combine, &j};
    const void *init = how ? how->init : NULL;
    cell result, *cells = check_memory(sizeof(cell) * (size_t)n);
    for (int64_t i = 0; i < n; i++) cells[i] = load(&j, in, i);
    if (n > 0) ref_tree_reduce(&monoid, cells, n, &result);
    deliver(&j, n > 0 ? &result : NULL, init, out, values);
    free(cells);
}

// Position p of the scanned sequence is element p, or, backwards, n - 1 - p.
static int64_t element_at(const ref_how *how, int64_t p, int64_t n)
{
    return how->backward ? n - 1 - p : p;
}

static bool head_at(const ref_how *how, int64_t p, int64_t n)
{
    if (p == 0) return true;
    return how->heads && how->heads[how->backward ? n - p : p];
}

static void deliver_scan(const job *j, const cell *results, int64_t n, void *out, void *values,
                         const ref_how *how)
{
    for (int64_t p = 0; p < n; p++) {
        const size_t at = (size_t)element_at(how, p, n);
        const bool nothing = how->exclusive && head_at(how, p, n);
        const hd_type value_type = is_arg(j->op) ? j->type : j->out_type;
        char *value = values ? (char *)values + hd_type_size(value_type) * at : NULL;
        deliver(j, nothing ? NULL : &results[how->exclusive ? p - 1 : p], how->init,
                (char *)out + hd_type_size(j->out_type) * at, value);
    }
}

void ref_scan(const hd_operator *op, hd_type type, const void *in, int64_t n, hd_type out_type,
              void *out, void *values, const ref_how *how)
{
    const ref_how plain = {0};
    if (!how) how = &plain;
    if (op == HD_SUM_EXACT) {
        ref_exact_scan(type, in, n, out_type, out, how);
        return;
    }
    const job j = make_job(op, type, out_type, how);
    const ref_monoid monoid = {sizeof(cell), combine, &j};
    cell *cells = check_memory(sizeof(cell) * (size_t)n);
    unsigned char *heads = check_memory((size_t)n);
    for (int64_t p = 0; p < n; p++) {
        cells[p] = load(&j, in, element_at(how, p, n));
        if (is_arg(op)) cells[p].index = p;
        heads[p] = head_at(how, p, n);
    }
    ref_tree_scan(&monoid, cells, n, how->heads ? heads : NULL, cells);
    deliver_scan(&j, cells, n, out, values, how);
    free(cells);
    free(heads);
}
