// SPDX-License-Identifier: Apache-2.0
//
// Transposition by the GPU's kernels, on the model machine and on a card where there is one,
// against the serial backend, byte for byte: sizes of elements, shapes around tiles, short axes,
// orders of axes, batches, pitches, addresses off by one element, squares in place; structures to
// fields and back. The whole memory around the output is compared, so what lies in gaps must stay.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

static hd_context *ctx, *serial;
static const char *backend;

static hd_type structure(int64_t size)
{
    return (hd_type)(HD_STRUCTURE | (uint32_t)size << 8);
}

typedef struct row {
    int32_t size, ndim;
    int64_t shape[4];
    int32_t axes[4];
    int64_t pitch;   // elements behind each row of the last axis, in in and in out
    int64_t skip[2]; // elements before the first of in and of out
    bool backwards;  // in's first axis
    bool in_place;
} row;

// Each few are one kernel.
static const row rows[] = {
    // transpose_tiles
    {4, 2, {64, 64}, {1, 0}, 0, {0, 0}, false, false},
    {4, 2, {97, 131}, {1, 0}, 0, {1, 3}, false, false},
    {4, 2, {1, 300}, {1, 0}, 3, {0, 1}, false, false},
    {4, 3, {3, 70, 65}, {0, 2, 1}, 1, {1, 0}, true, false},
    {8, 2, {67, 130}, {1, 0}, 0, {1, 0}, false, false},
    {16, 3, {35, 2, 41}, {2, 1, 0}, 0, {1, 1}, false, false},
    {12, 2, {65, 70}, {1, 0}, 0, {0, 1}, false, false},
    {3, 2, {66, 67}, {1, 0}, 1, {0, 1}, false, false},
    {60, 2, {37, 40}, {1, 0}, 1, {0, 0}, false, false},
    {4, 4, {5, 34, 3, 37}, {3, 0, 2, 1}, 2, {0, 1}, true, false},
    // transpose_packed
    {1, 2, {128, 128}, {1, 0}, 0, {0, 0}, false, false},
    {1, 2, {257, 131}, {1, 0}, 0, {1, 2}, false, false},
    {1, 2, {131, 259}, {1, 0}, 5, {3, 1}, true, false},
    {1, 3, {2, 130, 133}, {0, 2, 1}, 1, {2, 3}, false, false},
    {2, 2, {131, 67}, {1, 0}, 0, {1, 0}, false, false},
    {2, 2, {64, 201}, {1, 0}, 1, {0, 1}, true, false},
    // transpose_narrow
    {4, 2, {3001, 3}, {1, 0}, 0, {0, 0}, false, false},
    {4, 2, {2000, 4}, {1, 0}, 0, {1, 1}, false, false},
    {4, 2, {3, 3001}, {1, 0}, 0, {0, 0}, false, false},
    {4, 2, {5, 1500}, {1, 0}, 0, {2, 1}, false, false},
    {1, 3, {60, 51, 3}, {2, 0, 1}, 0, {0, 0}, false, false},
    {1, 2, {3, 4099}, {1, 0}, 0, {1, 1}, false, false},
    {2, 2, {1027, 5}, {1, 0}, 0, {0, 1}, false, false},
    {8, 2, {1001, 7}, {1, 0}, 0, {0, 0}, false, false},
    {12, 2, {501, 2}, {1, 0}, 0, {1, 0}, false, false},
    {4, 3, {600, 3, 5}, {0, 2, 1}, 0, {0, 0}, false, false},
    {1, 3, {600, 3, 5}, {0, 2, 1}, 0, {1, 1}, false, false},
    // transpose_rows, and copies
    {4, 3, {30, 41, 67}, {1, 0, 2}, 0, {0, 0}, false, false},
    {4, 3, {30, 41, 67}, {1, 0, 2}, 1, {1, 0}, true, false},
    {1, 3, {11, 13, 200}, {1, 0, 2}, 0, {1, 1}, false, false},
    {1024, 2, {9, 14}, {1, 0}, 0, {0, 0}, false, false},
    {4, 2, {30, 40}, {0, 1}, 1, {0, 0}, false, false},
    {4, 1, {300}, {0}, 0, {1, 0}, false, false},
    {4, 1, {300}, {0}, 0, {1, 0}, true, false},
    // In place
    {4, 2, {150, 150}, {1, 0}, 0, {1, 1}, false, true},
    {4, 3, {3, 65, 65}, {0, 2, 1}, 2, {0, 0}, true, true},
    {8, 2, {97, 97}, {1, 0}, 0, {0, 0}, false, true},
    {16, 2, {65, 65}, {1, 0}, 0, {0, 0}, false, true},
    {48, 2, {40, 40}, {1, 0}, 0, {0, 0}, false, true},
    {100, 2, {21, 21}, {1, 0}, 0, {0, 0}, false, true},
    {1, 2, {300, 300}, {1, 0}, 0, {1, 1}, false, true},
    {1, 3, {2, 131, 131}, {0, 2, 1}, 3, {2, 2}, false, true},
    {2, 2, {131, 131}, {1, 0}, 1, {1, 1}, false, true},
    {4, 2, {1, 1}, {1, 0}, 0, {0, 0}, false, true},
};
enum { COUNT = sizeof rows / sizeof *rows };

