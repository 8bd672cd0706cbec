// SPDX-License-Identifier: Apache-2.0
//
// Transposition: element sizes 1 to 1024, shapes around the blocks, batches, any order of up to
// eight axes, strided and reversed layouts, squares in place; structures to fields and back. Every
// backend, against the definition written out over indices.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

static const check_target *targets;
static int target_count;

static hd_type structure(int64_t size)
{
    return (hd_type)(HD_STRUCTURE | (uint32_t)size << 8);
}

static void fill_bytes(unsigned char *x, size_t bytes, uint64_t seed)
{
    for (size_t i = 0; i < bytes; i += 8) {
        const uint64_t bits = check_next(&seed);
        memcpy(x + i, &bits, bytes - i < 8 ? bytes - i : 8);
    }
}

static int64_t product(int32_t ndim, const int64_t *shape)
{
    int64_t n = 1;
    for (int32_t k = 0; k < ndim; k++) n *= shape[k];
    return n;
}

// Dense in to dense out, by walking the indices of out.
static void reference(const unsigned char *in, unsigned char *out, size_t size, int32_t ndim,
                      const int64_t *shape, const int32_t *axes)
{
    int64_t index[HD_MAX_DIMS] = {0}, step[HD_MAX_DIMS], at = 1;
    for (int32_t k = ndim - 1; k >= 0; k--) step[k] = at, at *= shape[k];
    const int64_t n = product(ndim, shape);
    for (int64_t k = 0; k < n; k++) {
        int64_t from = 0;
        for (int32_t d = 0; d < ndim; d++) from += index[d] * step[axes[d]];
        memcpy(out + (size_t)k * size, in + (size_t)from * size, size);
        for (int32_t d = ndim - 1; d >= 0 && ++index[d] == shape[axes[d]]; d--) index[d] = 0;
    }
}

typedef struct question {
    hd_type type;
    int32_t ndim;
    int64_t shape[HD_MAX_DIMS];
    int32_t axes[HD_MAX_DIMS];
    bool named;   // whether axes are given as an option
    bool strided; // random strides of both
} question;

static void ask(const question *q, const check_target *target, uint64_t seed)
{
    const size_t size = hd_type_size(q->type), bytes = (size_t)product(q->ndim, q->shape) * size;
    int64_t turned[HD_MAX_DIMS], in_stride[HD_MAX_DIMS], out_stride[HD_MAX_DIMS];
    for (int32_t k = 0; k < q->ndim; k++) turned[k] = q->shape[q->axes[k]];
    uint64_t state = seed;
    check_strides(q->ndim, q->shape, &state, in_stride);
    check_strides(q->ndim, turned, &state, out_stride);
    check_array in =
        check_new_nd(q->type, q->ndim, q->shape, q->strided ? in_stride : NULL, seed & 1);
    check_array out =
        check_new_nd(q->type, q->ndim, turned, q->strided ? out_stride : NULL, seed & 2);
    unsigned char *x = check_memory(bytes + 1), *want = check_memory(bytes + 1),
                  *got = check_memory(bytes + 1);
    fill_bytes(x, bytes, seed);
    reference(x, want, size, q->ndim, q->shape, q->axes);
    check_put(&in, x);
    const hd_transpose_options options = {.axes = q->axes};
    CHECK_OK(target->ctx, hd_transpose(target->ctx, in.view, out.view, q->named ? &options : NULL));
    check_get(&out, got);
    CHECK(memcmp(got, want, bytes) == 0,
          "%d axes, first %" PRId64 " x %" PRId64 ", element %zu, %s on %s", q->ndim, q->shape[0],
          q->ndim > 1 ? q->shape[1] : 0, size, q->strided ? "strided" : "dense", target->name);
    CHECK(check_gaps(&out), "wrote between elements on %s", target->name);
    check_drop(&in), check_drop(&out);
    free(x), free(want), free(got);
}

static void ask_matrix(hd_type type, int64_t rows, int64_t columns, bool strided, int turn)
{
    const question q = {type, 2, {rows, columns}, {1, 0}, turn % 2, strided};
    for (int t = 0; t < target_count; t++)
        if (rows * columns <= 4096 || t == 0 || t == 1 + turn % (target_count - 1))
            ask(&q, &targets[t], check_seed() + (uint64_t)turn);
}

