// SPDX-License-Identifier: Apache-2.0
// List ranking by contraction: in each round an independent set of nodes, those whose random number
// is less than both neighbours', leaves the list, and the node before each links to the one after
// it, with a weight. That is a third of the nodes a round, so work O(n) in all. What is left is
// ranked on one rank; then the nodes come back, round by round, each with the rank of the node that
// it linked to [R. J. Anderson and G. L. Miller, "Deterministic parallel list ranking",
// Algorithmica 6 (1991); J. F. Sibeyn, "Better trade-offs for parallel list ranking", SPAA 1997].
//
// A circle shrinks to two nodes, each both before and after the other, which leave without telling
// each other and come back without a rank.
#include "contract.h"

#include "few.h"
#include "mpi/layout.h"
#include "mpi/move/requests.h"
#include "mpi/move/route.h"
#include "mpi/views.h"

// From so few nodes on one rank is faster than further rounds; and so many rounds at most, which
// random numbers never need.
enum { FEW = 4096, MOST_ROUNDS = 256 };

typedef struct contraction {
    hd_mpi *m;
    hd__mpi_list *l;
    hd_view weight; // links that the link of each node stands for; of a last node those behind it
    hd_view rank;
    hd_view last;   // of a node without a link the last one of its list; empty: not asked for
    hd_view active; // the nodes that are left, rising; positions in this rank's part
    hd_view left;   // those that have left, round by round
    int64_t rounds, ends[MOST_ROUNDS + 1];
    hd_view next, before; // of the nodes that leave in this round
} contraction;

// ---- Who leaves ---------------------------------------------------------------------------------

HD_SOURCE(
    contraction_rounds, typedef struct { int64_t begin, round; } contraction_round;
    // The random number of a node, another one in each round: the finalizer of splitmix64, which
    // gives no two nodes the same.
    static inline uint64_t contraction_draw(int64_t node, int64_t round) {
        uint64_t x = (uint64_t)node * 0x9e3779b97f4a7c15u + (uint64_t)round * 0xd1b54a32d192ed03u;
        x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
        x = (x ^ x >> 27) * 0x94d049bb133111ebu;
        return x ^ x >> 31;
    })
HD_FUNCTION_STATE(leaves, bool, contraction_rounds, (int64_t, i, int64_t, next, int64_t, before),
                  contraction_round, {
                      const int64_t node = state->begin + i;
                      const uint64_t mine = contraction_draw(node, state->round);
                      return (next == node || mine < contraction_draw(next, state->round)) &&
                             (before < 0 || mine < contraction_draw(before, state->round));
                  })

// Of the active nodes those that leave in this round, with their links; the others stay.
static hd_status select_round(contraction *c)
{
    hd_mpi *m = c->m;
    hd_context *ctx = m->ctx;
    const int64_t n = c->active.shape[0], from = c->ends[c->rounds];
    const contraction_round round = {c->l->begin[m->rank], c->rounds};
    hd_view flags = HD_EMPTY, kept = hd_slice(c->left, 0, from, c->l->n - from, 1);
    int64_t count = 0, same = 0;
    const hd_compact_options go = {.flags = &flags}, stay = {.flags = &flags, .invert = true};
    hd_status status = hd__mpi_gathered(m, c->l->next, c->active, &c->next);
    if (status == HD_OK) status = hd__mpi_gathered(m, c->l->before, c->active, &c->before);
    if (status == HD_OK) status = hd__mpi_row(m, HD_BOOL, n, &flags);
    if (status == HD_OK)
        status = hd__mpi_failed(m, hd_map(ctx, c->active, HD_WITH_STATE(leaves, &round), flags,
                                          &(hd_map_options){.with = HD_VIEWS(c->next, c->before)}));
    const hd_view *all[4] = {&c->active, &c->next, &c->before, &c->active};
    const hd_view *out[4] = {&kept, &c->next, &c->before, &c->active};
    for (int k = 0; status == HD_OK && k < 4; k++)
        status = hd__mpi_failed(m, hd_compact(ctx, *all[k], *out[k], HD_VIEW(k ? &same : &count, 1),
                                              k < 3 ? &go : &stay));
    hd__mpi_drop(m, &flags);
    if (status != HD_OK) return status;
    c->ends[c->rounds + 1] = from + count;
    c->active.shape[0] = n - count;
    c->next.shape[0] = c->before.shape[0] = count;
    return HD_OK;
}

// The nodes that left in a round.
static hd_view left_in(const contraction *c, int64_t round)
{
    return hd_slice(c->left, 0, c->ends[round], c->ends[round + 1] - c->ends[round], 1);
}

// ---- What the neighbours are told ---------------------------------------------------------------

