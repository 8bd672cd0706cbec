// SPDX-License-Identifier: Apache-2.0
// Shuffle as it is defined: the elements in the order of their keys.
#include "serial.h"
#include "patterns/move/shuffle.h"

#include <stdlib.h>

typedef struct keyed {
    uint64_t key;
    int64_t i;
} keyed;

static int by_key(const void *a, const void *b)
{
    const keyed *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return (x->i > y->i) - (x->i < y->i);
}

hd_status hd__serial_shuffle(hd_context *ctx, const void *any, const char **why)
{
    const hd__shuffle_job *job = any;
    (void)why; // never declines
    _Alignas(HD__ALIGNMENT) unsigned char element[HD_MAX_ELEMENT];
    if (job->n == 0) return HD_OK;
    keyed *order = hd__scratch(ctx, (size_t)job->n * sizeof *order);
    if (order == NULL) return HD_ERROR_MEMORY;
    for (int64_t i = 0; i < job->n; i++) order[i] = (keyed){hd__shuffle_key(job->start, i), i};
    qsort(order, (size_t)job->n, sizeof *order, by_key);
    for (int64_t k = 0; k < job->n; k++) {
        hd__gather(&job->in, order[k].i, 1, element);
        hd__scatter(&job->out, k, 1, element);
    }
    return HD_OK;
}
