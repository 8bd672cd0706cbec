// SPDX-License-Identifier: Apache-2.0
//
// The floating-point state inside calls: users' functions, operators and comparisons look at it
// wherever the cpu backend runs them, while every thread of the pool flushes subnormal numbers and
// rounds downwards. And comparisons of subnormal numbers by the patterns themselves, whose results
// are those of the serial definition in the usual state.
#define _GNU_SOURCE
#include <fenv.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#if defined __x86_64__
#include <immintrin.h>
#endif

#include "tests/support/check.h"

enum { N = 1 << 18, ROWS = 512, COLUMNS = N / 16, SEGMENTS = 300, THREADS = 4 };

// ---- States -------------------------------------------------------------------------------------

static bool set_flush(bool on)
{
#if defined __x86_64__
    _mm_setcsr((_mm_getcsr() & ~0x8040u) | (on ? 0x8040u : 0));
    return true;
#elif defined __aarch64__
    uint64_t fpcr;
    __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
    fpcr = (fpcr & ~(UINT64_C(1) << 24)) | (uint64_t)on << 24;
    __asm__ volatile("msr fpcr, %0" : : "r"(fpcr));
    return true;
#else
    return !on;
#endif
}

static void set_everywhere(bool usual)
{
#pragma omp parallel num_threads(2 * THREADS)
    {
        fesetround(usual ? FE_TONEAREST : FE_DOWNWARD);
        set_flush(!usual);
    }
    fesetround(usual ? FE_TONEAREST : FE_DOWNWARD);
    set_flush(!usual);
}

static atomic_llong looks, others;

// Counts where it is not run in the usual state.
static __attribute__((noinline)) bool look(void)
{
#if defined __x86_64__
    const bool usual = (_mm_getcsr() & ~0x3fu) == 0x1f80;
#else
    const bool usual = fegetround() == FE_TONEAREST;
#endif
    atomic_fetch_add_explicit(&looks, 1, memory_order_relaxed);
    if (!usual) atomic_fetch_add_explicit(&others, 1, memory_order_relaxed);
    return true;
}

HD_FUNCTION(same, float, HD_NO_SOURCE, (float, v), { return look() ? v : 0; })
HD_FUNCTION(less, float, HD_NO_SOURCE, (float, v, float, w), { return look() ? v - w : 0; })
HD_FUNCTION(bucket, int32_t, HD_NO_SOURCE, (float, v), { return look() && v > 0; })
HD_FUNCTION(bin, int32_t, HD_NO_SOURCE, (int32_t, v), { return look() ? v : 0; })
HD_FUNCTION(never, float, HD_NO_SOURCE, (float, v), { return look() ? 0 * v : 1; })
HD_MONOID(total, float, HD_NO_SOURCE, HD_ASSOCIATIVE, 0, { return look() ? a + b : 0; })
HD_COMPARISON(before, float, HD_NO_SOURCE, { return look() && a < b; })

// ---- Users' texts -------------------------------------------------------------------------------

static float x[N], sorted[N], out[2 * N], tiny[N], steps[N];
static int32_t shuffled[N], hundreds[N], keys[N], bins[N];
static int64_t offsets[SEGMENTS + 1], counts[N];

#define X   HD_VIEW(x, N)
#define OUT HD_VIEW(out, N)
#define CALL(name, call)                                                                           \
    static hd_status name(hd_context *ctx)                                                         \
    {                                                                                              \
        return call;                                                                               \
    }

static hd_view plane(float *data)
{
    return hd_view_nd(HD_F32, data, 2, (const int64_t[]){ROWS, N / ROWS}, NULL);
}

// Columns go to workers in strips of 4 KiB: so many that no thread takes all of them.
static hd_view wide(float *data)
{
    return hd_view_nd(HD_F32, data, 2, (const int64_t[]){N / COLUMNS, COLUMNS}, NULL);
}

CALL(map, hd_map(ctx, X, same, OUT, NULL))
CALL(map_many,
     hd_map_many(ctx, X, HD_FUNCTIONS(same, NULL), HD_VIEWS(OUT, HD_VIEW(out + N, N)), NULL))
