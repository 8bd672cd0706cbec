// SPDX-License-Identifier: Apache-2.0
//
// hd_label against a flood fill: random images of every density, spirals, combs, checkerboards,
// trees of hooks; both neighbourhoods, element types, layouts, types of labels; device memory,
// errors, failing memory.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <heddle_algorithms.h>

#include "tests/algorithms/there.h"

static const check_target *targets;
static int target_count;

static hd_view image_view(hd_type type, const void *x, int64_t h, int64_t w)
{
    return hd_view_nd(type, x, 2, (int64_t[]){h, w}, NULL);
}

// ---- The definition -----------------------------------------------------------------------------

static int64_t flood(const uint8_t *x, int64_t h, int64_t w, bool diagonal, int64_t *label)
{
    int64_t count = 0, *stack = check_memory((size_t)(h * w) * 8 + 8);
    memset(label, 0, (size_t)(h * w) * 8);
    for (int64_t i = 0; i < h * w; i++) {
        if (x[i] == 0 || label[i] != 0) continue;
        int64_t top = 0;
        stack[top++] = i, label[i] = ++count;
        while (top > 0) {
            const int64_t at = stack[--top];
            for (int64_t dy = -1; dy <= 1; dy++)
                for (int64_t dx = -1; dx <= 1; dx++) {
                    const int64_t y = at / w + dy, c = at % w + dx;
                    if ((dy != 0 && dx != 0 && !diagonal) || y < 0 || y >= h || c < 0 || c >= w)
                        continue;
                    if (x[y * w + c] == 0 || label[y * w + c] != 0) continue;
                    label[y * w + c] = count, stack[top++] = y * w + c;
                }
        }
    }
    free(stack);
    return count;
}

// ---- Images -------------------------------------------------------------------------------------

enum {
    RANDOM_10,
    RANDOM_40,
    RANDOM_60,
    RANDOM_95,
    FULL,
    NONE,
    CHECKERS,
    COMB,
    SPIRAL,
    HOOKS,
    KINDS
};

static void spiral(uint8_t *x, int64_t h, int64_t w)
{
    int64_t top = 0, left = 0, bottom = h - 1, right = w - 1;
    memset(x, 0, (size_t)(h * w));
    while (top <= bottom && left <= right) {
        for (int64_t c = left > 0 ? left - 1 : 0; c <= right; c++) x[top * w + c] = 1;
        for (int64_t y = top; y <= bottom; y++) x[y * w + right] = 1;
        for (int64_t c = left; c <= right; c++) x[bottom * w + c] = 1;
        for (int64_t y = top + 2; y <= bottom; y++) x[y * w + left] = 1;
        top += 2, left += 2, bottom -= 2, right -= 2;
    }
}

static void make_image(uint8_t *x, int64_t h, int64_t w, int kind, uint64_t *r)
{
    static const int density[] = {10, 40, 60, 95};
    if (kind == SPIRAL) {
        spiral(x, h, w);
        return;
    }
    for (int64_t i = 0; i < h * w; i++) {
        const int64_t y = i / w, c = i % w;
        switch (kind) {
        case FULL: x[i] = 1; break;
        case NONE: x[i] = 0; break;
        case CHECKERS: x[i] = (uint8_t)((y + c) % 2); break;
        case COMB: x[i] = c % 2 == 0 || y == h - 1; break; // teeth meet at the very end
        case HOOKS: x[i] = c % 2 == 0 || y % 16 == (c * 5 + 3) % 16; break;
        default: x[i] = check_below(r, 100) < density[kind]; break;
        }
    }
}

// ---- Tests --------------------------------------------------------------------------------------