static void test_matrices(void)
{
    static const int64_t sizes[] = {1, 2, 4, 8, 16, 3, 12, 5, 24, 32, 100, 1024};
    static const int64_t lengths[] = {0, 1, 2, 3, 4, 7, 15, 16, 17, 31, 33, 64, 65, 129, 257};
    const int count = (int)(sizeof lengths / sizeof *lengths);
    int turn = 0;
    for (int s = 0; s < 12; s++)
        for (int i = 0; i < count; i++, turn++) {
            const int64_t rows = lengths[i], columns = lengths[(i * 7 + s * 3 + 1) % count];
            if (sizes[s] > 32 && rows * columns > 4096) continue;
            ask_matrix(structure(sizes[s]), rows, columns, turn % 3 == 1, turn);
        }
    for (int t = 0; check_type(t); t++, turn++) ask_matrix(check_type(t), 131, 67, t % 2, turn);
    if (check_small()) return;
    ask_matrix(HD_F32, 1031, 517, false, 1);
    ask_matrix(HD_U8, 1031, 1999, false, 2);
    ask_matrix(HD_F64, 300001, 3, false, 3);
    ask_matrix(HD_F32, 3, 300001, false, 4);
    ask_matrix(HD_U16, 70001, 4, false, 5);
    ask_matrix(structure(12), 511, 1027, false, 6);
}

static void test_axes(void)
{
    static const hd_type types[] = {HD_F32, HD_U8, HD_F64, HD_U16};
    uint64_t state = check_seed();
    for (int turn = 0; turn < (check_small() ? 60 : 300); turn++) {
        question q = {.type = turn % 5 ? types[turn % 4] : structure(12), .named = true};
        q.ndim = 1 + (int32_t)check_below(&state, HD_MAX_DIMS);
        q.strided = turn % 3 == 0;
        const int64_t longest = q.ndim <= 2 ? 100 : q.ndim == 3 ? 20 : q.ndim <= 5 ? 6 : 3;
        for (int32_t k = 0; k < q.ndim; k++) {
            q.shape[k] = 1 + check_below(&state, longest);
            q.axes[k] = k;
        }
        for (int32_t k = q.ndim - 1; k > 0; k--) { // a random order
            const int32_t other = (int32_t)check_below(&state, k + 1), kept = q.axes[k];
            q.axes[k] = q.axes[other];
            q.axes[other] = kept;
        }
        ask(&q, &targets[0], check_next(&state));
        ask(&q, &targets[1 + turn % (target_count - 1)], check_next(&state));
    }
    question batches = {HD_F32, 3, {500, 9, 31}, {0, 2, 1}, false, false};
    for (int t = 0; t < target_count; t++) ask(&batches, &targets[t], 5);
    question image = {HD_U8, 3, {300, 500, 3}, {2, 0, 1}, true, false};
    for (int t = 0; t < target_count; t++) ask(&image, &targets[t], 5);
}

// ---- In place -----------------------------------------------------------------------------------

static void ask_square(hd_type type, int64_t matrices, int64_t side, int layout,
                       const check_target *target, uint64_t seed)
{
    const size_t size = hd_type_size(type), bytes = (size_t)(matrices * side * side) * size;
    const int64_t shape[] = {matrices, side, side};
    const int64_t strides[][3] = {{0, 0, 0},
                                  {(side + 3) * side, side + 3, 1},
                                  {side * side, 1, side},
                                  {3 * side * side, 3 * side, -3},
                                  {1, matrices * side, matrices}};
    check_array a = check_new_nd(type, 3, shape, layout == 0 ? NULL : strides[layout], seed & 1);
    unsigned char *x = check_memory(bytes + 1), *want = check_memory(bytes + 1);
    fill_bytes(x, bytes, seed);
    reference(x, want, size, 3, shape, (int32_t[]){0, 2, 1});
    check_put(&a, x);
    CHECK_OK(target->ctx, hd_transpose(target->ctx, a.view, a.view, NULL));
    check_get(&a, x);
    CHECK(memcmp(x, want, bytes) == 0,
          "%" PRId64 " squares of %" PRId64 " in place, element %zu, layout %d on %s", matrices,
          side, size, layout, target->name);
    CHECK(check_gaps(&a), "wrote between elements in place on %s", target->name);
    check_drop(&a);
    free(x), free(want);
}

