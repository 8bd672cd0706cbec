// SPDX-License-Identifier: Apache-2.0
//
// separable_strip: a column and a row of weights in one pass. A block goes down a strip of the
// image, HK_ROWS lines at a time. Lines of elements are a ring in shared memory; each thread sums
// down columns of it, HK_ROWS outputs in registers, to the lines between the passes, also in shared
// memory; then along these, HK_ALONG outputs of one channel in registers. Every sum has its terms
// in the order of the weights.
#include "device/kernel.cuh"
#include "stencil/lines.cuh"

#define HK_ALONG   HK_ITEMS
#define HK_LEFT    (HK_ANCHOR_X * HK_CHANNELS)
#define HK_REACH   ((HK_MASK_COLUMNS - 1) * HK_CHANNELS)
#define HK_SHIFT   ((HK_K - HK_LEFT % HK_K) % HK_K)
#define HK_WIDTH   (HK_THREADS * HK_MOST_CHUNKS) // elements of a line
#define HK_VECTORS (HK_WIDTH / HK_K)
#define HK_QUANTUM (HK_K % HK_CHANNELS == 0 ? HK_K : HK_K * HK_CHANNELS) // vectors and pixels
#define HK_STRIP   ((HK_WIDTH - HK_SHIFT - HK_REACH) / HK_QUANTUM * HK_QUANTUM) // outputs of a line
#define HK_PIXELS  (HK_STRIP / HK_CHANNELS)
#define HK_PITCH   (HK_WIDTH + (HK_ALONG * HK_CHANNELS + 3) / 4 * 4)     // of lines between
#define HK_UNITS   ((HK_PIXELS + HK_ALONG - 1) / HK_ALONG * HK_CHANNELS) // of a line
#define HK_WINDOW                                                                                  \
    (HK_ALONG + HK_MASK_COLUMNS - 1)         // elements under the weights of a thread's outputs
#define HK_SPAN (HK_ROWS + HK_MASK_ROWS - 1) // lines under HK_ROWS lines of outputs
// The ring has chunks of HK_ROWS lines; of the first one the last lines are needed.
#define HK_CHUNKS ((HK_MASK_ROWS - 1 + HK_ROWS - 1) / HK_ROWS + 1)
#define HK_LEAD   (HK_CHUNKS * HK_ROWS - HK_SPAN)

struct hk_factors {
    hk_column_value column[HK_MASK_ROWS];
    hk_value row[HK_MASK_COLUMNS];
    hk_middle beyond; // beside the lines between
#if HK_MENDS && HK_BY_PARAMETER
    hk_value mask[HK_MASK_ROWS * HK_MASK_COLUMNS];
#else
    const hk_value *mask; // HK_MENDS
#endif
};

struct __align__(sizeof(hk_out) * HK_K) hk_result_vector
{
    hk_out x[HK_K];
};

struct hk_memory {
    hk_ring_vector ring[HK_CHUNKS * HK_ROWS * HK_VECTORS];
    hk_result_vector result[HK_ROWS * HK_STRIP / HK_K];
    __align__(16) hk_middle middle[HK_ROWS * HK_PITCH];
};

// ---- Columns ------------------------------------------------------------------------------------

// A line of those under the outputs, where the ring begins with chunk `from`.
HK_FN const hk_ring *hk_line_at(const hk_memory *m, int from, int line)
{
    const int chunk = from + (HK_LEAD + line) / HK_ROWS, at = (HK_LEAD + line) % HK_ROWS;
    return (const hk_ring *)m->ring +
           ((chunk < HK_CHUNKS ? chunk : chunk - HK_CHUNKS) * HK_ROWS + at) * HK_WIDTH;
}

#if HK_FOLDS
#define HK_COLUMNS 4 // bytes of a word
#else
#define HK_COLUMNS 1
#endif

// HK_COLUMNS elements of a line.
HK_FN void hk_columns_at(const hk_ring *at, hk_column_value x[HK_COLUMNS])
{
#if HK_FOLDS
    const uint32_t word = *(const uint32_t *)at;
#pragma unroll
    for (int k = 0; k < HK_COLUMNS; k++) { // 2^23 + the byte, less 2^23
        uint32_t bits;
        asm("prmt.b32 %0, %1, 0x4b000000, %2;" : "=r"(bits) : "r"(word), "r"(0x7440 | k));
        x[k] = hk_float_of_bits(bits) - 8388608.0f;
    }
#else
    x[0] = hk_column_of(*at);
#endif
}

