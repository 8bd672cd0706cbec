// SPDX-License-Identifier: Apache-2.0
// Rows of sparse matrices for values of type REAL, columns of type INDEX (UNSIGNED without their
// sign) and offsets of type OFFSET: the one tree over the products of a row, node by node. Offsets
// and columns of some rows are looked at before the first of them is used.
#define NAME(x) SPARSE_NAME(x, REAL, INDEX, OFFSET)

// Values, columns and x behind the first entry of something.
typedef struct NAME(entries) {
    const REAL *value, *x;
    const INDEX *column;
} NAME(entries);

static inline NAME(entries) NAME(at)(const hd__sparse_matrix *m, int64_t k)
{
    return (NAME(entries)){(const REAL *)m->value + k, m->x, (const INDEX *)m->column + k};
}

static inline NAME(entries) NAME(behind)(NAME(entries) e, int64_t n)
{
    return (NAME(entries)){e.value + n, e.x, e.column + n};
}

#define ENTRY(i) (e.value[i] * e.x[e.column[i]])
#include "row_tree.h"
#undef ENTRY

static bool NAME(columns_hold)(const hd__sparse_matrix *m, int64_t begin, int64_t end)
{
    const UNSIGNED *const column = m->column;
    UNSIGNED most = 0;
    for (int64_t k = begin; k < end; k++) most = column[k] > most ? column[k] : most;
    return (most < (uint64_t)m->columns && most <= (UNSIGNED)-1 >> 1) || begin == end;
}

static bool NAME(offsets_hold)(const hd__sparse_matrix *m, int64_t begin, int64_t end)
{
    const OFFSET *const offset = m->offset;
    OFFSET falls = offset[begin] < 0 || offset[end] > m->entries;
    for (int64_t i = begin; i < end; i++) falls |= (OFFSET)(offset[i] > offset[i + 1]);
    return falls == 0;
}

static int64_t NAME(rows)(const hd__sparse_matrix *m, int64_t begin, int64_t end)
{
    enum { ROWS = 64 };
    const OFFSET *const offset = m->offset;
    REAL *const y = m->y;
    int64_t long_rows = 0;
    for (int64_t first = begin; first < end; first += ROWS) {
        const int64_t last = end - first < ROWS ? end : first + ROWS;
        if (!NAME(offsets_hold)(m, first, last) ||
            !NAME(columns_hold)(m, offset[first], offset[last]))
            return -1;
        for (int64_t i = first; i < last; i++) {
            const int64_t n = (int64_t)offset[i + 1] - offset[i];
            const NAME(entries) e = NAME(at)(m, offset[i]);
            if (n < 16) {
                y[i] = NAME(fold)(false, 0, e, n);
            } else if (n <= HD__SPARSE_LONG) {
                NAME(counter) c;
                c.has = 0;
                y[i] = NAME(rest)(e, &c, n);
            } else {
                long_rows++;
            }
        }
    }
    return long_rows;
}

static void NAME(nodes)(const hd__sparse_matrix *m, int64_t first, int64_t begin, int64_t end,
                        void *node)
{
    for (int64_t j = begin; j < end; j++) {
        NAME(counter) c;
        c.has = 0;
        ((REAL *)node)[j] =
            NAME(rest)(NAME(at)(m, first + j * HD__SPARSE_NODE), &c, HD__SPARSE_NODE);
    }
}

static void NAME(long_row)(const hd__sparse_matrix *m, int64_t row, int64_t first, int64_t n,
                           const void *node)
{
    const int64_t nodes = n / HD__SPARSE_NODE, done = nodes * HD__SPARSE_NODE;
    NAME(counter) c;
    c.has = 0;
    for (int64_t j = 0; j < nodes; j++) NAME(push)(&c, 12, ((const REAL *)node)[j]); // 2^12 entries
    ((REAL *)m->y)[row] = NAME(rest)(NAME(at)(m, first + done), &c, n - done);
}

static int64_t NAME(offset_of)(const hd__sparse_matrix *m, int64_t i)
{
    return ((const OFFSET *)m->offset)[i];
}

static const hd__sparse_kernels NAME(row) = {NAME(rows), NAME(nodes), NAME(long_row),
                                             NAME(offset_of)};

#undef NAME