static void test_squares(void)
{
    static const int64_t sizes[] = {1, 2, 4, 8, 16, 12, 1024};
    static const int64_t sides[] = {1, 2, 3, 15, 17, 33, 64, 65, 129, 260};
    int turn = 0;
    for (int s = 0; s < 7; s++)
        for (int k = 0; k < 10; k++, turn++) {
            if (sizes[s] > 16 && sides[k] > 64) continue;
            const int64_t matrices = sides[k] < 100 ? 1 + turn % 3 : 1;
            for (int t = 0; t < target_count; t++)
                if (sides[k] < 20 || t == 0 || t == 1 + turn % (target_count - 1))
                    ask_square(structure(sizes[s]), matrices, sides[k], turn % 5, &targets[t],
                               check_seed() + (uint64_t)turn);
        }
    for (int t = 0; t < target_count && !check_small(); t++)
        ask_square(HD_F32, 1, 517, 0, &targets[t], 3);
}

// ---- Structures and fields ----------------------------------------------------------------------

typedef struct shape_of {
    int64_t size;
    int fields;
    hd_type type[6];
    int64_t offset[6];
    bool named; // offsets given
} shape_of;

static const shape_of structures[] = {
    {12, 3, {HD_F32, HD_F32, HD_F32}, {0, 4, 8}, false},
    {8, 2, {HD_F32, HD_U32}, {0, 4}, false},
    {4, 4, {HD_U8, HD_U8, HD_I8, HD_BOOL}, {0, 1, 2, 3}, false},
    {3, 3, {HD_U8, HD_U8, HD_U8}, {0, 1, 2}, false},
    {6, 3, {HD_F16, HD_BF16, HD_I16}, {0, 2, 4}, false},
    {24, 3, {HD_F64, HD_I64, HD_U64}, {0, 8, 16}, false},
    {32, 4, {HD_F64, HD_I64, HD_U64, HD_F64}, {0, 8, 16, 24}, false},
    {24, 4, {HD_U8, HD_F64, HD_I16, HD_I32}, {0, 8, 16, 20}, false}, // as C lays it out
    {13, 3, {HD_F32, HD_F64, HD_U8}, {9, 1, 0}, true},               // packed, out of order
    {20, 1, {HD_F32}, {8}, true},
    {100, 2, {HD_STRUCTURE | 12u << 8, HD_STRUCTURE | 40u << 8}, {3, 60}, true},
    {1024, 6, {HD_U8, HD_U16, HD_F32, HD_F64, HD_I8, HD_I64}, {0, 2, 4, 1016, 9, 16}, true},
};

// All fields of one structure, in dense arrays; the structures' other bytes are `rest`.
static void ask_fields(const shape_of *s, int64_t n, check_layout layout,
                       const check_target *target, uint64_t seed)
{
    check_array whole = check_new(structure(s->size), n, layout, seed & 1), part[6];
    hd_view views[6];
    unsigned char *x = check_memory((size_t)(n * s->size) + 1);
    unsigned char *got = check_memory((size_t)(n * s->size) + 1);
    fill_bytes(x, (size_t)(n * s->size), seed);
    check_put(&whole, x);
    for (int k = 0; k < s->fields; k++) {
        part[k] = check_new(s->type[k], n, layout, seed & 2);
        views[k] = part[k].view;
    }
    const hd_views fields = {views, s->fields};
    const hd_zip_options options = {.field_offsets = s->named ? s->offset : NULL};
    CHECK_OK(target->ctx, hd_unzip(target->ctx, whole.view, fields, &options));
    for (int k = 0; k < s->fields; k++) {
        const size_t size = hd_type_size(s->type[k]);
        check_get(&part[k], got);
        int64_t wrong = -1;
        for (int64_t i = n - 1; i >= 0; i--)
            if (memcmp(got + (size_t)i * size, x + i * s->size + s->offset[k], size)) wrong = i;
        CHECK(wrong < 0, "field %d of structure %" PRId64 " of %" PRId64 " (%s) on %s", k, wrong, n,
              check_layout_name(layout), target->name);
        CHECK(check_gaps(&part[k]), "unzip wrote between elements on %s", target->name);
        for (size_t i = 0; i < (size_t)n * size; i++) got[i] = (unsigned char)~got[i];
        check_put(&part[k], got);
        for (int64_t i = 0; i < n; i++)
            memcpy(x + i * s->size + s->offset[k], got + (size_t)i * size, size);
    }
    CHECK_OK(target->ctx, hd_zip(target->ctx, fields, whole.view, &options));
    check_get(&whole, got);
    CHECK(memcmp(got, x, (size_t)(n * s->size)) == 0,
          "structures of %" PRId64 " bytes, %" PRId64 " of them (%s) on %s", s->size, n,
          check_layout_name(layout), target->name);
    CHECK(check_gaps(&whole), "zip wrote between structures on %s", target->name);
    check_drop(&whole);
    for (int k = 0; k < s->fields; k++) check_drop(&part[k]);
    free(x), free(got);
}

