// SPDX-License-Identifier: Apache-2.0
// Requests served from pools: checks, the policies that a single scan decides, and the way of the
// results out.
#include "spans.h"

#include <inttypes.h>
#include <string.h>

HD_MONOID(saturating_sum, int64_t, HD_NO_SOURCE, HD_ASSOCIATIVE | HD_COMMUTATIVE | HD_EXACT, 0,
          { return a > 0x7fffffffffffffff - b ? 0x7fffffffffffffff : a + b; })
const hd_operator *const hd__saturating_sum = saturating_sum;

HD_FUNCTION(is_negative, bool, HD_NO_SOURCE, (int64_t, x), { return x < 0; })
HD_FUNCTION(ends_too_far, bool, HD_NO_SOURCE, (int64_t, pool, int64_t, origin),
            { return origin > 0x7fffffffffffffff - pool; })
HD_FUNCTION(what_is_left, int64_t, HD_NO_SOURCE, (int64_t, want, int64_t, before, int64_t, pool), {
    const int64_t room = before < pool ? pool - before : 0;
    return want < room ? want : room;
})
HD_FUNCTION(whole_in_order, int64_t, HD_NO_SOURCE, (int64_t, want, int64_t, before, int64_t, pool),
            { return want <= pool - before ? want : 0; })
// Of all that is wanted, which may be more than any pool, in u64.
HD_MONOID(saturating_total, uint64_t, HD_NO_SOURCE, HD_ASSOCIATIVE | HD_COMMUTATIVE | HD_EXACT, 0,
          { return a > 0xffffffffffffffff - b ? 0xffffffffffffffff : a + b; })
HD_FUNCTION(as_u64, uint64_t, HD_NO_SOURCE, (int64_t, want), { return (uint64_t)want; })
HD_FUNCTION(whole_or_none, int64_t, HD_NO_SOURCE, (int64_t, want, uint64_t, all, int64_t, pool),
            { return all <= (uint64_t)pool ? want : 0; })
HD_FUNCTION(plus, int64_t, HD_NO_SOURCE, (int64_t, x, int64_t, y), { return x + y; })
HD_FUNCTION(minus, int64_t, HD_NO_SOURCE, (int64_t, x, int64_t, y), { return x - y; })
HD_FUNCTION(gets_less, bool, HD_NO_SOURCE, (int64_t, granted, int64_t, want),
            { return granted < want; })

hd_view hd__spans_of_pool(const hd__spans *s, hd_view row)
{
    return s->m == 1 ? row : hd_indexed(row, s->pool_of);
}

const hd_view *hd__spans_segments(const hd__spans *s)
{
    return s->m == 1 ? NULL : &s->offsets;
}

// ---- Checks -------------------------------------------------------------------------------------

static hd_status check_integers(hd__spans *s, const char *what, hd_view v)
{
    hd__frame *f = &s->f;
    if (v.type < HD_I8 || v.type > HD_U64)
        return hd__frame_fail(f, HD_ERROR_TYPE, "%s: expected integers, got %s", what,
                              hd_type_name(v.type));
    if (v.ndim > 1)
        return hd__frame_fail(f, HD_ERROR_SHAPE, "%s: expected one dimension, got %d", what,
                              (int)v.ndim);
    return hd__frame_check(f, what, v);
}

static hd_status check_numbers(hd__spans *s, const char *what, const hd_view *v, int64_t n)
{
    hd__frame *f = &s->f;
    if (v == NULL || v->type == HD_NONE) return HD_OK;
    if (v->type != HD_I64)
        return hd__frame_fail(f, HD_ERROR_TYPE, "%s: expected i64, got %s", what,
                              hd_type_name(v->type));
    if (v->ndim > 1 || (n >= 0 && hd_count(*v) != n))
        return hd__frame_fail(f, HD_ERROR_SHAPE,
                              "%s: expected one dimension of %" PRId64 " elements, got %" PRId64,
                              what, n, hd_count(*v));
    return hd__frame_check_out(f, what, *v);
}

typedef struct named_view {
    const char *name;
    const hd_view *view;
} named_view;

static bool is_given(const hd_view *v)
{
    return v != NULL && v->type != HD_NONE;
}

