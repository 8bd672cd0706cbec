// SPDX-License-Identifier: Apache-2.0
//
// Convolutions and the star stencil as OpenMP loops: inside, where nothing is beyond an edge, with
// the mask's size known to the compiler; the rest point by point.
#include "../peer_neighbours.h"
#include "finders.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

static void point(const peer_job *job, int64_t y, int64_t x)
{
    const peer_neighbours *m = job->more;
    const float *in = job->in;
    float sum = 0;
    for (int64_t i = 0; i < m->rows; i++)
        for (int64_t j = 0; j < m->columns; j++) {
            const int64_t v = y + i - m->rows / 2, u = x + j - m->columns / 2;
            if (v >= 0 && v < m->height && u >= 0 && u < m->width)
                sum += m->mask[i * m->columns + j] * in[v * m->width + u];
        }
    ((float *)job->out)[y * m->width + x] = sum;
}

// Outputs begin .. end - 1 of row y, all of whose neighbours are there.
INLINE void inside(const peer_job *job, int64_t y, int64_t begin, int64_t end, const int rows,
                   const int columns)
{
    const peer_neighbours *m = job->more;
    const int64_t width = m->width;
    const float *restrict in = (const float *)job->in + (y - rows / 2) * width - columns / 2;
    float *restrict out = (float *)job->out + y * width;
    float mask[225];
    for (int i = 0; i < rows * columns; i++) mask[i] = m->mask[i];
#pragma omp simd
    for (int64_t x = begin; x < end; x++) {
        float sum = 0;
#pragma GCC unroll 15
        for (int i = 0; i < rows; i++)
#pragma GCC unroll 31
            for (int j = 0; j < columns; j++) sum += mask[i * columns + j] * in[i * width + j + x];
        out[x] = sum;
    }
}

INLINE void convolve(const peer_job *job, const int rows, const int columns)
{
    const peer_neighbours *m = job->more;
    const int64_t edge = columns / 2, piece = 4096;
    const int64_t pieces = (m->width - 2 * edge + piece - 1) / piece;
#pragma omp parallel for num_threads(job->threads) collapse(2) schedule(static)
    for (int64_t y = 0; y < m->height; y++)
        for (int64_t p = 0; p < pieces; p++) {
            const int64_t begin = edge + p * piece;
            const int64_t end = p + 1 < pieces ? begin + piece : m->width - edge;
            if (y < rows / 2 || y >= m->height - rows / 2)
                for (int64_t x = begin; x < end; x++) point(job, y, x);
            else
                inside(job, y, begin, end, rows, columns);
            for (int64_t x = 0; p == 0 && x < edge; x++) {
                point(job, y, x);
                point(job, y, m->width - 1 - x);
            }
        }
}

static void line5(const peer_job *job)
{
    convolve(job, 1, 5);
}
static void line31(const peer_job *job)
{
    convolve(job, 1, 31);
}
static void square5(const peer_job *job)
{
    convolve(job, 5, 5);
}
static void square15(const peer_job *job)
{
    convolve(job, 15, 15);
}

// ---- Separable: down into one row, then along -------------------------------------------------

INLINE void separable(const peer_job *job, const int size)
{
    const peer_neighbours *m = job->more;
    const int64_t width = m->width, half = size / 2;
    const float *in = job->in, *zeros = calloc((size_t)width, sizeof *zeros);
#pragma omp parallel num_threads(job->threads)
    {
        float *row = calloc((size_t)(width + 2 * half), sizeof *row);
#pragma omp for schedule(static)
        for (int64_t y = 0; y < m->height; y++) {
            const float *from[15];
            for (int i = 0; i < size; i++) {
                const int64_t v = y + i - half;
                from[i] = v < 0 || v >= m->height ? zeros : in + v * width;
            }
            const float *column = m->column, *weight = m->row;
            float w[15], *restrict out = (float *)job->out + y * width, *restrict mid = row + half;
            for (int i = 0; i < size; i++) w[i] = column[i];
#pragma omp simd
            for (int64_t x = 0; x < width; x++) {
                float sum = 0;
#pragma GCC unroll 15
                for (int i = 0; i < size; i++) sum += w[i] * from[i][x];
                mid[x] = sum;
            }
            for (int i = 0; i < size; i++) w[i] = weight[i];
            const float *restrict padded = row;
#pragma omp simd
            for (int64_t x = 0; x < width; x++) {
                float sum = 0;
#pragma GCC unroll 15
                for (int j = 0; j < size; j++) sum += w[j] * padded[x + j];
                out[x] = sum;
            }
        }
        free(row);
    }
    free((void *)(uintptr_t)zeros);
}

static void separable5(const peer_job *job)
{
    separable(job, 5);
}
static void separable15(const peer_job *job)
{
    separable(job, 15);
}

// ---- The star --------------------------------------------------------------------------------

static void star_step(const peer_job *job, const float *restrict in, float *restrict out)
{
    const peer_neighbours *m = job->more;
    const int64_t n = m->width, plane = n * n;
    const float centre = m->centre, side = m->side;
#pragma omp parallel for num_threads(job->threads) schedule(static)
    for (int64_t z = 0; z < n; z++)
        for (int64_t y = 0; y < n; y++) {
            const float *x = in + z * plane + y * n;
            float *to = out + z * plane + y * n;
            if (z == 0 || y == 0 || z == n - 1 || y == n - 1) {
                memcpy(to, x, (size_t)n * sizeof *to);
                continue;
            }
            to[0] = x[0], to[n - 1] = x[n - 1];
#pragma omp simd
            for (int64_t i = 1; i < n - 1; i++)
                to[i] = centre * x[i] + side * (x[i - 1] + x[i + 1] + x[i - n] + x[i + n] +
                                                x[i - plane] + x[i + plane]);
        }
}

static void star(const peer_job *job)
{
    const peer_neighbours *m = job->more;
    const float *from = job->in;
    for (int64_t s = 0; s < m->steps; s++) {
        float *to = (m->steps - s) % 2 ? job->out : m->scratch;
        star_step(job, from, to);
        from = to;
    }
}

static peer_run *find_neighbours(const peer_job *job)
{
    const peer_neighbours *m = job->more;
    if (job->pattern == PEER_STENCIL && job->type == PEER_F32) return star;
    if (job->pattern != PEER_CONVOLVE || job->type != PEER_F32) return NULL;
    if (m->column) return m->rows == 5 ? separable5 : m->rows == 15 ? separable15 : NULL;
    if (m->rows == 1) return m->columns == 5 ? line5 : m->columns == 31 ? line31 : NULL;
    return m->rows == 5 ? square5 : m->rows == 15 ? square15 : NULL;
}

PEER_FINDER(find_neighbours)
