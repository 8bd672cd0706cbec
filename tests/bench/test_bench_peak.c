// SPDX-License-Identifier: Apache-2.0
//
// The kernels of peak bandwidth do what they claim on every byte, alone and on threads: a peak that
// skips work would not be one.
#include "bench/machine/affinity.c" // first: it asks for GNU extensions
#include "bench/machine/peak_bandwidth.c"
#include "bench/machine/peak_kernels.c"
#include "bench/support/statistics.c"

#include "tests/support/check.h"

#define COUNT 16384 // floats: 64 KiB

static float *out, *in, *other;

static void reset(void)
{
    for (int i = 0; i < COUNT; i++) out[i] = 7, in[i] = (float)i, other[i] = 1;
}

static float expected(peak_kind kind, int i)
{
    switch (kind) {
    case PEAK_FILL: return 0;
    case PEAK_COPY: return (float)i;
    case PEAK_TRIAD: return (float)i + 3;
    default: return 7;
    }
}

static void check_out(peak_kind kind, const char *how, int threads)
{
    for (int i = 0; i < COUNT; i++)
        CHECK(out[i] == expected(kind, i), "%s, %s, %d threads: out[%d] = %g", peak_name(kind), how,
              threads, i, (double)out[i]);
}

static void test_variants(void)
{
    for (int k = 0; k < peak_variant_count; k++) {
        const peak_variant *v = &peak_variants[k];
        if (!peak_isa_runs(v->isa)) continue;
        for (int threads = 1; threads <= 5; threads++) {
            const peak_way way = {v->kind, v->how, v->kernel, threads, 0};
            reset();
            peak_run(&way, (peak_arrays){out, in, other}, COUNT * sizeof *out);
            check_out(v->kind, v->how, threads);
        }
    }
}

static void test_find(void)
{
    for (int kind = 0; kind < PEAK_KINDS; kind++) {
        const peak_arrays arrays = {out, in, other};
        reset();
        const peak_way way = peak_find((peak_kind)kind, arrays, COUNT * sizeof *out, 2);
        CHECK(way.kernel && way.kind == (peak_kind)kind && way.ns > 0, "a way to %s",
              peak_name((peak_kind)kind));
        check_out((peak_kind)kind, way.how, way.threads);
    }
    CHECK(peak_traffic(PEAK_READ, 8) == 8 && peak_traffic(PEAK_TRIAD, 8) == 24, "traffic");
    CHECK(peak_fork_join(2) > 0, "a fork and join takes time");
}

int main(void)
{
    out = new_array(COUNT * sizeof *out, true);
    in = new_array(COUNT * sizeof *in, true);
    other = new_array(COUNT * sizeof *other, true);
    CHECK(out && in && other, "memory");
    test_variants();
    test_find();
    free(out), free(in), free(other);
    return check_finish();
}