// A view of `shape` with gaps behind rows, and how many elements it reaches over; without memory
// that alone.
static hd_view laid_out(const row *w, const int64_t *shape, char *memory, int64_t skip,
                        bool backwards, int64_t *reach)
{
    int64_t stride[4], step = 1;
    for (int k = w->ndim - 1; k >= 0; k--) {
        stride[k] = step;
        step *= shape[k] + (k == w->ndim - 1 ? w->pitch : 0);
    }
    *reach = skip + step;
    const int64_t first = skip + (backwards ? stride[0] * (shape[0] - 1) : 0);
    if (backwards) stride[0] = -stride[0];
    return hd_view_nd(structure(w->size), memory == NULL ? NULL : memory + first * w->size, w->ndim,
                      shape, stride);
}

typedef struct memory {
    char *host, *want;
    hd_view device;
    int64_t bytes;
} memory;

static memory make(int64_t bytes, uint64_t *r)
{
    memory m = {check_memory((size_t)bytes + 8), check_memory((size_t)bytes + 8), {0}, bytes};
    for (int64_t k = 0; k < bytes; k += 8) {
        const uint64_t x = check_next(r);
        memcpy(m.host + k, &x, 8);
    }
    memcpy(m.want, m.host, (size_t)bytes);
    CHECK_OK(ctx, hd_alloc_device(ctx, HD_U8, 1, &bytes, &m.device));
    CHECK_OK(ctx, hd_map(ctx, HD_VIEW_OF(HD_U8, m.host, bytes), NULL, m.device, NULL));
    return m;
}

static void finish(memory *m, const row *w, const char *what)
{
    char *got = check_memory((size_t)m->bytes);
    CHECK_OK(ctx, hd_map(ctx, m->device, NULL, HD_VIEW_OF(HD_U8, got, m->bytes), NULL));
    CHECK_SAME(HD_U8, got, m->want, m->bytes, "%s, element of %d, %" PRId64 " x %" PRId64 ", %s",
               what, w->size, w->shape[0], w->shape[1], backend);
    CHECK_OK(ctx, hd_free(ctx, &m->device));
    free(got), free(m->host), free(m->want);
}

static hd_view on_device(hd_view host, const memory *m, const char *base)
{
    host.data = (char *)m->device.data + ((char *)host.data - base);
    host.space = HD_DEVICE;
    return host;
}

static void ask(const row *w, uint64_t *r)
{
    int64_t turned[4], reach, out_reach;
    for (int k = 0; k < w->ndim; k++) turned[k] = w->shape[w->axes[k]];
    laid_out(w, w->shape, NULL, w->skip[0], false, &reach);
    laid_out(w, turned, NULL, w->skip[1], false, &out_reach);
    memory from = make(reach * w->size, r), to = make(out_reach * w->size, r);
    const hd_transpose_options o = {.axes = w->axes};
    const hd_view in = laid_out(w, w->shape, from.want, w->skip[0], w->backwards, &reach);
    const hd_view out =
        w->in_place ? in : laid_out(w, turned, to.want, w->skip[1], false, &out_reach);
    CHECK_OK(serial, hd_transpose(serial, in, out, &o));
    const hd_view in_there = on_device(in, &from, from.want);
    const hd_view out_there = w->in_place ? in_there : on_device(out, &to, to.want);
    CHECK_OK(ctx, hd_transpose(ctx, in_there, out_there, &o));
    CHECK_OK(ctx, hd_sync(ctx));
    finish(&from, w, "in"), finish(&to, w, "out");
}

