// SPDX-License-Identifier: Apache-2.0
// Elements into nodes and nodes into outputs, for every form of node.
#include "core/fold.h"
#include "core/convert.h"

#include <math.h>

#define BLOCK 256

// Each block is widened to numbers first, then wrapped into nodes.
static void lift_structures(const hd__fold *f, const void *elements, int64_t n, int64_t first,
                            void *nodes)
{
    union {
        uint64_t u[BLOCK];
        double d[BLOCK];
    } wide;
    for (int64_t at = 0; at < n; at += BLOCK) {
        const int64_t m = n - at < BLOCK ? n - at : BLOCK;
        hd__convert(f->number, &wide, f->element,
                    (const char *)elements + (size_t)at * f->element_size, m);
        if (f->form == HD__ARG) { // the three forms differ only in how the 64 bits are read
            hd__arg_unsigned *node = (hd__arg_unsigned *)nodes + at;
            for (int64_t i = 0; i < m; i++) node[i] = (hd__arg_unsigned){wide.u[i], first + at + i};
        } else {
            hd__moments *node = (hd__moments *)nodes + at;
            for (int64_t i = 0; i < m; i++) node[i] = (hd__moments){1, wide.d[i], 0};
        }
    }
}

void hd__lift(const hd__fold *f, const void *elements, int64_t n, int64_t first, void *nodes)
{
    if (f->op == HD__USER_OP)
        memcpy(nodes, elements, (size_t)n * f->element_size);
    else if (f->form == HD__PLAIN)
        hd__convert(f->number, nodes, f->element, elements, n);
    else
        lift_structures(f, elements, n, first, nodes);
}

static void lower_arg(const hd__fold *f, const void *nodes, int64_t n, void *out, void *values)
{
    const hd__arg_unsigned *node = nodes;
    for (int64_t i = 0; i < n; i++) {
        ((int64_t *)out)[i] = node[i].index;
        if (values != NULL)
            hd__convert(f->element, (char *)values + (size_t)i * f->element_size, f->number,
                        &node[i].value, 1);
    }
}

// A mean that is no number shows a NaN or an infinity among the elements: it stays one through every
// merge, while m2 is 0 where the element stands alone.
static void lower_moments(const hd__fold *f, const void *nodes, int64_t n, void *out)
{
    const hd__moments *node = nodes;
    for (int64_t i = 0; i < n; i++) {
        const double rest = node[i].count - f->ddof;
        const double variance = rest > 0 && isfinite(node[i].mean) ? node[i].m2 / rest : NAN;
        hd__convert(f->out, (char *)out + (size_t)i * f->out_size, HD_F64, &variance, 1);
    }
}

static void lower_mean(const hd__fold *f, const void *nodes, int64_t n, const int64_t *counts,
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

void hd__lower(const hd__fold *f, const void *nodes, int64_t n, const int64_t *counts,
               int64_t first_count, void *out, void *values)
{
    if (f->form == HD__ARG)
        lower_arg(f, nodes, n, out, values);
    else if (f->form == HD__MOMENTS)
        lower_moments(f, nodes, n, out);
    else if (f->divides)
        lower_mean(f, nodes, n, counts, first_count, out);
    else if (f->direct_out)
        memcpy(out, nodes, (size_t)n * f->node_size);
    else
        hd__convert(f->out, out, f->number, nodes, n);
}

static void empty_arg(const hd__fold *f, void *out, void *value)
{
    *(int64_t *)out = -1;
    if (value != NULL) memset(value, 0, f->element_size);
}

bool hd__lower_empty(const hd__fold *f, void *out, void *value)
{
    if (f->init != NULL) {
        hd__lower(f, f->init, 1, NULL, 1, out, NULL);
    } else if (f->form == HD__ARG) {
        empty_arg(f, out, value);
    } else if (f->form == HD__MOMENTS || f->divides) {
        const double nothing = NAN;
        hd__convert(f->out, out, HD_F64, &nothing, 1);
    } else if (f->out == HD_BOOL) { // a node of all ones is true
        *(uint8_t *)out = *(const uint8_t *)f->node->identity != 0;
    } else if (f->op == HD__SUM) { // +0, though the tree's identity is -0
        memset(out, 0, f->out_size);
    } else if (f->node->identity != NULL) {
        hd__lower(f, f->node->identity, 1, NULL, 1, out, NULL);
    } else {
        return false;
    }
    return true;
}
