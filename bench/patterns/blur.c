// SPDX-License-Identifier: Apache-2.0
//
// The rows of Gaussian blur: images of u8 in three channels, n pixels in a square, the border
// reflected. Checked at some thousand points against the Gaussian in f64.
#include "bench/harness/pattern.h"
#include "bench/peer/peer_neighbours.h"

#include <math.h>
#include <stdlib.h>

#define POINTS   1000
#define CHANNELS 3

typedef struct way {
    double sigma, allowed; // levels a result may be off
    hd_blur_method method;
} way;

static const way two = {2, 2, HD_BLUR_GAUSSIAN}, eight = {8, 2, HD_BLUR_GAUSSIAN},
                 boxes = {8, 4, HD_BLUR_BOX}, wide_boxes = {20, 4, HD_BLUR_BOX};

#define CASE(op, variant, way)                                                                     \
    {                                                                                              \
        op, "u8", variant, PEER_OTHER_OP, PEER_U8, PEER_U8, NULL, &way                             \
    }
static const bench_case cases[] = {
    CASE("sigma 2", "x3", two),
    CASE("sigma 8", "x3", eight),
    CASE("sigma 8", "x3 boxes", boxes),
    CASE("sigma 20", "x3 boxes", wide_boxes),
};

static void call(bench_row *row)
{
    const way *what = row->what->detail;
    const hd_blur_options options = {.method = what->method, .channels = HD_CHANNELS_LAST};
    const hd_status status = hd_blur(row->ctx, row->in, what->sigma, row->out, &options);
    if (status) row->status = status;
}

static int64_t reflected(int64_t i, int64_t n)
{
    if (n == 1) return 0;
    while (i < 0 || i >= n) i = i < 0 ? -i : 2 * (n - 1) - i;
    return i;
}

static double expected(const peer_neighbours *m, const uint8_t *x, int64_t p)
{
    const int64_t c = p % CHANNELS, at = p / CHANNELS % m->width, line = p / CHANNELS / m->width;
    const int64_t radius = (int64_t)ceil(4 * m->sigma);
    double sum = 0, weights = 0;
    for (int64_t i = -radius; i <= radius; i++)
        for (int64_t j = -radius; j <= radius; j++) {
            const double w = exp(-(double)(i * i + j * j) / (2 * m->sigma * m->sigma));
            const int64_t pixel =
                reflected(line + i, m->height) * m->width + reflected(at + j, m->width);
            sum += w * x[pixel * CHANNELS + c];
            weights += w;
        }
    return sum / weights;
}

static bool check(const bench_row *row)
{
    const way *what = row->what->detail;
    const peer_neighbours *m = row->job.more;
    const uint8_t *y = row->job.out;
    const int64_t n = row->job.n * CHANNELS;
    bool right = true;
#pragma omp parallel for reduction(&& : right)
    for (int64_t k = 0; k < POINTS; k++) {
        int64_t p = (int64_t)(data_mix((uint64_t)k) % (uint64_t)n);
        if (k < 40) p = k % 2 ? n - 1 - k : k;
        right = right && fabs(y[p] - expected(m, row->job.in, p)) <= what->allowed;
    }
    return right;
}

static bool prepare(data *d, bench_row *row)
{
    const way *what = row->what->detail;
    peer_job *job = &row->job;
    peer_neighbours *m = calloc(1, sizeof *m);
    if (!m) return false;
    m->height = m->width = (int64_t)sqrt((double)job->n);
    m->depth = 1;
    m->channels = CHANNELS;
    m->sigma = what->sigma;
    job->n = m->height * m->width;
    row->state = m;
    job->more = m;
    data_fill_in(d, FILL_BITS, PEER_U8, job->n * CHANNELS);
    row_set(row, PEER_BLUR, d->in, d->out, job->n);
    const int64_t sizes[] = {m->height, m->width, CHANNELS};
    row->in = hd_view_nd(HD_U8, d->in, 3, sizes, NULL);
    row->out = hd_view_nd(HD_U8, d->out, 3, sizes, NULL);
    row->heddle = call;
    row->check = check;
    row->peak_bytes = job->n * CHANNELS;
    row->bytes = 2 * row->peak_bytes;
    row->peak = PEAK_COPY;
    return true;
}

static void finish(bench_row *row)
{
    free(row->state);
}

static const int64_t sizes[] = {(int64_t)1 << 24, (int64_t)3001 * 3001, 0};

const bench_pattern pattern_blur = {
    .name = "blur",
    .formula = "bytes of the samples read and of those written",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = CHANNELS,
    .prepare = prepare,
    .finish = finish,
};
