// SPDX-License-Identifier: Apache-2.0
//
// The costs of patterns over ranks: the formulas of docs/scaling.md.
#include "scaling.h"

#include <math.h>

// Rounds of a collective call.
static double levels(double ranks)
{
    return ceil(log2(ranks));
}

// Ranks that one of n / ranks elements has any for.
static double partners(double n, double ranks)
{
    const double others = ranks - 1, mine = n / ranks;
    return others < mine ? others : mine;
}

// The share of a rank's elements that belong to others.
static double leaving(double n, double ranks)
{
    return n / ranks * (ranks - 1) / ranks;
}

// A collective call that brings or adds up a number of 8 bytes for each rank.
static void add_row(scaling_cost *c, double ranks, double calls)
{
    c->rounds += calls * levels(ranks);
    c->bytes += calls * 2 * 8 * (ranks - 1);
}

// How many each rank has for each other: log2(ranks) messages of half of the counts.
static void add_counts(scaling_cost *c, double ranks, double calls)
{
    c->rounds += calls * levels(ranks);
    c->bytes += calls * 4 * ranks * levels(ranks);
}

// An exchange of so many bytes an element, in messages to whom it concerns.
static void add_exchange(scaling_cost *c, double n, double ranks, double bytes)
{
    add_counts(c, ranks, 1);
    c->messages += partners(n, ranks);
    c->exchanged += bytes * leaving(n, ranks);
}

// A carry: at most 2 log2(n) partial results of 8 bytes, and 64 bytes more.
static double carry(double n)
{
    return 16 * log2(n < 2 ? 2 : n) + 64;
}

static scaling_cost few(double ranks, double calls)
{
    return (scaling_cost){.rounds = calls * levels(ranks)};
}

// To rank 0; the way back is one of the collective calls.
static scaling_cost reduce(double n, double ranks)
{
    scaling_cost c = few(ranks, 4);
    c.messages = levels(ranks);
    c.bytes = levels(ranks) * carry(n);
    return c;
}

static scaling_cost scan(double n, double ranks)
{
    scaling_cost c = few(ranks, 3);
    c.messages = levels(ranks);
    c.bytes = levels(ranks) * carry(n);
    return c;
}

static scaling_cost compact(double n, double ranks)
{
    (void)n;
    return few(ranks, 1);
}

static scaling_cost histogram(double n, double ranks)
{
    (void)n;
    scaling_cost c = few(ranks, 5);
    c.bytes = 2 * 8 * SCALING_BINS;
    return c;
}

// A count for each splitter and bit of the key; then each element to its rank. Two sorted runs are
// merged, more are sorted.
static scaling_cost sort(double n, double ranks)
{
    const double bits = 32, mine = n / ranks;
    scaling_cost c = few(ranks, 8);
    add_row(&c, ranks, bits + 3);
    add_exchange(&c, n, ranks, 4);
    c.steps = (bits + 2) * (ranks - 1) * log2(mine < 2 ? 2 : mine);
    c.again = ranks > 2 ? 1 : 0.5;
    return c;
}

// An index of 8 bytes there, an element of 8 bytes back.
static scaling_cost gather(double n, double ranks)
{
    scaling_cost c = few(ranks, 6);
    add_exchange(&c, n, ranks, 8);
    add_exchange(&c, n, ranks, 8);
    return c;
}

static scaling_cost scatter(double n, double ranks)
{
    return gather(n, ranks);
}

static scaling_cost transpose(double n, double ranks)
{
    scaling_cost c = few(ranks, 6);
    add_exchange(&c, n, ranks, 8);
    return c;
}

// A row above and one below, each asked for by an index of 8 bytes; three times as many rows are
// computed again.
static scaling_cost stencil(double n, double ranks)
{
    scaling_cost c = few(ranks, 7);
    add_counts(&c, ranks, 1);
    c.messages = 4;
    c.bytes += 2 * (8 * SCALING_ROW + 8);
    c.again = 6 * SCALING_ROW / (n / ranks);
    return c;
}

// Rounds of contraction down to 4096 nodes; 100 bytes a node cross the network in all (counted: 94
// to 105). A round has two exchanges on its way down and two back, of what is left of the list.
static scaling_cost rank(double n, double ranks)
{
    const double rounds = n > 4096 ? ceil(log(n / 4096) / log(1.5)) : 0;
    scaling_cost c = few(ranks, 19 + 6 * rounds);
    double left = n;
    for (double k = 0; k < rounds; k++, left /= 1.5) {
        c.messages += 4 * partners(left, ranks);
        add_counts(&c, ranks, 4);
    }
    c.exchanged = 100 * leaving(n, ranks);
    return c;
}

const scaling_pattern scaling_patterns[SCALING_PATTERNS] = {
    {"reduce", "f64", 8, reduce},   {"scan", "f64", 8, scan},
    {"compact", "f64", 8, compact}, {"histogram", "u32", 4, histogram},
    {"sort", "u32", 4, sort},       {"gather", "f64", 8, gather},
    {"scatter", "f64", 8, scatter}, {"transpose", "f64", 8, transpose},
    {"stencil", "f64", 8, stencil}, {"rank", "i64", 8, rank},
};

double scaling_between(const scaling_machine *m, const scaling_cost *c)
{
    return c->rounds * m->collective + c->messages * m->latency + c->bytes * m->byte +
           c->exchanged * m->exchanged + c->steps * m->step;
}

double scaling_seconds(const scaling_machine *m, const scaling_pattern *p, double element, double n,
                       double ranks)
{
    const double alone = element * n / ranks;
    if (ranks <= 1) return alone;
    const scaling_cost c = p->cost(n, ranks);
    return alone * (1 + c.again) + scaling_between(m, &c);
}