static hd_status check_overlaps(hd__spans *s, hd_view wants, hd_view pools, hd_view starts)
{
    const hd_spans_options *o = &s->o;
    enum { INPUTS = 4, VIEWS = 10 };
    const named_view v[VIEWS] = {
        {"wants", &wants},       {"pools", &pools},   {"segments", o->segments},
        {"origins", o->origins}, {"starts", &starts}, {"granted", o->granted},
        {"left", o->left},       {"unmet", o->unmet}, {"unmet_count", o->unmet_count},
        {"rounds", o->rounds}};
    for (int k = INPUTS; k < VIEWS; k++)
        for (int j = 0; j < k && is_given(v[k].view); j++) {
            if (!is_given(v[j].view)) continue;
            const hd_status status =
                hd__frame_check_apart(&s->f, v[k].name, *v[k].view, v[j].name, *v[j].view);
            if (status != HD_OK) return status;
        }
    return HD_OK;
}

static hd_status check_inputs(hd__spans *s, hd_view wants, hd_view pools)
{
    hd__frame *f = &s->f;
    const hd_spans_options *o = &s->o;
    hd_status status = check_integers(s, "wants", wants);
    if (status == HD_OK) status = check_integers(s, "pools", pools);
    if (status == HD_OK && is_given(o->segments)) {
        status = check_integers(s, "segments", *o->segments);
        if (status == HD_OK && hd_count(*o->segments) != s->m + 1)
            status = hd__frame_fail(f, HD_ERROR_SHAPE,
                                    "segments: expected %" PRId64 " offsets for %" PRId64
                                    " pools, got %" PRId64,
                                    s->m + 1, s->m, hd_count(*o->segments));
    } else if (status == HD_OK && s->m != 1) {
        status = hd__frame_fail(f, HD_ERROR_SHAPE, "pools: expected one, or segments, got %" PRId64,
                                s->m);
    }
    if (status == HD_OK && is_given(o->origins)) {
        status = check_integers(s, "origins", *o->origins);
        if (status == HD_OK && hd_count(*o->origins) != s->m)
            status =
                hd__frame_fail(f, HD_ERROR_SHAPE, "origins: expected %" PRId64 ", got %" PRId64,
                               s->m, hd_count(*o->origins));
    }
    return status;
}

static hd_status check(hd__spans *s, hd_view wants, hd_view pools, hd_view starts)
{
    const hd_spans_options *o = &s->o;
    if (o->policy < 0 || o->policy >= HD_SPANS_POLICIES || o->reserved_32 != 0)
        return hd__frame_fail(&s->f, HD_ERROR_ARGUMENT, "policy %d; expected 0 to %d",
                              (int)o->policy, HD_SPANS_POLICIES - 1);
    if (starts.type == HD_NONE)
        return hd__frame_fail(&s->f, HD_ERROR_ARGUMENT, "starts is empty; expected i64");
    hd_status status = check_inputs(s, wants, pools);
    if (status == HD_OK) status = check_numbers(s, "starts", &starts, s->n);
    if (status == HD_OK) status = check_numbers(s, "granted", o->granted, s->n);
    if (status == HD_OK) status = check_numbers(s, "left", o->left, s->m);
    if (status == HD_OK) status = check_numbers(s, "unmet", o->unmet, -1);
    if (status == HD_OK) status = check_numbers(s, "unmet_count", o->unmet_count, 1);
    if (status == HD_OK) status = check_numbers(s, "rounds", o->rounds, 1);
    return status == HD_OK ? check_overlaps(s, wants, pools, starts) : status;
}

// No element of the row answers yes; the first that does is an error.
static hd_status refuse_any(hd__spans *s, const char *what, hd_view row, const hd_function *wrong,
                            hd_view with, const char *expected)
{
    int64_t at = -1, value = 0;
    const hd_view other[] = {with};
    const hd_find_options how = {.map = wrong, .with = {other, with.type == HD_NONE ? 0 : 1}};
    hd_status status = hd_find(s->f.ctx, row, HD_VIEW(&at, 1), &how);
    if (status != HD_OK || at < 0) return status;
    status = hd__frame_read(&s->f, row, at, &value);
    if (status != HD_OK) return status;
    return hd__frame_fail(&s->f, HD_ERROR_VALUE, "%s[%" PRId64 "] is %" PRId64 "; expected %s",
                          what, at, value, expected);
}

static hd_status check_offsets(hd__spans *s)
{
    int64_t first = 0, last = s->n;
    hd_status status = hd__frame_read(&s->f, s->offsets, 0, &first);
    if (status == HD_OK) status = hd__frame_read(&s->f, s->offsets, s->m, &last);
    if (status != HD_OK || (first == 0 && last == s->n)) return status;
    return hd__frame_fail(&s->f, HD_ERROR_VALUE,
                          "segments go from %" PRId64 " to %" PRId64 "; expected 0 to %" PRId64,
                          first, last, s->n);
}