CALL(reduce, hd_reduce(ctx, X, total, HD_VIEW(out, 1), NULL))
CALL(reduce_mapped, hd_reduce(ctx, X, HD_SUM, HD_VIEW(out, 1), &(hd_reduce_options){.map = same}))
CALL(reduce_rows,
     hd_reduce(ctx, plane(x), total, HD_VIEW(out, ROWS), &(hd_reduce_options){.axis = HD_AXIS(1)}))
CALL(reduce_columns, hd_reduce(ctx, wide(x), total, HD_VIEW(out, COLUMNS),
                               &(hd_reduce_options){.axis = HD_AXIS(0)}))
CALL(reduce_segments,
     hd_reduce(ctx, X, total, HD_VIEW(out, SEGMENTS),
               &(hd_reduce_options){.segments = HD_REF(HD_VIEW(offsets, SEGMENTS + 1))}))
CALL(reduce_runs,
     hd_reduce(ctx, X, total, OUT, &(hd_reduce_options){.keys = HD_REF(HD_VIEW(keys, N))}))
CALL(reduce_filtered,
     hd_reduce(ctx, X, HD_SUM, HD_VIEW(out, 1), &(hd_reduce_options){.keep = bucket}))
CALL(scan, hd_scan(ctx, X, total, OUT, NULL))
CALL(scan_mapped, hd_scan(ctx, X, HD_SUM, OUT, &(hd_scan_options){.map = same}))
CALL(scan_rows, hd_scan(ctx, plane(x), total, plane(out), &(hd_scan_options){.axis = HD_AXIS(1)}))
CALL(scan_columns, hd_scan(ctx, wide(x), total, wide(out), &(hd_scan_options){.axis = HD_AXIS(0)}))
CALL(scan_segments, hd_scan(ctx, X, total, OUT,
                            &(hd_scan_options){.segments = HD_REF(HD_VIEW(offsets, SEGMENTS + 1))}))
CALL(scan_runs, hd_scan(ctx, X, total, OUT, &(hd_scan_options){.keys = HD_REF(HD_VIEW(keys, N))}))
CALL(gather, hd_gather(ctx, X, HD_VIEW(shuffled, N), OUT, &(hd_gather_options){.function = same}))
CALL(scatter, hd_scatter(ctx, X, HD_VIEW(shuffled, N), OUT, &(hd_scatter_options){.map = same}))
CALL(scatter_combined, hd_scatter(ctx, X, HD_VIEW(hundreds, N), HD_VIEW(out, 100),
                                  &(hd_scatter_options){.combine = total}))
CALL(scatter_any, hd_scatter(ctx, X, HD_VIEW(shuffled, N), OUT,
                             &(hd_scatter_options){.combine = total, .order = HD_ANY_ORDER}))
CALL(difference_in_place, hd_difference(ctx, OUT, OUT, &(hd_difference_options){.function = less}))
CALL(difference_rows_in_place,
     hd_difference(ctx, plane(out), plane(out),
                   &(hd_difference_options){.function = less, .axis = HD_AXIS(1)}))
CALL(difference, hd_difference(ctx, X, OUT, &(hd_difference_options){.function = less}))
CALL(difference_columns,
     hd_difference(ctx, wide(x), wide(out),
                   &(hd_difference_options){.function = less, .axis = HD_AXIS(0)}))
CALL(histogram, hd_histogram(ctx, HD_VIEW(hundreds, N), HD_VIEW(counts, 100),
                             &(hd_histogram_options){.bin = bin}))
CALL(histogram_many, hd_histogram(ctx, HD_VIEW(shuffled, N), HD_VIEW(counts, N),
                                  &(hd_histogram_options){.bin = bin}))
CALL(histogram_sums,
     hd_histogram(ctx, HD_VIEW(shuffled, N), HD_VIEW(out, N),
                  &(hd_histogram_options){.bin = bin, .weights = HD_REF(HD_VIEW(x, N))}))
CALL(histogram_any,
     hd_histogram(ctx, HD_VIEW(hundreds, N), HD_VIEW(out, 100),
                  &(hd_histogram_options){
                      .bin = bin, .weights = HD_REF(HD_VIEW(x, N)), .order = HD_ANY_ORDER}))