// One line's terms of the sums of rows first .. last - 1.
HK_FN void hk_add_columns(const hk_factors *f, const hk_ring *at, int line, int first, int last,
                          hk_column_value sum[HK_ROWS][HK_COLUMNS])
{
    hk_column_value x[HK_COLUMNS];
    hk_columns_at(at, x);
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++)
#pragma unroll
        for (int k = 0; k < HK_COLUMNS; k++)
            if (r >= first && r < last)
                sum[r][k] = hk_add_column(f->column[line - r], x[k], sum[r][k]);
}

// Columns from e on, to the lines between.
HK_FN void hk_sum_column(const hk_factors *f, const hk_memory *m, int from, int e,
                         hk_column_value sum[HK_ROWS][HK_COLUMNS])
{
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++)
#pragma unroll
        for (int k = 0; k < HK_COLUMNS; k++) sum[r][k] = hk_no_column();
#if HK_MASK_ROWS * HK_ROWS <= 1024 || HK_MASK_ROWS < HK_ROWS
#pragma unroll
    for (int line = 0; line < HK_SPAN; line++)
        hk_add_columns(f, hk_line_at(m, from, line) + e, line, line - HK_MASK_ROWS + 1, line + 1,
                       sum);
#else
#pragma unroll
    for (int line = 0; line < HK_ROWS - 1; line++)
        hk_add_columns(f, hk_line_at(m, from, line) + e, line, 0, line + 1, sum);
#pragma unroll 8
    for (int line = HK_ROWS - 1; line < HK_MASK_ROWS; line++)
        hk_add_columns(f, hk_line_at(m, from, line) + e, line, 0, HK_ROWS, sum);
#pragma unroll
    for (int line = HK_MASK_ROWS; line < HK_SPAN; line++)
        hk_add_columns(f, hk_line_at(m, from, line) + e, line, line - HK_MASK_ROWS + 1, HK_ROWS,
                       sum);
#endif
}

struct __align__(8) hk_two_words
{
    uint32_t w[2];
};

// Beside the image columns have a value of their own where the border has.
HK_FN void hk_put_columns(const hk_grid *g, const hk_factors *f, int64_t at,
                          const hk_column_value sum[HK_COLUMNS], hk_middle *to)
{
    const bool outside = HK_HAS_BEYOND && (at < 0 || at + HK_COLUMNS > g->x.n);
#if HK_FOLDS
    if (!outside) { // bits 8 to 23 of each
        uint32_t two[2];
        asm("prmt.b32 %0, %1, %2, 0x6521;"
            : "=r"(two[0])
            : "r"(hk_bits_of_float(sum[0])), "r"(hk_bits_of_float(sum[1])));
        asm("prmt.b32 %0, %1, %2, 0x6521;"
            : "=r"(two[1])
            : "r"(hk_bits_of_float(sum[2])), "r"(hk_bits_of_float(sum[3])));
        hk_two_words words;
        words.w[0] = two[0];
        words.w[1] = two[1];
        *(hk_two_words *)to = words;
        return;
    }
#endif
#pragma unroll
    for (int k = 0; k < HK_COLUMNS; k++)
        to[k] = outside && (at + k < 0 || at + k >= g->x.n) ? f->beyond : hk_middle_of(sum[k]);
}

HK_FN void hk_sum_columns(const hk_grid *g, const hk_factors *f, int64_t first, int from,
                          hk_memory *m)
{
#pragma unroll 1
    for (int e = (int)threadIdx.x * HK_COLUMNS; e < HK_WIDTH; e += HK_THREADS * HK_COLUMNS) {
        hk_column_value sum[HK_ROWS][HK_COLUMNS];
        hk_sum_column(f, m, from, e, sum);
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++)
            hk_put_columns(g, f, first + e, sum[r], m->middle + r * HK_PITCH + e);
    }
}

// ---- Rows ---------------------------------------------------------------------------------------

