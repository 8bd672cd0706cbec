// SPDX-License-Identifier: Apache-2.0
//
// Progress and cancelling on every backend: what is told grows to all elements, results have the
// bits of calls that tell nothing, and a call that is cancelled at any point leaves nothing behind
// but a context that takes the next one.
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/counting_allocator.h"

// Blocks of 16 MiB are told of, one by one: two of them and five elements where two threads share
// them; one and five elements on one thread, on the serial backend and on reduced sizes.
enum { BLOCK = 4 << 20, MAX = 2 * BLOCK + 5, CALLS = 32, EVERYWHERE = 9, ROW = 1000 };

static hd_backend backend;
static int32_t threads;
static int64_t n; // less on the model
static struct {
    int64_t tells, stop, last, all; // the tell that is answered by false; -1: none
    bool late;                      // that one was told that all is done: nothing to cancel
} told;

static bool tell(void *user, int64_t done, int64_t all)
{
    CHECK(user == &told && done >= 0 && done <= all, "%lld of %lld", (long long)done,
          (long long)all);
    if (done < told.last)
        CHECK(done == 0, "%lld after %lld", (long long)done, (long long)told.last);
    told.last = done, told.all = all;
    if (told.tells == told.stop) told.late = done == all;
    return told.tells++ != told.stop;
}

static float *in, *got, *want, *sorted;
static int32_t *index_of, *few_of, *next_of;
static uint8_t *flags;

HD_FUNCTION(twice, float, HD_NO_SOURCE, (float, x), { return x + x; })
HD_FUNCTION(is_high, bool, HD_NO_SOURCE, (float, x), { return x > 0; })
HD_COMPARISON(less, float, HD_NO_SOURCE, { return a < b; })

// Square matrices and images in the first elements of an array.
static hd_view plane(float *x, int64_t rows)
{
    return hd_view_nd(HD_F32, x, 2, (int64_t[]){rows, n / 2 / rows}, NULL);
}

// What compact, partition and their like write: elements and a number.
static hd_status select_on_cores(hd_context *ctx, int which, float *out, int64_t *count)
{
    const hd_view x = HD_VIEW(in, n), y = HD_VIEW(out, n);
    const hd_view few_flags = HD_VIEW(flags, n);
    int64_t found = 0;
    switch (which) {
    case 14: // by a function that tells them, in place
        memcpy(out, in, (size_t)n * sizeof *out);
        *count = 0;
        return hd_compact(ctx, y, y, HD_VIEW(count, 1),
                          HD_OPTIONS(hd_compact_options, .keep = is_high));
    case 15:
        *count = n;
        return hd_partition(ctx, x, y, HD_EMPTY,
                            HD_OPTIONS(hd_partition_options, .flags = &few_flags));
    case 16:
        *count = n;
        return hd_partition(ctx, x, y, HD_EMPTY,
                            HD_OPTIONS(hd_partition_options, .buckets = &few_flags, .ways = 2));
    case 17: return hd_unique(ctx, x, y, HD_VIEW(count, 1), NULL);
    default:
        *count = 0;
        const hd_status status = hd_run_lengths(ctx, HD_VIEW(flags, n), hd_view_of(HD_U8, out, n),
                                                HD_EMPTY, HD_VIEW(&found, 1), NULL);
        *count = found / 4;
        return status;
    }
}