CALL(reduce_many, hd_reduce_many(ctx, X, HD_OPERATORS(total, HD_MAX),
                                 HD_VIEWS(HD_VIEW(out, 1), HD_VIEW(out + 1, 1)), NULL))
CALL(is_sorted, hd_is_sorted(ctx, HD_VIEW(sorted, N), HD_VIEW(counts, 1),
                             &(hd_is_sorted_options){.comparison = before}))
CALL(sort_segments, hd_sort(ctx, X, OUT, HD_NO_VALUES,
                            &(hd_sort_options){.comparison = before,
                                               .segments = HD_REF(HD_VIEW(offsets, SEGMENTS + 1))}))
CALL(top_few,
     hd_top_k(ctx, X, 3, HD_VIEW(out, 3), HD_NO_VALUES, &(hd_top_k_options){.comparison = before}))
// Rows that are each too short for threads.
CALL(top_rows, hd_top_k(ctx, hd_view_nd(HD_F32, x, 2, (const int64_t[]){N / 4, 4}, NULL), 3,
                        hd_view_nd(HD_F32, out, 2, (const int64_t[]){N / 4, 3}, NULL), HD_NO_VALUES,
                        &(hd_top_k_options){.comparison = before, .axis = HD_AXIS(1)}))
CALL(sort_by, hd_sort(ctx, X, OUT, HD_NO_VALUES, &(hd_sort_options){.comparison = before}))
CALL(search, hd_search(ctx, HD_VIEW(sorted, N), X, HD_VIEW(counts, N),
                       &(hd_search_options){.comparison = before}))
CALL(merge, hd_merge(ctx, HD_VIEW(sorted, N), HD_VIEW(sorted, N), HD_VIEW(out, 2 * N), HD_NO_VALUES,
                     &(hd_merge_options){.comparison = before}))
CALL(set_union, hd_set_union(ctx, HD_VIEW(sorted, N), HD_VIEW(sorted, N), OUT, HD_VIEW(counts, 1),
                             &(hd_set_options){.comparison = before}))
CALL(slide, hd_slide(ctx, X, total, 5, HD_VIEW(out, N - 4), NULL))
CALL(top_k, hd_top_k(ctx, X, 1000, HD_VIEW(out, 1000), HD_NO_VALUES,
                     &(hd_top_k_options){.comparison = before, .ascending = true}))

static hd_status stencil(hd_context *ctx)
{
    static const int64_t around[2] = {-1, 1};
    return hd_stencil(ctx, X, HD_VIEW(around, 2), HD_EMPTY, OUT,
                      &(hd_stencil_options){.function = less});
}
static hd_status compact(hd_context *ctx)
{
    int64_t count;
    return hd_compact(ctx, X, OUT, HD_VIEW(&count, 1), &(hd_compact_options){.keep = bucket});
}
static hd_status partition(hd_context *ctx)
{
    return hd_partition(ctx, X, OUT, HD_VIEW(counts, 2),
                        &(hd_partition_options){.bucket = bucket, .ways = 2});
}
static hd_status partition_many(hd_context *ctx)
{
    return hd_partition(ctx, X, OUT, HD_VIEW(counts, 50),
                        &(hd_partition_options){.bucket = bucket, .ways = 50});
}
static hd_status find(hd_context *ctx)
{
    int64_t position;
    return hd_find(ctx, X, HD_VIEW(&position, 1), &(hd_find_options){.map = never});
}

#define ROW(call)                                                                                  \
    {                                                                                              \
#call, call                                                                                \
    }