#if HK_MENDS
// The sum over the whole mask, where the two passes are not finite.
HK_FN hk_value hk_mended(const hk_grid *g, const hk_in *in, int64_t y, int64_t e,
                         const hk_value *mask, hk_value two)
{
    hk_value sum = hk_no_sum();
#pragma unroll 1
    for (int i = 0; i < HK_MASK_ROWS; i++)
#pragma unroll 1
        for (int j = 0; j < HK_MASK_COLUMNS; j++) {
            const hk_value x =
                hk_element_at(g, in, y + i - HK_ANCHOR_Y, e + (j - HK_ANCHOR_X) * HK_CHANNELS);
            sum = hk_add(mask[i * HK_MASK_COLUMNS + j], x, sum);
        }
    return hk_is_finite(sum) ? sum : two;
}

// Those of a thread's sums that are not finite, seldom any; from element e of line y on.
HK_FN void hk_mend(const hk_grid *g, const hk_in *in, const hk_factors *f, int64_t y, int64_t e,
                   hk_value sum[HK_ALONG])
{
    bool finite = true;
#pragma unroll
    for (int i = 0; i < HK_ALONG; i++) finite = finite && hk_is_finite(sum[i]);
    if (finite || y >= g->y.n) return;
#pragma unroll 1
    for (int k = 0; k < HK_ALONG && e + k * HK_CHANNELS < g->x.n; k++) {
        hk_value two = 0;
#pragma unroll
        for (int i = 0; i < HK_ALONG; i++) two = i == k ? sum[i] : two;
        if (hk_is_finite(two)) continue;
        const hk_value one = hk_mended(g, in, y, e + k * HK_CHANNELS, f->mask, two);
#pragma unroll
        for (int i = 0; i < HK_ALONG; i++) sum[i] = i == k ? one : sum[i];
    }
}
#endif

// Outputs of every HK_CHANNELS-th element, from the lines between at `at`.
HK_FN void hk_sum_row(const hk_factors *f, const hk_middle *at, hk_value sum[HK_ALONG])
{
#pragma unroll
    for (int i = 0; i < HK_ALONG; i++) sum[i] = hk_no_sum();
#if HK_FOLDS && HK_WINDOW <= 80
    // Integers, and the same weights to both sides: a multiplication for two elements.
    hk_value x[HK_WINDOW];
#pragma unroll
    for (int j = 0; j < HK_WINDOW; j++) x[j] = hk_value_of(at[j * HK_CHANNELS]);
#pragma unroll
    for (int j = 0; j < HK_MASK_COLUMNS / 2; j++)
#pragma unroll
        for (int i = 0; i < HK_ALONG; i++)
            sum[i] = hk_add(f->row[j], x[i + j] + x[i + HK_MASK_COLUMNS - 1 - j], sum[i]);
#pragma unroll
    for (int i = 0; i < HK_ALONG; i++)
        sum[i] = hk_add(f->row[HK_MASK_COLUMNS / 2], x[i + HK_MASK_COLUMNS / 2], sum[i]);
#elif HK_MASK_COLUMNS * HK_ALONG <= 1024 || HK_MASK_COLUMNS < HK_ALONG
#pragma unroll
    for (int j = 0; j < HK_WINDOW; j++) {
        const hk_value x = hk_value_of(at[j * HK_CHANNELS]);
#pragma unroll
        for (int i = 0; i < HK_ALONG; i++)
            if (j >= i && j - i < HK_MASK_COLUMNS) sum[i] = hk_add(f->row[j - i], x, sum[i]);
    }
#else
#pragma unroll
    for (int j = 0; j < HK_ALONG - 1; j++) {
        const hk_value x = hk_value_of(at[j * HK_CHANNELS]);
#pragma unroll
        for (int i = 0; i <= j; i++) sum[i] = hk_add(f->row[j - i], x, sum[i]);
    }
#pragma unroll 8
    for (int j = HK_ALONG - 1; j < HK_MASK_COLUMNS; j++) {
        const hk_value x = hk_value_of(at[j * HK_CHANNELS]);
#pragma unroll
        for (int i = 0; i < HK_ALONG; i++) sum[i] = hk_add(f->row[j - i], x, sum[i]);
    }
#pragma unroll
    for (int j = HK_MASK_COLUMNS; j < HK_WINDOW; j++) {
        const hk_value x = hk_value_of(at[j * HK_CHANNELS]);
#pragma unroll
        for (int i = j - HK_MASK_COLUMNS + 1; i < HK_ALONG; i++)
            sum[i] = hk_add(f->row[j - i], x, sum[i]);
    }
#endif
}

