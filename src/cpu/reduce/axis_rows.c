// SPDX-License-Identifier: Apache-2.0
// Reduction along an axis: threads take rows, or, where rows are few and long, each is reduced by
// all threads. Strided rows go to strided_rows.c.
#include "cpu/runtime/cpu.h"
#include "cpu/runtime/team.h"
#include "cpu/tree/tree_worker.h"
#include "core/system/float_state.h"

static hd_status reduce_long_rows(hd_context *ctx, const hd__reduce_job *job, int64_t rows)
{
    _Alignas(HD__ALIGNMENT) unsigned char node[HD_MAX_ELEMENT];
    hd__reader row;
    for (int64_t r = 0; r < rows; r++) {
        hd__row_reader(&job->in, job->axis, r, &row);
        if (row.n > 0) HD_TRY(hd__cpu_reduce_parallel(ctx, &job->fold, &row, NULL, node));
        HD_TRY(hd__cpu_store_result(ctx, job, node, row.n, r));
    }
    return HD_OK;
}

static hd_status reduce_many_rows(hd_context *ctx, const hd__reduce_job *job, int64_t rows,
                                  int threads)
{
    hd__cpu_tree_kernels k;
    hd__cpu_tree_kernels_of(ctx, &job->fold, &k);
    hd__reader first;
    hd__row_reader(&job->in, job->axis, 0, &first);
    const size_t bytes = hd__cpu_worker_bytes(&k, &first);
    unsigned char *memory = hd__scratch(ctx, (size_t)threads * bytes);
    if (memory == NULL) return HD_ERROR_MEMORY;
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        HD__FLOAT_STATE;
        _Alignas(HD__ALIGNMENT) unsigned char node[HD_MAX_ELEMENT];
        hd__cpu_worker w;
        hd__cpu_worker_init(&w, &k, &first, memory + (size_t)omp_get_thread_num() * bytes);
#pragma omp for schedule(static)
        for (int64_t r = 0; r < rows; r++) {
            hd__row_reader(&job->in, job->axis, r, &w.in);
            hd__cpu_worker_reduce(&w, 0, w.in.n, node);
            hd__cpu_store_result(ctx, job, node, w.in.n, r); // cannot fail: the row has elements
        }
    }
    return HD_OK;
}

hd_status hd__cpu_reduce_rows(hd_context *ctx, const hd__reduce_job *job)
{
    const int64_t rows = hd_count(job->out), length = job->in.view[0].shape[job->axis];
    const int threads = hd__cpu_threads_for(ctx, job->in.n, hd__cpu_element_cost(&job->in));
    if (length > 0 && rows > 0 && hd__cpu_has_strided_rows(&job->in, job->axis) &&
        job->fold.value == HD_NONE && job->fold.form != HD__LIMBS)
        return hd__cpu_reduce_strided_rows(ctx, job);
    if (length == 0 || rows < 2 * threads) return reduce_long_rows(ctx, job, rows);
    return reduce_many_rows(ctx, job, rows, threads);
}
