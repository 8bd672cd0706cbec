// SPDX-License-Identifier: Apache-2.0
// Checking flags and reading them; indices into outputs of any integer type.
#include "flags.h"
#include "core/arguments.h"
#include "core/convert.h"
#include "equal_keys.h"
#include "patterns/sort/comparisons.h"

#include <stdio.h>

// ---- Checks ------------------------------------------------------------------------------------

static hd_status check_view(hd_context *ctx, const char *call, const hd_view *in,
                            const hd__flag_options *o, hd__flags *l)
{
    const hd_view *v = o->view;
    HD_TRY(hd__check_input_as(ctx, v, "%s: %s", call, o->view_name));
    if (!hd__is_integer(v->type) && v->type != HD_BOOL)
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: %s are %s; expected bool or an integer type", call,
                        o->view_name, hd_type_name(v->type));
    HD_TRY(hd__check_shape_of(ctx, call, o->view_name, v, "in", in));
    l->in.view[0] = *v;
    l->type = v->type;
    l->own = false;
    return HD_OK;
}

hd_status hd__check_flags(hd_context *ctx, const char *call, const hd_view *in,
                          const hd__flag_options *o, hd__flags *l)
{
    const bool by_view = !hd__is_empty(o->view);
    l->heads = l->invert = false;
    l->comparison = NULL;
    l->own = true;
    l->in.fold = NULL;
    l->in.direct = false;
    HD_TRY(hd__check_inputs(ctx, call, in, o->function, o->with, &l->in, &l->type));
    if (by_view && o->function != NULL)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: %s and %s exclude each other", call,
                        o->view_name, o->function_name);
    if (o->function != NULL && !hd__is_integer(l->type) && l->type != HD_BOOL)
        return hd__fail(ctx, HD_ERROR_TYPE,
                        "%s: function %s returns %s; %s is to return bool or an integer", call,
                        o->function->name, hd_type_name(l->type), o->function_name);
    if (by_view) HD_TRY(check_view(ctx, call, in, o, l));
    for (int k = 0; k < l->in.inputs; k++)
        if (l->in.view[k].ndim > 1) hd__collapse(&l->in.view[k]);
    return HD_OK;
}

hd_status hd__check_heads(hd_context *ctx, const char *call, const hd_view *in,
                          const hd_comparison *comparison, hd__flags *l)
{
    static const hd_view none = {0};
    const hd__flag_options own = {&none, NULL, NULL, "", ""};
    HD_TRY(hd__check_flags(ctx, call, in, &own, l));
    if (comparison != NULL) HD_TRY(hd__check_comparison(ctx, call, comparison, in->type));
    l->heads = true;
    l->comparison = comparison;
    return HD_OK;
}

static hd_status check_apart(hd_context *ctx, const char *call, const char *name,
                             const hd_view *out, const char *other_name, const hd_view *other,
                             bool same)
{
    const hd__overlap how = hd__overlaps(out, other);
    if (how == HD__APART || (how == HD__SAME && same)) return HD_OK;
    return hd__fail(ctx, HD_ERROR_ALIAS, "%s: %s overlaps %s%s", call, name, other_name,
                    same ? " without being the same view" : "");
}

hd_status hd__check_apart_flags(hd_context *ctx, const char *call, const char *name,
                                const hd_view *out, const hd_view *in, const hd__flags *l,
                                bool same)
{
    hd_view collapsed;
    const hd_view *row = out;
    if (hd__is_empty(out)) return HD_OK;
    if (out->ndim > 1) {
        collapsed = *out;
        hd__collapse(&collapsed);
        row = &collapsed;
    }
    HD_TRY(check_apart(ctx, call, name, row, "in", in, same));
    for (int k = l->own ? 1 : 0; k < l->in.inputs; k++)
        HD_TRY(check_apart(ctx, call, name, row, l->own ? "a view of with" : "flags or buckets",
                           &l->in.view[k], same));
    return HD_OK;
}

hd_status hd__check_elements(hd_context *ctx, const char *call, const char *name, const hd_view *v,
                             hd_type type)
{
    char got[48];
    if (hd__is_empty(v)) return HD_OK;
    HD_TRY(hd__check_output_as(ctx, v, "%s: %s", call, name));
    if (hd__same_type(v->type, type)) return HD_OK;
    snprintf(got, sizeof got, "%s", hd_type_name(v->type));
    return hd__fail(ctx, HD_ERROR_TYPE, "%s: %s: the type is %s; expected the input's, %s", call,
                    name, got, hd_type_name(type));
}

static int64_t most_of(hd_type type)
{
    const int bits = (int)hd__size_of(type) * 8 - (hd__kind_of(type) == HD__SIGNED);
    return bits >= 63 ? INT64_MAX : ((int64_t)1 << bits) - 1;
}

