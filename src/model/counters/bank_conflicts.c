// SPDX-License-Identifier: Apache-2.0
//
// Requests to shared memory: a wavefront serves one word of each bank; lanes that ask for the same
// word share it. Accesses of 8 and 16 bytes go by half and by quarter of a warp, by twice as many
// lanes where neighbours ask for the same; loads of 8 bytes fill up the wavefronts of one half with
// the other's. Atomics on one word go one after another.
#include "source_sites.h"

#define MAX_BANKS 64

// Wavefronts of some lanes: the most distinct words that one bank is asked for.
static int32_t wavefronts(const access_event *e, uint32_t mask, const machine_settings *s)
{
    uint64_t words[MAX_BANKS][WARP];
    int32_t count[MAX_BANKS] = {0}, most = 0;
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        const int l = __builtin_ctz(left);
        const uint64_t first = e->address[l] / (uint64_t)s->bank_bytes;
        const uint64_t last = (e->address[l] + (uint64_t)e->bytes - 1) / (uint64_t)s->bank_bytes;
        for (uint64_t word = first; word <= last; word++) {
            const int bank = (int)(word % (uint64_t)s->banks);
            int32_t k = count[bank] - 1;
            while (k >= 0 && words[bank][k] != word) k--;
            if (k < 0 && count[bank] < WARP) words[bank][count[bank]++] = word;
            if (count[bank] > most) most = count[bank];
        }
    }
    return most;
}

// An addition of one, to which the hardware adds all lanes of a word at once.
static bool counts_lanes(const access_event *e)
{
    const ptx_instruction *i = e->site->text;
    const ptx_operand *last = i->operands > 0 ? &i->operand[i->operands - 1] : NULL;
    return ptx_has(i, PTX_MOD_ADD) && e->bytes == 4 && last != NULL &&
           last->kind == PTX_IMMEDIATE && last->value == 1;
}

// Atomics: the lanes of a bank are served one after another.
static int32_t serialised_atomics(const access_event *e, uint32_t mask, const machine_settings *s)
{
    int32_t count[MAX_BANKS] = {0}, most = 0;
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        const uint64_t word = e->address[__builtin_ctz(left)] / (uint64_t)s->bank_bytes;
        const int bank = (int)(word % (uint64_t)s->banks);
        if (++count[bank] > most) most = count[bank];
    }
    return most;
}

// Whether every lane asks for what the lane `apart` from it asks for.
static bool alike(const access_event *e, int apart)
{
    for (uint32_t left = e->mask; left != 0; left &= left - 1) {
        const int l = __builtin_ctz(left), other = l ^ apart;
        if (e->mask >> other & 1 && e->address[other] != e->address[l]) return false;
    }
    return true;
}

// Word after word, or all the same one: no conflict, found without tables.
static bool is_free(const access_event *e, const machine_settings *s)
{
    uint64_t row = 0, same = 0;
    if (e->bytes != s->bank_bytes || s->banks < WARP || s->warp_lanes != WARP) return false;
    if (e->kind == ACCESS_ATOMIC) return e->shape == SHAPE_ROW;
    if (e->shape != SHAPE_ANY) return true;
    const int first = __builtin_ctz(e->mask);
    const uint64_t start = e->address[first] - (uint64_t)first * (uint64_t)e->bytes;
    for (uint32_t left = e->mask; left != 0; left &= left - 1) {
        const int l = __builtin_ctz(left);
        row |= e->address[l] ^ (start + (uint64_t)l * (uint64_t)e->bytes);
        same |= e->address[l] ^ e->address[first];
    }
    return row == 0 || same == 0;
}

// Lanes 0 to n - 1 at a constant distance of whole words: the banks repeat after so many lanes.
static int32_t wavefronts_of_stride(const access_event *e, const machine_settings *s)
{
    uint64_t wrong = 0;
    const int n = __builtin_popcount(e->mask);
    const uint64_t step = e->address[1] - e->address[0];
    if ((e->mask & (e->mask + 1)) != 0 || n < 2 || e->bytes != s->bank_bytes || step == 0 ||
        s->warp_lanes != WARP || s->banks < WARP)
        return 0;
    for (int l = 2; l < n; l++) wrong |= e->address[l] ^ (e->address[0] + (uint64_t)l * step);
    if (wrong != 0 || step % (uint64_t)e->bytes != 0) return 0;
    const int twos = __builtin_ctzll(step / (uint64_t)e->bytes);
    const int32_t period = twos < 6 && s->banks >> twos > 0 ? s->banks >> twos : 1;
    return (n + period - 1) / period;
}

// Loads by halves: one wavefront each at least, and as many as a bank has words to give.
static void count_halves(hd_model_counts *c, const access_event *e, uint32_t half,
                         const machine_settings *s)
{
    const int32_t least = ((e->mask & half) != 0) + ((e->mask & ~half) != 0);
    const int32_t most = wavefronts(e, e->mask, s);
    c->wavefronts += most > least ? most : least;
    c->conflicts += most > least ? most - least : 0;
}

static void count_wavefronts(hd_model_counts *c, const access_event *e, const machine_settings *s)
{
    const int32_t at_once = s->banks * s->bank_bytes / e->bytes; // lanes that the banks can serve
    const int32_t regular = wavefronts_of_stride(e, s);
    if (regular > 0) {
        c->wavefronts += regular, c->conflicts += regular - 1;
        return;
    }
    int32_t part = s->warp_lanes;
    while (part > at_once && part > 1) part /= 2;
    const bool each = e->kind == ACCESS_ATOMIC && !counts_lanes(e);
    if (part < s->warp_lanes && e->kind == ACCESS_LOAD && (alike(e, 1) || alike(e, 2))) part *= 2;
    const uint32_t lanes = part >= WARP ? ~0u : (1u << part) - 1;
    if (e->kind == ACCESS_LOAD && part == at_once && 2 * part == WARP && s->warp_lanes == WARP) {
        count_halves(c, e, lanes, s);
        return;
    }
    for (int l = 0; l < WARP; l += part) {
        const uint32_t mask = e->mask & lanes << l;
        if (mask == 0) continue;
        const int32_t n = each ? serialised_atomics(e, mask, s) : wavefronts(e, mask, s);
        c->wavefronts += n;
        c->conflicts += n - 1;
    }
}

void hd__model_count_shared(hd_model_counts *c, const access_event *e, const machine_settings *s)
{
    if (e->space != PTX_SHARED) return;
    if (e->poll) {
        c->polls++;
        return;
    }
    switch (e->kind) {
    case ACCESS_LOAD: c->shared_loads++; break;
    case ACCESS_STORE: c->shared_stores++; break;
    default: c->shared_atomics++; break;
    }
    if (is_free(e, s))
        c->wavefronts++;
    else
        count_wavefronts(c, e, s);
}

static void access(void *any, const machine *m, const access_event *e)
{
    hd__model_count_shared(counts_of(any, e->site), e, m->grid->settings);
}

const observer hd__model_bank_conflicts = {
    .name = "banks",
    .state_bytes = sizeof(site_table),
    .spaces = 1 << PTX_SHARED,
    .open = hd__model_sites_open,
    .access = access,
    .merge = hd__model_sites_merge,
    .close = hd__model_sites_close,
};