// ---- Rows ---------------------------------------------------------------------------------------

static bool is_plain(const hd_view *v)
{
    return (uintptr_t)v->data % sizeof(int64_t) == 0 && v->type == HD_I64 && v->ndim == 1 &&
           (v->stride[0] == 1 || v->shape[0] < 2);
}

// The caller's view where it is a row without gaps, else scratch.
static hd_status out_row(hd__spans *s, const hd_view *v, hd_view *row)
{
    if (is_given(v) && is_plain(v)) {
        *row = *v;
        return HD_OK;
    }
    return hd__frame_row(&s->f, HD_I64, s->n, row);
}

static hd_status write_out(hd__spans *s, hd_view row, const hd_view *v)
{
    return is_given(v) && v->data != row.data ? hd__frame_copy(&s->f, row, *v) : HD_OK;
}

static hd_status name_pools(hd__spans *s)
{
    hd_view lengths;
    int64_t all = 0;
    if (s->m == 1) return HD_OK;
    hd_status status = hd__frame_row(&s->f, HD_I64, s->m, &lengths);
    if (status == HD_OK)
        status = hd_map(s->f.ctx, hd__frame_part(s->offsets, 1, s->m), minus, lengths,
                        &(hd_map_options){.with = HD_VIEWS(hd__frame_part(s->offsets, 0, s->m))});
    if (status == HD_OK)
        status = refuse_any(s, "the length of segments", lengths, is_negative, HD_EMPTY,
                            "offsets that never fall");
    if (status == HD_OK) status = hd__frame_row(&s->f, HD_I64, s->n, &s->pool_of);
    if (status == HD_OK)
        status = hd_expand(s->f.ctx, hd_iota(s->m), lengths, s->pool_of, HD_VIEW(&all, 1), NULL);
    return status;
}

static hd_status make_rows(hd__spans *s, hd_view wants, hd_view pools, hd_view starts)
{
    hd__frame *f = &s->f;
    hd_status status = hd__frame_dense(f, wants, HD_I64, &s->want);
    if (status == HD_OK) status = hd__frame_dense(f, pools, HD_I64, &s->pool);
    if (status == HD_OK)
        status = refuse_any(s, "wants", s->want, is_negative, HD_EMPTY, "0 to 2^63 - 1");
    if (status == HD_OK)
        status = refuse_any(s, "pools", s->pool, is_negative, HD_EMPTY, "0 to 2^63 - 1");
    if (status == HD_OK && is_given(s->o.segments)) {
        status = hd__frame_dense(f, *s->o.segments, HD_I64, &s->offsets);
        if (status == HD_OK) status = check_offsets(s);
        if (status == HD_OK) status = name_pools(s);
    }
    if (status == HD_OK) status = hd__frame_row(f, HD_I64, s->n, &s->sum);
    if (status == HD_OK) status = out_row(s, &starts, &s->starts);
    if (status == HD_OK) status = out_row(s, s->o.granted, &s->granted);
    return status;
}

// ---- Policies -----------------------------------------------------------------------------------

// What each request may have, by what the ones before it want.
static hd_status grant_by_scan(hd__spans *s, const hd_function *rule)
{
    s->rounds = 1;
    hd_status status =
        hd_scan(s->f.ctx, s->want, saturating_sum, s->sum,
                &(hd_scan_options){.exclusive = true, .segments = hd__spans_segments(s)});
    if (status != HD_OK) return status;
    return hd_map(s->f.ctx, s->want, rule, s->granted,
                  &(hd_map_options){.with = HD_VIEWS(s->sum, hd__spans_of_pool(s, s->pool))});
}

static hd_status grant_all_or_none(hd__spans *s)
{
    hd_view all;
    s->rounds = 1;
    hd_status status = hd__frame_row(&s->f, HD_U64, s->m, &all);
    if (status == HD_OK)
        status = hd_reduce(s->f.ctx, s->want, saturating_total, all,
                           &(hd_reduce_options){.segments = hd__spans_segments(s), .map = as_u64});
    if (status != HD_OK) return status;
    return hd_map(s->f.ctx, s->want, whole_or_none, s->granted,
                  &(hd_map_options){
                      .with = HD_VIEWS(hd__spans_of_pool(s, all), hd__spans_of_pool(s, s->pool))});
}