// To the node before: the link that takes the place of its own, and a weight for it; to the node
// after (weight -1): who comes before it now. node is a position, *state where the part begins.
HD_SOURCE(
    contraction_messages, typedef struct { int64_t link, weight; } contraction_news;)
HD_FUNCTION_STATE(news_before, contraction_news, contraction_messages,
                  (int64_t, next, int64_t, before, int64_t, weight, int64_t, i), int64_t, {
                      contraction_news news = {next == *state + i ? before : next, weight};
                      return news;
                  })
HD_FUNCTION(news_after, contraction_news, contraction_messages, (int64_t, before), {
    contraction_news news = {before, -1};
    return news;
})
HD_FUNCTION(told_before, int64_t, HD_NO_SOURCE, (int64_t, next, int64_t, before),
            { return next == before ? -1 : before; })
HD_FUNCTION_STATE(told_after, int64_t, HD_NO_SOURCE, (int64_t, next, int64_t, before, int64_t, i),
                  int64_t, { return next == before || next == *state + i ? -1 : next; })

// Who is told, and what: the nodes before, and then those after the nodes that leave.
static hd_status write_news(contraction *c, hd_view *told, hd_view *news)
{
    hd_mpi *m = c->m;
    hd_context *ctx = m->ctx;
    const hd_view node = left_in(c, c->rounds), next = c->next, before = c->before;
    const int64_t n = node.shape[0], *first = &c->l->begin[m->rank];
    hd_view weight = HD_EMPTY;
    hd_status status = hd__mpi_row(m, HD_I64, 2 * n, told);
    if (status == HD_OK) status = hd__mpi_row(m, HD_STRUCT(contraction_news), 2 * n, news);
    if (status == HD_OK) status = hd__mpi_gathered(m, c->weight, node, &weight);
    if (status == HD_OK)
        status = hd__mpi_failed(m, hd_map(ctx, next, told_before, hd_slice(*told, 0, 0, n, 1),
                                          &(hd_map_options){.with = HD_VIEWS(before)}));
    if (status == HD_OK)
        status = hd__mpi_failed(m, hd_map(ctx, next, HD_WITH_STATE(told_after, first),
                                          hd_slice(*told, 0, n, n, 1),
                                          &(hd_map_options){.with = HD_VIEWS(before, node)}));
    if (status == HD_OK)
        status = hd__mpi_failed(
            m, hd_map(ctx, next, HD_WITH_STATE(news_before, first), hd_slice(*news, 0, 0, n, 1),
                      &(hd_map_options){.with = HD_VIEWS(before, weight, node)}));
    if (status == HD_OK)
        status =
            hd__mpi_failed(m, hd_map(ctx, before, news_after, hd_slice(*news, 0, n, n, 1), NULL));
    hd__mpi_drop(m, &weight);
    return status;
}

HD_FUNCTION(if_before, int64_t, HD_NO_SOURCE, (int64_t, at, int64_t, weight),
            { return weight >= 0 ? at : -1; })
HD_FUNCTION(if_after, int64_t, HD_NO_SOURCE, (int64_t, at, int64_t, weight),
            { return weight < 0 ? at : -1; })

// A node hears of each neighbour once at most.
static hd_status read_news(contraction *c, hd_view at, hd_view news)
{
    hd_mpi *m = c->m;
    hd_context *ctx = m->ctx;
    const int64_t n = at.shape[0];
    const hd_scatter_options add = {.combine = HD_SUM};
    hd_view link = HD_EMPTY, weight = HD_EMPTY, to = HD_EMPTY;
    hd_status status = hd__mpi_row(m, HD_I64, n, &link);
    if (status == HD_OK) status = hd__mpi_row(m, HD_I64, n, &weight);
    if (status == HD_OK) status = hd__mpi_row(m, HD_I64, n, &to);
    if (status == HD_OK)
        status = hd__mpi_failed(m, hd_unzip(ctx, news, HD_VIEWS(link, weight), NULL));
    const hd_map_options with = {.with = HD_VIEWS(weight)};
    if (status == HD_OK) status = hd__mpi_failed(m, hd_map(ctx, at, if_before, to, &with));
    if (status == HD_OK) status = hd__mpi_failed(m, hd_scatter(ctx, link, to, c->l->next, NULL));
    if (status == HD_OK) status = hd__mpi_failed(m, hd_scatter(ctx, weight, to, c->weight, &add));
    if (status == HD_OK) status = hd__mpi_failed(m, hd_map(ctx, at, if_after, to, &with));
    if (status == HD_OK) status = hd__mpi_failed(m, hd_scatter(ctx, link, to, c->l->before, NULL));
    hd__mpi_drop(m, &link);
    hd__mpi_drop(m, &weight);
    hd__mpi_drop(m, &to);
    return status;
}

