// SPDX-License-Identifier: Apache-2.0
// hd_histogram: checks its arguments, readies the rules of its bins and hands the job to a backend.
#include "histogram.h"
#include "core/arguments.h"
#include "patterns/in_blocks.h"
#include "core/convert.h"
#include "core/system/float_state.h"

#include <math.h>
#include <stdio.h>

HD__BRINGS(histogram)
HD__BRINGS_PASS(histogram)

static const char call[] = "hd_histogram";

// The options of one axis, and how they are called in errors.
typedef struct rule_options {
    const char *prefix; // "" or "second_"
    bool even;
    double lower, upper;
    const hd_view *edges;
    const hd_function *bin;
    int64_t first;
    int32_t letters;
    bool clamp;
} rule_options;

// ---- Edges ----------------------------------------------------------------------------------

#define BLOCK 256

static bool is_whole(hd_type values, hd_type edges)
{
    const bool floats = hd__is_float(values) || hd__is_float(edges);
    return !floats && (values == HD_U64) == (edges == HD_U64);
}

// All edges as i64 or f64.
static void read_edges(const hd_view *edges, bool whole, void *to)
{
    _Alignas(HD__ALIGNMENT) unsigned char some[BLOCK * 8];
    const int64_t n = edges->shape[0];
    for (int64_t at = 0; at < n; at += BLOCK) {
        const int64_t m = n - at < BLOCK ? n - at : BLOCK;
        hd__gather(edges, at, m, some);
        hd__convert(whole ? HD_I64 : HD_F64, (char *)to + at * 8, edges->type, some, m);
    }
    if (!whole || edges->type != HD_U64) return;
    for (int64_t k = 0; k < n; k++) ((uint64_t *)to)[k] ^= HD__TURN_SIGN;
}

static hd_status check_rising(hd_context *ctx, const char *prefix, const hd__bins *b)
{
    for (int64_t k = 0; k < b->count; k++) {
        if (b->whole ? b->edges.i[k] < b->edges.i[k + 1] : b->edges.f[k] < b->edges.f[k + 1])
            continue;
        if (b->whole)
            return hd__fail(ctx, HD_ERROR_VALUE,
                            "%s: %sedges[%lld] is not above %sedges[%lld]; expected each to be "
                            "above the one before it",
                            call, prefix, (long long)k + 1, prefix, (long long)k);
        return hd__fail(ctx, HD_ERROR_VALUE,
                        "%s: %sedges[%lld] is %.17g, not above %sedges[%lld], %.17g; expected each "
                        "to be above the one before it",
                        call, prefix, (long long)k + 1, b->edges.f[k + 1], prefix, (long long)k,
                        b->edges.f[k]);
    }
    return HD_OK;
}

static hd_status check_edges(hd_context *ctx, const rule_options *o, hd__bins *b)
{
    char name[64];
    snprintf(name, sizeof name, "%s: %sedges", call, o->prefix);
    HD_TRY(hd__check_input(ctx, name, o->edges));
    if (!hd__is_number(o->edges->type))
        return hd__fail(ctx, HD_ERROR_TYPE, "%s are %s; expected numbers", name,
                        hd_type_name(o->edges->type));
    if (o->edges->ndim != 1 || o->edges->shape[0] != b->count + 1)
        return hd__fail(ctx, HD_ERROR_SHAPE,
                        "%s: expected one dimension of %lld (one more than bins), got %d of %lld",
                        name, (long long)b->count + 1, (int)o->edges->ndim,
                        (long long)hd_count(*o->edges));
    if (o->edges->space == HD_DEVICE)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s are on a device; expected those of the host",
                        name);
    b->whole = is_whole(b->type, o->edges->type);
    return HD_OK;
}

// ---- Rules ----------------------------------------------------------------------------------

// Edges are rounded, each by half a unit in its last place at most: in bins that is less than
// 2^-53 * max(|lower|, |upper|) * scale. All other roundings, of positions among up to 2^24 bins,
// come to less than 2^-26 of a bin. Together less than a half, unless bins are crowded.
double hd__bins_off(const hd__bins *b)
{
    return fmax(fabs(b->lower), fabs(b->upper)) * b->scale * 0x1p-53 + 0x1p-26;
}

static bool is_crowded(const hd__bins *b)
{
    return !(fmax(fabs(b->lower), fabs(b->upper)) * b->scale < 0x1p50);
}

