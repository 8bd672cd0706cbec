// SPDX-License-Identifier: Apache-2.0
// Heads of segments from offsets or keys, in the order the scan goes.
#include "head_flags.h"
#include "core/convert.h"
#include "patterns/select/equal_keys.h"

#define BLOCK 512

void hd__offsets(const hd_view *offsets, int64_t start, int64_t n, int64_t *to)
{
    uint64_t raw[BLOCK];
    for (int64_t at = 0; at < n; at += BLOCK) {
        const int64_t m = n - at < BLOCK ? n - at : BLOCK;
        hd__gather(offsets, start + at, m, raw);
        hd__convert(HD_I64, to + at, offsets->type, raw, m);
    }
}

// The same where they lie, or up to BLOCK of them converted.
static const int64_t *read_offsets(const hd_view *offsets, int64_t start, int64_t n, int64_t *block)
{
    if (offsets->type == HD_I64 && hd__is_contiguous(offsets))
        return (const int64_t *)(const void *)hd__at(offsets, start);
    hd__offsets(offsets, start, n, block);
    return block;
}

hd_status hd__check_offset_values(hd_context *ctx, const char *call, const int64_t *offsets,
                                  int64_t start, int64_t n, int64_t before, int64_t limit)
{
    // One pass without branches finds whether anything is wrong; a second one says what.
    int64_t bad = n > 0 && (offsets[0] < before || offsets[n - 1] > limit), last = before;
    for (int64_t i = 1; i < n; i++) bad |= offsets[i] < offsets[i - 1];
    if (!bad) return HD_OK;
    for (int64_t i = 0; i < n; i++) {
        if (offsets[i] > limit || offsets[i] < 0)
            return hd__fail(ctx, HD_ERROR_VALUE,
                            "%s: segments: offset %lld is %lld; expected 0 to %lld", call,
                            (long long)(start + i), (long long)offsets[i], (long long)limit);
        if (offsets[i] < last)
            return hd__fail(ctx, HD_ERROR_VALUE,
                            "%s: segments: offset %lld is %lld, less than the one before, %lld",
                            call, (long long)(start + i), (long long)offsets[i], (long long)last);
        last = offsets[i];
    }
    return HD_OK;
}

hd_status hd__check_all_offsets(hd_context *ctx, const char *call, const hd_view *offsets,
                                int64_t limit)
{
    int64_t block[BLOCK], before = 0;
    for (int64_t at = 0; at < offsets->shape[0]; at += BLOCK) {
        const int64_t m = offsets->shape[0] - at < BLOCK ? offsets->shape[0] - at : BLOCK;
        const int64_t *these = read_offsets(offsets, at, m, block);
        HD_TRY(hd__check_offset_values(ctx, call, these, at, m, before, limit));
        before = these[m - 1];
    }
    return HD_OK;
}

// What is wrong with offsets comes first, on every backend.
static hd_status fail_empty(hd_context *ctx, const hd__reduce_job *job, int64_t segment)
{
    HD_TRY(hd__check_all_offsets(ctx, "hd_reduce", &job->segments, job->in.n));
    return hd__fail(ctx, HD_ERROR_VALUE,
                    "hd_reduce: segment %lld has no elements and operator %s no identity",
                    (long long)segment, job->fold.asked->name);
}

hd_status hd__check_empty_segments(hd_context *ctx, const hd__reduce_job *job)
{
    const hd__fold *f = &job->fold;
    int64_t block[BLOCK + 1];
    const int64_t segments = job->segments.shape[0] - 1;
    if (segments == 0) return hd__check_all_offsets(ctx, "hd_reduce", &job->segments, job->in.n);
    if (f->init != NULL || f->op != HD__USER_OP || f->node->identity != NULL) return HD_OK;
    for (int64_t at = 0; at < segments; at += BLOCK) {
        const int64_t m = segments - at < BLOCK ? segments - at : BLOCK;
        hd__offsets(&job->segments, at, m + 1, block);
        for (int64_t i = 0; i < m; i++)
            if (block[i] == block[i + 1]) return fail_empty(ctx, job, at + i);
    }
    return HD_OK;
}

hd_status hd__check_many_segments(hd_context *ctx, const hd__reduce_job *each, int64_t count)
{
    if (each->slices != HD__SEGMENTS) return HD_OK;
    HD_TRY(hd__check_all_offsets(ctx, "hd_reduce_many", &each->segments, each->in.n));
    for (int64_t k = 0; k < count; k++) HD_TRY(hd__check_empty_segments(ctx, &each[k]));
    return HD_OK;
}

static int64_t offset_at(const hd_view *offsets, int64_t j)
{
    int64_t value;
    hd__offsets(offsets, j, 1, &value);
    return value;
}

// The first j whose offset is at least x.
static int64_t search(const hd_view *offsets, int64_t x)
{
    int64_t low = 0, high = offsets->shape[0];
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (offset_at(offsets, middle) < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Elements start .. start + n - 1 of the scan's order are low .. high - 1 of the offsets' own;
// backward, the first element of a segment is the one before an offset.
static void segment_heads(const hd__scan_job *job, int64_t start, int64_t n, uint8_t *head_flags)
{
    int64_t block[BLOCK];
    const int64_t total = job->in.n, count = job->segments.shape[0];
    const int64_t low = job->backward ? total - start - n + 1 : start;
    memset(head_flags, 0, (size_t)n);
    for (int64_t j = search(&job->segments, low); j < count; j += BLOCK) {
        const int64_t m = count - j < BLOCK ? count - j : BLOCK;
        const int64_t *these = read_offsets(&job->segments, j, m, block);
        for (int64_t i = 0; i < m; i++) {
            if (these[i] >= low + n) return;
            head_flags[job->backward ? total - these[i] - start : these[i] - start] = 1;
        }
    }
}

void hd__head_flags(const hd__scan_job *job, int64_t start, int64_t n, uint8_t *head_flags,
                    void *scratch)
{
    if (job->slices == HD__RUNS)
        hd__key_head_flags(&job->keys, job->comparison, start, n, head_flags, scratch);
    else
        segment_heads(job, start, n, head_flags);
    if (start == 0 && n > 0) head_flags[0] = 1;
}

static hd_status check_room(hd_context *ctx, const char *name, const hd_view *v, int64_t runs)
{
    if (hd__is_empty(v) || v->shape[0] >= runs) return HD_OK;
    return hd__fail(ctx, HD_ERROR_SHAPE,
                    "hd_reduce: there are %lld runs of keys; %s has room for %lld", (long long)runs,
                    name, (long long)v->shape[0]);
}

hd_status hd__check_runs(hd_context *ctx, const hd__reduce_job *job, int64_t runs)
{
    HD_TRY(check_room(ctx, "out", &job->out, runs));
    HD_TRY(check_room(ctx, "values", &job->values, runs));
    return check_room(ctx, "keys_out", &job->keys_out, runs);
}
