// SPDX-License-Identifier: Apache-2.0
// From elements to the numbers of their bins, a block at a time: read, converted where the rule
// needs it, binned by a micro-kernel, and the bins of two axes joined.
#include "core/convert.h"
#include "histogram.h"
#include "cpu/runtime/isa.h"

HD__CPU_BRINGS(const hd__cpu_histogram_kernels, histogram_kernels)

size_t hd__cpu_binner_bytes(const hd__histogram_job *job)
{
    const int64_t block = hd__cpu_tune.histogram_block;
    size_t bytes = hd__padded(hd__reader_bytes(&job->first.in, block)) + hd__padded(block * 8) +
                   2 * hd__padded(block * sizeof(uint32_t));
    if (job->axes == 2) bytes += hd__padded(hd__reader_bytes(&job->second.in, block));
    return bytes;
}

void hd__cpu_binner_init(hd__cpu_binner *b, const hd_context *ctx, const hd__histogram_job *job,
                         void *memory)
{
    const int64_t block = hd__cpu_tune.histogram_block;
    unsigned char *at = memory;
    b->job = job;
    b->micro = hd__cpu_micro_table(ctx)->histogram;
    b->first = at;
    b->wide = at += hd__padded(hd__reader_bytes(&job->first.in, block));
    b->bin = (uint32_t *)(at += hd__padded(block * 8));
    b->column = (uint32_t *)(at += hd__padded(block * sizeof(uint32_t)));
    b->second = at + hd__padded(block * sizeof(uint32_t));
}

// Values as i64 of the same order; those of u64 past it become its greatest, which is in no bin
// where the integers of a job do not fit.
static const int64_t *widen(hd__cpu_binner *b, hd_type type, bool turned, const void *values,
                            int64_t n)
{
    uint64_t *wide = b->wide;
    if (type == HD_I64) return values;
    hd__convert(HD_I64, wide, type, values, n);
    if (type != HD_U64) return b->wide;
    for (int64_t i = 0; i < n; i++)
        wide[i] = turned ? wide[i] ^ HD__TURN_SIGN : wide[i] > INT64_MAX ? INT64_MAX : wide[i];
    return b->wide;
}

static const double *as_doubles(hd__cpu_binner *b, hd_type type, const void *values, int64_t n)
{
    if (type == HD_F64) return values;
    hd__convert(HD_F64, b->wide, type, values, n);
    return b->wide;
}

static void bin_letters(const hd__bins *bins, const uint8_t *text, int64_t n, uint32_t *to)
{
    for (int64_t i = 0; i < n; i++) {
        const uint32_t letter = (text[i] | 0x20u) - 'a';
        to[i] = letter < 26 ? letter / (uint32_t)bins->letters : (uint32_t)bins->count;
    }
}

static void bin_values(hd__cpu_binner *b, const hd__bins *bins, const void *v, int64_t n,
                       uint32_t *to)
{
    const hd__cpu_histogram_kernels *m = b->micro;
    const hd_type type = bins->type;
    if (bins->rule == HD__LETTER_BINS)
        bin_letters(bins, v, n, to);
    else if (bins->rule == HD__EVEN_BINS && type == HD_F32)
        m->even_f32(bins, v, n, to);
    else if (bins->rule == HD__EVEN_BINS)
        m->even_f64(bins, as_doubles(b, type, v, n), n, to);
    else if (bins->rule == HD__EDGE_BINS && bins->whole)
        m->edges_i64(bins, widen(b, type, true, v, n), n, to);
    else if (bins->rule == HD__EDGE_BINS)
        m->edges_f64(bins, as_doubles(b, type, v, n), n, to);
    else if (type != HD_BOOL && hd__cpu_integers_fit(bins))
        m->integers[type](bins, v, n, to);
    else
        m->integers[HD_I64](bins, widen(b, type, false, v, n), n, to);
}

void hd__cpu_binner_values(hd__cpu_binner *b, const void *values, int64_t n, uint32_t *to)
{
    bin_values(b, &b->job->first.bins, values, n, to);
}

const uint32_t *hd__cpu_binner_bins(hd__cpu_binner *b, int64_t start, int64_t n)
{
    const hd__histogram_job *job = b->job;
    const void *v = hd__read(&job->first.in, start, n, b->first);
    bin_values(b, &job->first.bins, v, n, b->bin);
    if (job->axes == 1) return b->bin;
    const uint32_t rows = (uint32_t)job->first.bins.count;
    const uint32_t columns = (uint32_t)job->second.bins.count;
    v = hd__read(&job->second.in, start, n, b->second);
    bin_values(b, &job->second.bins, v, n, b->column);
    for (int64_t i = 0; i < n; i++) {
        const uint32_t row = b->bin[i], column = b->column[i];
        const bool outside = (row == rows) | (column == columns);
        b->bin[i] = outside ? rows * columns : row * columns + column;
    }
    return b->bin;
}
