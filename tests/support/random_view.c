// SPDX-License-Identifier: Apache-2.0
// Views of random layouts, behind random_view.h.
#include "random_view.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

random_view random_view_new(hd_type type, int32_t ndim, const int64_t *shape, bool plain,
                            uint64_t *state)
{
    int32_t axis[HD_MAX_DIMS];
    int64_t stride[HD_MAX_DIMS], step = plain ? 1 : 1 + check_below(state, 2), first = 0;
    for (int32_t k = 0; k < ndim; k++) axis[k] = k;
    for (int32_t k = ndim - 1; k > 0 && !plain; k--) {
        const int32_t other = (int32_t)check_below(state, k + 1), kept = axis[k];
        axis[k] = axis[other], axis[other] = kept;
    }
    for (int32_t k = ndim - 1; k >= 0; k--) {
        const int64_t length = shape[axis[k]];
        stride[axis[k]] = step;
        if (!plain && length > 0 && check_below(state, 4) == 0) {
            stride[axis[k]] = -step;
            first += (length - 1) * step;
        }
        step *= length + (plain ? 0 : check_below(state, 2));
    }
    random_view r = {.bytes = (size_t)(step + 1) * hd_type_size(type)};
    r.memory = check_memory(r.bytes);
    memset(r.memory, 0xa5, r.bytes);
    char *data = (char *)r.memory + (size_t)first * hd_type_size(type);
    r.view = hd_view_nd(type, data, ndim, shape, stride);
    return r;
}

void random_view_free(random_view *r)
{
    free(r->memory);
    *r = (random_view){.bytes = 0};
}

static char *element_at(const hd_view *v, int64_t i)
{
    int64_t offset = 0;
    for (int32_t k = v->ndim - 1; k >= 0; k--) {
        offset += i % v->shape[k] * v->stride[k];
        i /= v->shape[k];
    }
    return (char *)v->data + offset * (int64_t)hd_type_size(v->type);
}

void random_view_put(const hd_view *v, const void *from)
{
    const size_t size = hd_type_size(v->type);
    for (int64_t i = 0; i < hd_count(*v); i++)
        memcpy(element_at(v, i), (const char *)from + (size_t)i * size, size);
}

void random_view_get(const hd_view *v, void *to)
{
    const size_t size = hd_type_size(v->type);
    for (int64_t i = 0; i < hd_count(*v); i++)
        memcpy((char *)to + (size_t)i * size, element_at(v, i), size);
}
