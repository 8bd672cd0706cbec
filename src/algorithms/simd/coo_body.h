// SPDX-License-Identifier: Apache-2.0
// Coordinates in any order for values of type REAL and columns of type COLUMN (UNSIGNED without
// their sign): a counting sort in two steps, of which the second has a bucket in a core's cache.
#define NAME(x) COO_NAME(x, REAL, COLUMN)

// A product, and its row's number in the bucket.
typedef struct NAME(item) {
    REAL product;
    uint32_t row;
} NAME(item);

static bool NAME(columns_hold)(const COLUMN *column, int64_t n, int64_t columns)
{
    UNSIGNED most = 0;
    for (int64_t k = 0; k < n; k++) most = (UNSIGNED)column[k] > most ? (UNSIGNED)column[k] : most;
    return most < (uint64_t)columns || n == 0;
}

// Rows and columns of a block are looked at before one is used.
static bool NAME(count)(const hd__coordinates *c, int64_t task)
{
    enum { BLOCK = 2048 };
    const int64_t end = coo_first(c, task + 1);
    const int shift = c->shift;
    int64_t *const count = c->count + task * c->buckets;
    memset(count, 0, sizeof *count * (size_t)c->buckets);
    for (int64_t begin = coo_first(c, task); begin < end; begin += BLOCK) {
        const int64_t n = end - begin < BLOCK ? end - begin : BLOCK;
        const int32_t *const row = c->row + begin;
        if (!coo_rows_hold(row, n, c->rows) ||
            !NAME(columns_hold)((const COLUMN *)c->column + begin, n, c->columns))
            return false;
        for (int64_t k = 0; k < n; k++) count[row[k] >> shift]++;
    }
    return true;
}

// Items go to a line of their bucket first: to as many destinations as there are buckets whole
// lines can be stored past the caches.
static void NAME(distribute)(const hd__coordinates *c, int64_t task)
{
    enum { ITEMS = HD__COO_LINE / sizeof(NAME(item)) };
    const int32_t *const row = c->row;
    const COLUMN *const column = c->column;
    const REAL *const value = c->value, *const x = c->x;
    NAME(item) *const item = c->item;
    NAME(item) *const line = (NAME(item) *)c->line + task * c->buckets * ITEMS;
    const int64_t *const count = c->count + task * c->buckets;
    int64_t *const at = c->first + task * c->buckets;
    const int64_t end = coo_first(c, task + 1);
    const int shift = c->shift;
    const uint32_t mask = (UINT32_C(1) << shift) - 1;
    for (int64_t k = coo_first(c, task); k < end; k++) {
        const uint32_t r = (uint32_t)row[k];
        const int64_t bucket = r >> shift, to = at[bucket]++;
        NAME(item) *const open = line + bucket * ITEMS;
        open[to % ITEMS] = (NAME(item)){value[k] * x[column[k]], r & mask};
        if (to % ITEMS == ITEMS - 1) coo_store_line(item + to - (ITEMS - 1), open);
    }
    for (int64_t b = 0; b < c->buckets; b++) {
        const int64_t left = at[b] % ITEMS;
        memcpy(item + at[b] - left, line + b * ITEMS, sizeof *item * (size_t)left);
        at[b] -= count[b]; // as it was
    }
    coo_stores_done();
}

typedef struct NAME(entries) {
    const REAL *value;
} NAME(entries);

static inline NAME(entries) NAME(behind)(NAME(entries) e, int64_t n)
{
    return (NAME(entries)){e.value + n};
}
#define ENTRY(i) (e.value[i])
#include "row_tree.h"
#undef ENTRY

static void NAME(reduce_rows)(const REAL *made, const int64_t *end, int64_t rows, REAL *y)
{
    for (int64_t i = 0, begin = 0; i < rows; begin = end[i++]) {
        const NAME(entries) e = {made + begin};
        const int64_t n = end[i] - begin;
        if (n < 16) {
            y[i] = NAME(fold)(false, 0, e, n);
        } else {
            NAME(counter) counter;
            counter.has = 0;
            y[i] = NAME(rest)(e, &counter, n);
        }
    }
}

static void NAME(reduce_bucket)(const hd__coordinates *c, int64_t bucket, REAL *made)
{
    const int64_t row = bucket << c->shift, left = c->rows - row;
    const int64_t rows = left < INT64_C(1) << c->shift ? left : INT64_C(1) << c->shift;
    const int64_t parts = c->tasks * c->buckets;
    int64_t *const end = c->end + row, before = 0;
    memset(end, 0, sizeof *end * (size_t)rows);
    for (int64_t part = bucket; part < parts; part += c->buckets) {
        const NAME(item) *const item = (NAME(item) *)c->item + c->first[part];
        for (int64_t k = 0; k < c->count[part]; k++) end[item[k].row]++;
    }
    for (int64_t i = 0; i < rows; i++) {
        const int64_t n = end[i];
        end[i] = before, before += n;
    }
    for (int64_t part = bucket; part < parts; part += c->buckets) {
        const NAME(item) *const item = (NAME(item) *)c->item + c->first[part];
        for (int64_t k = 0; k < c->count[part]; k++) made[end[item[k].row]++] = item[k].product;
    }
    NAME(reduce_rows)(made, end, rows, (REAL *)c->y + row);
}

static void NAME(reduce)(const hd__coordinates *c, int64_t group)
{
    for (int64_t b = coo_bucket(c, group); b < coo_bucket(c, group + 1); b++)
        NAME(reduce_bucket)(c, b, (REAL *)c->made + c->made_at[group]);
}

static const hd__coo_kernels NAME(row) = {sizeof(NAME(item)), NAME(count), NAME(distribute),
                                          NAME(reduce)};

#undef NAME
