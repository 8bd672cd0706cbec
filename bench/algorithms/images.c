// SPDX-License-Identifier: Apache-2.0
//
// The rows of images of u8, squares of n elements: summed-area tables in i32 with a row and a
// column of zeros, means of boxes of 15 x 15 in f32 (checked where no border clips them), and
// labels in i32 of what is joined by 8 neighbours. Peers: the image. GB/s counts bytes read and
// written, once.
#include "algorithm_row.h"

#include <heddle_algorithms.h>
#include <math.h>
#include <stdlib.h>

enum { BOX = 15 };

static const bench_case integrals[] = {
    {"table", "u8", "", PEER_OTHER_OP, PEER_U8, PEER_I32, NULL, NULL},
};
static const bench_case boxes[] = {
    {"mean", "u8", "15 x 15", PEER_OTHER_OP, PEER_U8, PEER_F32, NULL, NULL},
};
static const bench_case labels[] = {
    {"label", "u8", "noise", PEER_OTHER_OP, PEER_U8, PEER_I32, NULL, NULL},
    {"label", "u8", "spots", PEER_OTHER_OP, PEER_U8, PEER_I32, NULL, NULL},
};

typedef struct state {
    algorithm_row row;
    int64_t side;
    hd_view in, out;
} state;

static void call(bench_row *row)
{
    const state *s = row->state;
    const hd_view in = algorithm_at(s->in, row->in), out = algorithm_at(s->out, row->out);
    const hd_integral_options table = {.exclusive = true};
    const hd_box_options means = {.means = &out};
    const hd_label_options diagonal = {.diagonal = true};
    const char op = row->what->op[0];
    const hd_status status = op == 't'   ? hd_integral(row->ctx, in, out, &table)
                             : op == 'm' ? hd_box_statistics(row->ctx, in, BOX, BOX, &means)
                                         : hd_label(row->ctx, in, out, &diagonal);
    if (status) row->status = status;
}

// ---- Definitions ----------------------------------------------------------------------------

static void define_table(const state *s, const uint8_t *in, int32_t *want)
{
    const int64_t n = s->side, m = n + 1;
    for (int64_t y = 0; y < n; y++)
        for (int64_t x = 0; x < n; x++)
            want[(y + 1) * m + x + 1] =
                (int32_t)((uint32_t)want[y * m + x + 1] + (uint32_t)want[(y + 1) * m + x] -
                          (uint32_t)want[y * m + x] + in[y * n + x]);
}

// Means from a table: differences of four of its sums.
static bool check_means(const bench_row *row)
{
    const state *s = row->state;
    const int64_t n = s->side, m = n + 1;
    const int32_t *t = s->row.want;
    const float *got = row->job.out;
    for (int64_t y = BOX; y + BOX < n; y++)
        for (int64_t x = BOX; x + BOX < n; x++) {
            const int64_t top = y - BOX / 2, left = x - BOX / 2;
            const int32_t sum = t[(top + BOX) * m + left + BOX] - t[top * m + left + BOX] -
                                t[(top + BOX) * m + left] + t[top * m + left];
            if (fabs(got[y * n + x] - sum / 225.0) > 1e-4) return false;
        }
    return true;
}

// A flood from the first element of each component, in row-major order.
static bool define_labels(state *s, const uint8_t *in, int32_t *want)
{
    const int64_t n = s->side;
    int64_t *stack = algorithm_array(&s->row, n * n, sizeof *stack), count = 0;
    if (stack == NULL) return false;
    for (int64_t i = 0; i < n * n; i++) {
        int64_t depth = 0;
        if (in[i] == 0 || want[i] != 0) continue;
        want[i] = (int32_t)++count, stack[depth++] = i;
        while (depth > 0) {
            const int64_t at = stack[--depth], y = at / n, x = at % n;
            for (int64_t v = y > 0 ? y - 1 : 0; v <= y + 1 && v < n; v++)
                for (int64_t u = x > 0 ? x - 1 : 0; u <= x + 1 && u < n; u++)
                    if (in[v * n + u] != 0 && want[v * n + u] == 0)
                        want[v * n + u] = (int32_t)count, stack[depth++] = v * n + u;
        }
    }
    return true;
}

// The same components, whatever their numbers are: each gets that of its first element in order.
static bool check_labels(const bench_row *row)
{
    const state *s = row->state;
    const int32_t *got = row->job.out, *want = s->row.want;
    int32_t *number = calloc((size_t)row->job.n + 1, sizeof *number), count = 0;
    bool same = number != NULL;
    for (int64_t i = 0; i < row->job.n && same; i++) {
        same = got[i] >= 0 && got[i] <= row->job.n && (got[i] > 0) == (want[i] > 0);
        if (same && got[i] > 0 && number[got[i]] == 0) number[got[i]] = ++count;
        same = same && number[got[i]] == want[i];
    }
    free(number);
    return same;
}

static void fill(uint8_t *in, int64_t n, const char *variant)
{
    for (int64_t i = 0; i < n * n; i++) {
        const uint64_t r = data_mix((uint64_t)i);
        in[i] = (uint8_t)r;
        if (variant[0] == 'n') in[i] = r % 2;
        if (variant[0] == 's') // discs, of which some touch
            in[i] = pow((double)(i / n % 40) - 20, 2) + pow((double)(i % n % 50) - 25, 2) < 420;
    }
}

static bool prepare(data *d, bench_row *row)
{
    const char op = row->what->op[0];
    state *s = algorithm_begin(row, d,
                               op == 't'   ? "integral"
                               : op == 'm' ? "box-means"
                                           : "label",
                               sizeof *s);
    if (!s) return false;
    s->side = (int64_t)sqrt((double)row->job.n);
    const int64_t m = s->side + (op == 't'), n = row->job.n = s->side * s->side;
    const int64_t shape[] = {s->side, s->side}, out_shape[] = {m, m};
    algorithm_output(row, d, m * m);
    if (op == 'm') s->row.want = algorithm_array(&s->row, (m + 1) * (m + 1), sizeof(int32_t));
    if (s->row.no_memory) return false;
    fill(d->in, s->side, op == 'l' ? row->what->variant : "");
    s->in = hd_view_nd(HD_U8, d->in, 2, shape, NULL);
    s->out = hd_view_nd(op == 'm' ? HD_F32 : HD_I32, d->out, 2, out_shape, NULL);
    algorithm_input(&s->row, 0, d->in, PEER_U8, n);
    algorithm_peak(row, PEAK_COPY, 5 * n, 5 * n / 2);
    row->host_only = false, row->peak_scale = 2.5;
    row->heddle = call;
    if (op == 'm') row->check = check_means;
    if (op == 'l') row->check = check_labels;
    if (op == 'l') return define_labels(s, d->in, s->row.want);
    define_table(s, d->in, s->row.want);
    return true;
}

static const int64_t sizes[] = {1 << 16, 3000001, 1 << 24, 0};

#define IMAGES(called, table)                                                                      \
    {                                                                                              \
        .name = called, .formula = "bytes of the image read and of the result written",            \
        .cases = table, .case_count = sizeof table / sizeof *(table), .sizes = sizes,              \
        .most_bytes = 8, .prepare = prepare, .finish = algorithm_finish                            \
    }

const bench_pattern pattern_integral = IMAGES("integral", integrals);
const bench_pattern pattern_boxes = IMAGES("boxes", boxes);
const bench_pattern pattern_label = IMAGES("label", labels);
