// SPDX-License-Identifier: Apache-2.0
// Nothing is silently ignored: every option of a call is set alone, and with every other one. The
// call refuses them, or what it writes is not what it writes without the option. Options that need
// not show, hints, promises and checks among them, are QUIET.
#ifndef HEDDLE_TESTS_IDLE_OPTIONS_H
#define HEDDLE_TESTS_IDLE_OPTIONS_H

#include <string.h>

#include "tests/support/check.h"

enum { N = 12, ROOM = 2048 };
static hd_context *ctx;

// ---- What calls read and write ------------------------------------------------------------------

static const float x[N] = {1, 2, -2, 5, 0, 4, -4, -7, 2, 9, 6, -1},
                   w[N] = {1, 2, 1, 3, 1, 1, 2, 1, 4};
static const int32_t whole[N] = {2, 3, 1, 2, 2, 5, 7, 1, 0, 11, 4, 6};
static const int32_t keys[N] = {1, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4, 4};
static const int32_t next[N] = {1, 2, 3, 3, 5, 6, 7, 7, 9, 10, 11, 11}, head[1] = {4};
static const uint8_t flags[N] = {1, 1, 1, 1, 0, 1, 0, 0, 1, 0, 1, 1};
static const uint8_t letters[N] = "abzq Hello w";
static const int64_t segment[2] = {1, N - 2}, offsets[3] = {-1, 0, 1}, ranks[3] = {0, 4, 7};
static const double edges[5] = {0, 1, 3, 4, 9};
static const float init = 17, two = 2, mask[3] = {1, 2, 4};
static const int64_t index_init = 17, anchor = 0;
static const int32_t low = -5, high = 5;

static struct outputs {
    double main[64], values[64], extra[64];
    int64_t indices[64], counts[64], number, steps, work, lists;
} out;

static hd_view view_of_x, view_of_w, view_of_keys, view_of_flags, view_of_segment, view_of_edges,
    view_of_head, view_of_indices, view_of_number, view_of_steps, view_of_work, view_of_lists,
    view_of_extra, view_of_counts;

HD_FUNCTION(doubled, float, HD_NO_SOURCE, (float, v), { return 2 * v + 1; })
HD_FUNCTION(falling, float, HD_NO_SOURCE, (float, v), { return 1 - v * v; })
HD_FUNCTION(added, float, HD_NO_SOURCE, (float, v, float, u), { return v + 3 * u; })
HD_FUNCTION(is_high, bool, HD_NO_SOURCE, (float, v), { return v > 1 && v < 9; })
HD_FUNCTION(is_more, bool, HD_NO_SOURCE, (float, v, float, u), { return v > u; })
HD_FUNCTION(side, int32_t, HD_NO_SOURCE, (float, v), { return v > 3; })
HD_FUNCTION(far_side, int32_t, HD_NO_SOURCE, (int32_t, v), { return 3 * v - 4; })
HD_FUNCTION(middle, float, HD_NO_SOURCE, (float, a, float, b, float, c), { return a + 9 * b - c; })
HD_COMPARISON(by_square, float, HD_NO_SOURCE, { return a * a < b * b; })
HD_COMPARISON(by_halves, int32_t, HD_NO_SOURCE, { return (a - 1) / 2 < (b - 1) / 2; })

// ---- Every option, and every two ----------------------------------------------------------------

typedef hd_status call(const void *options);
typedef struct option {
    const char *name;
    void (*set)(void *options);
    bool quiet;
} option;

static hd_status run(call *c, const option *a, const option *b, struct outputs *got)
{
    _Alignas(16) unsigned char options[512] = {0};
    if (a != NULL) a->set(options);
    if (b != NULL) b->set(options);
    memset(&out, 0x3f, sizeof out); // 0.75 as f32
    const hd_status status = c(options);
    *got = out;
    return status;
}

static void every_option(const char *name, call *c, const option *o, int count, bool has_base)
{
    static struct outputs without, with, both;
    const hd_status base = run(c, NULL, NULL, &without);
    CHECK(base == HD_OK || !has_base, "%s: %s", name, hd_error(ctx));
    for (int a = 0; a < count; a++) {
        if (run(c, &o[a], NULL, &with) != HD_OK) continue;
        CHECK(o[a].quiet || base != HD_OK || memcmp(&with, &without, sizeof with) != 0,
              "%s: .%s is ignored", name, o[a].name);
        for (int b = 0; b < count; b++)
            if (b != a && !o[b].quiet && run(c, &o[a], &o[b], &both) == HD_OK)
                CHECK(memcmp(&both, &with, sizeof with) != 0, "%s: .%s with .%s is ignored", name,
                      o[b].name, o[a].name);
    }
}
#define EVERY(name, call, options)                                                                 \
    every_option(name, call, options, (int)(sizeof options / sizeof *options), true)

// SET(hd_reduce_options, axis, HD_AXIS(0)): how .axis is set; and its rows.
#define SET(type, member, ...)                                                                     \
    static void type##_##member(void *p)                                                           \
    {                                                                                              \
        ((type *)p)->member = __VA_ARGS__;                                                         \
    }
#define SET_AS(type, name, member, ...)                                                            \
    static void type##_##name(void *p)                                                             \
    {                                                                                              \
        ((type *)p)->member = __VA_ARGS__;                                                         \
    }
#define SHOWS(type, name)                                                                          \
    {                                                                                              \
#name, type##_##name, false                                                                \
    }
#define QUIET(type, name)                                                                          \
    {                                                                                              \
#name, type##_##name, true                                                                 \
    }
#define WITH                                                                                       \
    (hd_views)                                                                                     \
    {                                                                                              \
        &view_of_w, 1                                                                              \
    }

static void point_views(void)
{
    view_of_x = HD_VIEW(x, N), view_of_w = HD_VIEW(w, N), view_of_keys = HD_VIEW(keys, N);
    view_of_flags = HD_VIEW(flags, N), view_of_segment = HD_VIEW(segment, 2);
    view_of_edges = HD_VIEW(edges, 5), view_of_head = HD_VIEW(head, 1);
    view_of_indices = HD_VIEW_OF(HD_I32, out.indices, N), view_of_number = HD_VIEW(&out.number, 1);
    view_of_steps = HD_VIEW(&out.steps, 1), view_of_work = HD_VIEW(&out.work, 1);
    view_of_lists = HD_VIEW(&out.lists, 1);
}

#endif
