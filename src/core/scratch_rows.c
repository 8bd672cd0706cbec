// SPDX-License-Identifier: Apache-2.0
#include "scratch_rows.h"

#include "core/context.h"
#include "core/system/large_pages.h"

#include <string.h>

// Rows of less are the allocator's: it has them at hand.
enum { MIN = 64 << 10, PAGE = 4096 };

#if defined(__SANITIZE_ADDRESS__)
#define HAS_POISON 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_POISON 1
#endif
#endif

// Under AddressSanitizer a row that nobody has, and what is behind the elements of one, is out of
// bounds.
#ifdef HAS_POISON
#include <sanitizer/asan_interface.h>
static void allow(void *memory, size_t bytes, size_t of)
{
    __asan_poison_memory_region(memory, of);
    __asan_unpoison_memory_region(memory, bytes);
}
#else
static void allow(void *memory, size_t bytes, size_t of)
{
    (void)memory, (void)bytes, (void)of;
}
#endif

// What is allocated for so many bytes: a row of about the size of another one can take its place,
// and the size of a row says what was allocated for it.
static size_t rounded(size_t bytes)
{
    size_t step = PAGE;
    if (bytes < MIN || bytes > SIZE_MAX / 2) return bytes;
    while (step <= bytes / 16) step *= 2;
    return (bytes + step - 1) / step * step;
}

static void *remove_at(hd__scratch_rows *rows, int at)
{
    void *memory = rows->row[at].memory;
    rows->kept -= rows->row[at].bytes;
    rows->count--;
    memmove(&rows->row[at], &rows->row[at + 1], sizeof *rows->row * (size_t)(rows->count - at));
    return memory;
}

static void release_first(hd_context *ctx)
{
    const size_t bytes = ctx->scratch_rows.row[0].bytes;
    void *memory = remove_at(&ctx->scratch_rows, 0);
    allow(memory, bytes, bytes);
    hd__release(ctx, memory, bytes);
}

void hd__trim_rows(hd_context *ctx, size_t keep)
{
    hd__scratch_rows *rows = &ctx->scratch_rows;
    while (rows->count > 0 && rows->kept > keep) release_first(ctx);
    rows->peak = rows->taken + rows->kept;
}

// The last one given back, which caches may still have.
static void *find(hd__scratch_rows *rows, size_t bytes)
{
    for (int k = rows->count - 1; k >= 0; k--)
        if (rows->row[k].bytes == bytes) return remove_at(rows, k);
    return NULL;
}

static void *take(hd_context *ctx, size_t bytes)
{
    hd__scratch_rows *rows = &ctx->scratch_rows;
    const size_t all = rounded(bytes);
    if (bytes < MIN) return hd__allocate(ctx, bytes);
    void *memory = find(rows, all);
    if (memory == NULL) {
        while (rows->count > 0 && rows->taken + rows->kept + all > rows->peak) release_first(ctx);
        memory = hd__allocate(ctx, all);
        hd__advise_large_pages(memory, all);
    }
    if (memory == NULL) return NULL;
    rows->taken += all;
    if (rows->peak < rows->taken + rows->kept) rows->peak = rows->taken + rows->kept;
    allow(memory, bytes, all);
    return memory;
}

static void give(hd_context *ctx, void *memory, size_t bytes)
{
    hd__scratch_rows *rows = &ctx->scratch_rows;
    if (bytes < MIN) {
        hd__release(ctx, memory, bytes);
        return;
    }
    bytes = rounded(bytes);
    allow(memory, 0, bytes);
    if (rows->count == HD__SCRATCH_ROWS) release_first(ctx);
    rows->row[rows->count].memory = memory;
    rows->row[rows->count++].bytes = bytes;
    rows->taken -= bytes, rows->kept += bytes;
}

hd_status hd_alloc_scratch(hd_context *ctx, hd_type type, int64_t n, hd_view *row)
{
    HD__BEGIN(ctx);
    const size_t size = hd__size_of(type);
    if (row == NULL) return hd__fail(ctx, HD_ERROR_ARGUMENT, "hd_alloc_scratch: row is NULL");
    memset(row, 0, sizeof *row);
    if (size == 0)
        return hd__fail(ctx, HD_ERROR_TYPE, "hd_alloc_scratch: the type is %s", hd_type_name(type));
    if (n < 0 || n > INT64_MAX / (int64_t)size)
        return hd__fail(ctx, HD_ERROR_SHAPE, "hd_alloc_scratch: %lld elements of %zu bytes",
                        (long long)n, size);
    void *memory = n > 0 ? take(ctx, (size_t)n * size) : NULL;
    if (n > 0 && memory == NULL) return HD_ERROR_MEMORY;
    *row = hd_view_of(type, memory, n);
    return HD_OK;
}

hd_status hd_free_scratch(hd_context *ctx, hd_view *row)
{
    HD__BEGIN(ctx);
    if (row == NULL) return hd__fail(ctx, HD_ERROR_ARGUMENT, "hd_free_scratch: row is NULL");
    const int64_t count = row->data != NULL ? hd_count(*row) : 0;
    if (row->space != HD_HOST)
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "hd_free_scratch: row is not of the host; expected one of "
                        "hd_alloc_scratch");
    if (count > 0) give(ctx, row->data, (size_t)count * hd__size_of(row->type));
    memset(row, 0, sizeof *row);
    return HD_OK;
}
