// SPDX-License-Identifier: Apache-2.0
// The load transform of elements into nodes and the finalization of nodes into outputs, for every
// form of node.
#include "fold.h"
#include "core/convert.h"

#include <math.h>
#include <string.h>

// The text that kernels have, too.
#define HD_FN static inline
HD_FN double hd_double_of_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
#include "sum_outputs.h"

#define BLOCK 256

// ---- Elements into nodes ------------------------------------------------------------------------

typedef union block {
    uint64_t u[BLOCK];
    int64_t i[BLOCK];
    double d[BLOCK];
} block;

// The sum of a number's upper and lower 32 bits, in two parts: exact, since |upper| is 0 or not
// below lower.
static inline hd__wide_moments moments_of_halves(double upper, double lower)
{
    const double mean = upper + lower;
    return (hd__wide_moments){1, mean, lower - (mean - upper), 0};
}

// An integer of 64 bits has more of them than an f64.
static void load_wide_moments(hd_type number, const block *x, int64_t n, hd__wide_moments *node)
{
    for (int64_t i = 0; i < n; i++)
        if (number == HD_F64)
            node[i] = (hd__wide_moments){1, x->d[i], 0, 0};
        else if (number == HD_I64)
            node[i] = moments_of_halves((double)(x->i[i] >> 32) * 0x1p32, (uint32_t)x->u[i]);
        else
            node[i] = moments_of_halves((double)(x->u[i] >> 32) * 0x1p32, (uint32_t)x->u[i]);
}

#define PAIRS_OF(T, N)                                                                             \
    for (int64_t i = 0; i < n; i++) ((N *)nodes)[i] = (N)                                          \
        {                                                                                          \
            ((const T *)numbers)[i], 0                                                             \
        }
#define FIELDS_OF(T, absolute)                                                                     \
    for (int64_t i = 0; i < n; i++) {                                                              \
        T *node = (T *)nodes + (size_t)i * fields;                                                 \
        node[1] = 0;                                                                               \
        node[0] = ((const T *)numbers)[i];                                                         \
        node[fields - 1] = absolute(node[0]);                                                      \
    }

// hi is the number; lo, if there is one, 0; size, if there is one, comes last.
static void load_sums(const hd__fold *f, const void *numbers, int64_t n, void *nodes)
{
    const size_t fields = f->node_size / hd__size_of(f->number);
    if (f->form == HD__SUM_PAIR && f->number == HD_F32)
        PAIRS_OF(float, hd__pair_f32);
    else if (f->form == HD__SUM_PAIR)
        PAIRS_OF(double, hd__pair_f64);
    else if (f->number == HD_F32)
        FIELDS_OF(float, fabsf)
    else
        FIELDS_OF(double, fabs)
}

// Each block is widened to numbers first, then wrapped into nodes.
static void load_structures(const hd__fold *f, const void *elements, int64_t n, int64_t first,
                            void *nodes)
{
    block wide;
    for (int64_t at = 0; at < n; at += BLOCK) {
        const int64_t m = n - at < BLOCK ? n - at : BLOCK;
        hd__convert(f->number, &wide, f->element,
                    (const char *)elements + (size_t)at * f->element_size, m);
        if (hd__is_float_sum(f)) {
            load_sums(f, &wide, m, (char *)nodes + (size_t)at * f->node_size);
        } else if (f->form == HD__ARG) { // the three forms differ only in how the 64 bits are read
            hd__arg_unsigned *node = (hd__arg_unsigned *)nodes + at;
            for (int64_t i = 0; i < m; i++) node[i] = (hd__arg_unsigned){wide.u[i], first + at + i};
        } else if (f->form == HD__WIDE_MOMENTS) {
            load_wide_moments(f->number, &wide, m, (hd__wide_moments *)nodes + at);
        } else if (f->form == HD__NORM) {
            hd__norm_load(wide.d, m, (hd__norm *)nodes + at);
        } else {
            hd__moments *node = (hd__moments *)nodes + at;
            for (int64_t i = 0; i < m; i++) node[i] = (hd__moments){1, wide.d[i], 0};
        }
    }
}

static void square(double *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++) x[i] *= x[i];
}

void hd__load_nodes(const hd__fold *f, const void *elements, int64_t n, int64_t first, void *nodes)
{
    if (f->op == HD__USER_OP)
        memcpy(nodes, elements, (size_t)n * f->element_size);
    else if (f->form == HD__PLAIN)
        hd__convert(f->number, nodes, f->element, elements, n);
    else if (f->form == HD__LIMBS)
        hd__limbs_load(f->number, f->element, elements, n, nodes);
    else if (hd__is_float_sum(f) && f->element == f->number)
        load_sums(f, elements, n, nodes);
    else
        load_structures(f, elements, n, first, nodes);
    if (f->squares) square(nodes, n);
}

