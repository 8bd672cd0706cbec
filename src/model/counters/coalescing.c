// SPDX-License-Identifier: Apache-2.0
//
// Requests of warps to global memory: how many sectors and lines they touch, and how many the same
// bytes would touch if they lay together.
#include "source_sites.h"

#define MAX_CHUNKS (WARP * 32) // 32 bytes a lane, in sectors of one byte

// Distinct chunks of `size` bytes (a power of two) that the lanes of a mask touch.
static int32_t chunks(const access_event *e, uint32_t mask, int32_t size)
{
    uint64_t seen[MAX_CHUNKS];
    const int shift = __builtin_ctz((unsigned)size);
    int32_t count = 0;
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        const int l = __builtin_ctz(left);
        const uint64_t first = e->address[l] >> shift;
        const uint64_t last = (e->address[l] + (uint64_t)e->bytes - 1) >> shift;
        for (uint64_t chunk = first; chunk <= last; chunk++) {
            int32_t k = count - 1; // neighbours come one after another: look at the newest first
            while (k >= 0 && seen[k] != chunk) k--;
            if (k < 0 && count < MAX_CHUNKS) seen[count++] = chunk;
        }
    }
    return count;
}

// Distinct bytes: threads that ask for the same ones share them.
static int64_t distinct_bytes(const access_event *e, uint32_t mask)
{
    uint64_t seen[WARP];
    int count = 0;
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        const uint64_t address = e->address[__builtin_ctz(left)];
        int k = count - 1;
        while (k >= 0 && seen[k] != address) k--;
        if (k < 0) seen[count++] = address;
    }
    return (int64_t)count * e->bytes;
}

// Lanes `lanes` of a sector: how many of them ask for one word, at most.
static int32_t most_alike(const access_event *e, uint32_t lanes)
{
    int32_t most = 0;
    for (uint32_t left = lanes; left != 0;) {
        const uint64_t address = e->address[__builtin_ctz(left)];
        int32_t same = 0;
        for (uint32_t rest = left; rest != 0; rest &= rest - 1) {
            const uint32_t lane = rest & -rest;
            if (e->address[__builtin_ctz(rest)] != address) continue;
            left &= ~lane;
            same++;
        }
        if (same > most) most = same;
    }
    return most;
}

// A sector goes to the L2 as often as one word of it is asked for. Lanes that the compiler adds up
// first are one.
int32_t hd__model_atomic_sends(const access_event *e, uint64_t sector, int32_t sector_bytes)
{
    uint32_t lanes = 0;
    if (e->site->combines) return 1;
    for (uint32_t left = e->mask; left != 0; left &= left - 1) {
        const int l = __builtin_ctz(left);
        lanes |= (uint32_t)(e->address[l] / (uint64_t)sector_bytes == sector) << l;
    }
    return most_alike(e, lanes);
}

// Sectors beyond one each.
static int64_t sent_again(const access_event *e, int32_t sector_bytes)
{
    uint64_t seen[WARP];
    int64_t more = 0;
    int count = 0;
    for (uint32_t left = e->mask; left != 0; left &= left - 1) {
        const uint64_t sector = e->address[__builtin_ctz(left)] / (uint64_t)sector_bytes;
        int k = count - 1;
        while (k >= 0 && seen[k] != sector) k--;
        if (k >= 0) continue;
        seen[count++] = sector;
        more += hd__model_atomic_sends(e, sector, sector_bytes) - 1;
    }
    return more;
}

static void count_part(hd_model_counts *c, const access_event *e, uint32_t mask,
                       const machine_settings *s)
{
    if (mask == 0) return;
    const int64_t ideal = (distinct_bytes(e, mask) + s->sector_bytes - 1) / s->sector_bytes;
    c->sectors += chunks(e, mask, s->sector_bytes);
    c->lines += chunks(e, mask, s->line_bytes);
    c->ideal_sectors += ideal;
}

static void count_row(hd_model_counts *c, const access_event *e, const machine_settings *s)
{
    const uint64_t first = e->address[0];
    const uint64_t bytes = (uint64_t)__builtin_popcount(e->mask) * (uint64_t)e->bytes;
    const int sector = __builtin_ctz((unsigned)s->sector_bytes);
    const int line = __builtin_ctz((unsigned)s->line_bytes);
    c->sectors += (int64_t)(((first + bytes - 1) >> sector) - (first >> sector) + 1);
    c->lines += (int64_t)(((first + bytes - 1) >> line) - (first >> line) + 1);
    c->ideal_sectors += (int64_t)((bytes + ((uint64_t)1 << sector) - 1) >> sector);
}

static void count_request(hd_model_counts *c, const access_event *e)
{
    const int64_t bytes = (int64_t)__builtin_popcount(e->mask) * e->bytes;
    switch (e->kind) {
    case ACCESS_LOAD: c->global_loads++, c->bytes_read += bytes; break;
    case ACCESS_STORE: c->global_stores++, c->bytes_written += bytes; break;
    default: c->global_atomics++, c->bytes_read += bytes, c->bytes_written += bytes; break;
    }
}

void hd__model_count_global(hd_model_counts *c, const access_event *e, const machine_settings *s)
{
    if (e->space == PTX_LOCAL) c->local_requests++;
    if (e->space == PTX_LOCAL) return;
    if (e->site->space == PTX_CONST) {
        c->constant_requests++;
        return;
    }
    if (e->poll) { // how often depends on who comes first: counted apart
        c->polls++;
        return;
    }
    count_request(c, e);
    if (s->warp_lanes == WARP && e->shape == SHAPE_ROW) {
        count_row(c, e, s);
        return;
    }
    if (e->kind == ACCESS_ATOMIC && s->warp_lanes == WARP && !e->site->combines)
        c->sectors += sent_again(e, s->sector_bytes);
    const uint32_t part = s->warp_lanes >= WARP ? ~0u : (1u << s->warp_lanes) - 1;
    for (int l = 0; l < WARP; l += s->warp_lanes) count_part(c, e, e->mask & part << l, s);
}

static void access(void *any, const machine *m, const access_event *e)
{
    hd__model_count_global(counts_of(any, e->site), e, m->grid->settings);
}

const observer hd__model_coalescing = {
    .name = "coalescing",
    .state_bytes = sizeof(site_table),
    .spaces = 1 << PTX_GLOBAL | 1 << PTX_CONST | 1 << PTX_LOCAL,
    .open = hd__model_sites_open,
    .access = access,
    .merge = hd__model_sites_merge,
    .close = hd__model_sites_close,
};
