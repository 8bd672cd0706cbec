// SPDX-License-Identifier: Apache-2.0
// Links as backends read them, and the search for what is no list or no forest. It is done by one
// thread and in a fixed order, so that every backend names the same node.
#include "list.h"
#include "core/convert.h"

#define BLOCK 256

// The usual links, of i32 one after another, in one loop.
static void read_i32(const int32_t *next, int64_t n, int64_t start, int64_t m, int64_t *links)
{
    for (int64_t k = 0; k < m; k++) {
        const int64_t link = next[k], end = link == -1 ? start + k : HD__BAD_LINK;
        links[k] = (uint64_t)link < (uint64_t)n ? link : end;
    }
}

void hd__read_links(const hd_view *next, int64_t start, int64_t m, int64_t *links)
{
    unsigned char raw[BLOCK * 8];
    const int64_t n = next->shape[0];
    const bool is_unsigned = hd__kind_of(next->type) == HD__UNSIGNED;
    const int bits = 8 * (int)hd__size_of(next->type);
    if (next->type == HD_I32 && hd__is_contiguous(next)) {
        read_i32((const int32_t *)next->data + start, n, start, m, links);
        return;
    }
    // What -1 becomes on its way through an unsigned type; of 64 bits it is -1 again.
    const int64_t minus_one =
        is_unsigned && bits < 64 ? (int64_t)(((uint64_t)1 << bits) - 1) : (int64_t)-1;
    for (int64_t at = 0; at < m; at += BLOCK) {
        const int64_t some = m - at < BLOCK ? m - at : BLOCK;
        hd__gather(next, start + at, some, raw);
        hd__convert(HD_I64, links + at, next->type, raw, some);
        for (int64_t k = 0; k < some; k++) {
            const int64_t link = links[at + k];
            if (link >= 0 && link < n) continue;
            links[at + k] = link == minus_one ? start + at + k : HD__BAD_LINK;
        }
    }
}

static bool is_node(const hd__list_job *job, int64_t i)
{
    return job->marks == NULL || job->marks[i];
}

static hd_status name_bad_link(hd_context *ctx, const char *call, const hd_view *next, int64_t i)
{
    _Alignas(8) unsigned char raw[8];
    int64_t link;
    hd__gather(next, i, 1, raw);
    hd__convert(HD_I64, &link, next->type, raw, 1);
    return hd__fail(ctx, HD_ERROR_VALUE,
                    "%s: node %lld links to %lld; expected 0 to %lld, or -1 or itself at an end",
                    call, (long long)i, (long long)link, (long long)next->shape[0] - 1);
}

static hd_status name_two_before(hd_context *ctx, const hd__list_job *job, const int64_t *links,
                                 int64_t node)
{
    const int64_t n = job->next.shape[0];
    int64_t before[2] = {0, 0};
    int found = 0;
    for (int64_t i = 0; i < n && found < 2; i++)
        if (is_node(job, i) && links[i] == node && i != node) before[found++] = i;
    return hd__fail(ctx, HD_ERROR_VALUE,
                    "%s: nodes %lld and %lld both link to node %lld; expected one before each",
                    job->call, (long long)before[0], (long long)before[1], (long long)node);
}

// With every node linked to once at most, what no walk from a head reaches is on a circle. Marks of
// a walk are the second bit.
static int64_t find_circle(const hd__list_job *job, const int64_t *links, uint8_t *state)
{
    const int64_t n = job->next.shape[0];
    for (int64_t i = 0; i < n; i++) {
        if (!is_node(job, i) || (state[i] & 1)) continue;
        int64_t at = i;
        for (; links[at] != at; at = links[at]) state[at] |= 2;
        state[at] |= 2;
    }
    for (int64_t i = 0; i < n; i++)
        if (is_node(job, i) && !(state[i] & 2)) return i;
    return -1;
}

