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

#define DIFFER_HD__SIGNED(name)   x != y
#define DIFFER_HD__UNSIGNED(name) x != y
#define DIFFER_HD__FLOAT(name)    HD__VALUE_##name(x) != HD__VALUE_##name(y)
#define DIFFER_HD__BOOL(name)     (x != 0) != (y != 0)

// heads[i] = keys[i] differs from keys[i + 1], over n + 1 keys. Structures differ where a byte
// does.
static void compare(hd_type type, const void *keys, int64_t n, uint8_t *heads)
{
    const size_t size = hd__size_of(type);
    switch (type) {
#define X(name, id, ctype, kind)                                                                   \
    case id:                                                                                       \
        LOOP(ctype, DIFFER_##kind(name));                                                          \
        return;
#include "core/types.def"
#undef X
    }
    for (int64_t i = 0; i < n; i++)
        heads[i] = memcmp((const char *)keys + (size_t)i * size,
                          (const char *)keys + (size_t)(i + 1) * size, size) != 0;
}

static void compare_by(const hd_comparison *comparison, const char *keys, int64_t n, uint8_t *heads)
{
    const size_t size = comparison->elements.size;
    for (int64_t i = 0; i < n; i++, keys += size)
        heads[i] = hd__differ_by(comparison, keys, keys + size);
}

void hd__key_head_flags(const hd_view *keys, const hd_comparison *comparison, int64_t start,
                        int64_t n, uint8_t *heads, void *scratch)
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
    if (comparison != NULL)
        compare_by(comparison, row, n, heads);
    else
        compare(keys->type, row, n, heads);
}