static void test_host(void)
{
    enum { M = 70, N = 45 };
    static float x[M][N], y[N][M], square[M][M];
    for (int i = 0; i < M; i++) {
        for (int j = 0; j < N; j++) x[i][j] = (float)(i * N + j);
        for (int j = 0; j < M; j++) square[i][j] = (float)(i * M + j);
    }
    CHECK_OK(ctx, hd_transpose(ctx, hd_view_nd(HD_F32, x, 2, (int64_t[]){M, N}, NULL),
                               hd_view_nd(HD_F32, y, 2, (int64_t[]){N, M}, NULL), NULL));
    const hd_view all = hd_view_nd(HD_F32, square, 2, (int64_t[]){M, M}, NULL);
    CHECK_OK(ctx, hd_transpose(ctx, all, all, NULL));
    int wrong = 0;
    for (int i = 0; i < M; i++) {
        for (int j = 0; j < N; j++) wrong += y[j][i] != x[i][j];
        for (int j = 0; j < M; j++) wrong += square[j][i] != (float)(i * M + j);
    }
    CHECK(wrong == 0, "%d of the host are wrong, %s", wrong, backend);
    int64_t counted[9];
    CHECK_OK(ctx, hd_transpose(ctx, hd_progression(5, 2, 9), HD_VIEW(counted, 9), NULL));
    CHECK(counted[0] == 5 && counted[8] == 21, "a progression, %s", backend);
}

// ---- Structures and fields ----------------------------------------------------------------------

typedef struct fields {
    int64_t size, offset[4];
    int count;
    hd_type type[4];
    int64_t skip; // bytes before the structures
} fields;

static const fields structures[] = {
    {12, {0, 4, 8}, 3, {HD_F32, HD_F32, HD_F32}, 0},
    {16, {0, 8, 4}, 3, {HD_U8, HD_F64, HD_U16}, 0},
    {3, {0, 1, 2}, 3, {HD_U8, HD_U8, HD_U8}, 1},
    {24, {16, 0}, 2, {HD_F64, (hd_type)(HD_STRUCTURE | 16 << 8)}, 8},
    {7, {1, 0}, 2, {(hd_type)(HD_STRUCTURE | 6 << 8), HD_U8}, 0},
};

static void ask_fields(const fields *f, int64_t n, bool unzips, uint64_t *r)
{
    memory whole = make(f->skip + n * f->size, r), part[4];
    hd_view views[4], views_there[4];
    const hd_view all = hd_view_of(structure(f->size), whole.want + f->skip, n);
    for (int k = 0; k < f->count; k++) {
        part[k] = make(n * (int64_t)hd_type_size(f->type[k]), r);
        views[k] = hd_view_of(f->type[k], part[k].want, n);
        views_there[k] = on_device(views[k], &part[k], part[k].want);
    }
    const hd_view all_there = on_device(all, &whole, whole.want);
    const hd_views list = {views, f->count}, list_there = {views_there, f->count};
    const hd_zip_options o = {.field_offsets = f->offset};
    CHECK_OK(serial, unzips ? hd_unzip(serial, all, list, &o) : hd_zip(serial, list, all, &o));
    CHECK_OK(ctx, unzips ? hd_unzip(ctx, all_there, list_there, &o)
                         : hd_zip(ctx, list_there, all_there, &o));
    CHECK_OK(ctx, hd_sync(ctx));
    const row named = {.size = (int32_t)f->size};
    finish(&whole, &named, "structures");
    for (int k = 0; k < f->count; k++) finish(&part[k], &named, "a field");
}

static void test_fields(uint64_t *r)
{
    for (int k = 0; k < 5; k++)
        for (int unzips = 0; unzips < 2; unzips++) {
            ask_fields(&structures[k], 1 + 7 * k, unzips, r);
            ask_fields(&structures[k], 3001, unzips, r);
        }
    float x[9], y[3][3];
    for (int k = 0; k < 9; k++) x[k] = (float)k;
    const hd_views list = HD_VIEWS(HD_VIEW(y[0], 3), HD_VIEW(y[1], 3), HD_VIEW(y[2], 3));
    CHECK_OK(ctx, hd_unzip(ctx, hd_view_of(structure(12), x, 3), list, NULL));
    CHECK(y[0][1] == 3 && y[2][2] == 8, "fields of the host, %s", backend);
}

static void test_backend(hd_backend which)
{
    static const char *const tunes[] = {
        "", "transpose_threads=64 transpose_tile_threads=256 transpose_group=1",
        "transpose_group=2 transpose_narrow=1024"};
    uint64_t r = check_seed();
    backend = hd_backend_name(which);
    for (int k = 0; k < 3; k++) {
        setenv("HEDDLE_TUNE", tunes[k], 1);
        ctx = check_open(which, 1, NULL);
        for (int j = 0; j < COUNT; j++)
            if (which == HD_CUDA || k == 0 || j % 5 == k) ask(&rows[j], &r);
        if (k == 0) test_host();
        if (k == 0) test_fields(&r);
        hd_close(ctx);
    }
    unsetenv("HEDDLE_TUNE");
}

int main(void)
{
    serial = check_open(HD_SERIAL, 0, NULL);
    const int code = check_on_gpus(test_backend);
    hd_close(serial);
    return code;
}