static void test_fields(void)
{
    int turn = 0;
    for (int s = 0; s < (int)(sizeof structures / sizeof *structures); s++)
        for (int k = 0; check_size(k, 2039) >= 0; k++, turn++) {
            const int64_t n = check_size(k, 2039);
            for (int t = 0; t < target_count; t++)
                if (n < 34 || t == 0 || t == 1 + turn % (target_count - 1))
                    ask_fields(&structures[s], n, (check_layout)(turn % CHECK_LAYOUTS), &targets[t],
                               check_seed() + (uint64_t)turn);
        }
    for (int t = 0; t < target_count && !check_small(); t++)
        ask_fields(&structures[0], 100003, CHECK_DENSE, &targets[t], 2);
}

// ---- What must be refused -----------------------------------------------------------------------

static float x[64], y[64];
static int64_t calls, fail_at; // of the allocator below

static void *allocate(void *user, size_t bytes, size_t alignment)
{
    void *memory = NULL;
    (void)user;
    if (calls++ == fail_at) return NULL;
    return posix_memalign(&memory, alignment, bytes) ? NULL : memory;
}

static void release(void *user, void *memory, size_t bytes)
{
    (void)user, (void)bytes;
    free(memory);
}

static void expect(hd_context *ctx, int line, hd_status expected, hd_status got, const char *word)
{
    if (got != expected)
        check_failed(__FILE__, line, "status", "%s instead of %s: %s", hd_status_name(got),
                     hd_status_name(expected), hd_error(ctx));
    if (!strstr(hd_error(ctx), word))
        check_failed(__FILE__, line, "text", "no '%s' in '%s'", word, hd_error(ctx));
    for (int i = 0; i < 64; i++)
        if (y[i] != 0) check_failed(__FILE__, line, "written", "a failed call wrote");
}

#define EXPECT(status, word, call) expect(ctx, __LINE__, status, call, word)

static void test_transpose_errors(hd_context *ctx)
{
    const int64_t shape[] = {4, 6}, turned[] = {6, 4}, square[] = {4, 4};
    const hd_view in = hd_view_nd(HD_F32, x, 2, shape, NULL);
    const hd_view out = hd_view_nd(HD_F32, y, 2, turned, NULL);
    EXPECT(HD_ERROR_SHAPE, "; expected (", hd_transpose(ctx, in, in, NULL));
    EXPECT(HD_ERROR_SHAPE, "out has shape (24); expected (",
           hd_transpose(ctx, in, HD_VIEW(y, 24), NULL));
    EXPECT(HD_ERROR_TYPE, "out is i32",
           hd_transpose(ctx, in, hd_view_nd(HD_I32, y, 2, turned, NULL), NULL));
    EXPECT(HD_ERROR_ARGUMENT, "in",
           hd_transpose(ctx, hd_view_nd(HD_F32, NULL, 2, shape, NULL), out, NULL));
    EXPECT(HD_ERROR_ARGUMENT, "out",
           hd_transpose(ctx, in, hd_view_nd(HD_F32, NULL, 2, turned, NULL), NULL));
    EXPECT(HD_ERROR_ALIAS, "visit an address twice",
           hd_transpose(ctx, in, hd_view_nd(HD_F32, y, 2, turned, (int64_t[]){0, 1}), NULL));
    hd_transpose_options options = {.axes = (int32_t[]){0, 2}};
    EXPECT(HD_ERROR_ARGUMENT, "axes[1] is 2", hd_transpose(ctx, in, out, &options));
    options.axes = (int32_t[]){1, 1};
    EXPECT(HD_ERROR_ARGUMENT, "already", hd_transpose(ctx, in, out, &options));
    const hd_view a = hd_view_nd(HD_F32, x, 2, square, NULL);
    EXPECT(HD_ERROR_ALIAS, "overlaps in",
           hd_transpose(ctx, a, hd_view_nd(HD_F32, x + 1, 2, square, NULL), NULL));
    const hd_view cube = hd_view_nd(HD_F32, x, 3, (int64_t[]){4, 4, 4}, NULL);
    options.axes = (int32_t[]){2, 1, 0};
    EXPECT(HD_ERROR_ALIAS, "in place", hd_transpose(ctx, cube, cube, &options));
    options.axes = (int32_t[]){0, 1, 2};
    CHECK_OK(ctx, hd_transpose(ctx, cube, cube, &options)); // everything stays
    CHECK(hd_transpose(NULL, in, out, NULL) == HD_ERROR_ARGUMENT, "no context");
}

