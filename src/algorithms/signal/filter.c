// SPDX-License-Identifier: Apache-2.0
// hd_filter and hd_filter_sections: arguments, coefficients, states; the work is filter_rows.c's.
#include <heddle/algorithms/filter.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/system/float_state.h"
#include "signal.h"

enum { MAX_SECTIONS = 64, SECTION_NUMBERS = 6 };

typedef struct filter {
    hd__signal s;
    hd_filter_options o;
    hd__section section[MAX_SECTIONS];
    int count;
    bool sections; // states have an axis for them
} filter;

// ---- Coefficients ---------------------------------------------------------------------------

// A list of numbers of the host, 1 to `most` of them.
static hd_status check_list(filter *t, const char *what, hd_view v, int64_t most)
{
    if (v.space != HD_HOST)
        return hd__frame_fail(&t->s.f, HD_ERROR_ARGUMENT, "%s: expected memory of the host", what);
    if (v.ndim > 1 || hd_count(v) < 1 || hd_count(v) > most)
        return hd__frame_fail(&t->s.f, HD_ERROR_SHAPE,
                              "%s: expected a row of 1 to %" PRId64 " coefficients", what, most);
    return HD_OK;
}

// Divides by a[0] and finds the order.
static hd_status normalise(filter *t, hd__section *section, int order)
{
    HD__FLOAT_STATE;
    const double a0 = section->a[0];
    if (a0 == 0)
        return hd__frame_fail(&t->s.f, HD_ERROR_VALUE, "section %d: a[0] is 0; expected another",
                              (int)(section - t->section));
    for (int j = 0; j <= order; j++) {
        section->b[j] /= a0, section->a[j] /= a0;
        if (!isfinite(section->b[j]) || !isfinite(section->a[j]))
            return hd__frame_fail(&t->s.f, HD_ERROR_VALUE,
                                  "section %d: coefficient %d over a[0] is not finite",
                                  (int)(section - t->section), j);
    }
    section->order = order;
    return HD_OK;
}

static hd_status read_pair(filter *t, hd_view b, hd_view a)
{
    const int64_t most = HD__FILTER_ORDER + 1;
    hd__section *const one = &t->section[0];
    hd_status status = check_list(t, "b", b, most);
    if (status == HD_OK) status = check_list(t, "a", a, most);
    if (status == HD_OK) status = hd__signal_numbers(&t->s, "b", b, one->b);
    if (status == HD_OK) status = hd__signal_numbers(&t->s, "a", a, one->a);
    if (status != HD_OK) return status;
    t->count = 1;
    return normalise(t, one, (int)(hd_count(b) > hd_count(a) ? hd_count(b) : hd_count(a)) - 1);
}

static hd_status read_sections(filter *t, hd_view sections)
{
    double row[MAX_SECTIONS * SECTION_NUMBERS];
    if (sections.space != HD_HOST)
        return hd__frame_fail(&t->s.f, HD_ERROR_ARGUMENT, "sections: expected memory of the host");
    if (sections.ndim != 2 || sections.shape[1] != SECTION_NUMBERS || sections.shape[0] < 1 ||
        sections.shape[0] > MAX_SECTIONS)
        return hd__frame_fail(&t->s.f, HD_ERROR_SHAPE,
                              "sections: expected 1 to %d rows of %d coefficients", MAX_SECTIONS,
                              SECTION_NUMBERS);
    hd_status status = hd__signal_numbers(&t->s, "sections", sections, row);
    t->count = (int)sections.shape[0];
    for (int k = 0; status == HD_OK && k < t->count; k++) {
        memcpy(t->section[k].b, row + 6 * k, 3 * sizeof *row);
        memcpy(t->section[k].a, row + 6 * k + 3, 3 * sizeof *row);
        status = normalise(t, &t->section[k], 2);
    }
    return status;
}

// ---- Options --------------------------------------------------------------------------------

static bool given(const hd_view *v)
{
    return v != NULL && v->type != HD_NONE;
}

static hd_status check_states(filter *t)
{
    const hd_filter_options *o = &t->o;
    const int64_t middles = t->sections ? t->count : -1;
    const int used = t->section[0].order;
    if (given(o->state_in) && (o->both || o->steady))
        return hd__frame_fail(&t->s.f, HD_ERROR_ARGUMENT, "state_in: not with both or steady");
    if (given(o->state_out) && (o->both || o->pad > 0))
        return hd__frame_fail(&t->s.f, HD_ERROR_ARGUMENT, "state_out: not with both or pad");
    hd_status status = hd__signal_check_state(&t->s, "state_in", o->state_in, used, middles);
    if (status == HD_OK)
        status = hd__signal_check_state(&t->s, "state_out", o->state_out, used, middles);
    if (status != HD_OK || !given(o->state_out)) return status;
    status = hd__frame_check_out(&t->s.f, "state_out", *o->state_out);
    if (status == HD_OK)
        status = hd__frame_check_apart(&t->s.f, "state_out", *o->state_out, "in", t->s.in);
    if (status == HD_OK)
        status = hd__frame_check_apart(&t->s.f, "state_out", *o->state_out, "out", t->s.out);
    if (status == HD_OK && given(o->state_in))
        status =
            hd__frame_check_apart(&t->s.f, "state_out", *o->state_out, "state_in", *o->state_in);
    return status;
}

