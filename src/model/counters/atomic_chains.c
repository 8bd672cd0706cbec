// SPDX-License-Identifier: Apache-2.0
//
// Atomics of one request that meet on an address go one after another: the longest such chain is
// the time of the request.
#include "source_sites.h"

static void access(void *any, const machine *m, const access_event *e)
{
    int32_t longest = 0;
    (void)m;
    if (e->poll) return;
    for (uint32_t left = e->mask; left != 0;) {
        const uint64_t address = e->address[__builtin_ctz(left)];
        uint32_t same = 0;
        for (uint32_t rest = left; rest != 0; rest &= rest - 1) {
            const int l = __builtin_ctz(rest);
            same |= (uint32_t)(e->address[l] == address) << l;
        }
        const int32_t n = __builtin_popcount(same);
        if (n > longest) longest = n;
        left &= ~same;
    }
    counts_of(any, e->site)->atomic_steps += longest;
}

const observer hd__model_atomic_chains = {
    .name = "atomics",
    .state_bytes = sizeof(site_table),
    .kinds = 1 << ACCESS_ATOMIC,
    .open = hd__model_sites_open,
    .access = access,
    .merge = hd__model_sites_merge,
    .close = hd__model_sites_close,
};
