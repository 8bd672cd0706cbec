// SPDX-License-Identifier: Apache-2.0
// A histogram without a shared counter: keys are sorted by splits, and the runs of equal keys are
// as long as the bins are high.
#include <heddle_teaching.h>

#include <inttypes.h>

#include "../support/frame.h"

HD_FUNCTION_STATE(clamped, uint32_t, HD_NO_SOURCE, (uint32_t, key), uint32_t,
                  { return key < *state ? key : *state; })
HD_FUNCTION_STATE(lacks_bit, int64_t, HD_NO_SOURCE, (uint32_t, key), uint32_t,
                  { return (key & *state) == 0; })
HD_SOURCE(
    splits, typedef struct {
        int64_t zeros;
        uint32_t bit;
        uint32_t reserved;
    } split_by;)
HD_FUNCTION_STATE(place, int64_t, splits, (uint32_t, key, int64_t, zeros_before, int64_t, i),
                  split_by, {
                      return (key & state->bit) == 0 ? zeros_before
                                                     : state->zeros + i - zeros_before;
                  })

typedef struct histogram {
    hd__frame f;
    int64_t n, bins, steps, scans;
    hd_view key, next, zeros;
} histogram;

static hd_status split(histogram *h, uint32_t bit)
{
    hd_context *ctx = h->f.ctx;
    split_by by = {0, bit, 0};
    const hd_function *lacks = HD_WITH_STATE(lacks_bit, &bit);
    hd_status status =
        hd_reduce(ctx, h->key, HD_SUM, HD_VIEW(&by.zeros, 1), &(hd_reduce_options){.map = lacks});
    if (status == HD_OK)
        status = hd_scan(ctx, h->key, HD_SUM, h->zeros,
                         &(hd_scan_options){.exclusive = true, .map = lacks});
    if (status == HD_OK)
        status = hd_map(ctx, h->key, HD_WITH_STATE(place, &by), h->zeros,
                        &(hd_map_options){.with = HD_VIEWS(h->zeros, hd_iota(h->n))});
    if (status == HD_OK)
        status = hd_scatter(ctx, h->key, h->zeros, h->next, &(hd_scatter_options){.unique = true});
    const hd_view key = h->key;
    h->key = h->next, h->next = key;
    h->steps++, h->scans += 2; // the reduction and the scan
    return status;
}

// Ones reduced by key, each sum to the bin of its key; the keys that are left out to none.
static hd_status count_runs(histogram *h, hd_view bins)
{
    hd_context *ctx = h->f.ctx;
    const int64_t one = 1, zero = 0;
    int64_t runs = 0;
    const hd_view counts = h->zeros;
    hd_status status = hd_map(ctx, hd_constant(zero, h->bins), NULL, bins, NULL);
    if (status == HD_OK)
        status = hd_reduce(ctx, hd_constant(one, h->n), HD_SUM, counts,
                           &(hd_reduce_options){.keys = &h->key,
                                                .keys_out = &h->next,
                                                .runs = HD_REF(HD_VIEW(&runs, 1))});
    if (status == HD_OK)
        status = hd_scatter(ctx, hd__frame_part(counts, 0, runs), hd__frame_part(h->next, 0, runs),
                            bins, &(hd_scatter_options){.unique = true});
    h->steps++, h->scans++;
    return status;
}

static hd_status check(histogram *h, hd_view keys, hd_view bins)
{
    hd_status status = hd__frame_check(&h->f, "keys", keys);
    if (status == HD_OK) status = hd__frame_check_out(&h->f, "bins", bins);
    if (status != HD_OK) return status;
    if (keys.type != HD_U32 || bins.type != HD_I64)
        return hd__frame_fail(&h->f, HD_ERROR_TYPE, "expected keys of u32 and bins of i64");
    if (h->bins < 1 || h->bins > HD_MAX_BINS || bins.ndim != 1)
        return hd__frame_fail(&h->f, HD_ERROR_SHAPE,
                              "bins: expected one row of 1 to %" PRId64 ", got %" PRId64,
                              HD_MAX_BINS, h->bins);
    return hd__frame_check_apart(&h->f, "bins", bins, "keys", keys);
}

static hd_status make(histogram *h, hd_view keys, hd_view bins)
{
    const uint32_t out = (uint32_t)h->bins; // the key of those that are left out
    hd_view dense;
    hd_status status = hd__frame_dense(&h->f, keys, HD_U32, &dense);
    if (status == HD_OK) status = hd__frame_row(&h->f, HD_U32, h->n, &h->key);
    if (status == HD_OK) status = hd__frame_row(&h->f, HD_U32, h->n, &h->next);
    if (status == HD_OK) status = hd__frame_row(&h->f, HD_I64, h->n, &h->zeros);
    if (status == HD_OK)
        status = hd_map(h->f.ctx, dense, HD_WITH_STATE(clamped, &out), h->key, NULL);
    for (uint32_t bit = 1; bit <= out && status == HD_OK; bit *= 2) status = split(h, bit);
    return status == HD_OK ? count_runs(h, bins) : status;
}

static hd_status tell(hd__frame *f, const hd_view *v, int64_t number)
{
    if (v == NULL || v->type == HD_NONE) return HD_OK;
    return hd_map(f->ctx, HD_VIEW(&number, 1), NULL, *v, NULL);
}

hd_status hd_sort_histogram(hd_context *ctx, hd_view keys, hd_view bins,
                            const hd_steps_options *options)
{
    histogram h = {.n = hd_count(keys), .bins = hd_count(bins)};
    hd_steps_options o = {0};
    hd_status status = hd__frame_open(&h.f, ctx, "hd_sort_histogram", keys);
    if (status == HD_OK) status = hd__frame_options(&h.f, options, sizeof o, &o);
    if (status == HD_OK) status = check(&h, keys, bins);
    if (status == HD_OK) status = make(&h, keys, bins);
    if (status == HD_OK) status = tell(&h.f, o.steps, h.steps);
    if (status == HD_OK) status = tell(&h.f, o.scans, h.scans);
    return hd__frame_close(&h.f, status);
}
