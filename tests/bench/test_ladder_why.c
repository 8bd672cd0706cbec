// SPDX-License-Identifier: Apache-2.0
// link: heddle_cli
//
// The sentence that says why a step is faster: of the part of the chip that the time went to, and
// with the counts before and after, whatever else has changed more.
#include "tests/support/check.h"

#include <string.h>

#include "ladder/ladder.h"

// Parts as stage_parts has them.
enum { DRAM, L2, L1, ISSUE, LATENCY, ATOMICS };

static ladder_result before, after;

static void begin(double seconds, double faster)
{
    memset(&before, 0, sizeof before);
    before.totals.launches = 1;
    before.totals.span = 100;
    before.totals.counts.warp_instructions = before.totals.counts.thread_instructions = 3200;
    before.totals.predicted_seconds = seconds;
    after = before;
    after.totals.predicted_seconds = faster;
}

static void expect(bool starts, const char *text)
{
    char why[256];
    ladder_why(&before, &after, starts, why, sizeof why);
    CHECK(strcmp(why, text) == 0, "\"%s\", expected \"%s\"", why, text);
}

// Fewer launches and better coalesced, but the time went to launches; where those are no reason, to
// the L2.
static void test_launches(void)
{
    begin(7e-6, 3e-6);
    before.totals.launches = 3;
    before.totals.parts[L2] = 1e-6;
    before.totals.counts.sectors = 1 << 20;
    after.totals.parts[L2] = 5e-7;
    expect(true, "fewer launches: 3 down to 1");
    before.totals.counts.ideal_sectors = 1 << 20;
    expect(false, "less traffic: 1,048,576 sectors down to 0");
}

static void test_atomics(void)
{
    begin(60e-6, 10e-6);
    before.totals.parts[ATOMICS] = 58e-6;
    before.totals.parts[L2] = after.totals.parts[L2] = 1e-6;
    before.totals.counts.sectors = 1 << 20;
    before.totals.counts.global_atomics = 4096;
    after.totals.parts[ATOMICS] = 8e-6;
    after.totals.counts.global_atomics = 32;
    after.totals.counts.atomic_steps = 5; // in shared memory: no longer queue than before is named
    expect(true, "fewer atomics in global memory: 4,096 of warps down to 32");
    after.totals.counts.global_atomics = 4096;
    expect(true, "less time in atomics: 58.00 us down to 8.00");
}

// All warps together have fewer barriers, and each of them a longer span, which take the time.
static void test_latency(void)
{
    begin(5e-6, 6e-6);
    before.totals.parts[LATENCY] = 1e-6;
    before.totals.counts.barriers = 12312;
    after.totals.parts[LATENCY] = 2e-6;
    after.totals.counts.barriers = 1560;
    after.totals.span = 180;
    expect(true, "a longer span: 100 instructions of a warp up to 180");
}

static void test_conflicts(void)
{
    begin(5e-6, 4e-6);
    before.totals.parts[L1] = 3e-6;
    before.totals.counts.conflicts = 1048576;
    after.totals.parts[L1] = 1e-6;
    after.totals.counts.conflicts = 32768;
    expect(true, "bank conflicts: 1,048,576 extra wavefronts down to 32,768");
    after = before;
    expect(true, "nothing that is counted has changed");
}

int main(void)
{
    test_launches();
    test_atomics();
    test_latency();
    test_conflicts();
    return check_finish();
}
