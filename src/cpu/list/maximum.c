// SPDX-License-Identifier: Apache-2.0
// The maximum by rounds of comparisons (Valiant 1975; Shiloach and Vishkin 1981): threads take
// groups; where there are fewer groups than threads, they take the players of each group. Winners
// go from one array of players to another.
#include "patterns/list/maximum.h"
#include "cpu/runtime/cpu.h"
#include "cpu/runtime/team.h"
#include "core/system/float_state.h"

typedef struct players {
    uint64_t *key;
    int64_t *index; // NULL: a player's place is its index, before the first round
} players;

// Whether any of q beats player i: all comparisons are made, as all processors would.
static bool loses(const uint64_t *key, int64_t q, int64_t i)
{
    const uint64_t own = key[i];
    uint64_t beaten = 0;
    for (int64_t j = 0; j < i; j++) beaten |= key[j] >= own;
    for (int64_t j = i; j < q; j++) beaten |= key[j] > own;
    return beaten;
}

static int64_t play(hd__play way, const uint64_t *key, int64_t q, int64_t *work)
{
    int64_t best = 0;
    if (way == HD__ALL_AT_ONCE) {
        for (int64_t i = 0; q > 1 && i < q; i++)
            if (!loses(key, q, i)) best = i;
        *work += q > 1 ? q * q + 2 * q : 0;
        return best;
    }
    for (int64_t i = 1; i < q; i++) best = key[i] > key[best] ? i : best;
    *work += q - 1;
    return best;
}

// One large group by all threads.
static int64_t play_wide(const uint64_t *key, int64_t q, int threads, int64_t *work)
{
    int64_t best = 0, done = 0;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(+ : best, done)
    for (int64_t i = 0; i < q; i++) {
        best += loses(key, q, i) ? 0 : i; // one alone does not lose
        done += q + 2;
    }
    *work += done;
    return best;
}

static void enter(players to, int64_t slot, players from, int64_t best)
{
    to.key[slot] = from.key[best];
    to.index[slot] = from.index != NULL ? from.index[best] : best;
}

static int64_t play_round(const hd__round *round, players from, players to, int64_t m, int threads)
{
    const int64_t g = round->group, groups = (m + g - 1) / g;
    int64_t work = 0;
    if (round->play == HD__ALL_AT_ONCE && groups < threads) {
        for (int64_t k = 0; k < groups; k++) {
            const int64_t q = m - k * g < g ? m - k * g : g;
            enter(to, k, from,
                  k * g + (q > 1 ? play_wide(from.key + k * g, q, threads, &work) : 0));
        }
        return work;
    }
#pragma omp parallel for num_threads(threads) schedule(static) reduction(+ : work) if (threads > 1)
    for (int64_t k = 0; k < groups; k++) {
        const int64_t q = m - k * g < g ? m - k * g : g;
        enter(to, k, from, k * g + play(round->play, from.key + k * g, q, &work));
    }
    return work;
}

static void read_keys(const hd__maximum_job *job, uint64_t *keys, int threads)
{
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
    for (int t = 0; t < threads; t++) {
        HD__FLOAT_STATE;
        const int64_t begin = job->n / threads * t,
                      end = t + 1 < threads ? job->n / threads * (t + 1) : job->n;
        hd__order_keys(&job->in, begin, end - begin, keys + begin);
    }
}

// Operations of a round, for the choice of threads.
static int64_t expected_work(const hd__round *round, int64_t m)
{
    const int64_t g = round->group < m ? round->group : m;
    return round->play == HD__ALL_AT_ONCE ? m * g : m;
}

hd_status hd__cpu_maximum(hd_context *ctx, const void *any, const char **why)
{
    const hd__maximum_job *job = any;
    (void)why;
    const int64_t n = job->n, half = n / 2 + 1;
    uint64_t *memory = hd__scratch(ctx, (size_t)(n + 4 * half) * sizeof(uint64_t));
    if (memory == NULL) return HD_ERROR_MEMORY;
    players from = {memory, NULL}, to = {memory + n, (int64_t *)memory + n + half};
    players spare = {memory + n + 2 * half, (int64_t *)memory + n + 3 * half};
    int64_t m = n;
    read_keys(job, from.key, hd__cpu_threads_for(ctx, n, sizeof(uint64_t)));
    for (int k = 0; k < job->rounds; k++) {
        const hd__round *round = &job->round[k];
        const int threads = hd__cpu_threads_for(ctx, expected_work(round, m), sizeof(uint64_t));
        const int64_t work = play_round(round, from, to, m, threads);
        hd__count_round(job->result, round->play, round->group, m, work);
        m = (m + round->group - 1) / round->group;
        const players played = from.index != NULL ? from : spare;
        from = to;
        to = played;
    }
    job->result->index = from.index != NULL ? from.index[0] : 0;
    return HD_OK;
}
