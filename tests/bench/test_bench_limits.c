// SPDX-License-Identifier: Apache-2.0
//
// The kernels of the limits do what they claim on every byte, alone and on threads: a limit that
// skips work would not be one.
#include "bench/machine/affinity.c" // first: it asks for GNU extensions
#include "bench/machine/machine_limits.c"
#include "bench/machine/limits_kernels.c"
#include "bench/support/statistics.c"

#include "tests/support/check.h"

#define COUNT 16384 // floats: 64 KiB

static float *out, *in, *other;

static void reset(void)
{
    for (int i = 0; i < COUNT; i++) out[i] = 7, in[i] = (float)i, other[i] = 1;
}

static float expected(limit_kind kind, int i)
{
    switch (kind) {
    case LIMIT_FILL: return 0;
    case LIMIT_COPY: return (float)i;
    case LIMIT_TRIAD: return (float)i + 3;
    default: return 7;
    }
}

static void check_out(limit_kind kind, const char *how, int threads)
{
    for (int i = 0; i < COUNT; i++)
        CHECK(out[i] == expected(kind, i), "%s, %s, %d threads: out[%d] = %g", limit_name(kind),
              how, threads, i, (double)out[i]);
}

static void test_variants(void)
{
    for (int k = 0; k < limit_variant_count; k++) {
        const limit_variant *v = &limit_variants[k];
        if (!limit_isa_runs(v->isa)) continue;
        for (int threads = 1; threads <= 5; threads++) {
            const limit_way way = {v->kind, v->how, v->kernel, threads, 0};
            reset();
            limit_run(&way, (limit_arrays){out, in, other}, COUNT * sizeof *out);
            check_out(v->kind, v->how, threads);
        }
    }
}

static void test_find(void)
{
    for (int kind = 0; kind < LIMIT_KINDS; kind++) {
        const limit_arrays arrays = {out, in, other};
        reset();
        const limit_way way = limit_find((limit_kind)kind, arrays, COUNT * sizeof *out, 2);
        CHECK(way.kernel && way.kind == (limit_kind)kind && way.ns > 0, "a way to %s",
              limit_name((limit_kind)kind));
        check_out((limit_kind)kind, way.how, way.threads);
    }
    CHECK(limit_traffic(LIMIT_READ, 8) == 8 && limit_traffic(LIMIT_TRIAD, 8) == 24, "traffic");
    CHECK(limit_fork_join(2) > 0, "a fork and join takes time");
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