void hd__load_output(const hd__fold *f, const void *value, void *node)
{
    _Alignas(8) unsigned char number[8];
    if (f->form == HD__LIMBS) {
        hd__limbs_load(f->number, f->out, value, 1, node);
    } else if (f->op == HD__USER_OP || (f->direct_out && f->out != HD_BOOL)) {
        memcpy(node, value, f->node_size);
    } else {
        hd__convert(f->number, number, f->out, value, 1);
        if (hd__is_float_sum(f))
            load_sums(f, number, 1, node);
        else if (f->form == HD__NORM)
            hd__norm_load((const double *)(const void *)number, 1, node);
        else
            memcpy(node, number, f->node_size);
        if (f->squares) square(node, 1);
    }
}

// ---- Nodes into outputs -------------------------------------------------------------------------

static void finalize_arg(const hd__fold *f, const void *nodes, int64_t n, void *out, void *values)
{
    const hd__arg_unsigned *node = nodes;
    for (int64_t i = 0; i < n; i++) {
        ((int64_t *)out)[i] = node[i].index;
        if (values != NULL)
            hd__convert(f->element, (char *)values + (size_t)i * f->element_size, f->number,
                        &node[i].value, 1);
    }
}

// A mean that is no number shows a NaN or an infinity among the elements: it stays one through
// every merge, while m2 is 0 where the element stands alone.
static void finalize_moments(const hd__fold *f, const void *nodes, int64_t n, void *out)
{
    const hd__moments *narrow = nodes;
    const hd__wide_moments *wide = nodes;
    const bool is_wide = f->form == HD__WIDE_MOMENTS;
    for (int64_t i = 0; i < n; i++) {
        const hd__moments node =
            is_wide ? (hd__moments){wide[i].count, wide[i].mean, wide[i].m2} : narrow[i];
        const double rest = node.count - f->ddof;
        const double variance = rest > 0 && isfinite(node.mean) ? node.m2 / rest : NAN;
        hd__convert(f->out, (char *)out + (size_t)i * f->out_size, HD_F64, &variance, 1);
    }
}

static void finalize_norms(const hd__fold *f, const void *nodes, int64_t n, void *out)
{
    for (int64_t i = 0; i < n; i++) {
        const double root = f->form == HD__NORM ? hd__norm_finalize(((const hd__norm *)nodes)[i])
                                                : sqrt(((const double *)nodes)[i]);
        hd__convert(f->out, (char *)out + (size_t)i * f->out_size, HD_F64, &root, 1);
    }
}

static void finalize_mean(const hd__fold *f, const void *nodes, int64_t n, const int64_t *counts,
                          int64_t first_count, void *out)
{
    for (int64_t i = 0; i < n; i++) {
        const int64_t count = counts != NULL ? counts[i] : first_count + i;
        char *target = (char *)out + (size_t)i * f->out_size;
        if (f->number == HD_F32) {
            const float mean = ((const float *)nodes)[i] / (float)count;
            hd__convert(f->out, target, HD_F32, &mean, 1);
        } else {
            const double mean = ((const double *)nodes)[i] / (double)count;
            hd__convert(f->out, target, HD_F64, &mean, 1);
        }
    }
}

static void sum_of(const hd__fold *f, const void *node, double *hi, double *lo, double *size)
{
    const int fields = (int)(f->node_size / hd__size_of(f->number));
    double x[3];
    hd__convert(HD_F64, x, f->number, node, fields);
    *hi = x[0];
    *lo = f->form == HD__SUM_SIZED ? 0 : x[1];
    *size = x[fields - 1];
}

// The least number of the type that is not below x, which is not negative.
static void round_up(hd_type type, double x, void *to)
{
    double given;
    hd__convert(type, to, HD_F64, &x, 1);
    hd__convert(HD_F64, &given, type, to, 1);
    if (!(given < x)) return;
    if (hd__size_of(type) == 2)
        ++*(uint16_t *)to;
    else
        ++*(uint32_t *)to;
}

static void finalize_value(const hd__fold *f, const void *node, const void *out, int64_t count,
                           void *value)
{
    double hi, lo, size, given;
    sum_of(f, node, &hi, &lo, &size);
    hd__convert(HD_F64, &given, f->out, out, 1);
    if (f->form == HD__SUM_PAIR) {
        const double rest = hd_sum_rest(hi, lo, given);
        hd__convert(f->value, value, HD_F64, &rest, 1);
        return;
    }
    const double bound = hd_sum_bound(
        hi, lo, size, given, hd_sum_depth(count, f->heads) + (f->init != NULL && count > 0),
        f->number == HD_F32 ? 0x1p-24 : 0x1p-53, hd__rounds_elements(f),
        f->form == HD__SUM_SIZED_PAIR);
    round_up(f->value, bound, value);
}

