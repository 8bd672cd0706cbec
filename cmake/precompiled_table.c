// SPDX-License-Identifier: Apache-2.0
// Packs images and writes their table: precompiled_table.h.
#include "precompiled_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Packing, as gpu/runtime/precompiled.h says -------------------------------------------------

enum {
    LITERALS = 128,
    LEAST = 4,
    LONGEST = LEAST + 127,
    FAR = 65535,
    TABLE = 1 << 14,
    TRIES = 256
};

static uint32_t hash_of(const unsigned char *p)
{
    uint32_t x;
    memcpy(&x, p, sizeof x);
    return x * 2654435761u >> 18; // 14 bits
}

static size_t put_plain(const unsigned char *from, size_t count, unsigned char *to, size_t at)
{
    while (count > 0) {
        const size_t now = count < LITERALS ? count : LITERALS;
        to[at++] = (unsigned char)(now - 1);
        memcpy(to + at, from, now);
        at += now, from += now, count -= now;
    }
    return at;
}

// The longest piece before k that is the same; *back says how far before.
static size_t longest(const unsigned char *from, size_t bytes, size_t k, const uint32_t *before,
                      uint32_t candidate, size_t *back)
{
    size_t best = 0;
    for (int tries = 0; candidate > 0 && k - (candidate - 1) <= FAR && tries < TRIES; tries++) {
        const size_t at = candidate - 1;
        size_t same = 0;
        while (same < LONGEST && k + same < bytes && from[at + same] == from[k + same]) same++;
        if (same > best) best = same, *back = k - at;
        candidate = before[at];
    }
    return best;
}

// `to` has room for bytes + bytes / 64 + 64; `before` for `bytes` numbers.
static size_t pack(const unsigned char *from, size_t bytes, unsigned char *to, uint32_t *before)
{
    uint32_t last[TABLE] = {0}; // the place of each four bytes, and one more
    size_t at = 0, plain = 0;
    for (size_t k = 0; k < bytes;) {
        size_t back = 0, same = 0;
        if (k + LEAST <= bytes)
            same = longest(from, bytes, k, before, last[hash_of(from + k)], &back);
        const size_t step = same >= LEAST ? same : 1;
        if (same >= LEAST) {
            at = put_plain(from + plain, k - plain, to, at);
            to[at++] = (unsigned char)(LITERALS + same - LEAST);
            to[at++] = (unsigned char)back;
            to[at++] = (unsigned char)(back >> 8);
            plain = k + same;
        }
        for (size_t j = k; j < k + step && j + LEAST <= bytes; j++) {
            uint32_t *seen = &last[hash_of(from + j)];
            before[j] = *seen;
            *seen = (uint32_t)j + 1;
        }
        k += step;
    }
    return put_plain(from + plain, bytes - plain, to, at);
}

// ---- The table ----------------------------------------------------------------------------------

// The first image with the same bytes.
static int32_t first_like(const made_image *images, int32_t k)
{
    int32_t j = 0;
    while (images[j].bytes == NULL || images[j].count != images[k].count ||
           memcmp(images[j].bytes, images[k].bytes, images[k].count) != 0)
        j++;
    return j;
}

static size_t write_bytes(FILE *out, int32_t number, const made_image *image)
{
    const size_t room = image->count + image->count / 64 + 64;
    unsigned char *packed = malloc(room);
    uint32_t *before = malloc(image->count * sizeof *before);
    if (packed == NULL || before == NULL) exit(1);
    const size_t made = pack((const unsigned char *)image->bytes, image->count, packed, before);
    fprintf(out, "static const unsigned char packed_%d[] = {", (int)number);
    for (size_t k = 0; k < made; k++) fprintf(out, "%s%d,", k % 32 == 0 ? "\n" : "", packed[k]);
    fputs("};\n", out);
    free(packed);
    free(before);
    return made;
}

static void write_row(FILE *out, const made_image *image, int32_t like, size_t packed)
{
    fprintf(out, "    {{{0x%llxu, 0x%llxu}}, %d, packed_%d, %zu, %zu},\n",
            (unsigned long long)image->text.half[0], (unsigned long long)image->text.half[1],
            (int)image->arch, (int)like, packed, image->count);
}

// Whether two files hold the same.
static bool same_files(const char *a, const char *b)
{
    FILE *x = fopen(a, "rb"), *y = fopen(b, "rb");
    int c = 0, d = 0;
    while (x != NULL && y != NULL && c == d && c != EOF) c = getc(x), d = getc(y);
    const bool same = x != NULL && y != NULL && c == d;
    if (x != NULL) fclose(x);
    if (y != NULL) fclose(y);
    return same;
}

// A table that is as it was keeps its file, so that nothing after it is built again.
static bool replace(const char *path, const char *fresh)
{
    if (same_files(path, fresh)) return remove(fresh) == 0;
    return rename(fresh, path) == 0;
}

bool write_table(const char *path, const char *by, const made_image *images, int32_t count)
{
    char fresh[4096];
    snprintf(fresh, sizeof fresh, "%s.new", path);
    FILE *out = fopen(fresh, "w");
    size_t packed = 0, plain = 0, *made = calloc((size_t)count + 1, sizeof *made);
    int32_t rows = 0, ptx = 0;
    if (out == NULL || made == NULL) return false;
    fputs("// Made by cmake/precompiled_kernels.c.\n#include \"gpu/runtime/precompiled.h\"\n\n",
          out);
    for (int32_t k = 0; k < count; k++) {
        if (images[k].bytes == NULL || first_like(images, k) < k) continue;
        packed += made[k] = write_bytes(out, k, &images[k]);
        plain += images[k].count;
    }
    fputs("\nconst hd__gpu_precompiled hd__gpu_precompiled_kernels[] = {\n", out);
    for (int32_t k = 0; k < count; k++) {
        if (images[k].bytes == NULL) continue;
        const int32_t like = first_like(images, k);
        write_row(out, &images[k], like, made[like]);
        rows++;
        ptx += images[k].arch == 0;
    }
    fprintf(out,
            "    {{{0, 0}}, 0, 0, 0, 0},\n};\nconst int32_t hd__gpu_precompiled_count = %d;\n"
            "const int32_t hd__gpu_precompiled_ptx = %d;\nconst char hd__gpu_precompiled_by[] = "
            "\"%s\";\n",
            (int)rows, (int)ptx, by);
    printf("%d precompiled kernels, by %s, %d of them PTX: %zu bytes in %zu\n", (int)rows,
           by[0] != 0 ? by : "no compiler", (int)ptx, plain, packed);
    free(made);
    return fclose(out) == 0 && replace(path, fresh);
}