static hd_status check_in_state(filter *t)
{
    if (!given(t->o.state_in)) return HD_OK;
    return hd__frame_check_apart(&t->s.f, "out", t->s.out, "state_in", *t->o.state_in);
}

static hd_status check_flags(filter *t)
{
    for (size_t k = 0; k < sizeof t->o.reserved_flags; k++)
        if (t->o.reserved_flags[k])
            return hd__frame_fail(&t->s.f, HD_ERROR_ARGUMENT, "reserved_flags: expected zeros");
    return HD_OK;
}

// ---- Sections one after another -------------------------------------------------------------

static hd_status one_section(filter *t, int k, hd_view from)
{
    hd__signal *const s = &t->s;
    const hd__section *const section = &t->section[k];
    const int order = hd__filter_kernels_of(s->f.ctx, s->real, section->order)->order;
    const int64_t middle = t->sections ? k : -1;
    hd_view first = HD_EMPTY, last = HD_EMPTY;
    hd_status status =
        t->o.steady ? hd__signal_steady(s, section, from, &first)
                    : hd__signal_state(s, t->o.state_in, order, section->order, middle, &first);
    if (status == HD_OK && given(t->o.state_out))
        status = hd__frame_row(&s->f, s->real, s->m * order, &last);
    if (status == HD_OK) status = hd__signal_filter(s, section, from, first, last);
    if (status == HD_OK && given(t->o.state_out))
        status = hd__signal_put_state(s, last, order, section->order, middle, t->o.state_out);
    if (status == HD_OK) status = hd__frame_drop(&s->f, &last);
    return status == HD_OK ? hd__frame_drop(&s->f, &first) : status;
}

static hd_status all_sections(filter *t)
{
    hd_status status = HD_OK;
    for (int k = 0; status == HD_OK && k < t->count; k++)
        status = one_section(t, k, k == 0 ? t->s.from : t->s.to);
    return status;
}

static hd_status run(filter *t)
{
    hd_status status = hd__signal_load(&t->s, HD__FILTER_BLOCK);
    if (status == HD_OK) status = all_sections(t);
    if (status == HD_OK && t->o.both) {
        status = hd__signal_turn(&t->s);
        if (status == HD_OK) status = all_sections(t);
    }
    return status == HD_OK ? hd__signal_store(&t->s, t->o.both) : status;
}

// ---- The calls ------------------------------------------------------------------------------

static hd_status open_filter(filter *t, hd_context *ctx, hd__signal_call *call,
                             const hd_filter_options *options)
{
    hd_status status;
    memset(t, 0, sizeof *t);
    t->s.f.ctx = ctx, t->s.f.name = call->name;
    if (ctx == NULL) return HD_ERROR_ARGUMENT;
    status = hd__frame_options(&t->s.f, options, sizeof t->o, &t->o);
    if (status != HD_OK) return status;
    call->axis = t->o.axis, call->backward = t->o.backward;
    call->accumulate = t->o.accumulate, call->pad = t->o.pad;
    return hd__signal_open(&t->s, ctx, call);
}

static hd_status finish(filter *t)
{
    hd_status status = check_flags(t);
    if (status == HD_OK) status = check_states(t);
    if (status == HD_OK) status = check_in_state(t);
    return status == HD_OK ? run(t) : status;
}

hd_status hd_filter(hd_context *ctx, hd_view in, hd_view b, hd_view a, hd_view out,
                    const hd_filter_options *options)
{
    filter t;
    hd__signal_call call = {.name = "hd_filter", .in = in, .out = out};
    hd_status status = open_filter(&t, ctx, &call, options);
    if (status == HD_OK) status = read_pair(&t, b, a);
    if (status == HD_OK) status = finish(&t);
    return hd__signal_close(&t.s, status);
}

hd_status hd_filter_sections(hd_context *ctx, hd_view in, hd_view sections, hd_view out,
                             const hd_filter_options *options)
{
    filter t;
    hd__signal_call call = {.name = "hd_filter_sections", .in = in, .out = out};
    hd_status status = open_filter(&t, ctx, &call, options);
    t.sections = true;
    if (status == HD_OK) status = read_sections(&t, sections);
    if (status == HD_OK) status = finish(&t);
    return hd__signal_close(&t.s, status);
}