HK_FN void hk_sum_rows(const hk_grid *g, const hk_in *in, const hk_factors *f, int64_t y, int64_t e,
                       hk_memory *m)
{
    hk_out *result = (hk_out *)m->result;
#pragma unroll 1
    for (int k = (int)threadIdx.x; k < HK_ROWS * HK_UNITS; k += HK_THREADS) {
        const int line = k / HK_UNITS, unit = k - line * HK_UNITS;
        const int first = unit / HK_CHANNELS * HK_ALONG;
        const int at = first * HK_CHANNELS + unit % HK_CHANNELS;
        hk_value sum[HK_ALONG];
        hk_sum_row(f, m->middle + line * HK_PITCH + HK_SHIFT + at, sum);
#if HK_MENDS
        hk_mend(g, in, f, y + line, e + at, sum);
#endif
#pragma unroll
        for (int i = 0; i < HK_ALONG; i++) {
            if (first + i >= HK_PIXELS) continue;
            result[line * HK_STRIP + at + i * HK_CHANNELS] = hk_out_of(sum[i], NULL);
        }
    }
}

HK_FN void hk_store_lines(const hk_grid *g, hk_out *out, int64_t y, int64_t e, const hk_memory *m)
{
    const int vectors = HK_STRIP / HK_K;
    const int lines = hk_clamped(g->y.n - y), elements = hk_clamped(g->x.n - e);
    hk_out *to = hk_output_at(g, out, y, e);
#pragma unroll 2
    for (int k = (int)threadIdx.x; k < HK_ROWS * vectors; k += HK_THREADS) {
        const int line = k / vectors, at = (k - line * vectors) * HK_K;
        const hk_result_vector r = m->result[k];
        hk_out_vector v;
#pragma unroll
        for (int j = 0; j < HK_K; j++) v.x[j] = r.x[j];
        if (line < lines) hk_store_vector(g, to + hk_distance_out(g, line, at), elements - at, v);
    }
}

// ---- The strip ----------------------------------------------------------------------------------

// `lines` of the image, a multiple of HK_ROWS, are one strip's.
extern "C" __global__ void __launch_bounds__(HK_THREADS, HK_BLOCKS)
    separable_strip(const __grid_constant__ hk_grid g, const __grid_constant__ hk_factors f,
                    uint32_t strips_x, uint32_t strips_y, int64_t lines)
{
    hk_begin();
    extern __shared__ char hk_shared[];
    hk_memory *m = (hk_memory *)hk_shared;
    const uint32_t row = blockIdx.x / strips_x, batch = row / strips_y;
    const int64_t first = (int64_t)(row - batch * strips_y) * lines;
    const int64_t e = (int64_t)(blockIdx.x - row * strips_x) * HK_STRIP;
    const int64_t left = e - HK_LEFT - HK_SHIFT;
    const int64_t last = first + lines < g.y.n ? first + lines : g.y.n;
    const hk_in *in = g.in;
    hk_out *out = g.out;
    hk_batch_at(&g, batch, &in, &out);
    for (int k = (int)threadIdx.x; k < HK_ROWS * (HK_PITCH - HK_WIDTH); k += HK_THREADS)
        m->middle[k / (HK_PITCH - HK_WIDTH) * HK_PITCH + HK_WIDTH + k % (HK_PITCH - HK_WIDTH)] = 0;
    hk_load_lines(&g, in, first - HK_ANCHOR_Y, left, HK_MASK_ROWS - 1, HK_VECTORS,
                  m->ring + HK_LEAD * HK_VECTORS);
    int from = 0;
#pragma unroll 1
    for (int64_t y = first; y < last; y += HK_ROWS) {
        const int fresh = from + HK_CHUNKS - 1;
        hk_load_lines(&g, in, y - HK_ANCHOR_Y + HK_MASK_ROWS - 1, left, HK_ROWS, HK_VECTORS,
                      m->ring +
                          (fresh < HK_CHUNKS ? fresh : fresh - HK_CHUNKS) * HK_ROWS * HK_VECTORS);
        hk_block_barrier();
        hk_sum_columns(&g, &f, left, from, m);
        hk_block_barrier();
        hk_sum_rows(&g, in, &f, y, e, m);
        hk_block_barrier();
        hk_store_lines(&g, out, y, e, m);
        from = from + 1 < HK_CHUNKS ? from + 1 : 0;
    }
}
