// SPDX-License-Identifier: Apache-2.0
// Every call with views of a device, that of the model machine, on some of the ranks, against the
// same call with all views in host memory.
#include <stdlib.h>
#include <string.h>

#include "mpi_test.h"

enum { N = 211, WIDTH = 7, BINS = 9, WAYS = 3, SEGMENTS = 5 };

typedef struct devices {
    ranks *r;
    hd_context *ctx; // of the model machine
    hd_mpi *mpi;
    bool there; // whether this rank's views are on the device
    hd_view used[16];
    int count;
} devices;

HD_FUNCTION(is_odd, bool, HD_NO_SOURCE, (int32_t, x), { return (x & 1) != 0; })

// ---- Views here and there -----------------------------------------------------------------------

// A view like the host's, with its elements, on the device of ranks that use theirs.
static hd_view like(devices *d, hd_view v)
{
    hd_view w = HD_EMPTY;
    if (v.type == HD_NONE) return v;
    CHECK_OK(d->ctx, d->there ? hd_alloc_device(d->ctx, v.type, v.ndim, v.shape, &w)
                              : hd_alloc(d->ctx, v.type, v.ndim, v.shape, &w));
    d->used[d->count++] = w;
    if (hd_count(v) > 0) CHECK_OK(d->ctx, hd_map(d->ctx, v, NULL, w, NULL));
    return w;
}

// v has the bits that w has.
static void same(devices *d, const char *what, hd_view v, hd_view w)
{
    const size_t bytes = (size_t)hd_count(v) * hd_type_size(v.type);
    char *got = check_memory(bytes + 1);
    const hd_view back = hd_view_nd(v.type, got, v.ndim, v.shape, NULL);
    if (bytes > 0) CHECK_OK(d->ctx, hd_map(d->ctx, w, NULL, back, NULL));
    CHECK(memcmp(got, v.data, bytes) == 0, "%s: rank %d of %d differs, %s", what, d->r->rank,
          d->r->ranks, d->there ? "on its device" : "host");
    free(got);
}

static void done(devices *d)
{
    while (d->count > 0) CHECK_OK(d->ctx, hd_free(d->ctx, &d->used[--d->count]));
    d->there = !d->there;
}