#define TOTALS(T)                                                                                  \
    for (int64_t i = 0; i < n; i++) {                                                              \
        const T *x = (const T *)nodes + (size_t)i * fields;                                        \
        const T lo = pairs ? x[1] : 0, sum = x[0] + lo;                                            \
        ((T *)totals)[i] = lo == 0 ? x[0] : sum;                                                   \
    }

// hi + lo in the type of the tree. A lo of 0 leaves hi its sign.
static void totals_of(const hd__fold *f, const void *nodes, int64_t n, void *totals)
{
    const bool pairs = f->form != HD__SUM_SIZED;
    const size_t fields =
        pairs && f->form == HD__SUM_PAIR ? 2 : f->node_size / hd__size_of(f->number);
    if (f->number == HD_F32)
        TOTALS(float)
    else
        TOTALS(double)
}

static void finalize_sums(const hd__fold *f, const void *nodes, int64_t n, const int64_t *counts,
                          int64_t first_count, void *out, void *values)
{
    double totals[BLOCK];
    const size_t value_size = hd__size_of(f->value);
    for (int64_t at = 0; at < n; at += BLOCK) {
        const int64_t m = n - at < BLOCK ? n - at : BLOCK;
        const char *some = (const char *)nodes + (size_t)at * f->node_size;
        totals_of(f, some, m, totals);
        hd__convert(f->out, (char *)out + (size_t)at * f->out_size, f->number, totals, m);
    }
    if (values == NULL || f->value == HD_NONE) return;
    for (int64_t i = 0; i < n; i++)
        finalize_value(f, (const char *)nodes + (size_t)i * f->node_size,
                       (const char *)out + (size_t)i * f->out_size,
                       counts != NULL ? counts[i] : first_count + i,
                       (char *)values + (size_t)i * value_size);
}

void hd__finalize(const hd__fold *f, const void *nodes, int64_t n, const int64_t *counts,
                  int64_t first_count, void *out, void *values)
{
    if (f->direct_out)
        memcpy(out, nodes, (size_t)n * f->node_size);
    else if (f->form == HD__ARG)
        finalize_arg(f, nodes, n, out, values);
    else if (hd__has_moments(f))
        finalize_moments(f, nodes, n, out);
    else if (hd__is_float_sum(f))
        finalize_sums(f, nodes, n, counts, first_count, out, values);
    else if (f->form == HD__LIMBS)
        hd__limbs_finalize(f->number, nodes, n, f->out, out);
    else if (f->form == HD__NORM || f->squares)
        finalize_norms(f, nodes, n, out);
    else if (f->divides)
        finalize_mean(f, nodes, n, counts, first_count, out);
    else
        hd__convert(f->out, out, f->number, nodes, n);
}

// A user's operator gives its identity over no elements, if it has one.
static hd__empty empty_of(const hd__fold *f)
{
    return f->op == HD__USER_OP ? HD__EMPTY_IDENTITY : hd__operator_rows[f->asked->builtin].empty;
}

static bool finalize_identity(const hd__fold *f, void *out)
{
    if (f->node->identity == NULL) return false;
    if (f->out == HD_BOOL) // a node of all ones is true
        *(uint8_t *)out = *(const uint8_t *)f->node->identity != 0;
    else
        hd__finalize(f, f->node->identity, 1, NULL, 1, out, NULL);
    return true;
}

bool hd__finalize_empty(const hd__fold *f, void *out, void *value)
{
    const double nothing = NAN;
    const int64_t nowhere = -1;
    if (f->init != NULL) {
        hd__finalize(f, f->init, 1, NULL, 0, out, value);
        return true;
    }
    if (value != NULL && f->value != HD_NONE) memset(value, 0, hd__size_of(f->value));
    switch (empty_of(f)) {
    case HD__EMPTY_ZERO: memset(out, 0, f->out_size); return true; // the tree's identity is -0
    case HD__EMPTY_IDENTITY: return finalize_identity(f, out);
    case HD__EMPTY_NOT_A_NUMBER: hd__convert(f->out, out, HD_F64, &nothing, 1); return true;
    case HD__EMPTY_NO_INDEX: memcpy(out, &nowhere, sizeof nowhere); return true;
    }
    return false;
}
