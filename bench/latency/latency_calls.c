// SPDX-License-Identifier: Apache-2.0
//
// The calls of latency_calls.h: plain ones, with the fewest options that each pattern can do with.
#include "latency_calls.h"

#include <heddle_teaching.h>

HD_FUNCTION(twice_plus, float, HD_NO_SOURCE, (float, a), { return 2 * a + 1; })
HD_FUNCTION(is_even, bool, HD_NO_SOURCE, (int32_t, a), { return a % 2 == 0; })
HD_COMPARISON(less_i32, int32_t, HD_NO_SOURCE, { return a < b; })

#define CALL(name)       static hd_status name(hd_context *ctx, const latency_arrays *a)
#define ROW(array)       HD_VIEW((array), a->n)
#define OUT              ROW(a->out)
#define STRUCTURES(data) HD_VIEW_OF(HD_TYPE(latency_pair), (data), a->n)
#define GRID(type, data) hd_view_nd((type), (data), 2, (const int64_t[]){a->rows, a->columns}, NULL)

// ---- Move -----------------------------------------------------------------------------------

CALL(call_map)
{
    return hd_map(ctx, ROW(a->f), twice_plus, ROW((float *)a->out), NULL);
}

CALL(call_copy)
{
    return hd_map(ctx, ROW(a->x), NULL, OUT, NULL);
}

CALL(call_gather)
{
    return hd_gather(ctx, ROW(a->x), ROW(a->index), OUT, NULL);
}

CALL(call_gather_checked)
{
    const hd_gather_options options = {.checked = true};
    return hd_gather(ctx, ROW(a->x), ROW(a->index), OUT, &options);
}

CALL(call_scatter)
{
    return hd_scatter(ctx, ROW(a->x), ROW(a->index), OUT, NULL);
}

CALL(call_shuffle)
{
    return hd_shuffle(ctx, ROW(a->x), OUT, NULL);
}

CALL(call_transpose)
{
    const hd_view in = GRID(HD_I32, a->x);
    const int64_t turned[] = {a->columns, a->rows};
    return hd_transpose(ctx, in, hd_view_nd(HD_I32, a->out, 2, turned, NULL), NULL);
}

CALL(call_zip)
{
    return hd_zip(ctx, HD_VIEWS(ROW(a->x), ROW(a->y)), STRUCTURES((latency_pair *)a->out), NULL);
}

CALL(call_unzip)
{
    return hd_unzip(ctx, STRUCTURES(a->pairs), HD_VIEWS(OUT, ROW(a->out_y)), NULL);
}

// ---- Select ---------------------------------------------------------------------------------

CALL(call_compact)
{
    const hd_compact_options options = {.flags = HD_REF(ROW(a->flags))};
    return hd_compact(ctx, ROW(a->x), OUT, HD_VIEW(a->number, 1), &options);
}

CALL(call_compact_function)
{
    const hd_compact_options options = {.keep = is_even};
    return hd_compact(ctx, ROW(a->x), OUT, HD_VIEW(a->number, 1), &options);
}

CALL(call_partition)
{
    const hd_partition_options options = {.flags = HD_REF(ROW(a->flags))};
    return hd_partition(ctx, ROW(a->x), OUT, HD_VIEW(a->number, 2), &options);
}

CALL(call_buckets)
{
    const hd_partition_options options = {.buckets = HD_REF(ROW(a->bin)), .ways = LATENCY_BINS};
    return hd_partition(ctx, ROW(a->x), OUT, HD_VIEW(a->out_y, LATENCY_BINS), &options);
}

CALL(call_unique)
{
    return hd_unique(ctx, ROW(a->sorted), OUT, HD_VIEW(a->number, 1), NULL);
}

CALL(call_run_lengths)
{
    return hd_run_lengths(ctx, ROW(a->sorted), OUT, ROW(a->out_y), HD_VIEW(a->number, 1), NULL);
}

CALL(call_expand)
{
    return hd_expand(ctx, ROW(a->x), ROW(a->ones), OUT, HD_VIEW(a->number, 1), NULL);
}

CALL(call_find)
{
    const hd_find_options options = {.value = &a->x[a->n - 1]};
    return hd_find(ctx, ROW(a->x), HD_VIEW(a->number, 1), &options);
}

// ---- Sort -----------------------------------------------------------------------------------

CALL(call_sort)
{
    return hd_sort(ctx, ROW(a->x), OUT, HD_NO_VALUES, NULL);
}

CALL(call_sort_pairs)
{
    return hd_sort(ctx, ROW(a->x), OUT, HD_VALUES(ROW(a->y), ROW(a->out_y)), NULL);
}

CALL(call_argsort)
{
    return hd_sort(ctx, ROW(a->x), HD_EMPTY, HD_NO_VALUES,
                   &(hd_sort_options){.indices = HD_REF(OUT)});
}

CALL(call_sort_by)
{
    return hd_sort(ctx, ROW(a->x), OUT, HD_NO_VALUES, &(hd_sort_options){.comparison = less_i32});
}

CALL(call_merge)
{
    const int64_t half = a->n / 2;
    return hd_merge(ctx, HD_VIEW(a->sorted, half), HD_VIEW(a->sorted + half, a->n - half), OUT,
                    HD_NO_VALUES, NULL);
}

CALL(call_search)
{
    return hd_search(ctx, ROW(a->sorted), ROW(a->index), OUT, NULL);
}