HD_FUNCTION_STATE(passed_last, int64_t, HD_NO_SOURCE, (int64_t, next, int64_t, last, int64_t, i),
                  int64_t, { return next == *state + i ? last : -1; })
HD_FUNCTION(if_passed, int64_t, HD_NO_SOURCE, (int64_t, at, int64_t, last),
            { return last >= 0 ? at : -1; })

// A node that has no link when it leaves passes on, to the one before it, which is the last.
static hd_status pass_last(contraction *c, hd_status status, const hd__mpi_route *route, hd_view at)
{
    hd_mpi *m = c->m;
    hd_view own = HD_EMPTY, passed = HD_EMPTY, came, to = HD_EMPTY;
    if (c->last.type == HD_NONE) return status;
    const hd_view node = left_in(c, c->rounds);
    const int64_t n = node.shape[0];
    if (status == HD_OK) status = hd__mpi_gathered(m, c->last, node, &own);
    if (status == HD_OK) status = hd__mpi_filled(m, 2 * n, -1, &passed);
    if (status == HD_OK)
        status = hd__mpi_failed(m, hd_map(m->ctx, c->next,
                                          HD_WITH_STATE(passed_last, &c->l->begin[m->rank]),
                                          hd_slice(passed, 0, 0, n, 1),
                                          &(hd_map_options){.with = HD_VIEWS(own, node)}));
    status = hd__mpi_deliver(m, status, route, passed, &came);
    if (status == HD_OK) status = hd__mpi_row(m, HD_I64, at.shape[0], &to);
    if (status == HD_OK)
        status = hd__mpi_failed(
            m, hd_map(m->ctx, at, if_passed, to, &(hd_map_options){.with = HD_VIEWS(came)}));
    if (status == HD_OK) status = hd__mpi_failed(m, hd_scatter(m->ctx, came, to, c->last, NULL));
    hd_view *rows[] = {&own, &passed, &came, &to};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) hd__mpi_drop(m, rows[k]);
    return status;
}

static hd_status contract_round(contraction *c)
{
    hd_mpi *m = c->m;
    hd__mpi_route route;
    hd_view told = HD_EMPTY, news = HD_EMPTY, at, came;
    hd_status status = select_round(c);
    if (status == HD_OK) status = write_news(c, &told, &news);
    status = hd__mpi_find_route(m, status, c->l->begin, told, &route);
    status = hd__mpi_deliver_indices(m, status, &route, c->l->begin, told, &at);
    status = hd__mpi_deliver(m, status, &route, news, &came);
    if (status == HD_OK) status = read_news(c, at, came);
    status = pass_last(c, status, &route, at);
    hd_view *rows[] = {&c->next, &c->before, &told, &news, &at, &came};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) hd__mpi_drop(m, rows[k]);
    hd__mpi_drop_route(m, &route);
    c->rounds++;
    return status;
}

// ---- And back -----------------------------------------------------------------------------------

HD_FUNCTION_STATE(rank_of, int64_t, HD_NO_SOURCE,
                  (int64_t, i, int64_t, next, int64_t, weight, int64_t, rank), int64_t, {
                      return next == *state + i ? weight : rank < 0 ? -1 : rank + weight;
                  })

HD_FUNCTION_STATE(last_of, int64_t, HD_NO_SOURCE,
                  (int64_t, i, int64_t, next, int64_t, own, int64_t, last), int64_t,
                  { return next == *state + i ? own : last; })

// The last node of its list, too.
static hd_status fetch_last(contraction *c, hd_status status, const hd__mpi_requests *asked,
                            hd_view node, hd_view next)
{
    hd_mpi *m = c->m;
    hd_view fetched, last = HD_EMPTY, own = HD_EMPTY;
    if (c->last.type == HD_NONE) return status;
    status = hd__mpi_fetch(m, status, asked, c->last, &fetched);
    if (status == HD_OK) status = hd__mpi_gathered(m, fetched, asked->slot, &last);
    if (status == HD_OK) status = hd__mpi_gathered(m, c->last, node, &own);
    if (status == HD_OK)
        status =
            hd__mpi_failed(m, hd_map(m->ctx, node, HD_WITH_STATE(last_of, &c->l->begin[m->rank]),
                                     last, &(hd_map_options){.with = HD_VIEWS(next, own, last)}));
    if (status == HD_OK) status = hd__mpi_failed(m, hd_scatter(m->ctx, last, node, c->last, NULL));
    hd__mpi_drop(m, &fetched);
    hd__mpi_drop(m, &last);
    hd__mpi_drop(m, &own);
    return status;
}