static hd_status check_even(hd_context *ctx, const rule_options *o, hd__bins *b)
{
    b->lower = o->lower;
    b->upper = o->upper;
    b->scale = (double)b->count / (o->upper - o->lower);
    b->step = (o->upper - o->lower) / (double)b->count;
    b->crowded = is_crowded(b);
    if (!(o->lower < o->upper))
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: %slower is %g and %supper %g; expected lower below upper", call,
                        o->prefix, o->lower, o->prefix, o->upper);
    if (!isfinite(o->upper - o->lower) || !isfinite(b->scale))
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: %slower is %g and %supper %g; expected a range and bins whose widths "
                        "are finite",
                        call, o->prefix, o->lower, o->prefix, o->upper);
    return HD_OK;
}

static hd_status check_letters(hd_context *ctx, const rule_options *o, hd__bins *b)
{
    b->letters = o->letters;
    if (o->letters < 1 || o->letters > 26)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: letters is %d; expected 1 to 26", call,
                        (int)o->letters);
    if (b->type != HD_U8 && b->type != HD_I8)
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: letters of values of type %s; expected u8 or i8",
                        call, hd_type_name(b->type));
    const int64_t bins = (26 + o->letters - 1) / o->letters;
    if (b->count != bins)
        return hd__fail(ctx, HD_ERROR_SHAPE,
                        "%s: out has %lld bins; expected %lld, for letters by %d", call,
                        (long long)b->count, (long long)bins, (int)o->letters);
    if (o->clamp)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: clamp and letters exclude each other", call);
    return HD_OK;
}

static hd_status check_integers(hd_context *ctx, const rule_options *o, hd__bins *b)
{
    const bool whole = hd__is_integer(b->type) || b->type == HD_BOOL;
    if (!whole && o->bin != NULL)
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: function %s returns %s; expected an integer type",
                        call, o->bin->name, hd_type_name(b->type));
    if (!whole)
        return hd__fail(ctx, HD_ERROR_TYPE,
                        "%s: one bin a value needs integers, got %s; give %seven and its range, "
                        "%sedges or bin",
                        call, hd_type_name(b->type), o->prefix, o->prefix);
    int64_t last;
    b->first = o->bin != NULL ? 0 : o->first;
    if (__builtin_add_overflow(b->first, b->count - 1, &last))
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: %sfirst is %lld; %lld bins from there leave the range of i64", call,
                        o->prefix, (long long)o->first, (long long)b->count);
    return HD_OK;
}

static hd_status check_rule(hd_context *ctx, const rule_options *o, hd__bins *b)
{
    const bool edges = !hd__is_empty(o->edges), letters = o->letters != 0, bin = o->bin != NULL;
    const bool even = o->even;
    if (!even && (o->lower != 0 || o->upper != 0)) // NaN too
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: %slower is %g and %supper %g without %seven; they are for even bins",
                        call, o->prefix, o->lower, o->prefix, o->upper, o->prefix);
    if (o->first != 0 && (edges || letters || even || bin))
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: %sfirst is %lld; it is for bins of one integer each", call, o->prefix,
                        (long long)o->first);
    b->clamp = o->clamp;
    if (edges + letters + even + bin > 1)
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: %seven, %sedges, letters and bin exclude each other", call, o->prefix,
                        o->prefix);
    b->rule = edges     ? HD__EDGE_BINS
              : letters ? HD__LETTER_BINS
              : even    ? HD__EVEN_BINS
                        : HD__INTEGER_BINS;
    if (b->rule != HD__INTEGER_BINS && !hd__is_number(b->type))
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: values of type %s have no such bins; give bin",
                        call, hd_type_name(b->type));
    switch (b->rule) {
    case HD__EDGE_BINS: return check_edges(ctx, o, b);
    case HD__LETTER_BINS: return check_letters(ctx, o, b);
    case HD__EVEN_BINS: return check_even(ctx, o, b);
    case HD__INTEGER_BINS: break;
    }
    return check_integers(ctx, o, b);
}

// ---- Views ----------------------------------------------------------------------------------

// A reader of elements as they are.
static void finish_values(hd__binned *v, hd_type type, bool keep_axes)
{
    const size_t size = hd__size_of(type);
    v->raw = (hd__fold){.element = type,
                        .number = type,
                        .direct_in = true,
                        .element_size = size,
                        .node_size = size};
    hd__finish_reader(&v->in, &v->raw, keep_axes);
}

static hd_status check_like(hd_context *ctx, const char *what, const hd_view *in, const hd_view *v)
{
    HD_TRY(hd__check_input_as(ctx, v, "%s: %s", call, what));
    return hd__check_shape_of(ctx, call, what, v, "in", in);
}