static void test_image(int64_t h, int64_t w, int kind, bool diagonal, int turn, uint64_t *r)
{
    const int64_t n = h * w;
    uint8_t *x = check_memory((size_t)n);
    int64_t *want = check_memory((size_t)n * 8), *got = check_memory((size_t)n * 8);
    make_image(x, h, w, kind, r);
    const int64_t components = flood(x, h, w, diagonal, want);
    for (int t = turn % 2; t < target_count; t += 1 + turn % 3) {
        int64_t count = -1, rounds = -1;
        hd_context *ctx = targets[t].ctx;
        CHECK_OK(ctx, hd_label(ctx, image_view(HD_U8, x, h, w), image_view(HD_I64, got, h, w),
                               &(hd_label_options){.diagonal = diagonal,
                                                   .count = HD_REF(HD_VIEW(&count, 1)),
                                                   .rounds = HD_REF(HD_VIEW(&rounds, 1))}));
        CHECK(count == components, "%" PRId64 " components, expected %" PRId64, count, components);
        CHECK(rounds >= 0 && rounds <= 40, "%" PRId64 " rounds", rounds);
        CHECK_SAME(HD_I64, got, want, n, "kind %d, %" PRId64 " x %" PRId64 " by %d on %s", kind, h,
                   w, diagonal ? 8 : 4, targets[t].name);
        // Nobody asks for rounds: the cores need none.
        memset(got, 7, (size_t)n * 8);
        CHECK_OK(ctx, hd_label(ctx, image_view(HD_U8, x, h, w), image_view(HD_I64, got, h, w),
                               &(hd_label_options){.diagonal = diagonal,
                                                   .count = HD_REF(HD_VIEW(&count, 1))}));
        CHECK(count == components, "%" PRId64 " components, expected %" PRId64, count, components);
        CHECK_SAME(HD_I64, got, want, n, "kind %d, %" PRId64 " x %" PRId64 " by %d on %s", kind, h,
                   w, diagonal ? 8 : 4, targets[t].name);
    }
    free(x), free(want), free(got);
}

static void test_types(uint64_t *r)
{
    enum { H = 21, W = 19 };
    static const hd_type labels[] = {HD_I32, HD_U32, HD_I64, HD_U64, HD_I16, HD_U16};
    uint8_t x[H * W];
    int64_t want[H * W], got[H * W], stride[2];
    make_image(x, H, W, RANDOM_40, r);
    flood(x, H, W, false, want);
    for (int k = 0; check_type(k) != HD_NONE; k++) {
        const hd_type type = check_type(k), label = labels[k % 6];
        hd_context *ctx = targets[k % target_count].ctx;
        check_strides(2, (int64_t[]){H, W}, r, stride);
        check_array in = check_new_nd(type, 2, (int64_t[]){H, W}, stride, false);
        CHECK_OK(ctx, hd_map(ctx, image_view(HD_U8, x, H, W), NULL, in.view, NULL));
        check_strides(2, (int64_t[]){H, W}, r, stride);
        check_array out = check_new_nd(label, 2, (int64_t[]){H, W}, stride, true);
        CHECK_OK(ctx, hd_label(ctx, in.view, out.view, NULL));
        CHECK_OK(ctx, hd_map(ctx, out.view, NULL, image_view(HD_I64, got, H, W), NULL));
        CHECK_SAME(HD_I64, got, want, H * W, "%s, labels %s", hd_type_name(type),
                   hd_type_name(label));
        CHECK(check_gaps(&out) && check_slack(&out), "gaps");
        check_drop(&in), check_drop(&out);
    }
}

#define FAILS(status, text, call)                                                                  \
    do {                                                                                           \
        const hd_status got = (call);                                                              \
        CHECK(got == (status) && strstr(hd_error(ctx), text) != NULL, "%s, \"%s\"",                \
              hd_status_name(got), hd_error(ctx));                                                 \
    } while (0)