static const struct {
    const char *name;
    hd_status (*run)(hd_context *ctx);
} calls[] = {
    ROW(map),
    ROW(map_many),
    ROW(reduce),
    ROW(reduce_mapped),
    ROW(reduce_rows),
    ROW(reduce_columns),
    ROW(reduce_segments),
    ROW(reduce_runs),
    ROW(reduce_filtered),
    ROW(scan),
    ROW(scan_mapped),
    ROW(scan_rows),
    ROW(scan_columns),
    ROW(scan_segments),
    ROW(scan_runs),
    ROW(gather),
    ROW(scatter),
    ROW(scatter_combined),
    ROW(scatter_any),
    ROW(difference),
    ROW(difference_in_place),
    ROW(difference_rows_in_place),
    ROW(difference_columns),
    ROW(histogram),
    ROW(histogram_many),
    ROW(histogram_sums),
    ROW(histogram_any),
    ROW(reduce_many),
    ROW(is_sorted),
    ROW(sort_segments),
    ROW(top_few),
    ROW(top_rows),
    ROW(sort_by),
    ROW(search),
    ROW(merge),
    ROW(set_union),
    ROW(slide),
    ROW(top_k),
    ROW(stencil),
    ROW(compact),
    ROW(partition),
    ROW(partition_many),
    ROW(find),
};

static void test_texts(hd_context *ctx)
{
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++) {
        looks = others = 0;
        set_everywhere(false);
        const hd_status status = calls[k].run(ctx);
        set_everywhere(true);
        CHECK(status == HD_OK, "%s: %s", calls[k].name, hd_error(ctx));
        CHECK(looks >= N / 2 || calls[k].run == top_k, "%s: %lld looks", calls[k].name,
              (long long)looks);
        CHECK(others == 0, "%s: %lld of %lld looks found another state", calls[k].name,
              (long long)others, (long long)looks);
    }
}

// ---- Subnormal numbers --------------------------------------------------------------------------

typedef struct results {
    float unique[N], sums[N], kept[N], rows[ROWS], columns[COLUMNS], scans[N], least[SEGMENTS];
    float merged[2 * N], top[1000], sorted[N], differences[N], by_rows[N], minima[N];
    float quartiles[ROWS];
    int64_t lengths[N], runs[4], found[N], at_most, ordered[N], histogram[100], wide[100];
} results;

static void use(hd_context *ctx, results *r)
{
    memset(r, 0, sizeof *r);
    const hd_view in = HD_VIEW(tiny, N), rising = HD_VIEW(steps, N);
    CHECK_OK(ctx, hd_unique(ctx, rising, HD_VIEW(r->unique, N), HD_VIEW(&r->runs[0], 1), NULL));
    CHECK_OK(ctx, hd_run_lengths(ctx, rising, HD_EMPTY, HD_VIEW(r->lengths, N),
                                 HD_VIEW(&r->runs[1], 1), NULL));
    CHECK_OK(ctx, hd_reduce(ctx, in, HD_SUM, HD_VIEW(r->sums, N),
                            &(hd_reduce_options){.keys = HD_REF(rising),
                                                 .runs = HD_REF(HD_VIEW(&r->runs[2], 1))}));
    CHECK_OK(ctx, hd_scan(ctx, in, HD_SUM, HD_VIEW(r->scans, N),
                          &(hd_scan_options){.keys = HD_REF(rising)}));
    CHECK_OK(ctx, hd_compact(ctx, in, HD_VIEW(r->kept, N), HD_VIEW(&r->runs[3], 1), NULL));
    CHECK_OK(ctx, hd_reduce(ctx, in, HD_ARGMAX, HD_VIEW(&r->at_most, 1), NULL));
    CHECK_OK(ctx, hd_reduce(ctx, plane(tiny), HD_SUM, HD_VIEW(r->rows, ROWS),
                            &(hd_reduce_options){.axis = HD_AXIS(1)}));
    CHECK_OK(ctx, hd_reduce(ctx, wide(tiny), HD_MIN, HD_VIEW(r->columns, COLUMNS),
                            &(hd_reduce_options){.axis = HD_AXIS(0)}));
    CHECK_OK(ctx,
             hd_reduce(ctx, in, HD_MIN, HD_VIEW(r->least, SEGMENTS),
                       &(hd_reduce_options){.segments = HD_REF(HD_VIEW(offsets, SEGMENTS + 1))}));
    CHECK_OK(ctx, hd_scan(ctx, in, HD_MIN, HD_VIEW(r->minima, N),
                          &(hd_scan_options){.segments = HD_REF(HD_VIEW(offsets, SEGMENTS + 1))}));
    CHECK_OK(ctx, hd_scan(ctx, plane(tiny), HD_SUM, plane(r->by_rows),
                          &(hd_scan_options){.axis = HD_AXIS(1)}));
    CHECK_OK(ctx, hd_merge(ctx, rising, rising, HD_VIEW(r->merged, 2 * N), HD_NO_VALUES, NULL));
    const double quarter = 0.25;
    const int64_t one_a_row[2] = {ROWS, 1};
    CHECK_OK(ctx, hd_quantiles(ctx, plane(x), HD_VIEW(&quarter, 1),
                               hd_view_nd(HD_F32, r->quartiles, 2, one_a_row, NULL),
                               &(hd_quantiles_options){.axis = HD_AXIS(1)}));
    CHECK_OK(ctx, hd_search(ctx, rising, in, HD_VIEW(r->found, N), NULL));
    CHECK_OK(ctx, hd_top_k(ctx, in, 1000, HD_VIEW(r->top, 1000), HD_NO_VALUES, NULL));
    CHECK_OK(ctx, hd_sort(ctx, in, HD_VIEW(r->sorted, N), HD_NO_VALUES, NULL));
    CHECK_OK(ctx, hd_sort(ctx, in, HD_EMPTY, HD_NO_VALUES,
                          &(hd_sort_options){.indices = HD_REF(HD_VIEW(r->ordered, N)),
                                             .segments = HD_REF(HD_VIEW(offsets, SEGMENTS + 1))}));
    CHECK_OK(ctx, hd_difference(ctx, in, HD_VIEW(r->differences, N), NULL));
    CHECK_OK(ctx,
             hd_histogram(ctx, in, HD_VIEW(r->histogram, 100),
                          &(hd_histogram_options){.even = true, .lower = 0, .upper = 0x1p-130}));
    CHECK_OK(ctx,
             hd_histogram(ctx, in, HD_VIEW(r->wide, 100),
                          &(hd_histogram_options){.even = true, .lower = -0.1, .upper = 0x1p-140}));
}

