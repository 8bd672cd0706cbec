// SPDX-License-Identifier: Apache-2.0
// Why one step is faster than another, from their counts: first the part of the chip whose time did
// most to the predicted one, then what was counted in it. Each kind of work has a price in cycles
// of a multiprocessor; the kind that saves most (or, where the step is slower, costs most) is
// named.
#include "ladder.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct totals_view {
    const stage_totals *t;
    const hd_model_counts *c;
} totals_view;

static double idle_lanes(totals_view v)
{
    return 32.0 * (double)v.c->warp_instructions - (double)v.c->thread_instructions;
}

static double instructions(totals_view v)
{
    return (double)v.c->warp_instructions;
}

static double conflicts(totals_view v)
{
    return (double)v.c->conflicts;
}

static double sectors(totals_view v)
{
    return (double)v.c->sectors;
}

static double wasted_sectors(totals_view v)
{
    return (double)(v.c->sectors - v.c->ideal_sectors);
}

static double requests(totals_view v)
{
    return (double)(v.c->global_loads + v.c->global_stores + v.c->global_atomics);
}

static double shared_requests(totals_view v)
{
    return (double)(v.c->shared_loads + v.c->shared_stores + v.c->shared_atomics);
}

static double atomics(totals_view v)
{
    return (double)v.c->atomic_steps;
}

static double barriers(totals_view v)
{
    return (double)v.c->barriers;
}

static double launches(totals_view v)
{
    return v.t->launches;
}

static double dram(totals_view v)
{
    return (double)v.t->dram_bytes;
}

static double threads(totals_view v)
{
    return (double)v.t->threads;
}

static double global_atomics(totals_view v)
{
    return (double)v.c->global_atomics;
}

static double span(totals_view v)
{
    return v.t->span;
}

// The parts of a predicted time: those of stage_parts, and the starts of launches.
enum { DRAM, L2, L1, ISSUE, LATENCY, ATOMICS, BLOCKS, STARTS, PARTS };
#define IN(part) (1u << (part))
#define START_SECONDS                                                                              \
    2e-6 // as src/model/counters/prediction.c has it, and the exponent of what overlaps
#define OVERLAP 2.2

// What one unit of it costs, in cycles, roughly: only their order of size matters.
typedef struct reason_kind {
    double (*of)(totals_view v);
    double cycles;           // of a multiprocessor, or
    double waits;            // of a warp that waits for it; 0: none does
    unsigned parts;          // whose time it takes; LATENCY is known by `waits`
    const char *less, *more; // with the numbers before and after
} reason_kind;

static const reason_kind kinds[] = {
    {idle_lanes, 1.0 / 32, 0, IN(ISSUE), "fewer idle lanes: %s lane-steps of waiting down to %s",
     "more idle lanes: %s lane-steps of waiting up to %s"},
    {instructions, 1, 0, IN(ISSUE), "fewer instructions: %s of warps down to %s",
     "more instructions: %s of warps up to %s"},
    {conflicts, 4, 0, IN(L1), "bank conflicts: %s extra wavefronts down to %s",
     "bank conflicts: %s extra wavefronts up to %s"},
    {wasted_sectors, 8, 0, IN(L2) | IN(L1),
     "better coalesced: %s sectors more than needed down to %s",
     "worse coalesced: %s sectors more than needed up to %s"},
    {sectors, 4, 0, IN(L2) | IN(L1), "less traffic: %s sectors down to %s",
     "more traffic: %s sectors up to %s"},
    {requests, 4, 125, IN(L1), "fewer requests to global memory: %s down to %s",
     "more requests to global memory: %s up to %s"},
    {shared_requests, 2, 0, IN(L1), "fewer requests to shared memory: %s down to %s",
     "more requests to shared memory: %s up to %s"},
    {atomics, 40, 0, IN(ATOMICS), "fewer serialised atomics: %s down to %s",
     "more serialised atomics: %s up to %s"},
    {global_atomics, 400, 0, IN(ATOMICS), "fewer atomics in global memory: %s of warps down to %s",
     "more atomics in global memory: %s of warps up to %s"},
    {barriers, 10, 28, 0, "fewer barriers: %s arrivals of warps down to %s",
     "more barriers: %s arrivals of warps up to %s"},
    {launches, 4000, 0, IN(STARTS), "fewer launches: %s down to %s", "more launches: %s up to %s"},
    {threads, 1, 0, IN(BLOCKS), "fewer threads to start: %s down to %s",
     "more threads to start: %s up to %s"},
    {dram, 0.1, 1, IN(DRAM), "less DRAM traffic: %s bytes down to %s",
     "more DRAM traffic: %s bytes up to %s"},
    {span, 0, 2.1, 0, "a shorter span: %s instructions of a warp down to %s",
     "a longer span: %s instructions of a warp up to %s"},
};

