// SPDX-License-Identifier: Apache-2.0
//
// A GPU without a compiler: common calls run from kernels that are part of the library, with the
// right bits, others say that there is no compiler; machine code for some GPUs is whole; and bytes
// that are no packed text are refused.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "gpu/runtime/precompiled.h"

static const hd_type types[] = {HD_I32, HD_I64, HD_U32, HD_U64, HD_F32, HD_F64, HD_U8};

enum { N = 1531 };

static void compare(hd_context *model, hd_context *serial, hd_type type, const hd_operator *op,
                    hd_type out)
{
    static unsigned char in[8 * N], got[8 * N], want[8 * N];
    char what[80];
    snprintf(what, sizeof what, "%s of %s to %s", hd_operator_name(op), hd_type_name(type),
             hd_type_name(out));
    check_fill(type, in, N, CHECK_ORDINARY, check_seed());
    const hd_view x = hd_view_of(type, in, N);
    const hd_view a = hd_view_of(out, got, N), b = hd_view_of(out, want, N);
    CHECK_OK(model, hd_scan(model, x, op, a, NULL));
    CHECK_OK(serial, hd_scan(serial, x, op, b, NULL));
    CHECK_SAME(out, got, want, N, "scan: %s", what);
    CHECK_OK(model, hd_reduce(model, x, op, hd_view_of(out, got, 1), NULL));
    CHECK_OK(serial, hd_reduce(serial, x, op, hd_view_of(out, want, 1), NULL));
    CHECK_SAME(out, got, want, 1, "reduce: %s", what);
    if (op != HD_SUM) return;
    CHECK_OK(model, hd_scan(model, x, op, a, &(hd_scan_options){.exclusive = true}));
    CHECK_OK(serial, hd_scan(serial, x, op, b, &(hd_scan_options){.exclusive = true}));
    CHECK_SAME(out, got, want, N, "exclusive scan: %s", what);
}

static void compact(hd_context *model, hd_context *serial, hd_type type)
{
    static unsigned char in[8 * N], got[8 * N], want[8 * N], flags[N];
    int64_t count = 0, wanted = 0;
    check_fill(type, in, N, CHECK_ORDINARY, check_seed());
    check_fill(HD_U8, flags, N, CHECK_ORDINARY, check_seed() + 1);
    for (int k = 0; k < N; k++) flags[k] &= 1;
    const hd_compact_options options = {.flags = HD_REF(HD_VIEW(flags, N))};
    const hd_view x = hd_view_of(type, in, N);
    CHECK_OK(model, hd_compact(model, x, hd_view_of(type, got, N), HD_VIEW(&count, 1), &options));
    CHECK_OK(serial,
             hd_compact(serial, x, hd_view_of(type, want, N), HD_VIEW(&wanted, 1), &options));
    CHECK(count == wanted && count > 0 && count < N, "%lld", (long long)count);
    CHECK_SAME(type, got, want, count, "compact: %s", hd_type_name(type));
}

static void test_common(void)
{
    const hd_operator *const operators[] = {HD_SUM, HD_MIN, HD_MAX, HD_PRODUCT};
    hd_context *model = check_open(HD_MODEL, 1, NULL), *serial = check_open(HD_SERIAL, 1, NULL);
    for (int t = 0; t < 7; t++)
        for (int o = 0; o < 4; o++) {
            const hd_type usual = hd_default_output(operators[o], types[t]);
            compare(model, serial, types[t], operators[o], types[t]);
            if (usual != types[t]) compare(model, serial, types[t], operators[o], usual);
        }
    for (int t = 0; t < 7; t++) compact(model, serial, types[t]);
    double x[3] = {1, 2, 3};
    hd_view v;
    for (int t = 0; t < 7; t++) { // to the device and back
        const int64_t n = 3;
        unsigned char back[24] = {0};
        CHECK_OK(model, hd_alloc_device(model, types[t], 1, &n, &v));
        CHECK_OK(model, hd_map(model, hd_view_of(types[t], x, n), NULL, v, NULL));
        CHECK_OK(model, hd_map(model, v, NULL, hd_view_of(types[t], back, n), NULL));
        CHECK(memcmp(back, x, 3 * hd_type_size(types[t])) == 0, "%s", hd_type_name(types[t]));
        CHECK_OK(model, hd_free(model, &v));
    }
    int64_t where;
    CHECK(hd_reduce(model, HD_VIEW(x, 3), HD_ARGMAX, HD_VIEW(&where, 1), NULL) ==
                  HD_ERROR_BACKEND &&
              strstr(hd_error(model), "no compiler is to be used") != NULL &&
              strstr(hd_error(model), "reduce_tiles for these types, operator and layout is not "
                                      "among the"),
          "%s", hd_error(model));
    hd_close(model);
    hd_close(serial);
}