static hd_status grant(hd__spans *s)
{
    switch ((hd_spans_policy)s->o.policy) {
    case HD_SPANS_IN_ORDER: return grant_by_scan(s, whole_in_order);
    case HD_SPANS_SKIP: return hd__spans_skip(s);
    case HD_SPANS_ALL: return grant_all_or_none(s);
    case HD_SPANS_PARTIAL:
    case HD_SPANS_POLICIES: break;
    }
    return grant_by_scan(s, what_is_left);
}

static hd_status find_starts(hd__spans *s)
{
    const hd_scan_options how = {.exclusive = true, .segments = hd__spans_segments(s)};
    hd_view origins;
    hd_status status = hd_scan(s->f.ctx, s->granted, HD_SUM, s->starts, &how);
    if (status != HD_OK || !is_given(s->o.origins)) return status;
    status = hd__frame_dense(&s->f, *s->o.origins, HD_I64, &origins);
    if (status == HD_OK)
        status = refuse_any(s, "pools", s->pool, ends_too_far, origins,
                            "one that ends at 2^63 - 1 or before");
    if (status != HD_OK) return status;
    return hd_map(s->f.ctx, s->starts, plus, s->starts,
                  &(hd_map_options){.with = HD_VIEWS(hd__spans_of_pool(s, origins))});
}

static hd_status tell_left(hd__spans *s)
{
    hd_view left;
    if (!is_given(s->o.left)) return HD_OK;
    hd_status status = hd__frame_row(&s->f, HD_I64, s->m, &left);
    if (status == HD_OK)
        status = hd_reduce(s->f.ctx, s->granted, HD_SUM, left,
                           &(hd_reduce_options){.segments = hd__spans_segments(s)});
    if (status == HD_OK)
        status = hd_map(s->f.ctx, s->pool, minus, left, &(hd_map_options){.with = HD_VIEWS(left)});
    return status == HD_OK ? hd__frame_copy(&s->f, left, *s->o.left) : status;
}

static hd_status tell_unmet(hd__spans *s)
{
    const hd_spans_options *o = &s->o;
    int64_t count = 0;
    if (!is_given(o->unmet) && !is_given(o->unmet_count)) return HD_OK;
    const hd_view number = is_given(o->unmet_count) ? *o->unmet_count : HD_VIEW(&count, 1);
    return hd_compact(s->f.ctx, s->granted, HD_EMPTY, number,
                      &(hd_compact_options){.keep = gets_less,
                                            .with = HD_VIEWS(s->want),
                                            .indices = is_given(o->unmet) ? o->unmet : NULL});
}

static hd_status serve(hd__spans *s, hd_view starts)
{
    hd_status status = grant(s);
    if (status == HD_OK) status = find_starts(s);
    if (status == HD_OK) status = write_out(s, s->starts, &starts);
    if (status == HD_OK) status = write_out(s, s->granted, s->o.granted);
    if (status == HD_OK) status = tell_left(s);
    if (status == HD_OK) status = tell_unmet(s);
    if (status == HD_OK && is_given(s->o.rounds))
        status = hd_map(s->f.ctx, HD_VIEW(&s->rounds, 1), NULL, *s->o.rounds, NULL);
    return status;
}

hd_status hd_allocate_spans(hd_context *ctx, hd_view wants, hd_view pools, hd_view starts,
                            const hd_spans_options *options)
{
    hd__spans s = {.n = hd_count(wants), .m = hd_count(pools)};
    hd_status status = hd__frame_open(&s.f, ctx, "hd_allocate_spans", wants);
    if (status == HD_OK) status = hd__frame_options(&s.f, options, sizeof s.o, &s.o);
    if (status == HD_OK) status = check(&s, wants, pools, starts);
    if (status == HD_OK) status = make_rows(&s, wants, pools, starts);
    if (status == HD_OK) status = serve(&s, starts);
    return hd__frame_close(&s.f, status);
}

// ---- Names --------------------------------------------------------------------------------------

static const char *const names[HD_SPANS_POLICIES] = {"partial", "in-order", "skip", "all"};

const char *hd_spans_policy_name(hd_spans_policy policy)
{
    return policy >= 0 && policy < HD_SPANS_POLICIES ? names[policy] : NULL;
}

int32_t hd_spans_policy_named(const char *name)
{
    for (int32_t k = 0; k < HD_SPANS_POLICIES && name != NULL; k++)
        if (strcmp(name, names[k]) == 0) return k;
    return -1;
}