// 1234567 as 1,234,567.
static void grouped(double value, char *text, size_t room)
{
    char digits[32], *to = text;
    const int n = snprintf(digits, sizeof digits, "%.0f", value < 0 ? 0 : value);
    for (int k = 0; k < n && (size_t)(to - text) + 2 < room; k++) {
        *to++ = digits[k];
        if ((n - k - 1) % 3 == 0 && k < n - 1) *to++ = ',';
    }
    *to = 0;
}

// The part that did most to the predicted time, in the direction in which that went (1: less). All
// but atomics and starts overlap: each has its share of what their sum of powers changed by.
static int deciding_part(totals_view a, totals_view b, bool starts, int sign)
{
    double powers[PARTS] = {0}, from = 0, to = 0, most = 0;
    int deciding = LATENCY;
    for (int k = 0; k < STARTS; k++) {
        if (k == ATOMICS) continue;
        const double before = pow(a.t->parts[k], OVERLAP), after = pow(b.t->parts[k], OVERLAP);
        powers[k] = before - after;
        from += before;
        to += after;
    }
    const double together = pow(from, 1 / OVERLAP) - pow(to, 1 / OVERLAP);
    for (int k = 0; k < PARTS; k++) {
        const double gain = k == ATOMICS  ? a.t->parts[k] - b.t->parts[k]
                            : k == STARTS ? starts * START_SECONDS * (launches(a) - launches(b))
                            : from == to  ? 0
                                          : powers[k] * together / (from - to);
        if (sign * gain > most) most = sign * gain, deciding = k;
    }
    return deciding;
}

// What a kind saves of a part's time (sign 1), or costs (-1); 0: nothing. What a warp waits for is
// counted for one warp.
static double gain_of(const reason_kind *k, totals_view a, totals_view b, int part, int sign)
{
    double from = k->of(a), to = k->of(b);
    if (sign * (from - to) <= 0) return 0;
    if (part == LATENCY && k->of != span) {
        from *= a.t->span / fmax(instructions(a), 1);
        to *= b.t->span / fmax(instructions(b), 1);
    }
    return sign * (from - to) * (part == LATENCY ? k->waits : k->cycles);
}

// Where the counts do not tell: the part's own time.
static void by_part(totals_view a, totals_view b, int part, char *text, size_t room)
{
    const double before = a.t->parts[part], after = b.t->parts[part];
    if (fabs(before - after) < 5e-9)
        snprintf(text, room, "nothing that is counted has changed");
    else
        snprintf(text, room, "%s time in %s: %.2f us %s to %.2f", after < before ? "less" : "more",
                 stage_parts[part], before * 1e6, after < before ? "down" : "up", after * 1e6);
}

void ladder_why(const ladder_result *before, const ladder_result *after, bool starts, char *text,
                size_t room)
{
    const totals_view a = {&before->totals, &before->totals.counts};
    const totals_view b = {&after->totals, &after->totals.counts};
    // What is slower has spent something; what is faster, or takes as long, has saved something.
    const int sign = b.t->predicted_seconds > 1.005 * a.t->predicted_seconds ? -1 : 1;
    const bool alike = sign > 0 && b.t->predicted_seconds > 0.995 * a.t->predicted_seconds;
    const int part = deciding_part(a, b, starts, sign);
    const unsigned within = alike ? ~0u : IN(part);
    const reason_kind *chosen = NULL;
    double most = 0;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        if (part != LATENCY && !(kinds[k].parts & within)) continue;
        const double gain = gain_of(&kinds[k], a, b, part, sign);
        if (gain > most) most = gain, chosen = &kinds[k];
    }
    if (chosen == NULL) {
        by_part(a, b, part < STARTS ? part : LATENCY, text, room);
        return;
    }
    char from[40], to[40];
    grouped(chosen->of(a), from, sizeof from);
    grouped(chosen->of(b), to, sizeof to);
    snprintf(text, room, sign > 0 ? chosen->less : chosen->more, from, to);
}
