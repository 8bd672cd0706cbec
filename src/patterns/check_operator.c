// SPDX-License-Identifier: Apache-2.0
// hd_check_operator: random triples against the laws an operator claims, and one counterexample
// as text.
#include "core/arguments.h"
#include "core/convert.h"
#include "core/system/float_state.h"
#include "core/operators/fold.h"
#include "core/reader.h"

#include <math.h>
#include <stdio.h>

static const char call[] = "hd_check_operator";

typedef struct hunt {
    hd_context *ctx;
    const hd_operator *op; // the concrete one
    const char *name;
    uint32_t flags;
    hd__node_form form;
    size_t size;   // of an element
    hd_type field; // what an element is made of, or HD_NONE: bytes
    int64_t fields;
    double tolerance;
    bool (*equal)(const void *, const void *);
    hd_view samples;
    int64_t sample_count;
    uint64_t state;
} hunt;

// splitmix64
static uint64_t next(hunt *h)
{
    uint64_t z = h->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

// Floats of ordinary size, so that overflow is not taken for a broken law; integers of any bits.
static void random_number(hunt *h, hd_type type, void *out)
{
    const uint64_t bits = next(h);
    if (hd__is_float(type)) {
        const double x = ((double)(bits >> 11) * 0x1p-53 * 2 - 1) * (double)(1 << (bits & 3));
        hd__convert(type, out, HD_F64, &x, 1);
    } else if (type == HD_BOOL) {
        *(uint8_t *)out = bits & 1;
    } else {
        memcpy(out, &bits, hd__size_of(type));
    }
}

static void draw(hunt *h, unsigned char *out)
{
    if (h->sample_count > 0) {
        hd__gather(&h->samples, (int64_t)(next(h) % (uint64_t)h->sample_count), 1, out);
        return;
    }
    for (int64_t i = 0; i < h->fields; i++)
        random_number(h, h->field, out + (size_t)i * hd__size_of(h->field));
}

static double number_at(const hunt *h, const void *element, int64_t i)
{
    double x;
    const char *from = (const char *)element + (size_t)i * hd__size_of(h->field);
    if (hd__is_float(h->field)) {
        hd__convert(HD_F64, &x, h->field, from, 1);
    } else {
        int64_t whole = 0;
        hd__convert(HD_I64, &whole, h->field, from, 1);
        x = (double)whole;
    }
    return x;
}

// The largest magnitude among a few elements: what a rounding may be measured against.
static double scale_of(const hunt *h, const unsigned char *const *elements, int count)
{
    double scale = 0;
    for (int e = 0; e < count; e++)
        for (int64_t i = 0; i < h->fields; i++)
            scale = fmax(scale, fabs(number_at(h, elements[e], i)));
    return scale;
}

static bool same(const hunt *h, const void *x, const void *y, double scale)
{
    if (h->equal != NULL) return h->equal(x, y);
    if (memcmp(x, y, h->size) == 0) return true;
    if (h->field == HD_NONE || !hd__is_float(h->field)) return false;
    for (int64_t i = 0; i < h->fields; i++) {
        const double a = number_at(h, x, i), b = number_at(h, y, i);
        if (isnan(a) && isnan(b)) continue;
        if (!(a == b || fabs(a - b) <= h->tolerance * scale)) return false;
    }
    return true;
}

// An element as text: its numbers, or its bytes.
static void describe(const hunt *h, const void *element, char *out, size_t room)
{
    size_t used = 0;
    const int64_t shown = h->field != HD_NONE ? h->fields : (int64_t)h->size;
    for (int64_t i = 0; i < shown && i < 8 && used < room; i++) {
        const char *gap = i > 0 ? " " : "";
        int64_t whole = 0;
        if (h->field != HD_NONE && !hd__is_float(h->field))
            hd__convert(HD_I64, &whole, h->field,
                        (const char *)element + (size_t)i * hd__size_of(h->field), 1);
        const int wrote =
            h->field == HD_NONE ? snprintf(out + used, room - used, "%s%02x", gap,
                                           ((const unsigned char *)element)[i])
            : hd__is_float(h->field)
                ? snprintf(out + used, room - used, "%s%.9g", gap, number_at(h, element, i))
                : snprintf(out + used, room - used, "%s%lld", gap, (long long)whole);
        used += wrote > 0 ? (size_t)wrote : 0;
    }
}

static hd_status report(const hunt *h, const char *law, const void *a, const void *b, const void *c,
                        const void *left, const void *right)
{
    char text[5][96] = {{0}};
    const void *elements[5] = {a, b, c, left, right};
    for (int i = 0; i < 5; i++)
        if (elements[i] != NULL) describe(h, elements[i], text[i], sizeof text[i]);
    return hd__fail(h->ctx, HD_ERROR_OPERATOR,
                    "%s: operator %s: %s: with a = %s%s%s%s%s: left %s, right %s", call, h->name,
                    law, text[0], b != NULL ? ", b = " : "", text[1], c != NULL ? ", c = " : "",
                    text[2], text[3], text[4]);
}

static hd_status try_associative(hunt *h, const unsigned char *a, const unsigned char *b,
                                 const unsigned char *c)
{
    _Alignas(HD__ALIGNMENT) unsigned char ab[HD_MAX_ELEMENT], bc[HD_MAX_ELEMENT],
        left[HD_MAX_ELEMENT], right[HD_MAX_ELEMENT];
    hd__combine(h->op, ab, a, b, 1);
    hd__combine(h->op, left, ab, c, 1);
    hd__combine(h->op, bc, b, c, 1);
    hd__combine(h->op, right, a, bc, 1);
    const unsigned char *all[] = {a, b, c, ab, bc, left, right};
    const double scale = h->field != HD_NONE ? scale_of(h, all, 7) : 0;
    if (same(h, left, right, scale)) return HD_OK;
    return report(h, "not associative, (a b) c differs from a (b c)", a, b, c, left, right);
}

static hd_status try_commutative(hunt *h, const unsigned char *a, const unsigned char *b)
{
    _Alignas(HD__ALIGNMENT) unsigned char left[HD_MAX_ELEMENT], right[HD_MAX_ELEMENT];
    hd__combine(h->op, left, a, b, 1);
    hd__combine(h->op, right, b, a, 1);
    const unsigned char *all[] = {a, b, left, right};
    if (same(h, left, right, h->field != HD_NONE ? scale_of(h, all, 4) : 0)) return HD_OK;
    return report(h, "not commutative, a b differs from b a", a, b, NULL, left, right);
}

static hd_status try_identity(hunt *h, const unsigned char *a)
{
    _Alignas(HD__ALIGNMENT) unsigned char result[HD_MAX_ELEMENT];
    const double scale = h->field != HD_NONE ? scale_of(h, &a, 1) : 0;
    hd__combine(h->op, result, h->op->identity, a, 1);
    if (!same(h, result, a, scale))
        return report(h, "wrong identity e, e a differs from a", a, NULL, NULL, result, a);
    hd__combine(h->op, result, a, h->op->identity, 1);
    if (same(h, result, a, scale)) return HD_OK;
    return report(h, "wrong identity e, a e differs from a", a, NULL, NULL, result, a);
}

// The claims of a built-in are those of its nodes; mean and variance are checked as what they fold.
static hd_status prepare(hunt *h, const hd_operator *op, const hd_check_options *o)
{
    hd__fold fold;
    const hd_type out = hd_default_output(op, h->samples.type);
    HD_TRY(hd__resolve(h->ctx, call, op, h->samples.type, out != HD_NONE ? out : h->samples.type,
                       &(hd__fold_options){0}, &fold));
    h->op = fold.node;
    h->name = fold.asked->name;
    h->flags = fold.node->flags;
    h->size = fold.node_size;
    h->form = fold.form;
    h->field = fold.form != HD__PLAIN       ? HD_F64
               : hd__is_number(fold.number) ? fold.number
                                            : o->field;
    if (fold.form == HD__ARG || fold.form == HD__SUM_PAIR) h->field = fold.number;
    if (h->field == HD_BOOL) h->field = HD_U8;
    if (h->field != HD_NONE && (!hd__is_number(h->field) || h->size % hd__size_of(h->field) != 0))
        return hd__fail(h->ctx, HD_ERROR_TYPE, "%s: an element of %zu bytes is not made of %s",
                        call, h->size, hd_type_name(h->field));
    h->fields = h->field != HD_NONE ? (int64_t)(h->size / hd__size_of(h->field)) : 0;
    h->sample_count = fold.direct_in ? hd_count(h->samples) : 0;
    if (h->sample_count == 0 && h->field == HD_NONE)
        return hd__fail(
            h->ctx, HD_ERROR_ARGUMENT,
            "%s: operator %s: elements of a structure come from samples, or set .field to "
            "what it is made of",
            call, h->name);
    const double eps = h->field == HD_F64    ? 0x1p-53
                       : h->field == HD_F16  ? 0x1p-11
                       : h->field == HD_BF16 ? 0x1p-8
                                             : 0x1p-24;
    h->tolerance = o->tolerance < 0 ? 0 : o->tolerance > 0 ? o->tolerance : 16 * eps;
    return HD_OK;
}

// Nodes with an index or a count are made of a number; any bytes are a node of the other forms.
static void draw_node(hunt *h, unsigned char *out, int64_t index)
{
    const double one = 1;
    unsigned char number[8];
    switch (h->form) {
    case HD__ARG:
        random_number(h, h->field, number);
        memset(out, 0, h->size);
        memcpy(out, number, 8);
        memcpy(out + 8, &index, 8);
        break;
    case HD__MOMENTS:
    case HD__WIDE_MOMENTS:
        random_number(h, h->field, number);
        memset(out, 0, h->size);
        memcpy(out, &one, sizeof one);
        memcpy(out + 8, number, 8);
        break;
    case HD__PLAIN:
    case HD__SUM_PAIR:
    case HD__SUM_SIZED:
    case HD__SUM_SIZED_PAIR:
    case HD__LIMBS:
    case HD__NORM: draw(h, out); break;
    }
}

hd_status hd_check_operator(hd_context *ctx, const hd_operator *op, hd_view samples,
                            const hd_check_options *options)
{
    HD__FLOAT_STATE;
    hd_check_options o[1];
    HD__BEGIN(ctx);
    HD_TRY(HD__TAKE_OPTIONS(ctx, call, hd_check_options, options, o));
    HD__AT_LEAST_1D(&samples);
    if (op == NULL) return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: the operator is NULL", call);
    HD_TRY(hd__check_input(ctx, "hd_check_operator: samples", &samples));
    if (o->trials < 0)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: trials is %lld; expected 0 or more", call,
                        (long long)o->trials);
    hunt h = {.ctx = ctx, .samples = samples, .equal = o->equal};
    h.state = o->seed != 0 ? o->seed : 0x68656464;
    HD_TRY(prepare(&h, op, o));
    const int64_t trials = o->trials > 0 ? o->trials : 10000;
    _Alignas(HD__ALIGNMENT) unsigned char a[HD_MAX_ELEMENT], b[HD_MAX_ELEMENT], c[HD_MAX_ELEMENT];
    for (int64_t trial = 0; trial < trials; trial++) {
        draw_node(&h, a, 0);
        draw_node(&h, b, 1);
        draw_node(&h, c, 2);
        HD_TRY(try_associative(&h, a, b, c));
        if (h.flags & HD_COMMUTATIVE) HD_TRY(try_commutative(&h, a, b));
        if (h.op->identity != NULL) HD_TRY(try_identity(&h, a));
    }
    return HD_OK;
}