static void test_errors(void)
{
    hd_context *ctx = targets[0].ctx;
    static uint8_t x[900];
    static int32_t y[900];
    static int8_t narrow[900];
    for (int i = 0; i < 900; i++) x[i] = (i / 30 + i % 30) % 2 == 0;
    const hd_view in = image_view(HD_U8, x, 30, 30), out = image_view(HD_I32, y, 30, 30);
    FAILS(HD_ERROR_TYPE, "i8 cannot hold 450 labels",
          hd_label(ctx, in, image_view(HD_I8, narrow, 30, 30), NULL));
    FAILS(HD_ERROR_TYPE, "out: expected integers, got f32",
          hd_label(ctx, in, image_view(HD_F32, y, 30, 30), NULL));
    FAILS(HD_ERROR_SHAPE, "shaped as in", hd_label(ctx, in, image_view(HD_I32, y, 30, 29), NULL));
    FAILS(HD_ERROR_SHAPE, "two axes", hd_label(ctx, HD_VIEW(x, 900), HD_VIEW(y, 900), NULL));
    FAILS(HD_ERROR_ALIAS, "out overlaps in", hd_label(ctx, in, image_view(HD_U8, x, 30, 30), NULL));
    FAILS(HD_ERROR_TYPE, "count: expected one i64",
          hd_label(ctx, in, out, &(hd_label_options){.count = HD_REF(HD_VIEW(y, 1))}));
    CHECK(hd_label(NULL, in, out, NULL) == HD_ERROR_ARGUMENT, "no context");
    for (int k = 0; k < 2; k++) {
        int64_t count = -1;
        CHECK_OK(ctx, hd_label(ctx, image_view(HD_U8, x, k ? 5 : 0, k ? 0 : 5),
                               image_view(HD_I32, y, k ? 5 : 0, k ? 0 : 5),
                               &(hd_label_options){.count = HD_REF(HD_VIEW(&count, 1))}));
        CHECK(count == 0, "an empty image has %" PRId64, count);
    }
}

static hd_status failing(hd_context *ctx)
{
    static uint8_t x[600];
    static int32_t y[600];
    for (int i = 0; i < 600; i++) x[i] = i % 7 < 4 || i % 11 == 0;
    return hd_label(ctx, image_view(HD_U8, x, 20, 30), image_view(HD_I32, y, 20, 30), NULL);
}

static void test_there(hd_backend which)
{
    enum { H = 12, W = 17 };
    hd_context *ctx = check_open(which, 0, NULL);
    uint64_t r = check_seed();
    for (int kind = 0; kind < KINDS; kind += 3) {
        uint8_t x[H * W];
        int64_t want[H * W], got[H * W], count = -1;
        make_image(x, H, W, kind, &r);
        const int64_t components = flood(x, H, W, kind % 2, want);
        hd_view in = there_put(ctx, image_view(HD_U8, x, H, W));
        hd_view out = there_room(ctx, image_view(HD_I64, got, H, W));
        CHECK_OK(ctx, hd_label(ctx, in, out,
                               &(hd_label_options){.diagonal = kind % 2,
                                                   .count = HD_REF(HD_VIEW(&count, 1))}));
        there_take(ctx, &out, image_view(HD_I64, got, H, W));
        CHECK_OK(ctx, hd_free(ctx, &in));
        CHECK(count == components, "%" PRId64 " components on a GPU", count);
        CHECK_SAME(HD_I64, got, want, H * W, "kind %d on a GPU", kind);
    }
    hd_close(ctx);
}

int main(void)
{
    uint64_t r = check_seed();
    target_count = check_targets(&targets);
    for (int kind = 0, turn = 0; kind < KINDS; kind++)
        for (int k = 0; k < 4; k++, turn++)
            test_image(k == 0 ? 1 : 1 + check_below(&r, 40), k == 1 ? 1 : 1 + check_below(&r, 60),
                       kind, turn % 2, turn, &r);
    for (int kind = 0; kind < KINDS && !check_small(); kind++)
        test_image(207, 313, kind, kind % 2, 3, &r);
    test_types(&r);
    test_errors();
    there_fail_each(failing);
    const int code = check_on_gpus(test_there);
    return code == CHECK_SKIP ? check_finish() : code;
}
