// SPDX-License-Identifier: Apache-2.0
//
// The rows of compaction and partition: by flags of bytes that keep a half, a hundredth, nearly
// all; by a predicate; into buckets. GB/s counts the bytes read (elements, flags or buckets) and
// written; the peak is the fastest copy of the elements.
#include "bench/harness/pattern.h"
#include "bench/peer/peer_select.h"

#include <stdlib.h>
#include <string.h>

HD_FUNCTION(is_positive, bool, HD_NO_SOURCE, (int32_t, x), { return x > 0; })

// How a case chooses.
typedef struct way {
    int percent; // by flags
    int ways;    // into buckets
} way;
static const way half = {50, 0}, few = {1, 0}, most = {99, 0}, positive = {0, 0};
static const way sixteen = {0, 16}, many = {0, 256};

static const bench_case cases[] = {
    {"compact", "i32", "flags, half", PEER_OTHER_OP, PEER_I32, PEER_I32, NULL, &half},
    {"compact", "i32", "flags, 1%", PEER_OTHER_OP, PEER_I32, PEER_I32, NULL, &few},
    {"compact", "i32", "flags, 99%", PEER_OTHER_OP, PEER_I32, PEER_I32, NULL, &most},
    {"compact", "i32", "x > 0", PEER_OTHER_OP, PEER_I32, PEER_I32, NULL, &positive},
    {"compact", "f64", "flags, half", PEER_OTHER_OP, PEER_F64, PEER_F64, NULL, &half},
    {"compact", "u8", "flags, half", PEER_OTHER_OP, PEER_U8, PEER_U8, NULL, &half},
    {"partition", "i32", "flags, half", PEER_OTHER_OP, PEER_I32, PEER_I32, NULL, &half},
    {"partition", "i32", "x > 0", PEER_OTHER_OP, PEER_I32, PEER_I32, NULL, &positive},
    {"partition", "i32", "16 ways", PEER_OTHER_OP, PEER_I32, PEER_I32, NULL, &sixteen},
    {"partition", "i32", "256 ways", PEER_OTHER_OP, PEER_I32, PEER_I32, NULL, &many},
};

// What a row keeps besides its arrays.
typedef struct kept {
    peer_select more;
    uint8_t *labels; // flags or buckets
    unsigned char *want, *rest;
    int64_t wanted, n; // elements of want that count; of all
    int64_t counts[256], want_counts[256];
    int32_t apart;
    hd_view view;      // of labels
    hd_view on_device; // counts of the last call, where it ran there: it need not be waited for
    bool there;        // they have not been fetched yet
    hd_compact_options compact;
    hd_partition_options partition;
} kept;

// Where a call puts its counts: beside its elements.
static hd_view counts_of(bench_row *row, int64_t ways)
{
    kept *k = row->state;
    if (row->in.space != HD_DEVICE) return HD_VIEW(k->counts, ways);
    if (k->on_device.data == NULL)
        row->status = hd_alloc_device(row->ctx, HD_I64, 1, &ways, &k->on_device);
    k->there = true;
    return k->on_device;
}

static void call_compact(bench_row *row)
{
    kept *k = row->state;
    k->compact.flags = k->more.flags ? &k->view : NULL;
    const hd_status status =
        hd_compact(row->ctx, row->in, row->out, counts_of(row, 1), &k->compact);
    if (status) row->status = status;
}

static void call_partition(bench_row *row)
{
    kept *k = row->state;
    const int64_t ways = k->more.ways ? k->more.ways : 2;
    if (k->more.ways)
        k->partition.buckets = &k->view;
    else if (k->more.flags)
        k->partition.flags = &k->view;
    const hd_status status =
        hd_partition(row->ctx, row->in, row->out, counts_of(row, ways), &k->partition);
    if (status) row->status = status;
}