hd_status hd__check_indices(hd_context *ctx, const char *call, const char *name, const hd_view *v,
                            int64_t most)
{
    if (hd__is_empty(v)) return HD_OK;
    HD_TRY(hd__check_output_as(ctx, v, "%s: %s", call, name));
    if (!hd__is_integer(v->type))
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: %s are %s; expected an integer type", call, name,
                        hd_type_name(v->type));
    if (most > most_of(v->type))
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: %s: %s holds no more than %lld; expected %lld",
                        call, name, hd_type_name(v->type), (long long)most_of(v->type),
                        (long long)most);
    return HD_OK;
}

hd_status hd__check_room(hd_context *ctx, const char *call, const char *name, const hd_view *v,
                         int64_t n, const char *what)
{
    if (hd__is_empty(v) || hd__count(v) >= n) return HD_OK;
    char got[HD__SHAPE_TEXT];
    return hd__fail(ctx, HD_ERROR_SHAPE, "%s: %s has shape %s; there are %lld %s", call, name,
                    hd__shape_text(v, got), (long long)n, what);
}

// ---- Counts ------------------------------------------------------------------------------------

hd_status hd__check_counting(hd_context *ctx, const char *call, const char *name, hd__counting *c,
                             int64_t **at)
{
    if (hd__is_empty(&c->view))
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: %s is empty; expected one i64", call, name);
    *at = c->view.space == HD_DEVICE ? NULL : &c->own;
    HD_TRY(hd__check_output_as(ctx, &c->view, "%s: %s", call, name));
    if (c->view.type != HD_I64)
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: %s: the type is %s; expected i64", call, name,
                        hd_type_name(c->view.type));
    if (hd_count(c->view) == 1) return HD_OK;
    return hd__fail(ctx, HD_ERROR_SHAPE, "%s: %s has %lld elements; expected 1", call, name,
                    (long long)hd_count(c->view));
}

void hd__end_counting(const hd__counting *c, const int64_t *at)
{
    if (c->view.space == HD_HOST) hd__put_indices(&c->view, 0, 1, at);
}

// ---- Reading -----------------------------------------------------------------------------------

size_t hd__flags_bytes(const hd__flags *l, int64_t tile)
{
    size_t bytes = hd__padded((size_t)tile * hd__size_of(l->type));
    for (int k = 0; k < l->in.inputs; k++)
        bytes += hd__padded((size_t)tile * hd__size_of(l->in.view[k].type));
    return bytes;
}

static const void *fetch(const hd_view *v, int64_t start, int64_t n, char **scratch)
{
    if (hd__is_contiguous(v)) return hd__at(v, start);
    void *to = *scratch;
    hd__gather(v, start, n, to);
    *scratch += hd__padded((size_t)n * hd__size_of(v->type));
    return to;
}

const void *hd__read_flags(const hd__flags *l, int64_t start, int64_t n, const void *elements,
                           void *scratch)
{
    const void *in[HD_MAX_INPUTS];
    char *at = scratch;
    for (int k = 0; k < l->in.inputs; k++)
        in[k] =
            k == 0 && l->own && elements != NULL ? elements : fetch(&l->in.view[k], start, n, &at);
    if (l->in.map == NULL) return in[0];
    hd__apply(l->in.map, at, in, n);
    return at;
}

static bool is_zero(hd_type type, const void *number)
{
    uint64_t bits = 0;
    memcpy(&bits, number, hd__size_of(type));
    if (hd__is_float(type)) bits &= ~((uint64_t)1 << (hd__size_of(type) * 8 - 1)); // -0 is 0
    return bits == 0;
}

bool hd__is_chosen(const hd__flags *l, int64_t i)
{
    _Alignas(HD__ALIGNMENT) unsigned char scratch[(HD_MAX_INPUTS + 1) * HD_MAX_ELEMENT];
    uint8_t head;
    if (l->heads) {
        hd__key_head_flags(&l->in.view[0], l->comparison, i, 1, &head, scratch);
        return head != 0;
    }
    return is_zero(l->type, hd__read_flags(l, i, 1, NULL, scratch)) == l->invert;
}

// ---- Indices out -------------------------------------------------------------------------------

#define BLOCK 256

void hd__put_indices(const hd_view *v, int64_t at, int64_t n, const int64_t *from)
{
    if (hd__is_contiguous(v) && hd__size_of(v->type) == 4) { // the usual ones in one step
        uint32_t *to = (uint32_t *)(uintptr_t)hd__at(v, at);
        for (int64_t i = 0; i < n; i++) to[i] = (uint32_t)from[i];
        return;
    }
    if (hd__is_contiguous(v)) {
        hd__convert(v->type, (void *)(uintptr_t)hd__at(v, at), HD_I64, from, n);
        return;
    }
    int64_t block[BLOCK];
    for (int64_t i = 0; i < n; i += BLOCK) {
        const int64_t m = n - i < BLOCK ? n - i : BLOCK;
        hd__convert(v->type, block, HD_I64, from + i, m);
        hd__scatter(v, at + i, m, block);
    }
}