// Each node that left in a round has the rank of the one that it linked to then, and its weight.
// The two of a circle find each other without a rank.
static hd_status come_back(contraction *c, hd_status status, int64_t round)
{
    hd_mpi *m = c->m;
    hd__mpi_requests asked;
    const hd_view node = left_in(c, round);
    hd_view next = HD_EMPTY, weight = HD_EMPTY, rank = HD_EMPTY, fetched;
    if (status == HD_OK) status = hd__mpi_gathered(m, c->l->next, node, &next);
    if (status == HD_OK) status = hd__mpi_gathered(m, c->weight, node, &weight);
    status = hd__mpi_request(m, status, c->l->begin, next, &asked);
    status = hd__mpi_fetch(m, status, &asked, c->rank, &fetched);
    if (status == HD_OK) status = hd__mpi_gathered(m, fetched, asked.slot, &rank);
    if (status == HD_OK)
        status = hd__mpi_failed(m, hd_map(m->ctx, node,
                                          HD_WITH_STATE(rank_of, &c->l->begin[m->rank]), rank,
                                          &(hd_map_options){.with = HD_VIEWS(next, weight, rank)}));
    if (status == HD_OK) status = hd__mpi_failed(m, hd_scatter(m->ctx, rank, node, c->rank, NULL));
    status = fetch_last(c, status, &asked, node, next);
    hd_view *rows[] = {&next, &weight, &rank, &fetched};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) hd__mpi_drop(m, rows[k]);
    hd__mpi_drop_requests(m, &asked);
    return status;
}

// ---- All rounds ---------------------------------------------------------------------------------

HD_FUNCTION_STATE(links_on, int64_t, HD_NO_SOURCE, (int64_t, next, int64_t, i), int64_t,
                  { return next != *state + i; })

// A node that links to itself is the last of its list.
HD_FUNCTION_STATE(own_last, int64_t, HD_NO_SOURCE, (int64_t, next, int64_t, i), int64_t,
                  { return next == *state + i ? next : -1; })

static hd_status begin_last(contraction *c)
{
    hd_mpi *m = c->m;
    const hd_status status = hd__mpi_row(m, HD_I64, c->l->n, &c->last);
    if (status != HD_OK) return status;
    return hd__mpi_failed(m,
                          hd_map(m->ctx, c->l->next, HD_WITH_STATE(own_last, &c->l->begin[m->rank]),
                                 c->last, &(hd_map_options){.with = HD_VIEWS(hd_iota(c->l->n))}));
}

static hd_status begin(contraction *c, bool wants_last)
{
    hd_mpi *m = c->m;
    const int64_t n = c->l->n;
    const hd_view all = hd_iota(n);
    hd_status status = hd__mpi_filled(m, n, -1, &c->rank);
    if (status == HD_OK && wants_last) status = begin_last(c);
    if (status == HD_OK) status = hd__mpi_row(m, HD_I64, n, &c->weight);
    if (status == HD_OK) status = hd__mpi_row(m, HD_I64, n, &c->left);
    if (status == HD_OK) status = hd__mpi_copy(m, &all, HD_I64, &c->active);
    if (status != HD_OK) return status;
    return hd__mpi_failed(m,
                          hd_map(m->ctx, c->l->next, HD_WITH_STATE(links_on, &c->l->begin[m->rank]),
                                 c->weight, &(hd_map_options){.with = HD_VIEWS(all)}));
}

hd_status hd__mpi_rank_list(hd__mpi_list *l, hd_status status, hd_view *rank, hd_view *last)
{
    contraction c = {.m = l->m, .l = l};
    int64_t first, left;
    if (status == HD_OK) status = begin(&c, last != NULL);
    for (;;) {
        status =
            hd__mpi_layout(l->m, status, status == HD_OK ? c.active.shape[0] : 0, &first, &left);
        if (status != HD_OK) return status;
        if (left <= FEW || c.rounds == MOST_ROUNDS) break;
        status = contract_round(&c);
    }
    status = hd__mpi_rank_few(l, status, c.active, c.weight, c.rank, c.last);
    for (int64_t round = c.rounds - 1; round >= 0; round--) status = come_back(&c, status, round);
    *rank = c.rank;
    if (last != NULL) *last = c.last;
    return status;
}

HD_FUNCTION(has_no_rank, bool, HD_NO_SOURCE, (int64_t, rank), { return rank < 0; })

hd_status hd__mpi_check_circles(const hd__mpi_list *l, const char *call, hd_view rank)
{
    int64_t circle = -1;
    const hd_status status = hd__mpi_failed(l->m, hd_find(l->m->ctx, rank, HD_VIEW(&circle, 1),
                                                          &(hd_find_options){.map = has_no_rank}));
    if (status != HD_OK || circle < 0) return status;
    return hd__mpi_fail(l->m, HD_ERROR_VALUE,
                        "%s: node %lld is on a circle, which has no last node", call,
                        (long long)(l->begin[l->m->rank] + circle));
}
