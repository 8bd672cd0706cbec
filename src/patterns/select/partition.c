// SPDX-License-Identifier: Apache-2.0
// hd_partition: checks its arguments and hands the job to a backend.
#include "partition.h"
#include "core/arguments.h"

HD__BRINGS(partition)
HD__BRINGS_PASS(partition)

static const char call[] = "hd_partition";

#define MAX_WAYS ((int64_t)1 << 30)

static hd_status check_ways(hd_context *ctx, const hd_view *in, const hd_partition_options *o,
                            hd__partition_job *job)
{
    const bool by_bucket = o->bucket != NULL || !hd__is_empty(o->buckets);
    const bool by_choice = o->keep != NULL || !hd__is_empty(o->flags);
    if (by_bucket && (by_choice || o->invert))
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: buckets go without flags, keep and invert, which are for two ways",
                        call);
    if (by_bucket ? o->ways < 1 || o->ways > MAX_WAYS : o->ways != 0 && o->ways != 2)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: ways is %lld; expected %s", call,
                        (long long)o->ways, by_bucket ? "1 to 2^30" : "2 or 0 without buckets");
    job->buckets = by_bucket;
    job->ways = by_bucket ? o->ways : 2;
    const hd__flag_options two = {o->flags, o->keep, &o->with, "flags", "keep"};
    const hd__flag_options many = {o->buckets, o->bucket, &o->with, "buckets", "bucket"};
    HD_TRY(hd__check_flags(ctx, call, in, by_bucket ? &many : &two, &job->flags));
    job->flags.invert = o->invert;
    if (hd__is_number(job->flags.type)) return HD_OK;
    return hd__fail(ctx, HD_ERROR_TYPE, "%s: a %s is neither zero nor not: give flags or keep",
                    call, hd_type_name(in->type));
}

// An output of integers of exactly so many elements.
static hd_status check_integers(hd_context *ctx, const char *name, const hd_view *v, int64_t n,
                                int64_t most)
{
    HD_TRY(hd__check_indices(ctx, call, name, v, most));
    if (hd__is_empty(v) || hd_count(*v) == n) return HD_OK;
    char got[HD__SHAPE_TEXT];
    return hd__fail(ctx, HD_ERROR_SHAPE, "%s: %s has shape %s; expected %lld elements", call, name,
                    hd__shape_text(v, got), (long long)n);
}

static hd_status check_apart(hd_context *ctx, const hd__partition_job *job)
{
    const hd_view *const v[] = {&job->out, &job->counts, &job->offsets, &job->indices};
    static const char *const names[] = {"out", "counts", "offsets", "indices"};
    for (int a = 0; a < 4; a++) {
        HD_TRY(hd__check_apart_flags(ctx, call, names[a], v[a], &job->in, &job->flags, false));
        for (int b = 0; b < a; b++)
            HD_TRY(hd__check_apart_of(ctx, call, names[a], v[a], names[b], v[b]));
    }
    return HD_OK;
}

// Few numbers by flags of a byte each: the checks are one look, and a backend that has the rows in
// hand needs no job.
static bool partition_small_fast_path(hd_context *ctx, const hd_view *in, const hd_view *out,
                                      const hd_view *counts, const hd_partition_options *o)
{
    const hd_view *flags = o->flags;
    const bool counted = !hd__is_empty(counts);
    if (ctx->first->partition_row == NULL || hd__is_traced(ctx) || ctx->progress != NULL ||
        o->keep != NULL || o->bucket != NULL || o->ways != 0 || o->invert || o->with.count != 0 ||
        !hd__is_empty(o->buckets) || !hd__is_empty(o->offsets) || !hd__is_empty(o->indices) ||
        !hd__is_plain_row(in) || !hd__is_plain_row(flags) || !hd__is_plain_output(out))
        return false;
    if (!hd__is_seen(ctx, in) || !hd__is_seen(ctx, flags) || !hd__is_seen(ctx, out) ||
        in->type != out->type || !hd__is_number(in->type) || hd__size_of(flags->type) != 1 ||
        !hd__is_number(flags->type) || flags->shape[0] != in->shape[0] ||
        out->shape[0] != in->shape[0] || !hd__plainly_apart(in, out) ||
        !hd__plainly_apart(flags, out))
        return false;
    if (counted &&
        (!hd__is_plain_output(counts) || !hd__is_seen(ctx, counts) || counts->type != HD_I64 ||
         counts->shape[0] != 2 || !hd__plainly_apart(counts, in) ||
         !hd__plainly_apart(counts, flags) || !hd__plainly_apart(counts, out)))
        return false;
    if (!ctx->first->partition_row(hd__size_of(in->type), in->data, flags->data, in->shape[0],
                                   out->data, counted ? counts->data : NULL))
        return false;
    ctx->last = ctx->first->id;
    return true;
}