// An ELF file for a GPU (machine 190), up to its table of sections, which is its end or lies before
// it.
static void test_code(void)
{
    const hd__gpu_precompiled_file *file = hd__gpu_precompiled_kernels();
    int32_t code = 0;
    for (int32_t k = 0; k < file->head->count; k++) {
        const hd__gpu_precompiled *b = &file->rows[k];
        if (b->arch == 0) continue;
        code++;
        unsigned char *image = malloc(b->bytes);
        const size_t bytes = hd__gpu_unpack(file->at + b->offset, b->packed_bytes, image, b->bytes);
        uint64_t sections = 0;
        if (bytes >= 64) memcpy(&sections, image + 40, sizeof sections);
        CHECK(bytes == b->bytes && bytes >= 64 && memcmp(image, "\177ELF\2\1", 6) == 0 &&
                  image[18] == 190 && sections + 64 * (uint64_t)image[60] <= bytes,
              "entry %d for sm_%d", (int)k, (int)b->arch);
        free(image);
    }
    CHECK(code == file->head->count - file->head->ptx, "%d", (int)code);
}

// A file that is cut short or changed is refused, or its rows stay within it.
static void test_hostile_files(void)
{
    const hd__gpu_precompiled_file *file = hd__gpu_precompiled_kernels();
    if (file->head->count == 0) return;
    const size_t table = sizeof *file->head + (size_t)file->head->count * sizeof *file->rows;
    const size_t bytes = (size_t)file->head->bytes;
    unsigned char *copy = malloc(bytes);
    uint64_t r = check_seed();
    CHECK(copy != NULL && hd__gpu_precompiled_check(file->at, bytes)[0] == 0, "the file itself");
    for (int k = 0; k < 2000 && copy != NULL; k++) {
        memcpy(copy, file->at, bytes);
        const size_t kept = k % 4 == 0 ? (size_t)check_below(&r, (int64_t)bytes) : bytes;
        for (int j = 0; j < k % 4; j++)
            copy[check_below(&r, (int64_t)table)] = (unsigned char)check_below(&r, 256);
        if (hd__gpu_precompiled_check(copy, kept)[0] != 0) continue;
        CHECK(kept == bytes, "%zu of %zu bytes were taken for whole", kept, bytes);
        hd__gpu_precompiled_head head;
        memcpy(&head, copy, sizeof head);
        CHECK(head.count <= file->head->count || head.bytes == bytes, "%d rows", (int)head.count);
        for (int32_t i = 0; i < head.count; i++) {
            hd__gpu_precompiled row;
            memcpy(&row, copy + sizeof head + (size_t)i * sizeof row, sizeof row);
            CHECK(row.offset <= bytes && row.packed_bytes <= bytes - row.offset, "row %d", (int)i);
        }
    }
    CHECK(hd__gpu_precompiled_check(file->at, 3)[0] != 0, "three bytes");
    free(copy);
}

// Which of a text's images a GPU is given.
static void test_architectures(void)
{
    const hd__gpu_text text = {.at = (char *)(uintptr_t) "no kernel", .length = 9};
    size_t bytes;
    CHECK(hd__gpu_precompiled_image(&text, 90, &bytes) == NULL, "it is not among them");
    CHECK(hd__gpu_runs_on(90, 90) && hd__gpu_runs_on(80, 86) && hd__gpu_runs_on(0, 0),
          "code that runs");
    CHECK(!hd__gpu_runs_on(86, 80) && !hd__gpu_runs_on(80, 90) && !hd__gpu_runs_on(0, 9) &&
              !hd__gpu_runs_on(90, 0),
          "code that does not");
}

static void test_unpack(void)
{
    unsigned char to[64];
    static const unsigned char good[] = {2, 'a', 'b', 'c', 128 + 3, 3, 0, 0, '!'};
    CHECK(hd__gpu_unpack(good, sizeof good, to, sizeof to) == 11 &&
              memcmp(to, "abcabcabca!", 11) == 0,
          "%.11s", to);
    CHECK(hd__gpu_unpack(good, sizeof good, to, 10) == 0, "no room");
    CHECK(hd__gpu_unpack(good, 3, to, sizeof to) == 0 &&
              hd__gpu_unpack(good, 6, to, sizeof to) == 0,
          "it ends too soon");
    static const unsigned char far[] = {0, 'a', 128, 2, 0}, nowhere[] = {0, 'a', 128, 0, 0};
    CHECK(hd__gpu_unpack(far, sizeof far, to, sizeof to) == 0, "before the beginning");
    CHECK(hd__gpu_unpack(nowhere, sizeof nowhere, to, sizeof to) == 0, "from itself");
    uint64_t r = check_seed();
    for (int k = 0; k < 20000; k++) {
        unsigned char any[24];
        for (size_t j = 0; j < sizeof any; j++) any[j] = (unsigned char)check_below(&r, 256);
        CHECK(hd__gpu_unpack(any, (size_t)check_below(&r, 25), to, sizeof to) <= sizeof to, "%d",
              k);
    }
}

int main(void)
{
    const char *why;
    setenv("HEDDLE_MODEL_COMPILER", "none", 1);
    setenv("HEDDLE_PTXAS", "none", 1); // no process for every kernel
    unsetenv("HEDDLE_TUNE");
    test_unpack();
    test_code();
    test_hostile_files();
    test_architectures();
    if (hd__gpu_precompiled_kernels()->head->ptx > 0) {
        CHECK(hd_backend_available(HD_MODEL, &why), "%s", why);
        test_common();
    } else {
        CHECK(!hd_backend_available(HD_MODEL, &why) && strstr(why, "no compiler is to be used"),
              "%s", why);
        printf("no kernels are precompiled\n");
    }
    return check_finish();
}
