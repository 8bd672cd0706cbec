// SPDX-License-Identifier: Apache-2.0
// Transposition of squares in place: two blocks that mirror each other are transposed and
// exchanged.
#include "transpose.h"
#include "cpu/runtime/isa.h"
#include "cpu/runtime/team.h"
#include "block_copy.h"
#include "core/view.h"

#include <stdlib.h>

HD__CPU_BRINGS(const hd__cpu_layout_kernels, layout_kernels)

typedef struct square {
    const hd_view *v;
    size_t size;
    int64_t side, row, step; // length, and steps in bytes: row is the wider
    int64_t block, blocks;   // elements along a side of a block; blocks along a side
    int64_t matrices;
    hd__cpu_block_transpose *transpose; // NULL: none for this layout
} square;

static char *find_matrix(const square *s, int64_t m)
{
    char *at = s->v->data;
    for (int k = s->v->ndim - 3; k >= 0; k--) {
        at += m % s->v->shape[k] * s->v->stride[k] * (int64_t)s->size;
        m /= s->v->shape[k];
    }
    return at;
}

static int64_t length_of(const square *s, int64_t b)
{
    return s->side - b * s->block < s->block ? s->side - b * s->block : s->block;
}

// The block at a, rows x columns, and its mirror at b; on the diagonal they are one.
static void swap_turned(const square *s, char *a, char *b, int64_t rows, int64_t columns,
                        char *buffer)
{
    char *kept = buffer + HD__TRANSPOSE_BUFFER;
    const int64_t kept_step = rows * (int64_t)s->size;
    if (a == b) {
        s->transpose(a, s->row, a, s->row, rows, columns, buffer, NULL);
        return;
    }
    s->transpose(kept, kept_step, a, s->row, rows, columns, buffer, NULL);
    s->transpose(a, s->row, b, s->row, columns, rows, buffer, NULL);
    for (int64_t j = 0; j < columns; j++)
        memcpy(b + j * s->row, kept + j * kept_step, (size_t)kept_step);
}

static void swap_plain(const square *s, char *a, char *b, int64_t rows, int64_t columns)
{
    unsigned char element[HD_MAX_ELEMENT];
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = a == b ? i + 1 : 0; j < columns; j++) {
            char *x = a + i * s->row + j * s->step, *y = b + j * s->row + i * s->step;
            memcpy(element, x, s->size);
            memcpy(x, y, s->size);
            memcpy(y, element, s->size);
        }
}

static void swap_blocks(const square *s, int64_t task, char *buffer)
{
    const int64_t i = task / s->blocks % s->blocks, j = task % s->blocks;
    if (i > j) return;
    char *matrix = find_matrix(s, task / s->blocks / s->blocks);
    char *a = matrix + i * s->block * s->row + j * s->block * s->step;
    char *b = matrix + j * s->block * s->row + i * s->block * s->step;
    if (s->transpose != NULL)
        swap_turned(s, a, b, length_of(s, i), length_of(s, j), buffer);
    else
        swap_plain(s, a, b, length_of(s, i), length_of(s, j));
}

static void select_kernel(const hd_context *ctx, square *s)
{
    const int64_t size = (int64_t)s->size;
    const bool power = size <= 16 && (size & (size - 1)) == 0;
    s->transpose = NULL;
    s->block = 32;
    if (power && s->step == size) {
        s->transpose =
            hd__cpu_micro_table(ctx)->layout->transpose[__builtin_ctzll((unsigned long long)size)];
        s->block = HD__TRANSPOSE_ROWS / size;
    }
    s->blocks = (s->side + s->block - 1) / s->block;
}

void hd__cpu_transpose_square(hd_context *ctx, const hd_view *v, int threads, char *buffers,
                              hd__cpu_progress *progress)
{
    const int64_t size = (int64_t)hd__size_of(v->type);
    square s = {.v = v, .size = (size_t)size, .side = v->shape[v->ndim - 1]};
    const int64_t p = v->stride[v->ndim - 2] * size, q = v->stride[v->ndim - 1] * size;
    s.row = llabs(p) >= llabs(q) ? p : q;
    s.step = llabs(p) >= llabs(q) ? q : p;
    s.matrices = hd_count(*v) / s.side / s.side;
    select_kernel(ctx, &s);
    const int64_t tasks = s.matrices * s.blocks * s.blocks;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 16) if (threads > 1)
    for (int64_t task = 0; task < tasks; task++)
        if (hd__cpu_goes_on_in(progress, 0, 1000, task, tasks))
            swap_blocks(&s, task,
                        buffers + (size_t)omp_get_thread_num() * 2 * HD__TRANSPOSE_BUFFER);
}