static hd_status move_on_cores(hd_context *ctx, int which, float *out, int64_t *count)
{
    const hd_view x = HD_VIEW(in, n), y = HD_VIEW(out, n), index = HD_VIEW(index_of, n);
    static float mask[9] = {0.25f, 0.5f, 0.25f, 1, -4, 1, 0, 1, 0};
    *count = n / 2 / ROW * ROW;
    switch (which) {
    case 19: // the tree over the sources of each place
        *count = ROW;
        for (int64_t k = 0; k < ROW; k++) out[k] = 0;
        return hd_scatter(ctx, x, HD_VIEW(few_of, n), HD_VIEW(out, ROW),
                          HD_OPTIONS(hd_scatter_options, .combine = HD_SUM));
    case 20:
        *count = ROW;
        for (int64_t k = 0; k < ROW; k++) out[k] = 0;
        return hd_scatter(ctx, index, HD_VIEW(few_of, n), hd_view_of(HD_I32, out, ROW),
                          HD_OPTIONS(hd_scatter_options, .combine = HD_SUM));
    case 21:
        *count = n;
        return hd_scatter(ctx, x, index, y, HD_OPTIONS(hd_scatter_options, .unique = true));
    case 22:
        return hd_transpose(ctx, plane(in, ROW),
                            hd_view_nd(HD_F32, out, 2, (int64_t[]){n / 2 / ROW, ROW}, NULL), NULL);
    case 23: // in place
        *count = ROW * ROW;
        memcpy(out, in, sizeof *out * ROW * ROW);
        return hd_transpose(ctx, hd_view_nd(HD_F32, out, 2, (int64_t[]){ROW, ROW}, NULL),
                            hd_view_nd(HD_F32, out, 2, (int64_t[]){ROW, ROW}, NULL), NULL);
    case 24:
        return hd_convolve(ctx, plane(in, ROW),
                           hd_view_nd(HD_F32, mask, 2, (int64_t[]){1, 3}, NULL), plane(out, ROW),
                           NULL);
    default:
        return hd_stencil(ctx, plane(in, ROW), HD_EMPTY,
                          hd_view_nd(HD_F32, mask, 2, (int64_t[]){3, 3}, NULL), plane(out, ROW),
                          HD_OPTIONS(hd_stencil_options, .iterations = 9));
    }
}

static hd_status order_on_cores(hd_context *ctx, int which, float *out, int64_t *count)
{
    const hd_view rising = HD_VIEW(sorted, n);
    const int64_t half = n / 2, ranks[3] = {7, n / 3, n - 9};
    *count = 2 * half;
    switch (which) {
    case 26:
        return hd_merge(ctx, hd_slice(rising, 0, 0, half, 1),
                        hd_slice(rising, 0, n - half, half, 1), HD_VIEW(out, 2 * half),
                        HD_NO_VALUES, NULL);
    case 27:
        *count = 100;
        return hd_top_k(ctx, HD_VIEW(in, n), 100, HD_VIEW(out, 100), HD_NO_VALUES, NULL);
    default:
        *count = 3;
        return hd_nth(ctx, HD_VIEW(in, n), HD_VIEW(ranks, 3), HD_VIEW(out, 3), NULL);
    }
}

// A list through a sixteenth of the elements, each far from the next, by both methods; and as the
// links of a tree.
static hd_status link_on_cores(hd_context *ctx, int which, float *out, int64_t *count)
{
    const int64_t m = n / 16;
    for (int64_t k = 0; k < m; k++) next_of[k * 7919 % m] = (int32_t)((k + (k < m - 1)) * 7919 % m);
    *count = m;
    const hd_view links = HD_VIEW(next_of, m), ranks = hd_view_of(HD_I32, out, m);
    if (which == 31) return hd_forest_roots(ctx, links, ranks, NULL);
    return hd_list_rank(
        ctx, links, ranks,
        HD_OPTIONS(hd_list_options, .method = which == 30 ? HD_LIST_WYLLIE : HD_LIST_EFFICIENT));
}

