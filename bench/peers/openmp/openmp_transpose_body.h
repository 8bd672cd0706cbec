// SPDX-License-Identifier: Apache-2.0
//
// Transposition of elements of type T. Included with T and NAME.
#define JOIN(a, b)   a##_##b
#define JOINED(a, b) JOIN(a, b)
#define F(name)      JOINED(name, NAME)

static void F(turn)(const peer_job *job)
{
    const peer_transpose *m = job->more;
    const int64_t rows = m->rows, columns = m->columns;
    const T *restrict in = job->in;
    T *restrict out = job->out;
#ifdef PEER_PLAIN
#pragma omp parallel for num_threads(job->threads) schedule(static)
    for (int64_t j = 0; j < columns; j++)
        for (int64_t i = 0; i < rows; i++) out[j * rows + i] = in[i * columns + j];
#else
#pragma omp parallel for collapse(2) num_threads(job->threads) schedule(static)
    for (int64_t jj = 0; jj < columns; jj += BLOCK)
        for (int64_t ii = 0; ii < rows; ii += BLOCK) {
            const int64_t i_end = ii + BLOCK < rows ? ii + BLOCK : rows;
            const int64_t j_end = jj + BLOCK < columns ? jj + BLOCK : columns;
            for (int64_t j = jj; j < j_end; j++)
                for (int64_t i = ii; i < i_end; i++) out[j * rows + i] = in[i * columns + j];
        }
#endif
}

static inline void F(apart)(const peer_job *job)
{
    const int64_t n = ((const peer_transpose *)job->more)->rows;
    const T *restrict in = job->in;
    T *restrict x = job->out, *restrict y = x + n, *restrict z = y + n;
#pragma omp parallel for simd num_threads(job->threads) schedule(static)
    for (int64_t i = 0; i < n; i++) x[i] = in[3 * i], y[i] = in[3 * i + 1], z[i] = in[3 * i + 2];
}

static inline void F(together)(const peer_job *job)
{
    const int64_t n = ((const peer_transpose *)job->more)->columns;
    const T *restrict x = job->in, *restrict y = x + n, *restrict z = y + n;
    T *restrict out = job->out;
#pragma omp parallel for simd num_threads(job->threads) schedule(static)
    for (int64_t i = 0; i < n; i++) out[3 * i] = x[i], out[3 * i + 1] = y[i], out[3 * i + 2] = z[i];
}

#undef JOIN
#undef JOINED
#undef F
#undef T
#undef NAME
