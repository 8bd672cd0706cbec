// SPDX-License-Identifier: Apache-2.0
//
// The race: batches, turns, rounds.
#include "harness.h"

#include "bench/support/clock.h"
#include "bench/machine/affinity.h"

#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#define SAMPLE_NS    20000   // a sample lasts at least so long: a thousand times the clock's cost
#define TURN_NS      2000000 // samples of a turn go on for so long
#define TURN_SAMPLES 64      // and are at most so many
#define SETTLE_NS    3000000 // before a turn: the last contestant's threads stop spinning
#define WARM_NS      300000  // untimed calls at the start of a turn, one at least
#define TRIES        4       // of warming up, at most
#define READY        1.25    // warm: within so much of the quickest seen
#define LONG_NS      3000000 // calls this long find their cores by themselves
#define NUDGED_NS    4000000 // untimed calls after a nudge: cores are found over some calls
#define SLOW         4.0     // a peer so many times slower than the fastest
#define SLOW_ROUNDS  3       // takes part in the first rounds only
#define PATIENCE     6.0     // a race of few slow rounds ends after so many times its seconds
#define BATCH_MAX    10000000

// Nanoseconds of so many calls.
static int64_t run_calls(contestant *c, int64_t calls)
{
    if (c->run_timed) return c->run_timed(c->state, calls);
    int64_t (*const clock)(void) = c->cpu_time ? clock_cpu : clock_now;
    const int64_t begin = clock();
    for (int64_t i = 0; i < calls; i++) c->run(c->state);
    return clock() - begin;
}

static void keep_sample(contestant *c, double ns)
{
    if (c->count == c->capacity) {
        const int64_t capacity = c->capacity ? 2 * c->capacity : 256;
        double *grown = realloc(c->samples, (size_t)capacity * sizeof *grown);
        if (!grown) return;
        c->samples = grown, c->capacity = capacity;
    }
    c->samples[c->count++] = ns;
    c->calls += c->batch;
}

static void settle(void)
{
    const struct timespec pause = {0, SETTLE_NS};
    nanosleep(&pause, NULL);
}

// Runs untimed calls for a while, at least one batch, and makes the batch long enough. Returns the
// quickest nanoseconds a call, or -1.
static double warm_up(contestant *c, int64_t least)
{
    double quickest = -1;
    for (int64_t spent = 0; spent < least;) {
        const int64_t ns = run_calls(c, c->batch);
        if (ns < 0) return -1;
        const double each = (double)ns / (double)c->batch;
        if (quickest < 0 || each < quickest) quickest = each;
        spent += ns + 1;
        if (ns >= SAMPLE_NS || c->batch >= BATCH_MAX) continue;
        const int64_t guess = (int64_t)(1.1 * SAMPLE_NS / (each + 0.01)) + 1;
        c->batch = guess > 8 * c->batch ? 8 * c->batch : guess;
    }
    return quickest;
}

// Warms up until the calls are about as quick as this contestant's have been: threads that woke on
// one core are nudged apart. Everyone gets the same tries.
static void get_ready(contestant *c, int tries)
{
    for (int k = 0; k < tries; k++) {
        const double ns = warm_up(c, k == 0 ? WARM_NS : NUDGED_NS);
        if (ns < 0 || c->run_timed) return;
        if (c->quickest == 0 || ns < c->quickest) c->quickest = ns;
        if (ns <= READY * c->quickest) return;
        if (ns >= LONG_NS) return;
        placement_nudge();
    }
}

// Before the first round: how quick this contestant can be.
static void get_acquainted(contestant *c)
{
    c->batch = 1;
    for (int k = 0; k < TRIES; k++) {
        const double ns = warm_up(c, k == 0 ? WARM_NS : NUDGED_NS);
        if (c->quickest == 0 || ns < c->quickest) c->quickest = ns;
        if (c->run_timed || ns >= LONG_NS) return;
        placement_nudge();
    }
}

static void turn(contestant *c)
{
    get_ready(c, TRIES);
    const int64_t cpu = clock_cpu(), calls = c->calls;
    int64_t spent = 0;
    for (int i = 0; i < TURN_SAMPLES && spent < TURN_NS; i++) {
        const int64_t ns = run_calls(c, c->batch);
        if (ns < 0) return;
        keep_sample(c, (double)ns / (double)c->batch);
        spent += ns + 1;
    }
    const double before = c->cpu_ns * (double)calls;
    if (c->calls > calls) c->cpu_ns = (before + (double)(clock_cpu() - cpu)) / (double)c->calls;
}

static double fastest(const contestant *who, int count)
{
    double best = 0;
    for (int k = 0; k < count; k++) {
        const double t = who[k].time.median;
        if (t > 0 && (best == 0 || t < best)) best = t;
    }
    return best;
}

static bool takes_part(const contestant *c, int round, double best)
{
    return round < SLOW_ROUNDS || c->role != ROLE_PEER || c->time.median <= SLOW * best;
}

static void update_statistics(contestant *who, int count)
{
    for (int k = 0; k < count; k++) who[k].time = statistics_of(who[k].samples, who[k].count);
}

void race(contestant *who, int count, const race_settings *settings)
{
    for (int k = 0; k < count; k++) who[k].cpu_time = settings->cpu_time;
    for (int k = 0; k < count; k++) get_acquainted(&who[k]);
    const int64_t begin = clock_now();
    for (int round = 0;; round++) {
        const double spent = (double)(clock_now() - begin) * 1e-9;
        if (round >= settings->least_rounds && spent >= settings->seconds) break;
        if (round >= SLOW_ROUNDS && spent >= PATIENCE * settings->seconds) break;
        const double best = fastest(who, count);
        for (int k = 0; k < count; k++) {
            if (!takes_part(&who[k], round, best)) continue;
            if (count > 1) settle();
            turn(&who[k]);
        }
        if (round < SLOW_ROUNDS) update_statistics(who, count);
    }
    update_statistics(who, count);
}

void contestant_clear(contestant *c)
{
    free(c->samples);
    c->samples = NULL, c->count = c->capacity = 0;
}