// Calls of which not every backend tells between the beginning and the end, or has at all.
static hd_status call_on_cores(hd_context *ctx, int which, float *out, int64_t *count)
{
    static int32_t table[ROW];
    if (which >= 29) return link_on_cores(ctx, which, out, count);
    if (which >= 26) return order_on_cores(ctx, which, out, count);
    if (which >= 19) return move_on_cores(ctx, which, out, count);
    if (which >= 14) return select_on_cores(ctx, which, out, count);
    const int64_t few = n / 8; // to sort
    const hd_view x = HD_VIEW(in, n);
    switch (which) {
    case 9:
        *count = few;
        return hd_sort(ctx, HD_VIEW(in, few), HD_VIEW(out, few), HD_NO_VALUES, NULL);
    case 10:
        *count = few;
        return hd_sort(ctx, HD_VIEW(in, few), HD_VIEW(out, few), HD_NO_VALUES,
                       HD_OPTIONS(hd_sort_options, .comparison = less));
    case 11:
        *count = 2 * few;
        return hd_sort(ctx, HD_VIEW(in, few), HD_VIEW(out, few), HD_NO_VALUES,
                       HD_OPTIONS(hd_sort_options, .comparison = less,
                                  .indices = HD_REF(hd_view_of(HD_I32, out + few, few))));
    case 12:
        *count = 64 + 2;
        return hd_histogram(ctx, x, hd_view_of(HD_U32, out, 64),
                            HD_OPTIONS(hd_histogram_options, .even = true, .lower = -300,
                                       .upper = 600,
                                       .outside = HD_REF(hd_view_of(HD_I64, out + 64, 1))));
    default:
        for (int32_t k = 0; k < ROW; k++) table[k] = (int32_t)(n / ROW) * k;
        return hd_search(ctx, HD_VIEW(table, ROW), HD_VIEW(index_of, n), hd_view_of(HD_I32, out, n),
                         NULL);
    }
}

// What each call writes: count elements of out.
static hd_status call(hd_context *ctx, int which, float *out, int64_t *count)
{
    const hd_view x = HD_VIEW(in, n), y = HD_VIEW(out, n), one = HD_VIEW(out, 1);
    *count = n;
    if (which >= EVERYWHERE) return call_on_cores(ctx, which, out, count);
    switch (which) {
    case 0: return hd_map(ctx, x, twice, y, NULL);
    case 1: *count = 1; return hd_reduce(ctx, x, HD_SUM, one, NULL);
    case 2:
        *count = 1;
        return hd_reduce(ctx, x, HD_MEAN, one, HD_OPTIONS(hd_reduce_options, .map = twice));
    case 3: return hd_scan(ctx, x, HD_SUM, y, NULL);
    case 4:
        return hd_scan(ctx, x, HD_SUM, y,
                       HD_OPTIONS(hd_scan_options, .exclusive = true, .init = &(float){3}));
    case 5: return hd_gather(ctx, x, HD_VIEW(index_of, n), y, NULL);
    case 6: return hd_scatter(ctx, x, HD_VIEW(index_of, n), y, NULL);
    case 7:
        return hd_compact(ctx, x, y, HD_VIEW(count, 1),
                          HD_OPTIONS(hd_compact_options, .flags = HD_REF(HD_VIEW(flags, n))));
    default: *count = 1; return hd_reduce(ctx, x, HD_ARGMAX, hd_view_of(HD_I64, out, 1), NULL);
    }
}

static hd_context *open_with(bool tells)
{
    hd_context *ctx = NULL;
    CHECK_OK(ctx, hd_open(&ctx, &(hd_context_options){.backend = backend,
                                                      .threads = threads,
                                                      .allocator = COUNTING_ALLOCATOR,
                                                      .progress = tells ? tell : NULL,
                                                      .progress_user = &told}));
    return ctx;
}

// Calls whose chunks go to whichever of the workers is free, while the calling thread alone tells:
// where there are two of them it may tell as little as before and after, and not equally often each
// time.
static bool is_shared(int which)
{
    return backend == HD_CPU && (which == 6 || which == 7 || which >= EVERYWHERE);
}

