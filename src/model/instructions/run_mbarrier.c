// SPDX-License-Identifier: Apache-2.0
//
// mbarrier: a barrier of 8 bytes in shared memory that counts arrivals and, with transactions, the
// bytes of copies. Only threads of its cluster reach it, which one host thread runs: plain memory
// will do.
#include "model/exec/access.h"
#include "model/exec/copies.h"
#include "run.h"

#include <string.h>

// Its bits: 0 to 19 arrivals of a phase, 20 to 39 those that are still expected, 40 to 61 bytes
// that are (with a sign), 62 the phase, 63 whether it was initialised.
typedef struct mbarrier_state {
    int32_t count, pending;
    int64_t bytes;
    bool phase, valid;
} mbarrier_state;

#define MAX_COUNT ((1 << 20) - 1)
#define MAX_TX    ((int64_t)1 << 20)

static mbarrier_state unpack(uint64_t bits)
{
    return (mbarrier_state){(int32_t)(bits & MAX_COUNT), (int32_t)(bits >> 20 & MAX_COUNT),
                            (int64_t)(bits << 2) >> 42, bits >> 62 & 1, bits >> 63};
}

static uint64_t pack(const mbarrier_state *s)
{
    return (uint64_t)s->count | (uint64_t)s->pending << 20 |
           ((uint64_t)s->bytes & (((uint64_t)1 << 22) - 1)) << 40 | (uint64_t)s->phase << 62 |
           (uint64_t)s->valid << 63;
}

static void settle(mbarrier_state *s)
{
    if (s->pending != 0 || s->bytes != 0) return;
    s->phase = !s->phase;
    s->pending = s->count;
}

static bool read_state(machine *m, const operation *o, const uint8_t *host, mbarrier_state *s)
{
    uint64_t bits;
    memcpy(&bits, host, sizeof bits);
    *s = unpack(bits);
    if (!s->valid) hd__model_machine_fail(m, o, "this mbarrier has not been initialised");
    return s->valid;
}

static void write_state(uint8_t *host, const mbarrier_state *s)
{
    const uint64_t bits = pack(s);
    memcpy(host, &bits, sizeof bits);
}

// Where the mbarriers of the mask are: operand k.
static void find(machine *m, const operation *o, int k, access_kind kind, access_places *p)
{
    p->order = (access_order)o->order;
    m->warp->polls++;
    for (int l = 0; l < WARP; l++) {
        p->address[l] = m->mask >> l & 1 ? listed_value(m, o, k, l) : 0;
        if (o->space == PTX_SHARED) p->address[l] = (uint32_t)p->address[l];
    }
    hd__model_access_places(m, o, (ptx_space)o->space, kind, 8, p);
}

static bool change_counts(machine *m, const operation *o, mbarrier_state *s, int64_t arrivals,
                          int64_t bytes, bool drops)
{
    s->bytes += bytes;
    if (arrivals < 0 || arrivals > s->pending || s->bytes >= MAX_TX || s->bytes <= -MAX_TX) {
        hd__model_machine_fail(
            m, o, "%lld arrivals at an mbarrier that expects %d, with %lld bytes to come",
            (long long)arrivals, (int)s->pending, (long long)s->bytes);
        return false;
    }
    s->pending -= (int32_t)arrivals;
    if (drops) s->count -= (int32_t)(arrivals < s->count ? arrivals : s->count);
    settle(s);
    return true;
}

void hd__model_mbarrier_arrive(machine *m, const operation *o, int k)
{
    access_places p;
    mbarrier_state s;
    find(m, o, k, ACCESS_ATOMIC, &p);
    for (uint32_t left = p.good; left != 0; left &= left - 1) {
        uint8_t *host = p.host[__builtin_ctz(left)];
        if (!read_state(m, o, host, &s) || !change_counts(m, o, &s, 1, 0, false)) return;
        write_state(host, &s);
    }
}

void hd__model_mbarrier_complete(machine *m, const operation *o, uint64_t address, int lane,
                                 int64_t bytes)
{
    const uint32_t mask = m->mask;
    access_places p = {.order = ORDER_RELEASE};
    mbarrier_state s;
    m->mask = 1u << lane;
    p.address[lane] = address;
    hd__model_access_places(m, o, PTX_SHARED, ACCESS_ATOMIC, 8, &p);
    m->mask = mask;
    if (p.good == 0 || !read_state(m, o, p.host[lane], &s) ||
        !change_counts(m, o, &s, 0, -bytes, false))
        return;
    write_state(p.host[lane], &s);
}

// ---- Instructions -------------------------------------------------------------------------------

// [address], count
static void init(machine *m, const operation *o)
{
    access_places p;
    find(m, o, 0, ACCESS_STORE, &p);
    for (uint32_t left = p.good; left != 0; left &= left - 1) {
        const int l = __builtin_ctz(left);
        const uint64_t count = o->mode ? 1 : (uint32_t)listed_value(m, o, 1, l);
        if (count < 1 || count > MAX_COUNT) {
            hd__model_machine_fail(m, o, "an mbarrier of %llu arrivals; expected 1 to %d",
                                   (unsigned long long)count, MAX_COUNT);
            return;
        }
        const mbarrier_state s = {(int32_t)count, (int32_t)count, 0, false, !o->mode};
        write_state(p.host[l], &s);
    }
}