// The counts and the elements; then what was found is spoilt for the next.
static bool check(const bench_row *row)
{
    kept *k = row->state;
    const size_t size = data_type_size(row->job.type);
    const int64_t parts = k->more.ways ? k->more.ways : 1;
    const bool two = row->job.pattern == PEER_PARTITION && k->more.ways == 0;
    const size_t first = (size_t)(k->apart ? k->want_counts[0] : k->wanted) * size;
    if (k->there && hd_map(row->ctx, k->on_device, NULL, HD_VIEW(k->counts, k->on_device.shape[0]),
                           NULL) != HD_OK)
        return false;
    k->there = false;
    bool right = memcmp(k->counts, k->want_counts, (size_t)parts * sizeof *k->counts) == 0 &&
                 memcmp(row->job.out, k->want, first) == 0;
    if (two && k->apart)
        right = right && memcmp(k->rest, k->want + first, (size_t)k->n * size - first) == 0;
    memset(k->counts, 0xa5, sizeof k->counts);
    k->apart = 0;
    return right;
}

// Part of element i: 0 is kept, 1 dropped; or its bucket.
static int part_of(const bench_row *row, const kept *k, int64_t i)
{
    if (k->more.ways) return k->labels[i];
    return k->more.flags ? !k->labels[i] : !(((const int32_t *)row->job.in)[i] > 0);
}

static void make_wanted(const bench_row *row, kept *k)
{
    const size_t size = data_type_size(row->job.type);
    const unsigned char *x = row->job.in;
    int64_t place[256] = {0};
    for (int64_t i = 0; i < k->n; i++) k->want_counts[part_of(row, k, i)]++;
    for (int p = 1; p < 256; p++) place[p] = place[p - 1] + k->want_counts[p - 1];
    for (int64_t i = 0; i < k->n; i++)
        memcpy(k->want + (size_t)place[part_of(row, k, i)]++ * size, x + (size_t)i * size, size);
    k->wanted = row->job.pattern == PEER_COMPACT ? k->want_counts[0] : k->n;
}

static void make_labels(kept *k, const way *w)
{
    for (int64_t i = 0; i < k->n; i++) {
        const uint64_t random = data_mix((uint64_t)i + 12345) >> 40;
        k->labels[i] =
            (uint8_t)(w->ways ? random % (uint64_t)w->ways : random % 100 < (uint64_t)w->percent);
    }
}

static bool prepare(data *d, bench_row *row)
{
    const way *w = row->what->detail;
    const bool compacts = strcmp(row->what->op, "compact") == 0;
    const size_t size = data_type_size(row->what->peer_type), n = (size_t)row->job.n;
    kept *k = calloc(1, sizeof *k);
    row->state = k;
    if (!k) return false;
    k->n = row->job.n;
    k->labels = malloc(n), k->want = malloc(n * size), k->rest = malloc(n * size);
    if (!k->labels || !k->want || !k->rest) return false;
    make_labels(k, w);
    data_fill_in(d, FILL_BITS, row->what->peer_type, row->job.n);
    row_set(row, compacts ? PEER_COMPACT : PEER_PARTITION, d->in, d->out, row->job.n);
    row->heddle = compacts ? call_compact : call_partition;
    k->more = (peer_select){w->percent ? k->labels : NULL,
                            w->ways ? k->labels : NULL,
                            w->ways,
                            k->counts,
                            k->rest,
                            &k->apart};
    row->job.more = &k->more;
    k->view = HD_VIEW(k->labels, row->job.n);
    if (w->ways || w->percent) row->with = &k->view;
    if (w->ways) k->partition.ways = w->ways;
    if (!w->ways && !w->percent) k->partition.keep = k->compact.keep = is_positive;
    memset(k->rest, 0, n * size);
    make_wanted(row, k);
    row->peak_bytes = row->job.n * (int64_t)size;
    row->bytes =
        row->peak_bytes + (w->percent || w->ways ? row->job.n : 0) + k->wanted * (int64_t)size;
    row->peak = PEAK_COPY;
    row->check = check;
    return true;
}

static void finish(bench_row *row)
{
    kept *k = row->state;
    if (k && k->on_device.data) hd_free(row->ctx, &k->on_device);
    if (k) free(k->labels), free(k->want), free(k->rest);
    free(k);
    row->state = NULL;
}

static const int64_t sizes[] = {1 << 16, 1 << 20, 3000001, 1 << 24, 0};

const bench_pattern pattern_select = {
    .name = "select",
    .formula = "bytes of elements and flags read + bytes written",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = 8,
    .prepare = prepare,
    .finish = finish,
};
