// SPDX-License-Identifier: Apache-2.0
// Labels of connected components: those of runs, numbered by a scan over the roots, and painted by
// one call that repeats labels and zeros.
#include "label.h"

#include <inttypes.h>

#include "../support/team.h"

HD_FUNCTION(is_root, int64_t, HD_NO_SOURCE, (int64_t, parent, int64_t, run),
            { return parent == run; })
HD_FUNCTION(minus, int64_t, HD_NO_SOURCE, (int64_t, x, int64_t, y), { return x - y; })
// Positions in the image, whose rows have no 0 behind them.
HD_FUNCTION(first_of, int64_t, HD_NO_SOURCE, (int64_t, start, int64_t, row),
            { return start - start / row; })
HD_FUNCTION(behind_last, int64_t, HD_NO_SOURCE, (int64_t, start, int64_t, end, int64_t, row),
            { return end - start / row; })

typedef struct painting {
    hd_view value, length; // 2 r + 1 of each: zeros, run, zeros, run, ..., zeros
} painting;

// label[i] = which root run i has, from 1 on.
static hd_status number(hd__runs *s, hd_view *label, int64_t *count)
{
    hd_context *ctx = s->f->ctx;
    hd_view rank;
    *count = 0;
    hd_status status = hd__frame_row(s->f, HD_I64, s->r, &rank);
    if (status == HD_OK) status = hd__frame_row(s->f, HD_I64, s->r, label);
    if (status == HD_OK)
        status = hd_scan(ctx, s->parent, HD_SUM, rank,
                         &(hd_scan_options){.map = is_root, .with = HD_VIEWS(hd_iota(s->r))});
    if (status == HD_OK) status = hd_gather(ctx, rank, s->parent, *label, NULL);
    if (status == HD_OK && s->r > 0) status = hd__frame_read(s->f, rank, s->r - 1, count);
    return status;
}

// An integer type has `bits` of them for numbers that are not negative.
bool hd__label_holds(hd_type type, int64_t count)
{
    const int bits = 8 * (int)hd_type_size(type) - (type <= HD_I64);
    return bits >= 63 || count >> bits == 0;
}

// How many zeros stand before each run, and how long it is.
static hd_status measure(hd__runs *s, painting *p)
{
    hd_context *ctx = s->f->ctx;
    const hd_view row = hd_constant(s->w + 1, (int64_t)1);
    const int64_t r = s->r, n = s->h * s->w, zero = 0;
    hd_view first, behind; // the runs', and after the last run the end; before the first, 0
    hd_status status = hd__frame_row(s->f, HD_I64, r + 1, &first);
    if (status == HD_OK) status = hd__frame_row(s->f, HD_I64, r + 1, &behind);
    if (status == HD_OK)
        status = hd_map(ctx, s->start, first_of, hd__frame_part(first, 0, r),
                        &(hd_map_options){.with = HD_VIEWS(row)});
    if (status == HD_OK)
        status = hd_map(ctx, s->start, behind_last, hd__frame_part(behind, 1, r),
                        &(hd_map_options){.with = HD_VIEWS(s->end, row)});
    if (status == HD_OK)
        status = hd_map(ctx, hd_constant(n, (int64_t)1), NULL, hd__frame_part(first, r, 1), NULL);
    if (status == HD_OK)
        status =
            hd_map(ctx, hd_constant(zero, (int64_t)1), NULL, hd__frame_part(behind, 0, 1), NULL);
    if (status == HD_OK)
        status = hd_map(ctx, first, minus, hd_slice(p->length, 0, 0, r + 1, 2),
                        &(hd_map_options){.with = HD_VIEWS(behind)});
    if (status == HD_OK)
        status = hd_map(ctx, s->end, minus, hd_slice(p->length, 0, 1, r, 2),
                        &(hd_map_options){.with = HD_VIEWS(s->start)});
    return status;
}

static bool is_plain(const hd_view *v)
{
    return v->stride[1] == 1 && v->stride[0] == v->shape[1];
}

static hd_status paint(hd__runs *s, const painting *p, hd_view out)
{
    hd_view row = hd_view_of(out.type, out.data, s->h * s->w);
    int64_t all = 0;
    hd_status status = HD_OK;
    row.space = out.space, row.device = out.device;
    if (!is_plain(&out)) status = hd__frame_row(s->f, out.type, s->h * s->w, &row);
    if (status == HD_OK)
        status = hd_expand(s->f->ctx, p->value, p->length, row, HD_VIEW(&all, 1), NULL);
    if (status == HD_OK && !is_plain(&out)) status = hd__frame_copy(s->f, row, out);
    return status;
}

static hd_status check_count(hd__frame *f, hd_view out, int64_t count)
{
    if (hd__label_holds(out.type, count)) return HD_OK;
    return hd__frame_fail(f, HD_ERROR_TYPE,
                          "out: %s cannot hold %" PRId64 " labels; expected a wider type",
                          hd_type_name(out.type), count);
}

