// SPDX-License-Identifier: Apache-2.0
//
// Runs the kernels of peak bandwidth on threads, finds the fastest way by a tournament, and times
// it.
#include "peak_bandwidth.h"

#include "bench/support/clock.h"
#include "peak_kernels.h"
#include "affinity.h"
#include "bench/support/statistics.h"

#include <omp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLE_NS   20000 // a sample lasts at least so long: a thousand times the clock's own cost
#define TRIALS      5     // samples of each way in the tournament; the least counts
#define MAX_SAMPLES 1000
#define CHUNK       4096 // threads' chunks begin at multiples of a page

const char *peak_name(peak_kind kind)
{
    static const char *const names[] = {"read", "fill", "copy", "update", "triad"};
    return kind < PEAK_KINDS ? names[kind] : "?";
}

int64_t peak_traffic(peak_kind kind, int64_t bytes)
{
    static const int64_t passes[] = {1, 1, 2, 2, 3};
    return bytes * passes[kind];
}

// Chunk t of `threads` equal ones, at page boundaries as far as there are pages.
static void run_chunk(const peak_way *way, peak_arrays a, int64_t bytes, int t, int threads)
{
    const int64_t grain = bytes >= (int64_t)threads * CHUNK * 4 ? CHUNK : 256;
    const int64_t units = bytes / grain;
    const int64_t begin = units * t / threads * grain;
    const int64_t end = t + 1 == threads ? bytes : units * (t + 1) / threads * grain;
    const char *in = a.in, *other = a.other;
    char *out = a.out;
    way->kernel(out ? out + begin : NULL, in ? in + begin : NULL, other ? other + begin : NULL,
                (size_t)(end - begin));
}

void peak_run(const peak_way *way, peak_arrays arrays, int64_t bytes)
{
    if (way->threads == 1) {
        run_chunk(way, arrays, bytes, 0, 1);
        return;
    }
#pragma omp parallel num_threads(way->threads)
    run_chunk(way, arrays, bytes, omp_get_thread_num(), omp_get_num_threads());
}

static double time_calls(const peak_way *way, peak_arrays arrays, int64_t bytes, int64_t calls)
{
    const int64_t begin = clock_now();
    for (int64_t i = 0; i < calls; i++) peak_run(way, arrays, bytes);
    return (double)(clock_now() - begin) / (double)calls;
}

static int64_t calls_per_sample(const peak_way *way, peak_arrays arrays, int64_t bytes)
{
    peak_run(way, arrays, bytes);
    const double once = time_calls(way, arrays, bytes, 1);
    return once >= SAMPLE_NS ? 1 : (int64_t)(SAMPLE_NS / (once + 1)) + 1;
}

static double best_time(const peak_way *way, peak_arrays arrays, int64_t bytes)
{
    const int64_t calls = calls_per_sample(way, arrays, bytes);
    double best = time_calls(way, arrays, bytes, calls);
    for (int i = 1; i < TRIALS; i++) {
        if (way->threads > 1) placement_nudge();
        const double t = time_calls(way, arrays, bytes, calls);
        if (t < best) best = t;
    }
    return best;
}

peak_way peak_find(peak_kind kind, peak_arrays arrays, int64_t bytes, int threads)
{
    peak_way best = {kind, "", NULL, 1, 0};
    for (int k = 0; k < peak_variant_count; k++) {
        const peak_variant *v = &peak_variants[k];
        if (v->kind != kind || !peak_isa_runs(v->isa)) continue;
        for (int all = 0; all < (threads > 1 ? 2 : 1); all++) {
            peak_way way = {kind, v->how, v->kernel, all ? threads : 1, 0};
            way.ns = best_time(&way, arrays, bytes);
            if (!best.kernel || way.ns < best.ns) best = way;
        }
    }
    return best;
}

static void time_way(peak *l, peak_arrays arrays, int64_t bytes, double seconds)
{
    double samples[MAX_SAMPLES];
    int64_t count = 0;
    const double quickest = best_time(&l->way, arrays, bytes);
    const int64_t calls = quickest >= SAMPLE_NS ? 1 : (int64_t)(SAMPLE_NS / quickest) + 1;
    const int64_t stop = clock_now() + (int64_t)(seconds * 1e9);
    do {
        samples[count] = time_calls(&l->way, arrays, bytes, calls);
        if (l->way.threads > 1 && samples[count] > 2 * quickest) placement_nudge();
        count++;
    } while (count < MAX_SAMPLES && (count < TRIALS || clock_now() < stop));
    l->ns = statistics_of(samples, count).median;
    l->bytes_per_second = (double)peak_traffic(l->way.kind, bytes) * 1e9 / l->ns;
}

// An array of its own pages, touched by all threads.
static void *new_array(int64_t bytes, bool needed)
{
    if (!needed) return NULL;
    char *p = aligned_alloc(CHUNK, (size_t)(bytes + CHUNK - 1) / CHUNK * CHUNK);
    if (!p) return NULL;
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < bytes; i += CHUNK)
        memset(p + i, 0, (size_t)(bytes - i < CHUNK ? bytes - i : CHUNK));
    return p;
}

peak peak_measure(peak_kind kind, int64_t bytes, int threads, double seconds)
{
    const bool writes = kind != PEAK_READ;
    const bool reads = kind == PEAK_READ || kind == PEAK_COPY || kind == PEAK_TRIAD;
    void *out = new_array(bytes, writes), *in = new_array(bytes, reads);
    void *other = new_array(bytes, kind == PEAK_TRIAD);
    peak l = {{kind, "", NULL, 1, 0}, 0, 0};
    if ((out || !writes) && (in || !reads) && (other || kind != PEAK_TRIAD)) {
        const peak_arrays arrays = {out, in, other};
        l.way = peak_find(kind, arrays, bytes, threads);
        time_way(&l, arrays, bytes, seconds);
    }
    free(out), free(in), free(other);
    return l;
}

static double fork_join_median(int threads)
{
    enum { REGIONS = 20, SAMPLES = 50 };
    double samples[SAMPLES];
    for (int s = 0; s < SAMPLES; s++) {
        const int64_t begin = clock_now();
        for (int i = 0; i < REGIONS; i++) {
#pragma omp parallel num_threads(threads)
            __asm__ volatile("" : : : "memory");
        }
        samples[s] = (double)(clock_now() - begin) / REGIONS;
    }
    return statistics_of(samples, SAMPLES).median;
}

double peak_fork_join(int threads)
{
    double best = fork_join_median(threads);
    for (int i = 1; i < TRIALS; i++) {
        placement_nudge();
        const double ns = fork_join_median(threads);
        if (ns < best) best = ns;
    }
    return best;
}