// More than once: the calling thread, whose state is right anyway, may be first at every chunk.
static void test_subnormals(hd_context *serial, hd_context *cpu)
{
    static results want, got;
    use(serial, &want);
    for (int turn = 0; turn < 5; turn++) {
        set_everywhere(false);
        use(cpu, &got);
        set_everywhere(true);
        const unsigned char *a = (const void *)&want, *b = (const void *)&got;
        size_t at = 0;
        while (at < sizeof want && a[at] == b[at]) at++;
        CHECK(at == sizeof want, "results differ from byte %zu of %zu on", at, sizeof want);
    }
}

static void fill(void)
{
    check_fill(HD_F32, x, N, CHECK_ORDINARY, check_seed());
    for (int i = 0; i < N; i++) {
        shuffled[i] = (int32_t)((int64_t)i * 77773 % N);
        hundreds[i] = shuffled[i] % 100, keys[i] = i / 37, bins[i] = i;
        sorted[i] = (float)i;
        tiny[i] = (float)(shuffled[i] % 5000) * 0x1p-149f;
        steps[i] = (float)(i / 5) * 0x1p-149f;
    }
    for (int j = 0; j <= SEGMENTS; j++) offsets[j] = (int64_t)j * j * (N / (SEGMENTS * SEGMENTS));
}

int main(void)
{
    // So small that every way is taken, by several threads.
    setenv("HEDDLE_TUNE",
           "cpu.grain_bytes=1024 cpu.scatter_buckets_from=1000 cpu.scatter_buckets_from_bytes=1000 "
           "cpu.scatter_bucket_bytes=4096 cpu.histogram_tables_max=1000 "
           "cpu.histogram_weight_bins_max=1000",
           1);
    if (!set_flush(false)) return CHECK_SKIP;
    hd_context *serial, *cpu;
    CHECK(hd_open(&serial, &(hd_context_options){.backend = HD_SERIAL}) == HD_OK, "serial");
    CHECK(hd_open(&cpu, &(hd_context_options){.backend = HD_CPU, .threads = THREADS}) == HD_OK,
          "cpu");
    fill();
    test_texts(serial);
    test_texts(cpu);
    test_subnormals(serial, cpu);
    hd_close(serial);
    hd_close(cpu);
    return check_finish();
}
