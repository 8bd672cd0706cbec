// SPDX-License-Identifier: Apache-2.0
// Packs images and writes the file of them: precompiled_table.h.
#include "precompiled_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Packing, as gpu/runtime/precompiled.h says -------------------------------------------------

enum { LITERALS = 128, MIN = 4, LONGEST = MIN + 127, FAR = 65535, TABLE = 1 << 14, TRIES = 256 };

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
        if (k + MIN <= bytes)
            same = longest(from, bytes, k, before, last[hash_of(from + k)], &back);
        const size_t step = same >= MIN ? same : 1;
        if (same >= MIN) {
            at = put_plain(from + plain, k - plain, to, at);
            to[at++] = (unsigned char)(LITERALS + same - MIN);
            to[at++] = (unsigned char)back;
            to[at++] = (unsigned char)(back >> 8);
            plain = k + same;
        }
        for (size_t j = k; j < k + step && j + MIN <= bytes; j++) {
            uint32_t *seen = &last[hash_of(from + j)];
            before[j] = *seen;
            *seen = (uint32_t)j + 1;
        }
        k += step;
    }
    return put_plain(from + plain, bytes - plain, to, at);
}

// ---- The file -----------------------------------------------------------------------------------

// The first image with the same bytes.
static int32_t first_like(const made_image *images, int32_t k)
{
    int32_t j = 0;
    while (images[j].bytes == NULL || images[j].count != images[k].count ||
           memcmp(images[j].bytes, images[k].bytes, images[k].count) != 0)
        j++;
    return j;
}

// Packs an image once for all that have its bytes; its row says where it is from the end of the
// table on.
static unsigned char *packed_image(const made_image *image, uint32_t *made)
{
    unsigned char *packed = malloc(image->count + image->count / 64 + 64);
    uint32_t *before = malloc(image->count * sizeof *before);
    if (packed == NULL || before == NULL) exit(1);
    *made = (uint32_t)pack((const unsigned char *)image->bytes, image->count, packed, before);
    free(before);
    return packed;
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

// A file that is as it was stays, so that nothing after it is built again.
static bool replace(const char *path, const char *fresh)
{
    if (same_files(path, fresh)) return remove(fresh) == 0;
    return rename(fresh, path) == 0;
}

typedef struct table {
    hd__gpu_precompiled_head head;
    hd__gpu_precompiled *rows;
    unsigned char **packed; // of each row; NULL: as an earlier one
    size_t plain_bytes;
} table;

// Rows of all images that are there; offsets count from 0.
static void fill_table(table *t, const made_image *images, int32_t count)
{
    int32_t *row_of = calloc((size_t)count + 1, sizeof *row_of);
    uint64_t end = 0;
    if (row_of == NULL || t->rows == NULL || t->packed == NULL) exit(1);
    for (int32_t k = 0; k < count; k++) {
        if (images[k].bytes == NULL) continue;
        const int32_t like = first_like(images, k), number = t->head.count++;
        hd__gpu_precompiled *row = &t->rows[row_of[k] = number];
        if (like == k) {
            t->packed[number] = packed_image(&images[k], &row->packed_bytes);
            row->offset = end;
            end += row->packed_bytes;
            t->plain_bytes += images[k].count;
        } else {
            *row = t->rows[row_of[like]];
        }
        row->text = images[k].text;
        row->arch = images[k].arch;
        row->bytes = (uint32_t)images[k].count;
        t->head.ptx += images[k].arch == 0;
    }
    t->head.bytes = end;
    free(row_of);
}

static bool write_file(FILE *out, table *t)
{
    const size_t rows = (size_t)t->head.count;
    const uint64_t start = sizeof t->head + rows * sizeof *t->rows;
    for (size_t k = 0; k < rows; k++) t->rows[k].offset += start;
    t->head.bytes += start;
    bool done = fwrite(&t->head, sizeof t->head, 1, out) == 1 &&
                fwrite(t->rows, sizeof *t->rows, rows, out) == rows;
    for (size_t k = 0; k < rows; k++)
        if (t->packed[k] != NULL)
            done = done &&
                   fwrite(t->packed[k], 1, t->rows[k].packed_bytes, out) == t->rows[k].packed_bytes;
    return done;
}

bool write_table(const char *path, const char *by, const made_image *images, int32_t count)
{
    char fresh[4096];
    table t = {.head = {.magic = HD__GPU_PRECOMPILED_MAGIC}};
    snprintf(fresh, sizeof fresh, "%s.new", path);
    snprintf(t.head.by, sizeof t.head.by, "%s", by);
    FILE *out = fopen(fresh, "wb");
    if (out == NULL) return false;
    t.rows = calloc((size_t)count + 1, sizeof *t.rows);
    t.packed = calloc((size_t)count + 1, sizeof *t.packed);
    fill_table(&t, images, count);
    const bool written = write_file(out, &t);
    printf("%d precompiled kernels, by %s, %d of them PTX: %zu bytes in %llu\n", (int)t.head.count,
           by[0] != 0 ? by : "no compiler", (int)t.head.ptx, t.plain_bytes,
           (unsigned long long)t.head.bytes);
    for (int32_t k = 0; k < t.head.count; k++) free(t.packed[k]);
    free(t.packed);
    free(t.rows);
    return fclose(out) == 0 && written && replace(path, fresh);
}