static hd_status label_runs(hd__runs *s, hd_view out, int64_t *count)
{
    const int64_t r = s->r;
    const uint8_t zero = 0;
    painting p;
    hd_view label;
    hd_status status = number(s, &label, count);
    if (status == HD_OK) status = check_count(s->f, out, *count);
    if (status == HD_OK) status = hd__frame_row(s->f, out.type, 2 * r + 1, &p.value);
    if (status == HD_OK) status = hd__frame_row(s->f, HD_I64, 2 * r + 1, &p.length);
    if (status == HD_OK)
        status = hd_map(s->f->ctx, hd_constant(zero, r + 1), NULL,
                        hd_slice(p.value, 0, 0, r + 1, 2), NULL);
    if (status == HD_OK)
        status = hd_map(s->f->ctx, label, NULL, hd_slice(p.value, 0, 1, r, 2), NULL);
    if (status == HD_OK) status = measure(s, &p);
    return status == HD_OK ? paint(s, &p, out) : status;
}

// ---- The call -----------------------------------------------------------------------------------

static hd_status check_number(hd__frame *f, const char *what, const hd_view *v)
{
    if (v == NULL || v->type == HD_NONE) return HD_OK;
    if (v->type != HD_I64 || hd_count(*v) != 1)
        return hd__frame_fail(f, HD_ERROR_TYPE, "%s: expected one i64", what);
    return hd__frame_check_out(f, what, *v);
}

static hd_status check(hd__frame *f, hd_view in, hd_view out, const hd_label_options *o)
{
    hd_status status = hd__frame_check(f, "in", in);
    if (status != HD_OK) return status;
    if (in.type < HD_I8 || in.type > HD_BOOL)
        return hd__frame_fail(f, HD_ERROR_TYPE, "in: expected numbers, got %s",
                              hd_type_name(in.type));
    if (out.type < HD_I8 || out.type > HD_U64)
        return hd__frame_fail(f, HD_ERROR_TYPE, "out: expected integers, got %s",
                              hd_type_name(out.type));
    if (in.ndim != 2 || out.ndim != 2 || out.shape[0] != in.shape[0] || out.shape[1] != in.shape[1])
        return hd__frame_fail(f, HD_ERROR_SHAPE, "expected two axes, and out shaped as in");
    status = hd__frame_check_out(f, "out", out);
    if (status == HD_OK) status = hd__frame_check_apart(f, "out", out, "in", in);
    if (status == HD_OK) status = check_number(f, "count", o->count);
    if (status == HD_OK) status = check_number(f, "rounds", o->rounds);
    const hd_view *const v[] = {&in, &out, o->count, o->rounds};
    static const char *const name[] = {"in", "out", "count", "rounds"};
    for (int k = 2; k < 4; k++)
        for (int j = 0; j < k && status == HD_OK && v[k] != NULL; j++)
            if (v[j] != NULL) status = hd__frame_check_apart(f, name[k], *v[k], name[j], *v[j]);
    return status;
}

static hd_status tell(hd__frame *f, const hd_view *v, int64_t number)
{
    return v == NULL || v->type == HD_NONE ? HD_OK
                                           : hd_map(f->ctx, HD_VIEW(&number, 1), NULL, *v, NULL);
}

// The cores do without rounds: who wants to know them gets the patterns' way.
static hd_status label(hd__frame *f, hd_view in, hd_view out, const hd_label_options *o,
                       int64_t *count, int64_t *rounds)
{
    const bool counts_rounds = o->rounds != NULL && o->rounds->type != HD_NONE;
    hd__runs s;
    if (!counts_rounds && hd__team_serves(f->ctx, f->on_device) && hd__label_cores_fit(in, out)) {
        hd__label_painting p = {.out = out};
        const hd_status status = hd__label_cores(f, in, o->diagonal, &p);
        *count = p.count;
        return status == HD_OK ? check_count(f, out, p.count) : status;
    }
    hd_status status = hd__runs_find(&s, f, in);
    if (status == HD_OK) status = hd__runs_join(&s, o->diagonal);
    if (status == HD_OK) status = label_runs(&s, out, count);
    *rounds = s.rounds;
    return status;
}

hd_status hd_label(hd_context *ctx, hd_view in, hd_view out, const hd_label_options *options)
{
    hd__frame f;
    hd_label_options o = {0};
    int64_t count = 0, rounds = 0;
    hd_status status = hd__frame_open(&f, ctx, "hd_label", in);
    if (status == HD_OK) status = hd__frame_options(&f, options, sizeof o, &o);
    if (status == HD_OK) status = check(&f, in, out, &o);
    if (status == HD_OK) status = label(&f, in, out, &o, &count, &rounds);
    if (status == HD_OK) status = tell(&f, o.count, count);
    if (status == HD_OK) status = tell(&f, o.rounds, rounds);
    return hd__frame_close(&f, status);
}