hd_status hd_partition(hd_context *ctx, hd_view in, hd_view out, hd_view counts,
                       const hd_partition_options *options)
{
    hd_partition_options o[1];
    hd__partition_job job;
    HD__BEGIN_ANYWHERE(ctx);
    HD_TRY(HD__TAKE_OPTIONS(ctx, call, hd_partition_options, options, o));
    if (partition_small_fast_path(ctx, &in, &out, &counts, o)) return HD_OK;
    HD__AT_LEAST_1D(&in, &out, &counts);
    HD_TRY(check_ways(ctx, &in, o, &job));
    job.n = hd_count(in);
    job.in = in;
    job.out = out;
    job.counts = counts;
    job.offsets = *o->offsets;
    job.indices = *o->indices;
    HD_TRY(hd__check_output(ctx, "hd_partition: out", &out));
    HD_TRY(hd__check_elements(ctx, call, "out", &out, in.type));
    if (hd_count(out) != job.n) {
        char got[HD__SHAPE_TEXT], expected[HD__SHAPE_TEXT];
        return hd__fail(ctx, HD_ERROR_SHAPE,
                        "%s: out has shape %s; expected as many elements as in, %s", call,
                        hd__shape_text(&out, got), hd__shape_text(&in, expected));
    }
    HD_TRY(check_integers(ctx, "counts", &counts, job.ways, job.n));
    HD_TRY(check_integers(ctx, "offsets", o->offsets, job.ways + 1, job.n));
    HD_TRY(check_integers(ctx, "indices", o->indices, job.n, job.n - 1));
    hd_view *const views[] = {&job.in, &job.out, &job.counts, &job.offsets, &job.indices};
    for (int k = 0; k < 5; k++)
        if (views[k]->ndim > 1) hd__collapse(views[k]);
    HD_TRY(check_apart(ctx, &job));
    const hd__subject subject = {job.buckets ? "by buckets" : "two ways", job.n, in.type};
    return hd__dispatch(ctx, HD__PARTITION_PATTERN, &job, &subject);
}

void hd__put_parts(const hd__partition_job *job, const int64_t *begins)
{
    for (int64_t k = 0; k < job->ways; k++) {
        const int64_t end = k + 1 < job->ways ? begins[k + 1] : job->n, count = end - begins[k];
        if (!hd__is_empty(&job->counts)) hd__put_indices(&job->counts, k, 1, &count);
    }
    if (hd__is_empty(&job->offsets)) return;
    hd__put_indices(&job->offsets, 0, job->ways, begins);
    hd__put_indices(&job->offsets, job->ways, 1, &job->n);
}

// How many of the first n sorted pairs from `at` on are of bucket k.
static int64_t count_from(const uint64_t *sorted, int64_t at, int64_t n, int64_t k)
{
    int64_t end = at;
    while (end < n && (int64_t)(sorted[end] >> 32) == k) end++;
    return end - at;
}

void hd__put_few_parts(const hd__partition_job *job, const uint64_t *sorted)
{
    enum { BLOCK = 256 };
    int64_t counts[BLOCK], begins[BLOCK], at = 0;
    const bool counted = !hd__is_empty(&job->counts), placed = !hd__is_empty(&job->offsets);
    for (int64_t k = 0; (counted || placed) && k < job->ways; k += BLOCK) {
        const int64_t m = job->ways - k < BLOCK ? job->ways - k : BLOCK;
        for (int64_t j = 0; j < m; j++) {
            begins[j] = at;
            at += counts[j] = count_from(sorted, at, job->n, k + j);
        }
        if (counted) hd__put_indices(&job->counts, k, m, counts);
        if (placed) hd__put_indices(&job->offsets, k, m, begins);
    }
    if (placed) hd__put_indices(&job->offsets, job->ways, 1, &job->n);
}

hd_status hd__bad_bucket(hd_context *ctx, const hd__partition_job *job, int64_t i, int64_t bucket)
{
    return hd__fail(ctx, HD_ERROR_VALUE, "%s: element %lld is of bucket %lld; expected 0 to %lld",
                    call, (long long)i, (long long)bucket, (long long)job->ways - 1);
}
