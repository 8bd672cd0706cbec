// SPDX-License-Identifier: Apache-2.0
//
// Where elements may lie: every view of every call, a byte further on, is refused with a text that
// says so; structures are taken at any address. Run with UBSan's check of alignment, too.
#include <stdio.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/every_call/every_call.h"

static hd_context *ctx;

static void try_each(const every_call *call)
{
    hd_view v[EVERY_SLOTS];
    int64_t number = 0;
    const int count = every_views(call, v);
    check_status(__FILE__, __LINE__, call->name, ctx, HD_OK, call->run(ctx, v, &number));
    for (int k = 0; k < count; k++) {
        every_views(call, v);
        if (v[k].type >= HD_STRUCTURE) continue;
        const size_t size = hd_type_size(v[k].type);
        v[k].data = (char *)v[k].data + (size > 4 ? 4 : 1); // 4: what 32-bit machines align to
        char expected[40];
        snprintf(expected, sizeof expected, "expected a multiple of %zu", size);
        const hd_status status = call->run(ctx, v, &number);
        CHECK(status == HD_ERROR_ARGUMENT && strstr(hd_error(ctx), expected) != NULL,
              "%s: %s: status %d: %s", call->name, call->slot[k].name, (int)status, hd_error(ctx));
    }
    if (call->number == NULL) return;
    static int64_t words[2];
    every_views(call, v);
    const hd_status status = call->run(ctx, v, (int64_t *)(void *)((char *)words + 4));
    CHECK(status == HD_ERROR_ARGUMENT && strstr(hd_error(ctx), "expected a multiple of 8") != NULL,
          "%s: %s: status %d: %s", call->name, call->number, (int)status, hd_error(ctx));
}

// ---- Structures, which may lie anywhere ---------------------------------------------------------

enum { N = 1000, SIZES = 8 };
static const size_t sizes[SIZES] = {1, 2, 3, 4, 8, 12, 16, 24};
static _Alignas(64) unsigned char memory[3][24 * N + 64];
static int32_t places[N];

static void same(const char *what, size_t size, const unsigned char *got, bool reversed)
{
    for (int i = 0; i < N; i++) {
        const int from = reversed ? N - 1 - i : i;
        if (memcmp(got + (size_t)i * size, memory[0] + 1 + (size_t)from * size, size) == 0)
            continue;
        CHECK(false, "%s of structures of %zu bytes: element %d", what, size, i);
        return;
    }
}

static void move_structures(size_t size)
{
    const hd_type type = (hd_type)(HD_STRUCTURE | size << 8);
    const hd_view in = hd_view_of(type, memory[0] + 1, N), out = hd_view_of(type, memory[1] + 3, N);
    const hd_view back = hd_view_of(type, memory[2] + 5, N), at = HD_VIEW(places, N);
    const int64_t shape[] = {20, N / 20}, turned[] = {N / 20, 20};
    int64_t count = 0;
    CHECK_OK(ctx, hd_map(ctx, in, NULL, out, NULL));
    same("copy", size, memory[1] + 3, false);
    CHECK_OK(ctx, hd_gather(ctx, in, at, out, NULL));
    same("gather", size, memory[1] + 3, true);
    CHECK_OK(ctx, hd_scatter(ctx, in, at, out, NULL));
    same("scatter", size, memory[1] + 3, true);
    CHECK_OK(ctx, hd_compact(ctx, in, out, HD_VIEW(&count, 1),
                             &(hd_compact_options){.flags = HD_REF(hd_constant(1, N))}));
    same("compact", size, memory[1] + 3, false);
    CHECK_OK(ctx, hd_partition(
                      ctx, in, out, HD_EMPTY,
                      &(hd_partition_options){.buckets = HD_REF(hd_constant(1, N)), .ways = 3}));
    same("partition", size, memory[1] + 3, false);
    CHECK_OK(ctx, hd_expand(ctx, in, hd_constant(1, N), out, HD_VIEW(&count, 1), NULL));
    same("expand", size, memory[1] + 3, false);
    CHECK_OK(ctx, hd_transpose(ctx, hd_view_nd(type, in.data, 2, shape, NULL),
                               hd_view_nd(type, out.data, 2, turned, NULL), NULL));
    CHECK_OK(ctx, hd_transpose(ctx, hd_view_nd(type, out.data, 2, turned, NULL),
                               hd_view_nd(type, back.data, 2, shape, NULL), NULL));
    same("transpose", size, memory[2] + 5, false);
    CHECK_OK(ctx, hd_sort(ctx, at, HD_EMPTY, HD_VALUES(in, out), NULL));
    same("sort", size, memory[1] + 3, true);
    CHECK_OK(ctx, hd_shuffle(ctx, in, out, NULL));
}

int main(void)
{
    static const hd_backend backends[] = {HD_SERIAL, HD_CPU};
    for (int i = 0; i < N; i++) places[i] = N - 1 - i;
    for (size_t i = 0; i < sizeof memory[0]; i++) memory[0][i] = (unsigned char)(i * 131 >> 3);
    for (int b = 0; b < 2; b++) {
        CHECK(hd_open(&ctx, &(hd_context_options){.backend = backends[b], .threads = 2}) == HD_OK,
              "%s", hd_error(ctx));
        for (int k = 0; every_call_at(k) != NULL; k++) try_each(every_call_at(k));
        for (int k = 0; k < SIZES; k++) move_structures(sizes[k]);
        hd_close(ctx);
    }
    return check_finish();
}