// The bins of each histogram: all of out, or the last axes of it.
static hd_status check_bins(hd_context *ctx, hd__histogram_job *job)
{
    const hd_view *out = &job->out;
    const int others = job->slices == HD__EVERYTHING ? 0 : out->ndim - job->axes;
    hd_view bins = {.ndim = out->ndim - others};
    for (int k = 0; k < bins.ndim; k++) bins.shape[k] = out->shape[others + k];
    job->bins = hd_count(bins);
    if (job->bins >= 1 && job->bins <= HD_MAX_BINS) return HD_OK;
    return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: out has %lld bins%s; expected 1 to %lld", call,
                    (long long)job->bins, others > 0 ? " for each row or segment" : "",
                    (long long)HD_MAX_BINS);
}

// All axes of out but those of the bins are those of in but one, or one of segments.
static hd_status check_slots(hd_context *ctx, const hd_view *in, const hd__histogram_job *job)
{
    char got[HD__SHAPE_TEXT], expected[HD__SHAPE_TEXT];
    hd_view like = {.ndim = 0}, others = job->out;
    if (job->slices == HD__SEGMENTS) like.shape[like.ndim++] = job->segments.shape[0] - 1;
    for (int k = 0; job->slices == HD__ROWS && k < in->ndim; k++)
        if (k != job->axis) like.shape[like.ndim++] = in->shape[k];
    others.ndim -= job->axes;
    if (others.ndim >= 0 && hd__same_shape(&others, &like)) return HD_OK;
    return hd__fail(ctx, HD_ERROR_SHAPE,
                    "%s: out has shape %s; expected %s, one for each %s, and then %s", call,
                    hd__shape_text(&job->out, got), hd__shape_text(&like, expected),
                    job->slices == HD__ROWS ? "row along the axis" : "segment",
                    job->axes == 2 ? "the bins of in and those of second" : "one axis of bins");
}

static hd_status check_out(hd_context *ctx, const hd_view *in, hd__histogram_job *job)
{
    const hd_view *out = &job->out;
    job->slice_count = 1;
    HD_TRY(hd__check_output(ctx, "hd_histogram: out", out));
    if (job->slices != HD__EVERYTHING) HD_TRY(check_slots(ctx, in, job));
    HD_TRY(check_bins(ctx, job));
    if (job->slices != HD__EVERYTHING) {
        for (int k = 0; k < out->ndim - job->axes; k++) job->slice_count *= out->shape[k];
        return HD_OK;
    }
    if (job->axes == 1 || out->ndim == 2) return HD_OK;
    return hd__fail(ctx, HD_ERROR_SHAPE,
                    "%s: out has %d dimensions; expected 2, a row for each bin of in and a "
                    "column for each of second",
                    call, (int)out->ndim);
}

// The elements, and which of them make a histogram together.
static hd_status check_elements(hd_context *ctx, const hd_view *in, const hd_histogram_options *o,
                                hd__histogram_job *job)
{
    if (o->map != NULL && o->bin != NULL)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: map and bin exclude each other", call);
    const hd_function *function = o->bin != NULL ? o->bin : o->map;
    const hd__slice_options slices = {o->axis, o->segments, &(hd_view){0}, NULL, 1};
    HD_TRY(
        hd__check_inputs(ctx, call, in, function, &o->with, &job->first.in, &job->first.bins.type));
    job->n = job->first.in.n;
    job->axis = 0;
    job->segments = *o->segments;
    return hd__select_slices(ctx, call, &slices, &job->first.in, &job->slices, &job->axis);
}

static hd_status check_first(hd_context *ctx, const hd_histogram_options *o, hd__histogram_job *job)
{
    const rule_options rule = {"",     o->even,  o->lower,   o->upper, o->edges,
                               o->bin, o->first, o->letters, o->clamp};
    job->first.bins.count = job->axes == 2 ? job->out.shape[job->out.ndim - 2] : job->bins;
    HD_TRY(check_rule(ctx, &rule, &job->first.bins));
    finish_values(&job->first, job->first.bins.type, job->slices == HD__ROWS);
    return HD_OK;
}

