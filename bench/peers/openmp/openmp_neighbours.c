// SPDX-License-Identifier: Apache-2.0
//
// Convolutions and the star stencil as OpenMP loops: inside, where nothing is beyond an edge, with
// the mask's size known to the compiler; the rest point by point.
#include "bench/peer/peer_neighbours.h"
#include "bench/peers/support/finders.h"

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

// The sum of a row of the mask, written out: gcc vectorises the loop over x around it.
#define S5(w, x)  (w[0] * (x)[0] + w[1] * (x)[1] + w[2] * (x)[2] + w[3] * (x)[3] + w[4] * (x)[4])
#define S10(w, x) (S5((w), (x)) + S5((w + 5), (x + 5)))
#define S15(w, x) (S10((w), (x)) + S5((w + 10), (x + 10)))
#define S31(w, x) (S15((w), (x)) + S15((w + 15), (x + 15)) + w[30] * (x)[30])

static void row_5(const float *restrict in, const float *w, float *restrict out, int64_t n)
{
    const float m[5] = {w[0], w[1], w[2], w[3], w[4]};
#pragma omp simd
    for (int64_t x = 0; x < n; x++) out[x] = S5(m, in + x);
}

static void row_31(const float *restrict in, const float *w, float *restrict out, int64_t n)
{
    float m[31];
    memcpy(m, w, sizeof m);
#pragma omp simd
    for (int64_t x = 0; x < n; x++) out[x] = S31(m, in + x);
}

static void rows_5(const float *restrict in, int64_t pitch, const float *w, float *restrict out,
                   int64_t n)
{
    float m[25];
    memcpy(m, w, sizeof m);
    const float *b = in + pitch, *c = b + pitch, *d = c + pitch, *e = d + pitch;
#pragma omp simd
    for (int64_t x = 0; x < n; x++)
        out[x] = S5(m, in + x) + S5((m + 5), b + x) + S5((m + 10), c + x) + S5((m + 15), d + x) +
                 S5((m + 20), e + x);
}

static void rows_15(const float *restrict in, int64_t pitch, const float *w, float *restrict out,
                    int64_t n)
{
    for (int i = 0; i < 15; i++, in += pitch, w += 15) {
        float m[15];
        memcpy(m, w, sizeof m);
        if (i == 0)
#pragma omp simd
            for (int64_t x = 0; x < n; x++) out[x] = S15(m, in + x);
        else
#pragma omp simd
            for (int64_t x = 0; x < n; x++) out[x] += S15(m, in + x);
    }
}

// Outputs begin .. end - 1 of row y, all of whose neighbours are there, in pieces that stay in
// cache.
INLINE void inside(const peer_job *job, int64_t y, int64_t begin, int64_t end, const int rows,
                   const int columns)
{
    const peer_neighbours *m = job->more;
    const int64_t width = m->width, piece = 1024;
    for (int64_t x = begin; x < end; x += piece) {
        const int64_t n = end - x < piece ? end - x : piece;
        const float *in = (const float *)job->in + (y - rows / 2) * width - columns / 2 + x;
        float *out = (float *)job->out + y * width + x;
        if (rows == 1 && columns == 5) row_5(in, m->mask, out, n);
        if (rows == 1 && columns == 31) row_31(in, m->mask, out, n);
        if (rows == 5) rows_5(in, width, m->mask, out, n);
        if (rows == 15) rows_15(in, width, m->mask, out, n);
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

static void column_5(const float *const *from, const float *w, float *restrict out, int64_t n)
{
    const float *restrict a = from[0], *restrict b = from[1], *restrict c = from[2],
                          *restrict d = from[3], *restrict e = from[4];
    const float m[5] = {w[0], w[1], w[2], w[3], w[4]};
#pragma omp simd
    for (int64_t x = 0; x < n; x++)
        out[x] = m[0] * a[x] + m[1] * b[x] + m[2] * c[x] + m[3] * d[x] + m[4] * e[x];
}

static void add_column_5(const float *const *from, const float *w, float *restrict out, int64_t n)
{
    const float *restrict a = from[0], *restrict b = from[1], *restrict c = from[2],
                          *restrict d = from[3], *restrict e = from[4];
    const float m[5] = {w[0], w[1], w[2], w[3], w[4]};
#pragma omp simd
    for (int64_t x = 0; x < n; x++)
        out[x] += m[0] * a[x] + m[1] * b[x] + m[2] * c[x] + m[3] * d[x] + m[4] * e[x];
}

static void row_15(const float *restrict in, const float *w, float *restrict out, int64_t n)
{
    float m[15];
    memcpy(m, w, sizeof m);
#pragma omp simd
    for (int64_t x = 0; x < n; x++) out[x] = S15(m, in + x);
}

static void separable(const peer_job *job)
{
    const peer_neighbours *m = job->more;
    const int64_t width = m->width, size = m->rows, half = size / 2;
    const float *in = job->in, *zeros = calloc((size_t)width, sizeof *zeros);
#pragma omp parallel num_threads(job->threads)
    {
        float *row = calloc((size_t)(width + 2 * half), sizeof *row);
#pragma omp for schedule(static)
        for (int64_t y = 0; y < m->height; y++) {
            const float *from[15] = {NULL};
            for (int i = 0; i < size; i++) {
                const int64_t v = y + i - half;
                from[i] = v < 0 || v >= m->height ? zeros : in + v * width;
            }
            column_5(from, m->column, row + half, width);
            for (int i = 5; i < size; i += 5)
                add_column_5(from + i, m->column + i, row + half, width);
            float *out = (float *)job->out + y * width;
            if (size == 5)
                row_5(row, m->row, out, width);
            else
                row_15(row, m->row, out, width);
        }
        free(row);
    }
    free((void *)(uintptr_t)zeros);
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
    if (m->column) return m->rows == 5 || m->rows == 15 ? separable : NULL;
    if (m->rows == 1) return m->columns == 5 ? line5 : m->columns == 31 ? line31 : NULL;
    return m->rows == 5 ? square5 : m->rows == 15 ? square15 : NULL;
}

PEER_FINDER(find_neighbours)