// The call on the host, of r, and on devices, of d.
#define BOTH(d, here, there)                                                                       \
    do {                                                                                           \
        CHECK_MPI((d)->r, here);                                                                   \
        const hd_status status = there;                                                            \
        CHECK(status == HD_OK, #there ": %s", hd_mpi_error((d)->mpi));                             \
    } while (0)

// ---- What the calls work on ---------------------------------------------------------------------

typedef struct data {
    part p;
    int32_t x[N], y[N], z[N];
    float f[N], g[N];
    int64_t index[N], at[N];
    uint8_t flag[N];
} data;

static void draw(devices *d, data *a)
{
    uint64_t *state = &d->r->state;
    const int64_t all = N - 1;
    memset(a, 0, sizeof *a);
    a->p = draw_part(d->r, all);
    for (int64_t i = 0; i < all; i++) {
        const int32_t x = (int32_t)check_below(state, 40), to = (int32_t)check_below(state, all);
        const int64_t mine = i - a->p.begin;
        if (mine < 0 || mine >= a->p.n) continue;
        a->x[mine] = x, a->index[mine] = to, a->flag[mine] = x % 3 == 0;
        a->f[mine] = (float)x / 7;
    }
}

static void try_moves(devices *d, data *a)
{
    const hd_view x = HD_VIEW(a->x, a->p.n), y = HD_VIEW(a->y, a->p.n),
                  index = HD_VIEW(a->index, a->p.n), f = HD_VIEW(a->f, a->p.n);
    int64_t bad = 5;
    const hd_view bad_here = HD_VIEW(&bad, 1), bad_there = like(d, bad_here);
    hd_view v = like(d, x), w = like(d, y), at = like(d, index), with = like(d, f);
    BOTH(d, hd_mpi_gather(d->r->mpi, x, index, y, &(hd_gather_options){.bad = &bad_here}),
         hd_mpi_gather(d->mpi, v, at, w, &(hd_gather_options){.bad = &bad_there}));
    same(d, "gather", y, w), same(d, "its first bad index", bad_here, bad_there);
    const hd_view g = HD_VIEW(a->g, a->p.n), got = like(d, g);
    BOTH(d, hd_mpi_scatter(d->r->mpi, f, index, g, &(hd_scatter_options){.combine = HD_SUM}),
         hd_mpi_scatter(d->mpi, with, at, got, &(hd_scatter_options){.combine = HD_SUM}));
    same(d, "scatter", g, got);
    const int64_t ranks = d->r->ranks, rows = hd_mpi_even(12, d->r->rank + 1, (int32_t)ranks) -
                                              hd_mpi_even(12, d->r->rank, (int32_t)ranks);
    const int64_t columns = hd_mpi_even(WIDTH, d->r->rank + 1, (int32_t)ranks) -
                            hd_mpi_even(WIDTH, d->r->rank, (int32_t)ranks);
    const hd_view wide = hd_view_nd(HD_I32, a->y, 2, (int64_t[]){rows, WIDTH}, NULL),
                  tall = hd_view_nd(HD_I32, a->z, 2, (int64_t[]){columns, 12}, NULL);
    v = like(d, wide), w = like(d, tall);
    BOTH(d, hd_mpi_transpose(d->r->mpi, wide, tall, NULL), hd_mpi_transpose(d->mpi, v, w, NULL));
    same(d, "transpose", tall, w);
    const part q = draw_part(d->r, N - 1);
    const hd_view other = HD_VIEW(a->z, q.n), moved = like(d, other);
    v = like(d, x);
    BOTH(d, hd_mpi_redistribute(d->r->mpi, x, other, NULL),
         hd_mpi_redistribute(d->mpi, v, moved, NULL));
    same(d, "redistribute", other, moved);
    done(d);
}

static void try_selections(devices *d, data *a)
{
    const hd_view x = HD_VIEW(a->x, a->p.n), y = HD_VIEW(a->y, a->p.n), z = HD_VIEW(a->z, a->p.n),
                  flags = HD_VIEW(a->flag, a->p.n), index = HD_VIEW(a->index, a->p.n);
    int64_t kept = -1, bins[WAYS], begin[WAYS + 1];
    const hd_view count = HD_VIEW(&kept, 1), counts = HD_VIEW(bins, WAYS),
                  offsets = HD_VIEW(begin, WAYS + 1);
    const hd_view v = like(d, x), w = like(d, y), u = like(d, z), flagged = like(d, flags);
    const hd_view at = like(d, index), number = like(d, count);
    BOTH(d, hd_mpi_compact(d->r->mpi, x, y, count, false, &(hd_compact_options){.flags = &flags}),
         hd_mpi_compact(d->mpi, v, w, number, false, &(hd_compact_options){.flags = &flagged}));
    same(d, "compact", y, w), same(d, "its count", count, number);
    BOTH(d, hd_mpi_unique(d->r->mpi, x, y, count, false, &(hd_unique_options){.indices = &index}),
         hd_mpi_unique(d->mpi, v, w, number, false, &(hd_unique_options){.indices = &at}));
    same(d, "unique", y, w), same(d, "its indices", index, at), same(d, "runs", count, number);
    BOTH(d, hd_mpi_run_lengths(d->r->mpi, x, y, z, count, false, NULL),
         hd_mpi_run_lengths(d->mpi, v, w, u, number, false, NULL));
    same(d, "values of runs", y, w), same(d, "lengths of runs", z, u);
    const hd_view room = HD_VIEW(a->z, N), more = like(d, room); // even shares have other sizes
    BOTH(d, hd_mpi_unique(d->r->mpi, x, room, count, true, NULL),
         hd_mpi_unique(d->mpi, v, more, number, true, NULL));
    same(d, "even shares of runs", room, more), same(d, "their count", count, number);
    const hd_view all = like(d, counts), begins = like(d, offsets);
    BOTH(d,
         hd_mpi_partition(d->r->mpi, x, y, HD_EMPTY,
                          &(hd_partition_options){.keep = is_odd, .indices = &index}),
         hd_mpi_partition(d->mpi, v, w, HD_EMPTY,
                          &(hd_partition_options){.keep = is_odd, .indices = &at}));
    same(d, "partition", y, w), same(d, "its indices", index, at);
    BOTH(d,
         hd_mpi_partition(
             d->r->mpi, x, y, counts,
             &(hd_partition_options){.buckets = &flags, .ways = WAYS, .offsets = &offsets}),
         hd_mpi_partition(
             d->mpi, v, w, all,
             &(hd_partition_options){.buckets = &flagged, .ways = WAYS, .offsets = &begins}));
    same(d, "buckets", y, w), same(d, "counts", counts, all), same(d, "offsets", offsets, begins);
    done(d);
}

static void try_orders(devices *d, data *a)
{
    const hd_view x = HD_VIEW(a->x, a->p.n), y = HD_VIEW(a->y, a->p.n), f = HD_VIEW(a->f, a->p.n),
                  g = HD_VIEW(a->g, a->p.n), index = HD_VIEW(a->index, a->p.n);
    hd_view v = like(d, x), w = like(d, y), values = like(d, f), moved = like(d, g);
    const hd_view at = like(d, index);
    BOTH(d,
         hd_mpi_sort(d->r->mpi, x, y, HD_VALUES(f, g), &(hd_mpi_sort_options){.indices = &index}),
         hd_mpi_sort(d->mpi, v, w, HD_VALUES(values, moved),
                     &(hd_mpi_sort_options){.indices = &at}));
    same(d, "sort", y, w), same(d, "its values", g, moved), same(d, "its indices", index, at);
    int32_t twice[2 * N];
    float both[2 * N];
    const hd_view out = HD_VIEW(twice, 2 * a->p.n), far = like(d, out);
    const hd_view lot = HD_VIEW(both, 2 * a->p.n), far_lot = like(d, lot);
    v = like(d, y);
    BOTH(d, hd_mpi_merge(d->r->mpi, y, y, out, HD_VALUES(g, g, lot), NULL),
         hd_mpi_merge(d->mpi, v, w, far, HD_VALUES(moved, moved, far_lot), NULL));
    same(d, "merge", out, far), same(d, "its values", lot, far_lot);
    done(d);
}

static void try_histograms(devices *d, data *a)
{
    int32_t bins[BINS] = {3, 1, 4};
    float sums[BINS] = {1, 2, 3};
    int64_t fell = 0;
    const hd_view x = HD_VIEW(a->x, a->p.n), f = HD_VIEW(a->f, a->p.n), outside = HD_VIEW(&fell, 1),
                  out = HD_VIEW(bins, BINS), sum = HD_VIEW(sums, BINS);
    const hd_view v = like(d, x), w = like(d, out), g = like(d, f), s = like(d, sum),
                  number = like(d, outside);
    BOTH(d,
         hd_mpi_histogram(d->r->mpi, x, out,
                          &(hd_histogram_options){.outside = &outside, .add = true}),
         hd_mpi_histogram(d->mpi, v, w, &(hd_histogram_options){.outside = &number, .add = true}));
    same(d, "histogram", out, w), same(d, "outside", outside, number);
    BOTH(d,
         hd_mpi_histogram(d->r->mpi, x, sum, &(hd_histogram_options){.weights = &f, .add = true}),
         hd_mpi_histogram(d->mpi, v, s, &(hd_histogram_options){.weights = &g, .add = true}));
    same(d, "weights", sum, s);
    done(d);
}

static void try_neighbours(devices *d, data *a)
{
    const int64_t rows = a->p.n / WIDTH, shape[2] = {rows, WIDTH};
    float weight[9] = {0.1f, 0.2f, 0.1f, 0, 0.25f, 0, 0.1f, 0.2f, 0.05f};
    int64_t offset[4] = {-1, 0, 1, 0};
    const hd_view in = hd_view_nd(HD_F32, a->f, 2, shape, NULL),
                  out = hd_view_nd(HD_F32, a->g, 2, shape, NULL), two = HD_VIEW(weight, 2),
                  mask = hd_view_nd(HD_F32, weight, 2, (int64_t[]){3, 3}, NULL),
                  offsets = hd_view_nd(HD_I64, offset, 2, (int64_t[]){2, 2}, NULL);
    const hd_view v = like(d, in), w = like(d, out), of = like(d, offsets), by = like(d, two),
                  m = like(d, mask);
    BOTH(d, hd_mpi_stencil(d->r->mpi, in, offsets, two, out, NULL),
         hd_mpi_stencil(d->mpi, v, of, by, w, NULL));
    same(d, "stencil", out, w);
    BOTH(d, hd_mpi_convolve(d->r->mpi, in, mask, out, NULL),
         hd_mpi_convolve(d->mpi, v, m, w, NULL));
    same(d, "convolve", out, w);
    BOTH(d, hd_mpi_blur(d->r->mpi, in, 0.8, out, NULL), hd_mpi_blur(d->mpi, v, 0.8, w, NULL));
    same(d, "blur", out, w);
    BOTH(d, hd_mpi_difference(d->r->mpi, in, out, NULL), hd_mpi_difference(d->mpi, v, w, NULL));
    same(d, "difference", out, w);
    done(d);
}

static void try_graphs(devices *d, data *a)
{
    int64_t lists = 0, count = 0, offset[N + 1];
    for (int64_t i = 0; i < a->p.n; i++) { // lists of WIDTH nodes
        const int64_t node = a->p.begin + i;
        a->at[i] = node % WIDTH == WIDTH - 1 || node == N - 2 ? node : node + 1;
    }
    for (int64_t i = 0; i <= a->p.n; i++) offset[i] = i;
    const hd_view next = HD_VIEW(a->at, a->p.n), y = HD_VIEW(a->y, a->p.n),
                  f = HD_VIEW(a->f, a->p.n), g = HD_VIEW(a->g, a->p.n),
                  index = HD_VIEW(a->index, a->p.n), number = HD_VIEW(&lists, 1),
                  parts = HD_VIEW(&count, 1), offsets = HD_VIEW(offset, a->p.n + 1);
    const hd_view to = like(d, next), w = like(d, y), values = like(d, f), sums = like(d, g),
                  at = like(d, index), told = like(d, number), parts_there = like(d, parts),
                  of = like(d, offsets);
    BOTH(d, hd_mpi_list_rank(d->r->mpi, next, y, &(hd_list_options){.lists = &number}),
         hd_mpi_list_rank(d->mpi, to, w, &(hd_list_options){.lists = &told}));
    same(d, "list rank", y, w), same(d, "lists", number, told);
    BOTH(d, hd_mpi_list_scan(d->r->mpi, next, f, HD_SUM, g, NULL),
         hd_mpi_list_scan(d->mpi, to, values, HD_SUM, sums, NULL));
    same(d, "list scan", g, sums);
    BOTH(d, hd_mpi_components(d->r->mpi, next, index, y, &(hd_components_options){.count = &parts}),
         hd_mpi_components(d->mpi, to, at, w, &(hd_components_options){.count = &parts_there}));
    same(d, "components", y, w), same(d, "their number", parts, parts_there);
    BOTH(d, hd_mpi_spmv(d->r->mpi, offsets, index, f, f, HD_DOT, g, NULL),
         hd_mpi_spmv(d->mpi, of, at, values, values, HD_DOT, sums, NULL));
    same(d, "a product", g, sums);
    done(d);
}

static void try_folds(devices *d, data *a)
{
    float total = 0;
    int64_t offset[SEGMENTS + 1], mine = 0, runs = 0;
    const int64_t begin = d->r->rank == 0 ? 0 : SEGMENTS + 1,
                  ends = d->r->rank == 0 ? SEGMENTS + 1 : 0; // all offsets are rank 0's
    for (int64_t k = begin; k < begin + ends; k++) offset[mine++] = k * (N - 1) / SEGMENTS;
    const hd_view f = HD_VIEW(a->f, a->p.n), g = HD_VIEW(a->g, a->p.n), x = HD_VIEW(a->x, a->p.n),
                  y = HD_VIEW(a->y, a->p.n), one = HD_VIEW(&total, 1),
                  segments = HD_VIEW(offset, mine), number = HD_VIEW(&runs, 1);
    const hd_view v = like(d, f), w = like(d, g), keys = like(d, x), keys_out = like(d, y),
                  sum = like(d, one), of = like(d, segments), told = like(d, number);
    BOTH(d, hd_mpi_reduce(d->r->mpi, f, HD_SUM, one, NULL),
         hd_mpi_reduce(d->mpi, v, HD_SUM, sum, NULL));
    same(d, "reduce", one, sum);
    BOTH(d, hd_mpi_scan(d->r->mpi, f, HD_SUM, g, NULL), hd_mpi_scan(d->mpi, v, HD_SUM, w, NULL));
    same(d, "scan", g, w);
    BOTH(d, hd_mpi_scan(d->r->mpi, f, HD_SUM, g, &(hd_scan_options){.segments = &segments}),
         hd_mpi_scan(d->mpi, v, HD_SUM, w, &(hd_scan_options){.segments = &of}));
    same(d, "scan of segments", g, w);
    BOTH(d, hd_mpi_scan(d->r->mpi, f, HD_MEAN, g, &(hd_scan_options){.keys = &x}),
         hd_mpi_scan(d->mpi, v, HD_MEAN, w, &(hd_scan_options){.keys = &keys}));
    same(d, "means by key", g, w);
    BOTH(d,
         hd_mpi_reduce(d->r->mpi, f, HD_SUM, g,
                       &(hd_reduce_options){.keys = &x, .keys_out = &y, .runs = &number}),
         hd_mpi_reduce(d->mpi, v, HD_SUM, w,
                       &(hd_reduce_options){.keys = &keys, .keys_out = &keys_out, .runs = &told}));
    same(d, "reduce by key", g, w), same(d, "keys", y, keys_out), same(d, "runs", number, told);
    done(d);
}

// What is refused of host memory is refused of a device, and nothing of it is written.
static void try_refused(devices *d, data *a)
{
    const hd_view x = HD_VIEW(a->x, 5), y = HD_VIEW(a->y, 5), z = HD_VIEW(a->z, 4);
    const hd_view v = like(d, x), w = like(d, z);
    hd_view kept = like(d, y);
    kept.read_only = 1;
    hd_status status = hd_mpi_sort(d->mpi, v, w, HD_NO_VALUES, NULL);
    CHECK(status == HD_ERROR_SHAPE, "%s: %s", hd_status_name(status), hd_mpi_error(d->mpi));
    status = hd_mpi_redistribute(d->mpi, v, kept, NULL);
    CHECK(status == HD_ERROR_ARGUMENT && strstr(hd_mpi_error(d->mpi), "read-only") != NULL,
          "%s: %s", hd_status_name(status), hd_mpi_error(d->mpi));
    status = hd_mpi_sort(d->mpi, v, kept, HD_NO_VALUES, &(hd_mpi_sort_options){.size = 3});
    CHECK(status == HD_ERROR_ARGUMENT && strstr(hd_mpi_error(d->mpi), "options.size") != NULL,
          "%s: %s", hd_status_name(status), hd_mpi_error(d->mpi));
    same(d, "what was refused", y, kept), same(d, "what was too short", z, w);
    done(d);
}

void test_devices(ranks *r, void (*know)(hd_context *ctx))
{
    devices d = {.r = r, .there = r->rank % 2 == 0};
    data a;
    if (!hd_backend_available(HD_MODEL, NULL)) return;
    d.ctx = check_open(HD_MODEL, 1, NULL);
    // Every third rank copies all the same.
    if (know != NULL) setenv("HEDDLE_MPI_DEVICE", r->rank % 3 == 2 ? "0" : "1", 1), know(d.ctx);
    CHECK_OK(d.ctx, hd_mpi_open(&d.mpi, d.ctx, MPI_COMM_WORLD));
    CHECK(hd_mpi_is_device_aware(d.mpi) == (know != NULL && r->rank % 3 != 2),
          "rank %d is%s aware of its device", r->rank, hd_mpi_is_device_aware(d.mpi) ? "" : " not");
    draw(&d, &a), try_moves(&d, &a);
    draw(&d, &a), try_selections(&d, &a);
    draw(&d, &a), try_orders(&d, &a);
    draw(&d, &a), try_histograms(&d, &a);
    draw(&d, &a), try_neighbours(&d, &a);
    draw(&d, &a), try_graphs(&d, &a);
    draw(&d, &a), try_folds(&d, &a);
    draw(&d, &a), try_refused(&d, &a);
    hd_mpi_close(d.mpi);
    if (know != NULL) unsetenv("HEDDLE_MPI_DEVICE"), know(NULL);
    hd_close(d.ctx);
}