static void test_call(hd_context *plain, hd_context *ctx, int which, uint64_t *seed)
{
    int64_t count, right;
    memset(got, 0, (size_t)n * sizeof *got), memset(want, 0, (size_t)n * sizeof *want);
    CHECK_OK(plain, call(plain, which, want, &right));
    told.tells = 0, told.stop = -1, told.last = 0;
    CHECK_OK(ctx, call(ctx, which, got, &count));
    CHECK(count == right && told.tells >= 2 && told.last == told.all,
          "%s, call %d: %lld, %lld tells, %lld of %lld", hd_backend_name(backend), which,
          (long long)count, (long long)told.tells, (long long)told.last, (long long)told.all);
    CHECK_SAME(HD_F32, got, want, which == 8 ? 2 : right, "%s, call %d", hd_backend_name(backend),
               which);
    const bool sure_to_tell = backend == HD_CPU ? threads == 1 || !is_shared(which) : which < 6;
    if (sure_to_tell && (backend == HD_CPU || backend == HD_SERIAL))
        CHECK(told.tells > n / BLOCK + 1, "call %d: %lld tells", which, (long long)told.tells);
    const int64_t tells = told.tells;
    const bool may_tell_less = threads > 1 && is_shared(which);
    const int64_t sure = may_tell_less ? tells / 3 + 1 : tells - 1;
    for (int turn = backend == HD_SERIAL ? 2 : 0; turn < 3; turn++) {
        *seed = *seed * 6364136223846793005u + 1442695040888963407u;
        told.tells = 0, told.last = 0, told.late = false;
        told.stop = turn == 0 ? 0 : (int64_t)(*seed >> 33) % sure;
        const hd_status status = call(ctx, which, got, &count);
        if (status == HD_OK && may_tell_less && (told.tells <= told.stop || told.late)) continue;
        CHECK(status == HD_ERROR_CANCELLED && strstr(hd_error(ctx), "cancelled by the progress"),
              "%s, call %d, tell %lld of %lld: %s: %s", hd_backend_name(backend), which,
              (long long)told.stop, (long long)tells, hd_status_name(status), hd_error(ctx));
        CHECK(told.tells == told.stop + 1, "%lld tells after a stop at %lld", (long long)told.tells,
              (long long)told.stop);
    }
    if (backend == HD_SERIAL) return;
    told.stop = -1, told.last = 0;
    memset(got, 0, (size_t)n * sizeof *got);
    CHECK_OK(ctx, call(ctx, which, got, &count));
    CHECK_SAME(HD_F32, got, want, which == 8 ? 2 : right, "%s, call %d, after all that",
               hd_backend_name(backend), which);
}

static void test_backend(void)
{
    uint64_t seed = check_seed();
    const bool few = check_small() || backend == HD_SERIAL || threads == 1;
    n = backend == HD_MODEL || backend == HD_CUDA ? 5003 : few ? BLOCK + 5 : MAX;
    for (int64_t k = 0; k < n; k++) {
        in[k] = (float)(k % 1013) - 300;
        index_of[k] = (int32_t)(k * 7919 % n);
        flags[k] = k % 3 == 0;
        sorted[k] = (float)k / 2;
        few_of[k] = (int32_t)(k * 7919 % ROW);
    }
    hd_context *plain = open_with(false), *ctx = open_with(true);
    // Serial, a call takes a tenth of a second and more.
    const int calls = backend == HD_CPU ? CALLS : EVERYWHERE;
    for (int which = 0; which < calls; which += backend == HD_SERIAL ? 3 : 1)
        if (threads > 1 || is_shared(which)) test_call(plain, ctx, which, &seed);
    hd_close(plain);
    hd_close(ctx);
    CHECK(held == 0, "%zu bytes are left", held);
}

int main(void)
{
    const hd_backend all[] = {HD_SERIAL, HD_CPU, HD_MODEL, HD_CUDA};
    in = check_memory(MAX * sizeof *in), got = check_memory(MAX * sizeof *got);
    want = check_memory(MAX * sizeof *want), index_of = check_memory(MAX * sizeof *index_of);
    sorted = check_memory(MAX * sizeof *sorted), few_of = check_memory(MAX * sizeof *few_of);
    flags = check_memory(MAX), next_of = check_memory(MAX / 16 * sizeof *next_of);
    for (int k = 0; k < 4; k++) {
        backend = all[k];
        for (threads = 2; threads > 0 && hd_backend_available(backend, NULL); threads--)
            if (threads > 1 || backend == HD_CPU) test_backend();
    }
    free(in), free(got), free(want), free(index_of), free(flags), free(sorted), free(few_of);
    free(next_of);
    return check_finish();
}
