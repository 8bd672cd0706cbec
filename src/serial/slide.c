// SPDX-License-Identifier: Apache-2.0
// Windows as they are defined: each is a reduction of its own.
#include "serial.h"
#include "patterns/reduce/slide.h"

// Window i of a row: its elements are pushed into the counter one by one.
static void reduce_window(const hd__slide_job *job, const hd__reader *row, int64_t i,
                          hd__tree *tree, unsigned char *element)
{
    tree->count = 0;
    for (int64_t k = 0; k < job->width; k++)
        hd__tree_push(tree, 0, hd__read(row, i + k, 1, element));
}

hd_status hd__serial_slide(hd_context *ctx, const void *any, const char **why)
{
    const hd__slide_job *job = any;
    const hd__fold *f = &job->fold;
    const size_t slot = hd__padded(f->node_size), levels = hd__padded(HD__LEVELS * f->node_size);
    _Alignas(HD__ALIGNMENT) unsigned char result[HD_MAX_ELEMENT], value[HD_MAX_ELEMENT];
    (void)why; // never declines
    unsigned char *memory = hd__scratch(ctx, slot + levels + hd__reader_bytes(&job->in, 1));
    if (memory == NULL) return HD_ERROR_MEMORY;
    hd__tree tree = {f->node, f->node_size, 0, memory + slot};
    hd__reader row;
    for (int64_t r = 0; r < job->rows; r++) {
        const hd_view out = hd__row_of(&job->out, job->axis, r);
        hd__row_reader(&job->in, job->axis, r, &row);
        for (int64_t i = 0; i < job->count; i++) {
            reduce_window(job, &row, i, &tree, memory + slot + levels);
            hd__tree_fold(&tree, memory);
            hd__finalize(f, memory, 1, NULL, job->width, result, value);
            hd__scatter(&out, i, 1, result);
        }
    }
    return HD_OK;
}