// state: the first bit of a node is set if another links to it.
static hd_status check_with(hd_context *ctx, const hd__list_job *job, const int64_t *links,
                            uint8_t *state)
{
    const int64_t n = job->next.shape[0];
    int64_t twice = -1;
    if (n <= 0) return HD_OK;
    for (int64_t i = 0; i < n; i++)
        if (is_node(job, i) && links[i] == HD__BAD_LINK)
            return name_bad_link(ctx, job->call, &job->next, i);
    memset(state, 0, (size_t)n);
    for (int64_t i = 0; i < n; i++) {
        if (!is_node(job, i) || links[i] == i) continue;
        if (state[links[i]] && (twice < 0 || links[i] < twice)) twice = links[i];
        state[links[i]] = 1;
    }
    if (twice >= 0) return name_two_before(ctx, job, links, twice);
    const int64_t circle = find_circle(job, links, state);
    if (circle < 0) return HD_OK;
    return hd__fail(ctx, HD_ERROR_VALUE, "%s: node %lld is on a circle, which has no last node",
                    job->call, (long long)circle);
}

hd_status hd__check_lists(hd_context *ctx, const hd__list_job *job, const int64_t *links,
                          uint8_t *heads)
{
    const int64_t n = job->next.shape[0];
    HD_TRY(check_with(ctx, job, links, heads));
    for (int64_t i = 0; i < n; i++) heads[i] = is_node(job, i) && !(heads[i] & 1);
    return HD_OK;
}

// ---- Forests ------------------------------------------------------------------------------------

// The lowest node on a circle, or -1. walk[i] is 1 + the node from which i was met first.
static int64_t find_forest_circle(const int64_t *links, int64_t n, int64_t *walk)
{
    int64_t lowest = -1;
    memset(walk, 0, (size_t)n * sizeof *walk);
    for (int64_t i = 0; i < n; i++) {
        int64_t at = i;
        for (; walk[at] == 0; at = links[at]) walk[at] = i + 1;
        if (walk[at] != i + 1 || links[at] == at) continue;
        const int64_t first = at; // met twice in one walk
        do {
            if (lowest < 0 || at < lowest) lowest = at;
            at = links[at];
        } while (at != first);
    }
    return lowest;
}

hd_status hd__check_forest(hd_context *ctx, const hd__forest_job *job, const int64_t *links)
{
    const int64_t n = job->parent.shape[0];
    const char call[] = "hd_forest_roots";
    for (int64_t i = 0; i < n; i++)
        if (links[i] == HD__BAD_LINK) return name_bad_link(ctx, call, &job->parent, i);
    const size_t bytes = (size_t)n * sizeof(int64_t);
    int64_t *walk = hd__allocate(ctx, bytes);
    if (walk == NULL) return HD_ERROR_MEMORY;
    const int64_t circle = find_forest_circle(links, n, walk);
    hd__release(ctx, walk, bytes);
    if (circle < 0) return HD_OK;
    return hd__fail(ctx, HD_ERROR_VALUE, "%s: node %lld is on a circle, which has no root", call,
                    (long long)circle);
}

// ---- After a fault ------------------------------------------------------------------------------

hd_status hd__explain_lists(hd_context *ctx, const hd__list_job *job)
{
    const int64_t n = job->next.shape[0];
    const size_t bytes = hd__padded((size_t)n * sizeof(int64_t)) + (size_t)n;
    int64_t *links = hd__allocate(ctx, bytes);
    if (links == NULL) return HD_ERROR_MEMORY;
    hd__read_links(&job->next, 0, n, links);
    const hd_status status =
        check_with(ctx, job, links, (uint8_t *)links + hd__padded((size_t)n * sizeof(int64_t)));
    hd__release(ctx, links, bytes);
    if (status != HD_OK) return status;
    return hd__fail(ctx, HD_ERROR_VALUE, "%s: the links changed during the call", job->call);
}

hd_status hd__explain_forest(hd_context *ctx, const hd__forest_job *job)
{
    const int64_t n = job->parent.shape[0];
    const size_t bytes = (size_t)n * sizeof(int64_t);
    int64_t *links = hd__allocate(ctx, bytes);
    if (links == NULL) return HD_ERROR_MEMORY;
    hd__read_links(&job->parent, 0, n, links);
    const hd_status status = hd__check_forest(ctx, job, links);
    hd__release(ctx, links, bytes);
    if (status != HD_OK) return status;
    return hd__fail(ctx, HD_ERROR_VALUE, "hd_forest_roots: the links changed during the call");
}

hd_status hd__check_head(hd_context *ctx, const char *call, int64_t k, int64_t at, int64_t n)
{
    if (at >= 0 && at < n) return HD_OK;
    return hd__fail(ctx, HD_ERROR_VALUE, "%s: heads[%lld] is %lld; expected 0 to %lld", call,
                    (long long)k, (long long)at, (long long)n - 1);
}
