// SPDX-License-Identifier: Apache-2.0
// Why one rung is faster than another, from their counts. Each kind of work has a price in cycles
// of a multiprocessor; the kind that saves most (or, where nothing is saved, costs most) is named.
#include "ladder.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct view {
    const stage_totals *t;
    const hd_model_counts *c;
} view;

static double idle_lanes(view v)
{
    return 32.0 * (double)v.c->warp_instructions - (double)v.c->thread_instructions;
}

static double instructions(view v)
{
    return (double)v.c->warp_instructions;
}

static double conflicts(view v)
{
    return (double)v.c->conflicts;
}

static double sectors(view v)
{
    return (double)v.c->sectors;
}

static double wasted_sectors(view v)
{
    return (double)(v.c->sectors - v.c->ideal_sectors);
}

static double requests(view v)
{
    return (double)(v.c->global_loads + v.c->global_stores + v.c->global_atomics);
}

static double shared_requests(view v)
{
    return (double)(v.c->shared_loads + v.c->shared_stores + v.c->shared_atomics);
}

static double atomics(view v)
{
    return (double)v.c->atomic_steps;
}

static double barriers(view v)
{
    return (double)v.c->barriers;
}

static double launches(view v)
{
    return v.t->launches;
}

static double dram(view v)
{
    return (double)v.t->dram_bytes;
}

// What one unit of it costs, in cycles of one scheduler, roughly: only their order of size matters.
typedef struct kind {
    double (*of)(view v);
    double cycles;
    const char *less, *more; // with the numbers before and after
} kind;

static const kind kinds[] = {
    {idle_lanes, 1.0 / 32, "fewer idle lanes: %s lane-steps of waiting down to %s",
     "more idle lanes: %s lane-steps of waiting up to %s"},
    {instructions, 1, "fewer instructions: %s of warps down to %s",
     "more instructions: %s of warps up to %s"},
    {conflicts, 4, "bank conflicts: %s extra wavefronts down to %s",
     "bank conflicts: %s extra wavefronts up to %s"},
    {wasted_sectors, 8, "better coalesced: %s sectors more than needed down to %s",
     "worse coalesced: %s sectors more than needed up to %s"},
    {sectors, 4, "less traffic: %s sectors down to %s", "more traffic: %s sectors up to %s"},
    {requests, 4, "fewer requests to global memory: %s down to %s",
     "more requests to global memory: %s up to %s"},
    {shared_requests, 2, "fewer requests to shared memory: %s down to %s",
     "more requests to shared memory: %s up to %s"},
    {atomics, 40, "shorter queues at atomics: %s steps in line down to %s",
     "longer queues at atomics: %s steps in line up to %s"},
    {barriers, 10, "fewer barriers: %s arrivals of warps down to %s",
     "more barriers: %s arrivals of warps up to %s"},
    {launches, 4000, "fewer launches: %s down to %s", "more launches: %s up to %s"},
    {dram, 0.1, "less DRAM traffic: %s bytes down to %s", "more DRAM traffic: %s bytes up to %s"},
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

// Where the counts do not tell: the part of the chip whose time has changed most.
static void by_part(view a, view b, char *text, size_t room)
{
    int most = 0;
    for (int k = 1; k < 7; k++)
        if (fabs(a.t->parts[k] - b.t->parts[k]) > fabs(a.t->parts[most] - b.t->parts[most]))
            most = k;
    const double before = a.t->parts[most], after = b.t->parts[most];
    if (fabs(before - after) < 5e-9)
        snprintf(text, room, "nothing that is counted has changed");
    else
        snprintf(text, room, "%s time in %s: %.2f us %s to %.2f", after < before ? "less" : "more",
                 stage_parts[most], before * 1e6, after < before ? "down" : "up", after * 1e6);
}

void ladder_why(const ladder_result *before, const ladder_result *after, char *text, size_t room)
{
    const view a = {&before->totals, &before->totals.counts};
    const view b = {&after->totals, &after->totals.counts};
    const kind *saved = NULL, *spent = NULL;
    double best = 0, worst = 0;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const double gain = (kinds[k].of(a) - kinds[k].of(b)) * kinds[k].cycles;
        if (gain > best) best = gain, saved = &kinds[k];
        if (gain < worst) worst = gain, spent = &kinds[k];
    }
    // What is slower has spent something; what is faster has saved something.
    const bool slower = b.t->predicted_seconds > 1.005 * a.t->predicted_seconds;
    const bool faster = b.t->predicted_seconds < 0.995 * a.t->predicted_seconds;
    const kind *most = slower ? spent : saved != NULL ? saved : spent;
    if (most == NULL || (faster && most == spent)) {
        by_part(a, b, text, room);
        return;
    }
    char from[40], to[40];
    grouped(most->of(a), from, sizeof from);
    grouped(most->of(b), to, sizeof to);
    snprintf(text, room, most == saved ? most->less : most->more, from, to);
}
