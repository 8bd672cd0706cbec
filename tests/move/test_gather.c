// SPDX-License-Identifier: Apache-2.0
//
// hd_gather: every index type, element sizes, sizes, layouts; indices out of range first, last,
// everywhere; slices along each axis; a function on the way; against plain loops.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

typedef struct point {
    float x, y, z;
} point;
typedef struct odd {
    char c[29];
} odd;
HD_FUNCTION(times, float, HD_NO_SOURCE, (float, x, float, s), { return x * s; })

static const check_target *targets;
static int target_count;

static void store_index(hd_type type, void *to, int64_t i, int64_t value)
{
    switch (hd_type_size(type)) {
    case 1: ((int8_t *)to)[i] = (int8_t)value; break;
    case 2: ((int16_t *)to)[i] = (int16_t)value; break;
    case 4: ((int32_t *)to)[i] = (int32_t)value; break;
    default: ((int64_t *)to)[i] = value;
    }
}

typedef enum manner { RANDOM, RISING, BACKWARD, SOME_BAD, MANNERS } manner;

// Indices into 0 .. n - 1, of which the type can hold the least; some are bad.
static void make_index(hd_type type, int64_t *plain, int64_t m, int64_t n, manner how,
                       uint64_t *state)
{
    const int bits = 8 * (int)hd_type_size(type) - check_is_signed(type);
    const int64_t most = bits >= 62 ? INT64_MAX : ((int64_t)1 << bits) - 1;
    const int64_t top = n - 1 < most ? n : most + 1;
    for (int64_t i = 0; i < m; i++) {
        plain[i] = top == 0          ? 0
                   : how == RISING   ? i % top
                   : how == BACKWARD ? (m - 1 - i) % top
                                     : check_below(state, top);
        if (how != SOME_BAD || check_below(state, 50)) continue;
        const int64_t bad[] = {check_is_signed(type) ? -1 : most, n, most, INT64_MIN};
        plain[i] = bad[check_below(state, hd_type_size(type) == 8 ? 4 : 3)];
        if (plain[i] > most) plain[i] = most;
    }
}

typedef struct question {
    hd_type type, index_type;
    int64_t n, m; // elements, indices
    manner how;
    check_layout in_layout, layout;
} question;

static int64_t reference(const question *q, const void *x, const int64_t *plain, void *want)
{
    const size_t size = hd_type_size(q->type);
    int64_t bad = -1;
    for (int64_t i = 0; i < q->m; i++) {
        char *to = (char *)want + (size_t)i * size;
        const bool good = plain[i] >= 0 && plain[i] < q->n;
        if (good)
            memcpy(to, (const char *)x + (size_t)plain[i] * size, size);
        else
            memset(to, 0, size);
        if (!good && bad < 0) bad = i;
    }
    return bad;
}

static void ask(const question *q, uint64_t seed)
{
    const size_t size = hd_type_size(q->type), m = (size_t)q->m;
    uint64_t state = seed;
    char *x = check_memory(size * (size_t)q->n), *want = check_memory(size * m),
         *got = check_memory(size * m), *raw = check_memory(8 * m);
    int64_t *plain = check_memory(8 * m);
    check_fill(HD_U8, x, q->n * (int64_t)size, CHECK_ORDINARY, seed);
    make_index(q->index_type, plain, q->m, q->n, q->how, &state);
    for (int64_t i = 0; i < q->m; i++) store_index(q->index_type, raw, i, plain[i]);
    const int64_t first = reference(q, x, plain, want);
    check_array in = check_new(q->type, q->n, q->in_layout, seed & 1),
                index = check_new(q->index_type, q->m, q->layout, seed & 2),
                out = check_new(q->type, q->m, q->layout, seed & 4);
    check_put(&in, x), check_put(&index, raw);
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        for (int checked = 0; checked < 2; checked++) {
            int64_t bad = -7;
            const hd_gather_options options = {.checked = checked, .bad = HD_REF(HD_VIEW(&bad, 1))};
            memset(out.storage, CHECK_FILLER, out.storage_bytes);
            const hd_status status = hd_gather(ctx, in.view, index.view, out.view,
                                               checked || seed & 8 ? &options : NULL);
            CHECK(status == (checked && first >= 0 ? HD_ERROR_VALUE : HD_OK), "%s on %s",
                  hd_error(ctx), targets[t].name);
            check_get(&out, got);
            CHECK_SAME(
                q->type, got, want, q->m,
                "%" PRId64 " of %" PRId64 " elements of %zu bytes by %s (way %d, %s, %s) on %s",
                q->m, q->n, size, hd_type_name(q->index_type), q->how,
                check_layout_name(q->in_layout), check_layout_name(q->layout), targets[t].name);
            CHECK(check_gaps(&out), "wrote between elements on %s", targets[t].name);
            if (checked || seed & 8)
                CHECK(bad == first, "bad is %" PRId64 ", expected %" PRId64 " on %s", bad, first,
                      targets[t].name);
        }
    }
    check_drop(&in), check_drop(&index), check_drop(&out);
    free(x), free(want), free(got), free(raw), free(plain);
}

