// SPDX-License-Identifier: Apache-2.0
// Of a segment from element s on, the tree over (head, value) pairs makes of the elements up to x
// the left fold of the largest aligned nodes in [s, x): those that rise in size, which are the head
// of a carry from s on, and those that fall, its tree. So a scan goes on behind the fold of the
// head as if that were the node of very many elements, up to where the tree becomes one of the
// head.
#include "open_segment.h"

#include "core/backend.h"
#include "core/operators/fold.h"
#include "patterns/carry/carry.h"

enum { FOLD_LEVEL = HD__LEVELS - 1 }; // no tree of a carry with a head is so high

hd_status hd__check_open_segment(hd_context *ctx, const char *call, const hd_carry *carry,
                                 const hd__scan_job *job, bool monotone)
{
    const long long first = (long long)carry->first;
    if (first == 0) return HD_OK;
    if (monotone || job->fold.counted)
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: the carry begins at element %lld; expected one from element 0 for %s",
                        call, first, monotone ? "a monotone scan" : job->fold.asked->name);
    if (job->in.view[0].ndim != 1)
        return hd__fail(ctx, HD_ERROR_SHAPE,
                        "%s: in has %d dimensions; expected 1 with a carry that begins at element "
                        "%lld",
                        call, (int)job->in.view[0].ndim, first);
    return HD_OK;
}

static void fold_head(const hd_carry *carry, void *node)
{
    const hd__tree *t = &carry->tree;
    bool any = false;
    for (int level = 0; level < HD__LEVELS; level++) {
        if (!(carry->heads >> level & 1)) continue;
        const unsigned char *next = carry->head + (size_t)level * t->size;
        if (any)
            hd__combine(t->op, node, node, next, 1);
        else
            hd__copy_node(node, next, t->size);
        any = true;
    }
}

// A backend that sums in any order, of an exact operator, leaves the prefix in the largest node and
// nothing in the others: so does the head then.
static void put_back(hd_carry *carry, const void *folded)
{
    hd__tree *t = &carry->tree;
    const void *node = hd__tree_node(t, FOLD_LEVEL);
    t->count -= (int64_t)1 << FOLD_LEVEL;
    if (memcmp(node, folded, t->size) == 0 || t->op->identity == NULL) return;
    for (int level = 0; level < HD__LEVELS; level++) {
        if (!(carry->heads >> level & 1)) continue;
        hd__copy_node(carry->head + (size_t)level * t->size, node, t->size);
        node = t->op->identity;
    }
}

static hd_view part_of(const hd_view *v, int64_t at, int64_t n)
{
    return v->ndim == 1 ? hd_slice(*v, 0, at, n, 1) : *v;
}

// No more elements than the tree has room for.
static hd_status scan_chunk(hd_context *ctx, const hd__scan_job *job, hd_carry *carry, int64_t at,
                            int64_t n, const hd__subject *subject)
{
    _Alignas(HD__ALIGNMENT) unsigned char folded[HD_MAX_ELEMENT];
    hd__scan_job piece = *job;
    const hd__subject of = {subject->what, n, subject->type};
    const bool has_head = carry->heads != 0;
    piece.in.n = n;
    piece.in.first = hd__carry_end(carry);
    for (int k = 0; k < job->in.inputs; k++) piece.in.view[k] = part_of(&job->in.view[k], at, n);
    piece.out = part_of(&job->out, at, n);
    if (!hd__is_empty(&job->values)) piece.values = part_of(&job->values, at, n);
    if (has_head) {
        fold_head(carry, folded);
        hd__copy_node(hd__tree_node(&carry->tree, FOLD_LEVEL), folded, carry->tree.size);
        carry->tree.count += (int64_t)1 << FOLD_LEVEL;
    }
    const hd_status status = hd__dispatch(ctx, HD__SCAN_PATTERN, &piece, &of);
    if (has_head) put_back(carry, folded);
    if (status == HD_OK) hd__carry_settle(carry);
    return status;
}

hd_status hd__scan_open_segment(hd_context *ctx, const hd__scan_job *job, hd_carry *carry,
                                const hd__subject *subject)
{
    for (int64_t at = 0, n; at < job->in.n; at += n) {
        const int64_t room = hd__carry_room(carry), left = job->in.n - at;
        n = left < room ? left : room;
        HD_TRY(scan_chunk(ctx, job, carry, at, n, subject));
    }
    return HD_OK;
}
