// SPDX-License-Identifier: Apache-2.0
// Whole arrays around a sort: strided views copied to contiguous memory and back, and arrays
// permuted by the order that was found.
#include "sort.h"
#include "core/system/float_state.h"
#include "core/system/unaligned.h"
#include "cpu/runtime/team.h"

#include <string.h>

// ---- Staging ------------------------------------------------------------------------------------

hd_status hd__cpu_stage_out(hd_context *ctx, const hd_view *view, hd__cpu_staged *s)
{
    *s = (hd__cpu_staged){view, view->data, 0};
    if (hd__is_empty(view) || hd__is_contiguous(view) || hd_count(*view) == 0) return HD_OK;
    s->bytes = (size_t)hd_count(*view) * hd__size_of(view->type);
    s->data = hd__allocate(ctx, s->bytes);
    if (s->data != NULL) return HD_OK;
    s->bytes = 0;
    return HD_ERROR_MEMORY;
}

hd_status hd__cpu_stage_in(hd_context *ctx, const hd_view *view, hd__cpu_staged *s)
{
    const int64_t chunk = hd__cpu_tune.sort_move_chunk;
    HD_TRY(hd__cpu_stage_out(ctx, view, s));
    if (s->bytes == 0) return HD_OK;
    const int64_t n = hd_count(*view);
    const size_t size = hd__size_of(view->type);
    const int threads = hd__cpu_threads_for(ctx, n, size);
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (int64_t i = 0; i < n; i += chunk) {
        HD__FLOAT_STATE;
        hd__gather(view, i, n - i < chunk ? n - i : chunk, (char *)s->data + (size_t)i * size);
    }
    return HD_OK;
}

void hd__cpu_stage_commit(hd_context *ctx, const hd__cpu_staged *s)
{
    const int64_t chunk = hd__cpu_tune.sort_move_chunk;
    if (s->bytes == 0) return;
    const int64_t n = hd_count(*s->view);
    const size_t size = hd__size_of(s->view->type);
    const int threads = hd__cpu_threads_for(ctx, n, size);
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (int64_t i = 0; i < n; i += chunk) {
        HD__FLOAT_STATE;
        hd__scatter(s->view, i, n - i < chunk ? n - i : chunk, (char *)s->data + (size_t)i * size);
    }
}

void hd__cpu_stage_end(hd_context *ctx, hd__cpu_staged *s)
{
    if (s->bytes > 0) hd__release(ctx, s->data, s->bytes);
    *s = (hd__cpu_staged){0};
}

// ---- Moving -------------------------------------------------------------------------------------

void hd__cpu_copy_all(hd_context *ctx, void *out, const void *in, int64_t n, size_t size)
{
    if (out == in) return;
    const int threads = hd__cpu_threads_for(ctx, n, 2 * size);
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        HD__FLOAT_STATE;
        const int t = omp_get_thread_num(), count = omp_get_num_threads();
        const int64_t begin = n / count * t, end = t + 1 == count ? n : n / count * (t + 1);
        memcpy((char *)out + (size_t)begin * size, (const char *)in + (size_t)begin * size,
               (size_t)(end - begin) * size);
    }
}

#define REVERSE(T)                                                                                 \
    for (int64_t i = begin; i < end; i++) {                                                        \
        const T a = ((const T *)in)[i], b = ((const T *)in)[n - 1 - i];                            \
        ((T *)out)[i] = b;                                                                         \
        ((T *)out)[n - 1 - i] = a;                                                                 \
    }

// Elements begin .. end - 1 of the first half and their partners: in place too.
static void reverse(void *out, const void *in, int64_t n, size_t size, int64_t begin, int64_t end)
{
    unsigned char a[HD_MAX_ELEMENT];
    switch (size) {
    case 1: REVERSE(uint8_t); break;
    case 2: REVERSE(hd__unaligned16); break;
    case 4: REVERSE(hd__unaligned32); break;
    case 8: REVERSE(hd__unaligned64); break;
    default:
        for (int64_t i = begin; i < end; i++) {
            const size_t front = (size_t)i * size, back = (size_t)(n - 1 - i) * size;
            memcpy(a, (const char *)in + front, size);
            memmove((char *)out + front, (const char *)in + back, size);
            memcpy((char *)out + back, a, size);
        }
    }
}

void hd__cpu_copy_reversed(hd_context *ctx, void *out, const void *in, int64_t n, size_t size)
{
    const int threads = hd__cpu_threads_for(ctx, n, 2 * size);
    const int64_t half = (n + 1) / 2;
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        HD__FLOAT_STATE;
        const int t = omp_get_thread_num(), count = omp_get_num_threads();
        reverse(out, in, n, size, half / count * t, t + 1 == count ? half : half / count * (t + 1));
    }
}

#define MOVE(T, I)                                                                                 \
    for (int64_t i = begin; i < end; i++) ((T *)out)[i] = ((const T *)in)[((const I *)order)[i]]

static void move_wide(void *out, const void *in, const uint64_t *order, int64_t begin, int64_t end,
                      size_t size)
{
    switch (size) {
    case 1: MOVE(uint8_t, uint64_t); break;
    case 2: MOVE(hd__unaligned16, uint64_t); break;
    case 4: MOVE(hd__unaligned32, uint64_t); break;
    case 8: MOVE(hd__unaligned64, uint64_t); break;
    default:
        for (int64_t i = begin; i < end; i++)
            memcpy((char *)out + (size_t)i * size, (const char *)in + order[i] * size, size);
    }
}

static void move_narrow(void *out, const void *in, const uint32_t *order, int64_t begin,
                        int64_t end, size_t size)
{
    switch (size) {
    case 1: MOVE(uint8_t, uint32_t); break;
    case 2: MOVE(hd__unaligned16, uint32_t); break;
    case 4: MOVE(hd__unaligned32, uint32_t); break;
    case 8: MOVE(hd__unaligned64, uint32_t); break;
    default:
        for (int64_t i = begin; i < end; i++)
            memcpy((char *)out + (size_t)i * size, (const char *)in + order[i] * size, size);
    }
}

void hd__cpu_permute_values(hd_context *ctx, void *out, const void *in, const void *order,
                            bool wide, int64_t n, size_t size)
{
    const int64_t chunk = hd__cpu_tune.sort_move_chunk;
    const int threads = hd__cpu_threads_for(ctx, n, 4 * size);
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (int64_t i = 0; i < n; i += chunk) {
        HD__FLOAT_STATE;
        const int64_t end = n - i < chunk ? n : i + chunk;
        if (wide)
            move_wide(out, in, order, i, end, size);
        else
            move_narrow(out, in, order, i, end, size);
    }
}