static void test_all(void)
{
    static const hd_type indices[] = {HD_I8, HD_I16, HD_I32, HD_I64, HD_U8, HD_U16, HD_U32, HD_U64};
    const hd_type types[] = {HD_U8,          HD_I16,       HD_F32,
                             HD_F64,         HD_BF16,      HD_BOOL,
                             HD_TYPE(point), HD_TYPE(odd), HD_STRUCT(char[16])};
    uint64_t turn = check_seed();
    for (int k = 0; k < 8; k++)
        for (int t = 0; t < 9; t++)
            for (int s = 0; check_size(s, check_small() ? 257 : 1025) >= 0; s += 3, turn++) {
                question q = {types[t], indices[k], check_size(s, 1025), 0, RANDOM, 0, 0};
                q.m = check_size((int)(turn % 30), 2039);
                q.how = (manner)(turn / 3 % MANNERS);
                q.in_layout = (check_layout)(turn / 2 % 2 ? 0 : turn / 5 % CHECK_LAYOUTS);
                q.layout = (check_layout)(turn / 2 % 3 ? 0 : turn / 7 % CHECK_LAYOUTS);
                ask(&q, turn);
            }
    static const struct {
        int64_t n, m;
    } large[] = {{300007, 300007}, {70001, 262147}, {1 << 20, 200003}, {25500029, 3300017}};
    for (int s = 0; s < (check_small() ? 2 : 4); s++)
        for (int how = s == 3 ? 1 : 0; how < (s == 3 ? 3 : MANNERS); how++, turn++) {
            question q = {types[(turn + (uint64_t)s) % 9],
                          indices[s % 2 ? 2 : 3],
                          large[s].n,
                          large[s].m,
                          (manner)how,
                          0,
                          0};
            if (s == 3 && how == RISING) q.how = RANDOM; // more than the caches hold
            if (s == 3) q.type = how % 2 ? HD_F64 : HD_I32, q.index_type = indices[how % 2 ? 3 : 2];
            ask(&q, turn | 8);
        }
}

// The ends: the first, the last, one before and one after, and the largest numbers there are.
static void test_edges(void)
{
    const int32_t x[] = {10, 11, 12};
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        int32_t y[4];
        int64_t bad;
        const int64_t a[] = {2, 0, 3, -1};
        CHECK(hd_gather(ctx, HD_VIEW(x, 3), HD_VIEW(a, 4), HD_VIEW(y, 4),
                        &(hd_gather_options){.checked = true}) == HD_ERROR_VALUE &&
                  strstr(hd_error(ctx), "index 2 is 3; expected 0 to 2"),
              "%s on %s", hd_error(ctx), targets[t].name);
        CHECK(y[0] == 12 && y[1] == 10 && y[2] == 0 && y[3] == 0, "zeros on %s", targets[t].name);
        const uint64_t b[] = {1, (uint64_t)1 << 63};
        CHECK(hd_gather(ctx, HD_VIEW(x, 3), HD_VIEW(b, 2), HD_VIEW(y, 2),
                        &(hd_gather_options){.checked = true}) == HD_ERROR_VALUE &&
                  strstr(hd_error(ctx), "index 1 is 9223372036854775808"),
              "%s on %s", hd_error(ctx), targets[t].name);
        const int8_t c[] = {-128};
        CHECK_OK(ctx, hd_gather(ctx, HD_VIEW(x, 3), HD_VIEW(c, 1), HD_VIEW(y, 1),
                                &(hd_gather_options){.bad = HD_REF(HD_VIEW(&bad, 1))}));
        CHECK(bad == 0 && y[0] == 0, "-128 on %s", targets[t].name);
        CHECK(hd_gather(ctx, HD_VIEW(x, 0), HD_VIEW(a, 1), HD_VIEW(y, 1),
                        &(hd_gather_options){.checked = true}) == HD_ERROR_VALUE,
              "of nothing on %s", targets[t].name);
        CHECK_OK(ctx,
                 hd_gather(ctx, HD_VIEW(x, 3), HD_VIEW(a, 0), HD_VIEW(y, 0),
                           &(hd_gather_options){.bad = HD_REF(HD_VIEW(&bad, 1)), .checked = true}));
        CHECK(bad == -1, "no index on %s", targets[t].name);
        // implicit inputs
        int64_t z[3];
        CHECK_OK(ctx, hd_gather(ctx, hd_progression(5, 10, 100), hd_progression(99, -1, 3),
                                HD_VIEW(z, 3), NULL));
        CHECK(z[0] == 995 && z[1] == 985 && z[2] == 975, "implicit on %s", targets[t].name);
    }
}

