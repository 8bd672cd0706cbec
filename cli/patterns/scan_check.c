// SPDX-License-Identifier: Apache-2.0
//
// heddle scan --verify: walks rows, segments and runs in the scan's own order and has each element
// checked against the one before it (verify.c).
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "program.h"
#include "scan.h"

// Where element k, in row-major order, of a view is.
static const void *element(const hd_view *v, int64_t k)
{
    int64_t offset = 0;
    for (int32_t axis = v->ndim - 1; axis > 0; axis--) {
        offset += k % v->shape[axis] * v->stride[axis];
        k /= v->shape[axis];
    }
    return (const char *)v->data + (offset + k * v->stride[0]) * (int64_t)hd_type_size(v->type);
}

// The same view with one axis last, so that its lines come one after another.
static hd_view axis_last(hd_view v, int32_t axis)
{
    const int64_t shape = v.shape[axis], stride = v.stride[axis];
    for (int32_t k = axis; k + 1 < v.ndim; k++)
        v.shape[k] = v.shape[k + 1], v.stride[k] = v.stride[k + 1];
    v.shape[v.ndim - 1] = shape, v.stride[v.ndim - 1] = stride;
    return v;
}

static double real_key(hd_type type, const void *key)
{
    switch (type) {
    case HD_F16: return (double)hd__f16_to_f32(*(const uint16_t *)key);
    case HD_BF16: return (double)hd__bf16_to_f32(*(const uint16_t *)key);
    case HD_F32: return (double)*(const float *)key;
    default: return *(const double *)key;
    }
}

// Whether two neighbouring keys begin a new run; a NaN differs from everything.
static bool differ(const hd_view *keys, int64_t i, int64_t j)
{
    const void *a = element(keys, i), *b = element(keys, j);
    if (keys->type >= HD_F16 && keys->type <= HD_F64)
        return real_key(keys->type, a) != real_key(keys->type, b);
    return memcmp(a, b, hd_type_size(keys->type)) != 0;
}

static int64_t offset_at(const hd_view *offsets, int64_t j)
{
    const void *x = element(offsets, j);
    switch (offsets->type) {
    case HD_I8: return *(const int8_t *)x;
    case HD_I16: return *(const int16_t *)x;
    case HD_I32: return *(const int32_t *)x;
    case HD_U8: return *(const uint8_t *)x;
    case HD_U16: return *(const uint16_t *)x;
    case HD_U32: return *(const uint32_t *)x;
    default: return *(const int64_t *)x;
    }
}

// Marks the elements at which a segment or run begins, in the direction of the scan.
static void mark_heads(const scan_run *s, unsigned char *heads, int64_t n)
{
    const hd_view *offsets = &s->segments.view, *keys = &s->keys.view;
    const int64_t back = s->options.backward ? 1 : 0;
    for (int64_t j = 0; offsets->type != HD_NONE && j < offsets->shape[0]; j++) {
        const int64_t head = offset_at(offsets, j) - back;
        if (head >= 0 && head < n) heads[head] = 1;
    }
    for (int64_t i = 1; keys->type != HD_NONE && i < n; i++)
        if (differ(keys, i - 1, i)) heads[i - back] = 1;
}

typedef struct check_walk {
    scan_run *s;
    hd_view in, out, values;
    unsigned char *heads; // or NULL
    const char *origin;   // of the output, to name an element's index
} check_walk;

static bool check_element(check_walk *w, int64_t k)
{
    verifier *v = &w->s->verifier;
    const void *in = element(&w->in, k), *out = element(&w->out, k);
    if (w->heads != NULL && w->heads[k]) verify_restart(v);
    if (w->origin != NULL)
        v->index = ((const char *)out - w->origin) / (int64_t)hd_type_size(w->out.type);
    if (w->values.type == HD_NONE) return verify_next(v, in, out);
    if (*(const int64_t *)out >= 0) return verify_next(v, in, element(&w->values, k));
    verify_skip(v, in);
    return true;
}

static bool check_lines(check_walk *w, int64_t lines, int64_t length)
{
    for (int64_t line = 0; line < lines; line++) {
        if (w->origin != NULL) verify_restart(&w->s->verifier); // a stream goes on instead
        for (int64_t j = 0; j < length; j++) {
            const int64_t at = w->s->options.backward ? length - 1 - j : j;
            if (!check_element(w, line * length + at)) return false;
        }
    }
    return true;
}

int scan_check(scan_run *s, hd_view in, hd_view out, hd_view values)
{
    check_walk w = {.s = s, .in = in, .out = out, .values = values};
    const int64_t n = hd_count(in);
    int64_t length = n;
    if (n == 0) return EXIT_DONE;
    if (s->options.carry == NULL) w.origin = out.data;
    if (s->args.axis.given) {
        const int32_t k = (int32_t)s->args.axis.value, axis = k < 0 ? k + in.ndim : k;
        w.in = axis_last(in, axis);
        w.out = axis_last(out, axis);
        if (values.type != HD_NONE) w.values = axis_last(values, axis);
        length = in.shape[axis];
    }
    if (s->args.segments != NULL || s->args.keys != NULL) {
        w.heads = calloc((size_t)n, 1);
        if (w.heads == NULL) return fail(EXIT_IO, "scan", "--verify: no memory");
        mark_heads(s, w.heads, n);
    }
    const bool right = check_lines(&w, n / length, length);
    free(w.heads);
    if (right) return EXIT_DONE;
    return fail(EXIT_CHECK, "scan", "--verify: %s: %s", s->file, s->verifier.text);
}