static hd_status check_second(hd_context *ctx, const hd_view *in, const hd_histogram_options *o,
                              hd__histogram_job *job)
{
    if (job->axes != 2) {
        const bool idle = o->second_even || o->second_lower != 0 || o->second_upper != 0 ||
                          !hd__is_empty(o->second_edges) || o->second_first != 0;
        return idle ? hd__fail(ctx, HD_ERROR_ARGUMENT,
                               "%s: bins of second are given, but not second", call)
                    : HD_OK;
    }
    if (o->bin != NULL || o->letters != 0)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: %s and second exclude each other", call,
                        o->bin != NULL ? "bin" : "letters");
    hd_type type;
    HD_TRY(check_like(ctx, "second", in, o->second));
    HD_TRY(
        hd__check_inputs(ctx, call, o->second, NULL, &(hd_views){NULL, 0}, &job->second.in, &type));
    const rule_options rule = {"second_",       o->second_even, o->second_lower, o->second_upper,
                               o->second_edges, NULL,           o->second_first, 0,
                               o->clamp};
    job->second.bins.type = type;
    job->second.bins.count = job->out.shape[job->out.ndim - 1];
    HD_TRY(check_rule(ctx, &rule, &job->second.bins));
    finish_values(&job->second, type, job->slices == HD__ROWS);
    return HD_OK;
}

static hd_status check_weights(hd_context *ctx, const hd_view *in, const hd_histogram_options *o,
                               hd__histogram_job *job)
{
    const hd_type out = job->out.type;
    hd_type type;
    if (!job->weighted) {
        if (o->accumulate != HD_NONE || o->sum != NULL)
            return hd__fail(ctx, HD_ERROR_ARGUMENT,
                            "%s: %s is for weights, of which there are none", call,
                            o->sum != NULL ? "sum" : "accumulate");
        if (o->order != 0)
            return hd__fail(ctx, HD_ERROR_ARGUMENT,
                            "%s: order is for weights, of which there are none", call);
        if (hd__is_integer(out) && hd__size_of(out) >= 4) return HD_OK;
        return hd__fail(ctx, HD_ERROR_TYPE,
                        "%s: out is %s; expected i32, u32, i64 or u64 for counts", call,
                        hd_type_name(out));
    }
    HD_TRY(check_like(ctx, "weights", in, o->weights));
    HD_TRY(
        hd__check_inputs(ctx, call, o->weights, NULL, &(hd_views){NULL, 0}, &job->weights, &type));
    if (hd__is_complex(type))
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: weights are %s; expected numbers", call,
                        hd_type_name(type));
    const hd_operator *sum = o->sum != NULL ? o->sum : HD_SUM;
    if (sum != HD_SUM && sum != HD_SUM_COMPENSATED && sum != HD_SUM_EXACT)
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: sum is %s; expected sum, sum_compensated or sum_exact", call,
                        hd_operator_name(sum));
    const hd__fold_options requested = {.accumulate = o->accumulate};
    HD_TRY(hd__resolve(ctx, call, sum, type, out, &requested, &job->fold));
    hd__finish_reader(&job->weights, &job->fold, job->slices == HD__ROWS);
    return HD_OK;
}

// By rows or segments one number for each.
static hd_status check_outside(hd_context *ctx, const hd_histogram_options *o,
                               const hd__histogram_job *job, const hd__named_view *others,
                               int count)
{
    const hd_view *outside = o->outside;
    if (job->slices == HD__EVERYTHING) {
        HD_TRY(hd__check_number_apart(ctx, call, "outside", outside, &job->first.in));
        return hd__check_number(ctx, call, "outside", outside, others, count);
    }
    if (hd__is_empty(outside)) return HD_OK;
    HD_TRY(hd__check_output_as(ctx, outside, "%s: outside", call));
    if (outside->type != HD_I64)
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: outside: the type is %s; expected i64", call,
                        hd_type_name(outside->type));
    if (hd__count(outside) != job->slice_count)
        return hd__fail(ctx, HD_ERROR_SHAPE,
                        "%s: outside has %lld elements; expected %lld, one for each row or segment",
                        call, (long long)hd__count(outside), (long long)job->slice_count);
    HD_TRY(hd__check_apart(ctx, call, "outside", outside, &job->first.in, false));
    for (int k = 0; k < count; k++)
        HD_TRY(hd__check_apart_of(ctx, call, "outside", outside, others[k].name, others[k].view));
    return HD_OK;
}

static hd_status check_apart(hd_context *ctx, const hd_histogram_options *o,
                             const hd__histogram_job *job)
{
    const hd__named_view others[] = {{"out", &job->out},        {"second", o->second},
                                     {"weights", o->weights},   {"edges", o->edges},
                                     {"segments", o->segments}, {"second_edges", o->second_edges}};
    HD_TRY(hd__check_apart(ctx, call, "out", &job->out, &job->first.in, false));
    for (int k = 1; k < 6; k++)
        HD_TRY(hd__check_apart_of(ctx, call, "out", &job->out, others[k].name, others[k].view));
    return check_outside(ctx, o, job, others, 6);
}

// ---- The call -------------------------------------------------------------------------------