// {state,} [address] {, count or bytes}. d2: how many operands are before the address.
static void arrive(machine *m, const operation *o)
{
    const ptx_instruction *i = o->text;
    const int at = (int)o->d2;
    const bool expects = ptx_has(i, PTX_MOD_EXPECT_TX), drops = ptx_has(i, PTX_MOD_ARRIVE_DROP);
    const bool arrives = drops || ptx_has(i, PTX_MOD_ARRIVE);
    const bool completes = ptx_has(i, PTX_MOD_COMPLETE_TX);
    const uint32_t *result = at > 0 ? m->frame->program->list + o->list : NULL;
    access_places p;
    mbarrier_state s;
    find(m, o, at, ACCESS_ATOMIC, &p);
    for (uint32_t left = p.good; left != 0; left &= left - 1) {
        const int l = __builtin_ctz(left);
        const int64_t value = o->count > at + 1 ? (uint32_t)listed_value(m, o, at + 1, l) : 1;
        if (!read_state(m, o, p.host[l], &s)) return;
        const uint64_t before = pack(&s);
        const int64_t arrivals = !arrives ? 0 : expects ? 1 : value;
        const int64_t bytes = expects ? value : completes ? -value : 0;
        if (!change_counts(m, o, &s, arrivals, bytes, drops)) return;
        write_state(p.host[l], &s);
        if (result != NULL) ((uint64_t *)SLOT(m, result[0]))[l] = before;
    }
}

// p, [address], state or parity
static void wait(machine *m, const operation *o)
{
    const uint32_t *result = m->frame->program->list + o->list;
    uint32_t *d = SLOT(m, result[0]), over = 0;
    access_places p;
    mbarrier_state s;
    find(m, o, 1, ACCESS_LOAD, &p);
    for (uint32_t left = p.good; left != 0; left &= left - 1) {
        const int l = __builtin_ctz(left);
        if (!read_state(m, o, p.host[l], &s)) return;
        const uint64_t asked = listed_value(m, o, 2, l);
        const bool phase = o->mode ? asked & 1 : unpack(asked).phase;
        over |= (uint32_t)(s.phase != phase) << l;
    }
    *d = (*d & ~m->mask) | (over & m->mask);
}

// count, state
static void pending_count(machine *m, const operation *o)
{
    const uint32_t *result = m->frame->program->list + o->list;
    uint32_t *d = SLOT(m, result[0]);
    for (int l = 0; l < WARP; l++)
        if (m->mask >> l & 1) d[l] = (uint32_t)unpack(listed_value(m, o, 1, l)).pending;
}

static access_order order_of(const ptx_instruction *i, access_order otherwise)
{
    return ptx_has(i, PTX_MOD_RELAXED) ? ORDER_RELAXED : otherwise;
}

static run_operation *dispatch_arrive(const ptx_instruction *i, operation *o)
{
    o->order = (uint8_t)order_of(i, ORDER_RELEASE);
    o->d2 = i->operands > 0 && i->operand[0].kind != PTX_MEMORY;
    const int left = i->operands - (int)o->d2;
    if (o->d2 == 1 && !(o->c & o->d & 1)) return NULL; // the state is a wide register
    return left >= 1 && left <= 2 && i->operand[o->d2].kind == PTX_MEMORY ? arrive : NULL;
}

run_operation *hd__model_dispatch_mbarrier(const ptx_instruction *i, operation *o)
{
    if (i->type[0] != PTX_B64 || (o->space != PTX_SHARED && o->space != PTX_GENERIC)) return NULL;
    if (ptx_has(i, PTX_MOD_INIT) || ptx_has(i, PTX_MOD_INVAL)) {
        o->mode = ptx_has(i, PTX_MOD_INVAL);
        return i->operands == 2 - o->mode && i->operand[0].kind == PTX_MEMORY ? init : NULL;
    }
    if (ptx_has(i, PTX_MOD_TEST_WAIT) || ptx_has(i, PTX_MOD_TRY_WAIT)) {
        o->mode = ptx_has(i, PTX_MOD_PARITY);
        o->order = (uint8_t)order_of(i, ORDER_ACQUIRE);
        if (!(o->b & o->d & 1) || i->operands < 3) return NULL;
        return i->operand[1].kind == PTX_MEMORY ? wait : NULL;
    }
    if (ptx_has(i, PTX_MOD_PENDING_COUNT))
        return i->operands == 2 && (o->d & ~(o->b | o->c) & 1) ? pending_count : NULL;
    if (ptx_has(i, PTX_MOD_ARRIVE) || ptx_has(i, PTX_MOD_ARRIVE_DROP) ||
        ptx_has(i, PTX_MOD_EXPECT_TX) || ptx_has(i, PTX_MOD_COMPLETE_TX))
        return dispatch_arrive(i, o);
    return NULL;
}