static void test_zip_errors(hd_context *ctx)
{
    typedef struct point {
        float x, y, z;
    } point;
    const hd_view s = HD_VIEW_OF(HD_STRUCT(point), x, 5), f = HD_VIEW(y, 5), g = HD_VIEW(y + 5, 5);
    const hd_view to = HD_VIEW_OF(HD_STRUCT(point), y, 5), from = HD_VIEW(x, 5);
    const hd_views none = {NULL, 0};
    EXPECT(HD_ERROR_ARGUMENT, "0 fields", hd_unzip(ctx, s, none, NULL));
    EXPECT(HD_ERROR_SHAPE, "field 1", hd_unzip(ctx, s, HD_VIEWS(f, HD_VIEW(y + 5, 4)), NULL));
    EXPECT(HD_ERROR_ALIAS, "field 1 overlaps field 0", hd_unzip(ctx, s, HD_VIEWS(f, f), NULL));
    EXPECT(HD_ERROR_ALIAS, "overlaps the structures", hd_unzip(ctx, s, HD_VIEWS(from), NULL));
    EXPECT(HD_ERROR_ARGUMENT, "does not fit",
           hd_unzip(ctx, HD_VIEW_OF(HD_F32, x, 5), HD_VIEWS(f, g), NULL));
    hd_zip_options options = {.field_offsets = (int64_t[]){9}};
    EXPECT(HD_ERROR_ARGUMENT, "offset 9", hd_unzip(ctx, s, HD_VIEWS(f), &options));
    options.field_offsets = (int64_t[]){-4};
    EXPECT(HD_ERROR_ARGUMENT, "offset -4", hd_unzip(ctx, s, HD_VIEWS(f), &options));
    EXPECT(HD_ERROR_ARGUMENT, "alignment",
           hd_unzip(ctx, s, HD_VIEWS(HD_VIEW_OF(HD_STRUCTURE | 4u << 8, y, 5)), NULL));
    options.field_offsets = (int64_t[]){0, 3};
    EXPECT(HD_ERROR_ARGUMENT, "fields 0 and 1 overlap",
           hd_zip(ctx, HD_VIEWS(from, from), to, &options));
    EXPECT(HD_ERROR_ARGUMENT, "implicit", hd_zip(ctx, HD_VIEWS(from), hd_iota(5), NULL));
    EXPECT(HD_ERROR_TYPE, "field 0", hd_zip(ctx, HD_VIEWS(HD_VIEW_OF(HD_NONE, x, 5)), to, NULL));
}

// A transposition of a progression, and of one dimension, is a copy.
static void test_lines(hd_context *ctx)
{
    int64_t got[5] = {0};
    CHECK_OK(ctx, hd_transpose(ctx, hd_iota(5), HD_VIEW(got, 5), NULL));
    for (int64_t i = 0; i < 5; i++) CHECK(got[i] == i, "element %" PRId64, i);
}

static void test_memory(hd_backend backend)
{
    static float big[512 * 512], other[512 * 512];
    const hd_view a = hd_view_nd(HD_F32, big, 2, (int64_t[]){512, 512}, NULL),
                  b = hd_view_nd(HD_F32, other, 2, (int64_t[]){512, 512}, NULL);
    for (fail_at = 0; fail_at < 3; fail_at++) {
        hd_context *ctx = NULL;
        const hd_context_options options = {
            .backend = backend, .threads = 2, .allocator = {allocate, release, NULL}};
        calls = 0;
        CHECK_OK(ctx, hd_open(&ctx, &options));
        const hd_status status = hd_transpose(ctx, a, b, NULL);
        CHECK(status == (fail_at < calls ? HD_ERROR_MEMORY : HD_OK), "%s", hd_status_name(status));
        CHECK_OK(ctx, hd_transpose(ctx, a, b, NULL));
        const hd_status square = hd_transpose(ctx, a, a, NULL);
        CHECK(square == HD_OK, "%s", hd_status_name(square));
        hd_close(ctx);
    }
}

int main(void)
{
    target_count = check_targets(&targets);
    test_matrices();
    test_axes();
    test_squares();
    test_fields();
    for (int t = 0; t < 2; t++) {
        test_transpose_errors(targets[t].ctx);
        test_zip_errors(targets[t].ctx);
    }
    hd_context *automatic = check_open(HD_AUTO, 0, NULL);
    test_lines(automatic);
    hd_close(automatic);
    test_memory(HD_SERIAL);
    test_memory(HD_CPU);
    return check_finish();
}
