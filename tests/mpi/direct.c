// SPDX-License-Identifier: Apache-2.0
// Exchanges straight from and into the memory of a device: elements cross the network as they lie
// there, no copy of them is made on the host, and sorts of all kinds of numbers are right.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "device_aware.h"
#include "mpi/ranks.h"
#include "profiling.h"

typedef struct direct {
    ranks *r;
    hd_context *ctx; // of the model machine
    hd_mpi *mpi;
    int64_t host, most; // bytes of its memory on the host, at most
} direct;

static void *allocate(void *user, size_t size, size_t alignment)
{
    direct *d = user;
    d->host += (int64_t)size;
    if (d->host > d->most) d->most = d->host;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void release(void *user, void *memory, size_t size)
{
    ((direct *)user)->host -= (int64_t)size;
    free(memory);
}

static hd_view on_device(direct *d, hd_type type, const void *elements, int64_t n)
{
    hd_view there = HD_EMPTY;
    CHECK_OK(d->ctx, hd_alloc_device(d->ctx, type, 1, &n, &there));
    if (n > 0 && elements != NULL)
        CHECK_OK(d->ctx, hd_map(d->ctx, hd_view_of(type, elements, n), NULL, there, NULL));
    return there;
}

static void holds(direct *d, const char *what, hd_view there, const void *want)
{
    const int64_t n = hd_count(there);
    const size_t bytes = (size_t)n * hd_type_size(there.type);
    void *got = check_memory(bytes + 1);
    if (n > 0) CHECK_OK(d->ctx, hd_map(d->ctx, there, NULL, hd_view_of(there.type, got, n), NULL));
    CHECK(memcmp(got, want, bytes) == 0, "%s of %s: rank %d of %d differs", what,
          hd_type_name(there.type), d->r->rank, d->r->ranks);
    free(got);
}

static void begin_count(direct *d)
{
    CHECK_OK(d->ctx, hd_trim(d->ctx, 0));
    d->most = d->host;
    sent = (traffic){0};
    device_bytes_sent = device_bytes_received = 0;
}

// ---- Sorts --------------------------------------------------------------------------------------

// Both infinities and NaN alone: splitters at the ends of the order.
static void fill_ends(float *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++) x[i] = i % 5 < 2 ? -INFINITY : i % 5 < 4 ? INFINITY : NAN;
}

static void try_sort(direct *d, hd_type type, int64_t n, check_pattern pattern, bool descending)
{
    ranks *r = d->r;
    const size_t size = hd_type_size(type);
    char *x = check_memory(size * (size_t)n + 1), *want = check_memory(size * (size_t)n + 1);
    check_fill(type, x, n, pattern, 7);
    if (type == HD_F32 && pattern == CHECK_SPECIAL) fill_ends((float *)(void *)x, n);
    for (int64_t i = 0; type == HD_BOOL && i < n; i++) x[i] = (char)(i * 7 % 3 == 0);
    const hd_sort_options o = {.descending = descending};
    CHECK_OK(r->serial, hd_sort(r->serial, hd_view_of(type, x, n), hd_view_of(type, want, n),
                                HD_NO_VALUES, &o));
    const part p = draw_part(r, n), q = draw_part(r, n);
    hd_view row = on_device(d, type, x, n), other = on_device(d, type, NULL, n);
    const hd_view in = hd_slice(row, 0, 0, p.n, 1),
                  out = hd_slice(check_below(&r->state, 2) ? row : other, 0, 0, q.n, 1);
    if (p.n > 0)
        CHECK_OK(d->ctx,
                 hd_map(d->ctx, hd_view_of(type, x + (size_t)p.begin * size, p.n), NULL, in, NULL));
    const hd_status status = hd_mpi_sort(d->mpi, in, out, HD_NO_VALUES,
                                         &(hd_mpi_sort_options){.descending = descending});
    CHECK(status == HD_OK, "%s", hd_mpi_error(d->mpi));
    holds(d, descending ? "a falling sort" : "a sort", out, want + (size_t)q.begin * size);
    CHECK_OK(d->ctx, hd_free(d->ctx, &row));
    CHECK_OK(d->ctx, hd_free(d->ctx, &other));
    free(x), free(want);
}

static void try_sorts(direct *d)
{
    static const hd_type type[] = {HD_I8, HD_U16, HD_F16, HD_I32, HD_F32, HD_U64, HD_F64, HD_BOOL};
    static const check_pattern pattern[] = {CHECK_ORDINARY, CHECK_WIDE, CHECK_SPECIAL, CHECK_TIES};
    int k = 0;
    for (size_t t = 0; t < sizeof type / sizeof type[0]; t++)
        for (int descending = 0; descending < 2; descending++, k++)
            try_sort(d, type[t], 300 + 37 * k % 100, pattern[k % 4], descending);
    try_sort(d, HD_F32, 500, CHECK_SPECIAL, false), try_sort(d, HD_F32, 500, CHECK_SPECIAL, true);
    try_sort(d, HD_F64, 500, CHECK_ZEROS, false);
    try_sort(d, HD_F64, 1, CHECK_ORDINARY, false), try_sort(d, HD_F64, 0, CHECK_ORDINARY, true);
}

