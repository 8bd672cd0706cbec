// SPDX-License-Identifier: Apache-2.0
// Heads of runs of equal keys, a loop for each size and for floats.
#include "equal_keys.h"
#include "core/convert.h"

#define LOOP(T, differ)                                                                            \
    do {                                                                                           \
        const T *k = keys;                                                                         \
        for (int64_t i = 0; i < n; i++) {                                                          \
            const T x = k[i], y = k[i + 1];                                                        \
            heads[i] = (differ);                                                                   \
        }                                                                                          \
    } while (0)

// heads[i] = keys[i] differs from keys[i + 1], over n + 1 keys.
static void compare(hd_type type, const void *keys, int64_t n, uint8_t *heads)
{
    const size_t size = hd__size_of(type);
    switch (type) {
    case HD_F32: LOOP(float, x != y); return;
    case HD_F64: LOOP(double, x != y); return;
    case HD_F16: LOOP(uint16_t, hd__f16_to_f32(x) != hd__f16_to_f32(y)); return;
    case HD_BF16: LOOP(uint16_t, hd__bf16_to_f32(x) != hd__bf16_to_f32(y)); return;
    case HD_BOOL: LOOP(uint8_t, (x != 0) != (y != 0)); return;
    default: break;
    }
    switch (hd__is_number(type) ? size : 0) {
    case 1: LOOP(uint8_t, x != y); return;
    case 2: LOOP(uint16_t, x != y); return;
    case 4: LOOP(uint32_t, x != y); return;
    case 8: LOOP(uint64_t, x != y); return;
    default:
        for (int64_t i = 0; i < n; i++)
            heads[i] = memcmp((const char *)keys + (size_t)i * size,
                              (const char *)keys + (size_t)(i + 1) * size, size) != 0;
    }
}

void hd__key_heads(const hd_view *keys, int64_t start, int64_t n, uint8_t *heads, void *scratch)
{
    if (n <= 0) return;
    if (start == 0) { // the first key has no neighbour
        heads[0] = 1;
        start++, heads++, n--;
    }
    const void *row = scratch;
    if (hd__is_contiguous(keys))
        row = hd__at(keys, start - 1);
    else
        hd__gather(keys, start - 1, n + 1, scratch);
    compare(keys->type, row, n, heads);
}