CALL(call_top_k)
{
    const int64_t k = a->n < 4 ? a->n : 4;
    return hd_top_k(ctx, ROW(a->x), k, HD_VIEW(a->out, k), HD_NO_VALUES,
                    &(hd_top_k_options){.indices = HD_REF(HD_VIEW(a->out_y, k))});
}

// ---- Neighbours -----------------------------------------------------------------------------

static const float weights[] = {0.25f, 0.5f, 0.25f};

CALL(call_difference)
{
    return hd_difference(ctx, ROW(a->x), OUT, NULL);
}

CALL(call_stencil)
{
    return hd_stencil(ctx, ROW(a->f), HD_EMPTY, HD_VIEW(weights, 3), ROW((float *)a->out), NULL);
}

CALL(call_convolve)
{
    return hd_convolve(ctx, ROW(a->f), HD_VIEW(weights, 3), ROW((float *)a->out), NULL);
}

CALL(call_blur)
{
    return hd_blur(ctx, GRID(HD_U8, a->flags), 1, GRID(HD_U8, a->out), NULL);
}

// ---- Histogram, lists -----------------------------------------------------------------------

CALL(call_histogram)
{
    return hd_histogram(ctx, ROW(a->bin), HD_VIEW(a->out, LATENCY_BINS), NULL);
}

CALL(call_histogram_even)
{
    const hd_histogram_options options = {.even = true, .upper = 1};
    return hd_histogram(ctx, ROW(a->f), HD_VIEW(a->out, LATENCY_BINS), &options);
}

CALL(call_list_rank)
{
    return hd_list_rank(ctx, ROW(a->next), OUT, NULL);
}

CALL(call_list_scan)
{
    return hd_list_scan(ctx, ROW(a->next), ROW(a->x), HD_SUM, OUT, NULL);
}

CALL(call_forest_roots)
{
    return hd_forest_roots(ctx, ROW(a->next), OUT, NULL);
}

CALL(call_maximum)
{
    hd_maximum_result result;
    const hd_status status = hd_maximum(ctx, ROW(a->x), &result, NULL);
    if (status == HD_OK) a->number[0] = result.index;
    return status;
}

#define REDUCE(type, TYPE, pattern)                                                                \
    {                                                                                              \
        "sum", type, pattern, PEER_SUM, TYPE, TYPE, NULL, NULL                                     \
    }
#define CASE(name, type, TYPE, variant, function)                                                  \
    {                                                                                              \
        name, type, variant, PEER_OTHER_OP, TYPE, TYPE, NULL, &(const latency_call)                \
        {                                                                                          \
            function                                                                               \
        }                                                                                          \
    }

const bench_case latency_cases[LATENCY_CASES] = {
    REDUCE("i32", PEER_I32, "reduce"),
    REDUCE("f32", PEER_F32, "reduce"),
    REDUCE("i32", PEER_I32, "scan"),
    REDUCE("f32", PEER_F32, "scan"),
    CASE("map", "f32", PEER_F32, "", call_map),
    CASE("map", "i32", PEER_I32, "copy", call_copy),
    CASE("gather", "i32", PEER_I32, "", call_gather),
    CASE("gather", "i32", PEER_I32, "checked", call_gather_checked),
    CASE("scatter", "i32", PEER_I32, "", call_scatter),
    CASE("shuffle", "i32", PEER_I32, "", call_shuffle),
    CASE("transpose", "i32", PEER_I32, "", call_transpose),
    CASE("zip", "i32", PEER_I32, "", call_zip),
    CASE("unzip", "i32", PEER_I32, "", call_unzip),
    CASE("compact", "i32", PEER_I32, "flags", call_compact),
    CASE("compact", "i32", PEER_I32, "function", call_compact_function),
    CASE("partition", "i32", PEER_I32, "flags", call_partition),
    CASE("partition", "i32", PEER_I32, "16 ways", call_buckets),
    CASE("unique", "i32", PEER_I32, "", call_unique),
    CASE("run_lengths", "i32", PEER_I32, "", call_run_lengths),
    CASE("expand", "i32", PEER_I32, "", call_expand),
    CASE("find", "i32", PEER_I32, "", call_find),
    CASE("sort", "i32", PEER_I32, "", call_sort),
    CASE("sort", "i32", PEER_I32, "pairs", call_sort_pairs),
    CASE("argsort", "i32", PEER_I32, "", call_argsort),
    CASE("sort_by", "i32", PEER_I32, "", call_sort_by),
    CASE("merge", "i32", PEER_I32, "", call_merge),
    CASE("search", "i32", PEER_I32, "", call_search),
    CASE("top_k", "i32", PEER_I32, "", call_top_k),
    CASE("difference", "i32", PEER_I32, "", call_difference),
    CASE("stencil", "f32", PEER_F32, "3", call_stencil),
    CASE("convolve", "f32", PEER_F32, "3", call_convolve),
    CASE("blur", "u8", PEER_U8, "sigma 1", call_blur),
    CASE("histogram", "i32", PEER_I32, "16 bins", call_histogram),
    CASE("histogram", "f32", PEER_F32, "16 even", call_histogram_even),
    CASE("list_rank", "i32", PEER_I32, "", call_list_rank),
    CASE("list_scan", "i32", PEER_I32, "sum", call_list_scan),
    CASE("forest_roots", "i32", PEER_I32, "", call_forest_roots),
    CASE("maximum", "i32", PEER_I32, "", call_maximum),
};