// Where the number of those outside goes; those of rows and segments are a view all the same.
static void take_outside(const hd_histogram_options *o, hd__histogram_job *job)
{
    const bool to_view = hd__is_device_number(o->outside) || job->slices != HD__EVERYTHING;
    job->outside = to_view || hd__is_empty(o->outside) ? NULL : o->outside->data;
    job->outside_to = to_view ? *o->outside : HD_EMPTY;
}

static hd_status check_all(hd_context *ctx, const hd_view *in, const hd_view *out,
                           const hd_histogram_options *o, hd__histogram_job *job)
{
    job->axes = hd__is_empty(o->second) ? 1 : 2;
    job->weighted = !hd__is_empty(o->weights);
    job->add = o->add;
    job->any_order = o->order == HD_ANY_ORDER;
    job->out = *out;
    if (o->order != 0 && o->order != HD_ANY_ORDER)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: order is %d; expected 0 or HD_ANY_ORDER", call,
                        (int)o->order);
    HD_TRY(check_elements(ctx, in, o, job));
    take_outside(o, job);
    HD_TRY(check_out(ctx, in, job));
    HD_TRY(check_first(ctx, o, job));
    HD_TRY(check_second(ctx, in, o, job));
    HD_TRY(check_weights(ctx, in, o, job));
    HD_TRY(check_apart(ctx, o, job));
    if (job->slices == HD__EVERYTHING) hd__collapse(&job->out);
    return HD_OK;
}

static size_t edge_bytes(const hd__bins *b)
{
    return b->rule == HD__EDGE_BINS ? hd__padded((size_t)(b->count + 1) * 8) : 0;
}

static hd_status ready_edges(hd_context *ctx, const char *prefix, const hd_view *edges,
                             void *memory, hd__bins *b)
{
    if (b->rule != HD__EDGE_BINS) return HD_OK;
    read_edges(edges, b->whole, memory);
    b->edges.i = memory; // or f: the bytes are the same
    return check_rising(ctx, prefix, b);
}

static hd_status dispatch(hd_context *ctx, const hd__histogram_job *job)
{
    static const char *const rules[] = {"by value", "in even bins", "between edges", "of letters"};
    const hd__subject subject = {rules[job->first.bins.rule], job->n, job->first.in.view[0].type};
    return hd__run_histogram(ctx, job, &subject);
}

// Few integers counted by value: the checks are one look, and a backend that has the rows in hand
// needs no job.
static bool histogram_small_fast_path(hd_context *ctx, const hd_view *in, const hd_view *out)
{
    if (ctx->first->histogram_row == NULL || hd__is_traced(ctx) || ctx->progress != NULL ||
        !hd__is_plain_row(in) || !hd__is_plain_output(out) || !hd__is_seen(ctx, in) ||
        !hd__is_seen(ctx, out) || !hd__is_integer(out->type) || hd__size_of(out->type) < 4 ||
        !hd__plainly_apart(in, out))
        return false;
    if (!ctx->first->histogram_row(in->type, in->data, in->shape[0], hd__size_of(out->type),
                                   out->data, out->shape[0]))
        return false;
    ctx->last = ctx->first->id;
    return true;
}

hd_status hd_histogram(hd_context *ctx, hd_view in, hd_view out,
                       const hd_histogram_options *options)
{
    hd_histogram_options o[1];
    HD__BEGIN_ANYWHERE(ctx);
    if (options == NULL && histogram_small_fast_path(ctx, &in, &out)) return HD_OK;
    HD__FLOAT_STATE;
    HD_TRY(HD__TAKE_OPTIONS(ctx, call, hd_histogram_options, options, o));
    HD__AT_LEAST_1D(&in, &out);
    hd__histogram_job job;
    HD_TRY(check_all(ctx, &in, &out, o, &job));
    hd__bins *first = &job.first.bins, *second = &job.second.bins;
    if (job.axes == 1) job.second.raw.node_size = 0, second->rule = HD__INTEGER_BINS;
    const size_t first_bytes = edge_bytes(first), bytes = first_bytes + edge_bytes(second);
    if (bytes == 0) return dispatch(ctx, &job);
    char *memory = hd__allocate(ctx, bytes);
    if (memory == NULL) return HD_ERROR_MEMORY;
    hd_status status = ready_edges(ctx, "", o->edges, memory, first);
    if (status == HD_OK)
        status = ready_edges(ctx, "second_", o->second_edges, memory + first_bytes, second);
    if (status == HD_OK) status = dispatch(ctx, &job);
    hd__release(ctx, memory, bytes);
    return status;
}