// ---- What crosses, and what does not come to the host -------------------------------------------

// Each rank's elements are those of the next one: all of them cross, in short messages, too.
static void count_redistribute(direct *d)
{
    enum { N = 60000 };
    ranks *r = d->r;
    const int64_t was = d->mpi->chunk, mine = r->rank == 0 ? 0 : N, next = mine == 0 ? N : 0;
    const int64_t n = r->ranks == 1  ? N
                      : r->rank <= 1 ? mine
                                     : 0,
                  m = r->ranks == 1  ? N
                      : r->rank <= 1 ? next
                                     : 0;
    int32_t *x = check_memory(4 * N);
    check_fill(HD_I32, x, N, CHECK_ORDINARY, 3);
    hd_view in = on_device(d, HD_I32, x, n), out = on_device(d, HD_I32, NULL, m);
    for (int pass = 0; pass < 2; pass++, d->mpi->chunk = 1000) {
        begin_count(d);
        const hd_status status = hd_mpi_redistribute(d->mpi, in, out, NULL);
        CHECK(status == HD_OK, "%s", hd_mpi_error(d->mpi));
        const int64_t crossed = r->ranks == 1 ? 0 : 4 * n;
        CHECK(sent.bytes == crossed && device_bytes_sent == crossed,
              "%lld bytes, %lld of them from the device; expected %lld", (long long)sent.bytes,
              (long long)device_bytes_sent, (long long)crossed);
        CHECK(device_bytes_received == (r->ranks == 1 ? 0 : 4 * m), "%lld bytes to the device",
              (long long)device_bytes_received);
        CHECK(d->most - d->host < N, "a copy of %lld bytes on the host",
              (long long)(d->most - d->host));
        holds(d, "redistribute", out, x);
    }
    d->mpi->chunk = was;
    CHECK_OK(d->ctx, hd_free(d->ctx, &in));
    CHECK_OK(d->ctx, hd_free(d->ctx, &out));
    free(x);
}

static void count_sort(direct *d)
{
    enum { N = 40000 };
    ranks *r = d->r;
    uint32_t *x = check_memory(4 * N), *want = check_memory(4 * N);
    const int64_t begin = hd_mpi_even(N, r->rank, r->ranks),
                  n = hd_mpi_even(N, r->rank + 1, r->ranks) - begin;
    check_fill(HD_U32, x, N, CHECK_ORDINARY, 3);
    CHECK_OK(r->serial, hd_sort(r->serial, HD_VIEW(x, N), HD_VIEW(want, N), HD_NO_VALUES, NULL));
    hd_view in = on_device(d, HD_U32, x + begin, n), out = on_device(d, HD_U32, NULL, n);
    begin_count(d);
    const hd_status status = hd_mpi_sort(d->mpi, in, out, HD_NO_VALUES, NULL);
    CHECK(status == HD_OK, "%s", hd_mpi_error(d->mpi));
    CHECK(sent.bytes == device_bytes_sent && sent.bytes <= 4 * n,
          "%lld bytes, %lld of them from the device", (long long)sent.bytes,
          (long long)device_bytes_sent);
    CHECK(d->most - d->host < 2 * n, "a copy of %lld bytes on the host",
          (long long)(d->most - d->host));
    holds(d, "sort", out, want + begin);
    CHECK_OK(d->ctx, hd_free(d->ctx, &in));
    CHECK_OK(d->ctx, hd_free(d->ctx, &out));
    free(x), free(want);
}

void test_direct(ranks *r)
{
    direct d = {.r = r};
    hd_mpi *cores;
    if (!hd_backend_available(HD_MODEL, NULL)) return;
    CHECK_OK(d.ctx, hd_open(&d.ctx, &(hd_context_options){.backend = HD_MODEL,
                                                          .threads = 1,
                                                          .allocator = {allocate, release, &d}}));
    setenv("HEDDLE_MPI_DEVICE", "1", 1);
    CHECK_OK(d.ctx, hd_mpi_open(&d.mpi, d.ctx, MPI_COMM_WORLD));
    CHECK_OK(r->ctx, hd_mpi_open(&cores, r->ctx, MPI_COMM_WORLD));
    unsetenv("HEDDLE_MPI_DEVICE");
    know_device(d.ctx);
    CHECK(!hd_mpi_is_device_aware(NULL) && hd_mpi_is_device_aware(d.mpi), "not aware");
    CHECK(!hd_mpi_is_device_aware(cores), "a rank without a device is aware of one");
    hd_mpi_close(cores);
    try_sorts(&d);
    count_redistribute(&d);
    count_sort(&d);
    know_device(NULL);
    hd_mpi_close(d.mpi);
    hd_close(d.ctx);
}
