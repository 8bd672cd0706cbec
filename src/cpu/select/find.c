// SPDX-License-Identifier: Apache-2.0
// Find: threads take blocks in order and stop at the first block that begins behind a match. What
// is looked for becomes one comparison of masked bits, whatever the type.
#include "patterns/select/find.h"
#include "core/system/float_state.h"
#include "cpu/runtime/cpu.h"
#include "cpu/runtime/ticket_order.h"
#include "cpu/runtime/team.h"

// An element is wanted where ((bits & mask) == target) == equal.
typedef struct wanted {
    uint64_t mask, target;
    bool equal, never;
    size_t size;
    const void *value; // structures are compared as they are
} wanted;

#define T    uint8_t
#define NAME 8
#include "find.inc"
#define T    uint16_t
#define NAME 16
#include "find.inc"
#define T    uint32_t
#define NAME 32
#include "find.inc"
#define T    uint64_t
#define NAME 64
#include "find.inc"

static bool is_nan(hd_type type, const void *value)
{
    return hd__is_float(type) && !hd__is_wanted(type, value, value);
}

// Floats: a zero of either sign is the number without its sign bit.
static wanted make_wanted(hd_type type, const void *value)
{
    wanted w = {.mask = UINT64_MAX, .equal = value != NULL, .size = hd__size_of(type)};
    w.value = value;
    if (!hd__is_number(type)) return w;
    if (value != NULL && is_nan(type, value)) w.never = true;
    const bool zero = value == NULL || !hd__is_wanted(type, value, NULL);
    if (!zero) memcpy(&w.target, value, w.size);
    if (zero && hd__is_float(type)) w.mask = ~(UINT64_C(1) << (8 * w.size - 1));
    if (type == HD_BOOL && !zero) { // any byte but 0 is true
        w.target = 0;
        w.equal = false;
    }
    return w;
}

static int64_t look_structures(const wanted *w, const char *x, int64_t n, bool last)
{
    for (int64_t k = 0; k < n; k++) {
        const int64_t i = last ? n - 1 - k : k;
        if (memcmp(x + (size_t)i * w->size, w->value, w->size) == 0) return i;
    }
    return -1;
}

static int64_t look(const wanted *w, hd_type type, const void *x, int64_t n, bool last)
{
    if (!hd__is_number(type)) return look_structures(w, x, n, last);
    switch (w->size) {
    case 1: return look_8(w, x, n, last);
    case 2: return look_16(w, x, n, last);
    case 4: return look_32(w, x, n, last);
    default: return look_64(w, x, n, last);
    }
}

typedef struct search {
    const hd__find_job *job;
    wanted w;
    hd_type type;
    int64_t block, blocks;
    hd__cpu_tickets tickets;
    atomic_llong
        nearest; // how many elements come before what was found, from the side one looks from
} search;

// Blocks are numbered from the side one looks from.
static void run(search *s, void *scratch)
{
    const int64_t n = s->job->in.n;
    for (;;) {
        const int64_t b = hd__cpu_ticket_take(&s->tickets);
        const int64_t far = b * s->block;
        if (b >= s->blocks || far > atomic_load_explicit(&s->nearest, memory_order_relaxed)) return;
        const int64_t m = n - far < s->block ? n - far : s->block;
        const int64_t start = s->job->last ? n - far - m : far;
        const void *x = hd__read_elements(&s->job->in, start, m, scratch);
        const int64_t at = look(&s->w, s->type, x, m, s->job->last);
        if (at < 0) continue;
        long long mine = far + (s->job->last ? m - 1 - at : at);
        long long nearest = atomic_load(&s->nearest);
        while (mine < nearest && !atomic_compare_exchange_weak(&s->nearest, &nearest, mine)) {
        }
        return; // its later blocks are behind this one
    }
}

hd_status hd__cpu_find(hd_context *ctx, const void *any, const char **why)
{
    const hd__find_job *job = any;
    (void)why; // never declines
    const int64_t n = job->in.n;
    search s = {.job = job, .type = hd__element_type(&job->in)};
    s.w = make_wanted(s.type, job->value);
    *job->position = -1;
    if (n == 0 || s.w.never) return HD_OK;
    const bool straight = job->in.map == NULL && hd__is_contiguous(&job->in.view[0]);
    s.block = (straight ? hd__cpu_tune.find_block_bytes : hd__cpu_tune.find_tile_bytes) /
              (int64_t)s.w.size;
    s.blocks = (n - 1) / s.block + 1;
    atomic_init(&s.nearest, n);
    const int threads = hd__cpu_threads_for(ctx, n, s.w.size * (job->in.map != NULL ? 4 : 1));
    hd__cpu_tickets_init(&s.tickets, threads);
    const size_t bytes = hd__padded(straight ? 1 : hd__elements_bytes(&job->in, s.block));
    unsigned char *scratch = hd__scratch(ctx, (size_t)threads * bytes);
    if (scratch == NULL) return HD_ERROR_MEMORY;
    if (threads == 1) {
        run(&s, scratch);
    } else {
#pragma omp parallel num_threads(threads)
        {
            HD__FLOAT_STATE;
            run(&s, scratch + (size_t)omp_get_thread_num() * bytes);
        }
    }
    const int64_t nearest = atomic_load(&s.nearest);
    if (nearest < n) *job->position = job->last ? n - 1 - nearest : nearest;
    return HD_OK;
}
