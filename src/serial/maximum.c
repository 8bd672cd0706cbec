// SPDX-License-Identifier: Apache-2.0
// The maximum by rounds, one group after another. Players stand in the order of their indices, so
// of equals the first wins.
#include "patterns/list/maximum.h"
#include "serial.h"

typedef struct players {
    uint64_t *key;
    int64_t *index;
} players;

// Which of q wins, with the operations that took.
static int64_t play(hd__play way, const uint64_t *key, int64_t q, int64_t *work)
{
    int64_t best = 0;
    if (way != HD__ALL_AT_ONCE) {
        for (int64_t i = 1; i < q; i++, ++*work)
            if (key[i] > key[best]) best = i;
        return best;
    }
    for (int64_t i = 0; q > 1 && i < q; i++) {
        bool kept = true; // set; compared with each; looked at
        for (int64_t j = 0; j < q; j++, ++*work)
            if (key[j] > key[i] || (key[j] == key[i] && j < i)) kept = false;
        if (kept) best = i;
        *work += 2;
    }
    return best;
}

// Winners overwrite the first players, whose groups have been played.
static int64_t play_round(const hd__round *round, players p, int64_t m, int64_t *work)
{
    int64_t winners = 0;
    for (int64_t at = 0; at < m; at += round->group, winners++) {
        const int64_t q = m - at < round->group ? m - at : round->group;
        const int64_t best = at + play(round->play, p.key + at, q, work);
        p.key[winners] = p.key[best];
        p.index[winners] = p.index[best];
    }
    return winners;
}

hd_status hd__serial_maximum(hd_context *ctx, const void *any, const char **why)
{
    const hd__maximum_job *job = any;
    (void)why;
    const size_t row = (size_t)job->n * sizeof(uint64_t);
    unsigned char *memory = hd__scratch(ctx, 2 * row);
    if (memory == NULL) return HD_ERROR_MEMORY;
    const players p = {(uint64_t *)memory, (int64_t *)(memory + row)};
    int64_t m = job->n;
    hd__order_keys(&job->in, 0, m, p.key);
    for (int64_t i = 0; i < m; i++) p.index[i] = i;
    for (int k = 0; k < job->rounds; k++) {
        int64_t work = 0;
        const int64_t before = m;
        m = play_round(&job->round[k], p, m, &work);
        hd__count_round(job->result, job->round[k].play, job->round[k].group, before, work);
    }
    job->result->index = p.index[0];
    return HD_OK;
}