static void test_axes(int64_t a, int64_t b, int64_t c, int64_t m, uint64_t seed)
{
    const int64_t shape[] = {a, b, c};
    uint64_t state = seed;
    for (int axis = 0; axis < 3; axis++) {
        int64_t out_shape[] = {a, b, c}, stride[3], out_stride[3];
        out_shape[axis] = m;
        check_strides(3, shape, &state, stride);
        check_strides(3, out_shape, &state, out_stride);
        const bool plain = seed & 1;
        check_array in = check_new_nd(HD_F32, 3, shape, plain ? NULL : stride, false),
                    out = check_new_nd(HD_F32, 3, out_shape, plain ? NULL : out_stride, true);
        int32_t *index = check_memory(4 * (size_t)m);
        for (int64_t k = 0; k < m; k++) index[k] = (int32_t)check_below(&state, shape[axis]);
        if (m > 3) index[m / 2] = (int32_t)shape[axis], index[m / 3] = -5;
        float *x = check_memory(4 * (size_t)(a * b * c));
        check_fill(HD_F32, x, a * b * c, CHECK_ORDINARY, seed);
        check_put(&in, x);
        for (int t = 0; t < target_count; t++) {
            hd_context *ctx = targets[t].ctx;
            int64_t bad = -9, wrong = 0;
            const hd_gather_options options = {.axis = HD_AXIS(axis),
                                               .bad = HD_REF(HD_VIEW(&bad, 1))};
            CHECK_OK(ctx, hd_gather(ctx, in.view, HD_VIEW(index, m), out.view, &options));
            const int64_t first = shape[axis] == 0 ? 0 : m > 3 ? m / 3 : -1;
            CHECK(bad == first, "bad is %" PRId64 " on %s", bad, targets[t].name);
            for (int64_t k = 0; k < hd_count(out.view); k++) {
                int64_t at[] = {k / (out_shape[1] * out_shape[2]), k / out_shape[2] % out_shape[1],
                                k % out_shape[2]};
                at[axis] = index[at[axis]];
                const bool good = at[axis] >= 0 && at[axis] < shape[axis];
                const float want = good ? x[(at[0] * b + at[1]) * c + at[2]] : 0;
                wrong += *(float *)check_element(out.view, k) != want;
            }
            CHECK(wrong == 0 && check_gaps(&out), "%" PRId64 " wrong along axis %d on %s", wrong,
                  axis, targets[t].name);
        }
        check_drop(&in), check_drop(&out);
        free(index), free(x);
    }
}

static void test_mapped(int64_t n)
{
    float *x = check_memory(4 * (size_t)n), *s = check_memory(4 * (size_t)n),
          *y = check_memory(4 * (size_t)n);
    uint32_t *index = check_memory(4 * (size_t)n);
    uint64_t state = 3;
    check_fill(HD_F32, x, n, CHECK_ORDINARY, 1);
    for (int64_t i = 0; i < n; i++) index[i] = (uint32_t)check_below(&state, n + 2);
    for (int t = 0; t < target_count; t++)
        for (int same = 0; same < 2; same++) {
            check_fill(HD_F32, s, n, CHECK_ORDINARY, 2);
            float *out = same ? s : y, *old = check_memory(4 * (size_t)n);
            memcpy(old, s, 4 * (size_t)n);
            CHECK_OK(targets[t].ctx,
                     hd_gather(
                         targets[t].ctx, HD_VIEW(x, n), HD_VIEW(index, n), HD_VIEW(out, n),
                         &(hd_gather_options){.function = times, .with = HD_VIEWS(HD_VIEW(s, n))}));
            int64_t wrong = 0;
            for (int64_t i = 0; i < n; i++)
                wrong += out[i] != (index[i] < n ? x[index[i]] : 0) * old[i];
            CHECK(wrong == 0, "%" PRId64 " of %" PRId64 " wrong on %s", wrong, n, targets[t].name);
            free(old);
        }
    free(x), free(s), free(y), free(index);
}

int main(void)
{
    target_count = check_targets(&targets);
    test_all();
    test_edges();
    for (uint64_t seed = 0; seed < 8; seed++)
        test_axes(3 + (int64_t)seed, 5, 7 * (int64_t)(seed + 1), 4 + 3 * (int64_t)seed, seed);
    test_axes(50, 3, 100, 500, 9);
    test_axes(1, 1000, 1, 3, 11);
    test_axes(2, 1, 0, 4, 11);
    test_mapped(0), test_mapped(1), test_mapped(1000), test_mapped(200003);
    return check_finish();
}
