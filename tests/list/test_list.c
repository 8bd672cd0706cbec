// SPDX-License-Identifier: Apache-2.0
//
// Lists and forests: ranks by both methods from both ends, one list and many, of all integer types
// and layouts, scattered in a larger memory; scans in the order of the links, also of operators
// that do not commute; roots and depths; and whatever is no list or no forest, named by its node.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

static const check_target *targets;
static int target_count;

// Lists made by cutting a random order of all nodes: the k-th list is order[cut[k]] .. order[cut[k
// + 1] - 1].
typedef struct lists {
    int64_t n, count;
    int64_t *order, *cut, *next, *rank, *place; // place: from the first node
    int64_t *list_of;
} lists;

static lists make_lists(int64_t n, int64_t mean, int shape, uint64_t seed)
{
    const size_t bytes = (size_t)(n + 1) * sizeof(int64_t);
    lists l = {n,
               0,
               check_memory(bytes),
               check_memory(bytes),
               check_memory(bytes),
               check_memory(bytes),
               check_memory(bytes),
               check_memory(bytes)};
    for (int64_t i = 0; i < n; i++) l.order[i] = shape == 2 ? n - 1 - i : i;
    for (int64_t i = n - 1; i > 0 && shape == 0; i--) {
        const int64_t j = check_below(&seed, i + 1), kept = l.order[i];
        l.order[i] = l.order[j];
        l.order[j] = kept;
    }
    l.cut[0] = 0;
    while (n > 0 && l.cut[l.count] < n) {
        const int64_t begin = l.cut[l.count];
        const int64_t length = mean == 0 ? n : 1 + check_below(&seed, 2 * mean - 1);
        const int64_t end = begin + length < n ? begin + length : n;
        for (int64_t k = begin; k < end; k++) {
            const int64_t i = l.order[k];
            l.next[i] = k + 1 < end ? l.order[k + 1] : check_below(&seed, 2) ? i : -1;
            l.rank[i] = end - 1 - k;
            l.place[i] = k - begin;
            l.list_of[i] = l.count;
        }
        l.cut[++l.count] = end;
    }
    return l;
}

static void drop_lists(lists *l)
{
    free(l->order), free(l->cut), free(l->next), free(l->rank), free(l->place), free(l->list_of);
}

// ---- Numbers of any integer type ----------------------------------------------------------------

static void put_numbers(const check_array *a, const int64_t *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        memcpy(check_element(a->view, i), &x[i], hd_type_size(a->view.type)); // little-endian
}

static int64_t number_at(const check_array *a, int64_t i)
{
    int64_t x =
        check_is_signed(a->view.type) &&
                ((signed char *)check_element(a->view, i))[hd_type_size(a->view.type) - 1] < 0
            ? -1
            : 0;
    memcpy(&x, check_element(a->view, i), hd_type_size(a->view.type));
    return x;
}

typedef struct question {
    hd_type type, out_type;
    check_layout layout;
    hd_list_method method;
    bool from_head, in_place;
} question;

static void ask(const lists *l, const question *q, const check_target *target)
{
    check_array next = check_new(q->type, l->n, q->layout, false);
    check_array other = check_new(q->out_type, l->n, q->layout, true);
    const check_array *out = q->in_place ? &next : &other;
    int64_t steps = -1, work = -1, count = -1, wrong = -1;
    put_numbers(&next, l->next, l->n);
    const hd_list_options options = {.method = q->method,
                                     .from_head = q->from_head,
                                     .steps = HD_REF(HD_VIEW(&steps, 1)),
                                     .work = HD_REF(HD_VIEW(&work, 1)),
                                     .lists = HD_REF(HD_VIEW(&count, 1))};
    CHECK_OK(target->ctx, hd_list_rank(target->ctx, next.view, out->view, &options));
    for (int64_t i = l->n - 1; i >= 0; i--)
        if (number_at(out, i) != (q->from_head ? l->place : l->rank)[i]) wrong = i;
    CHECK(wrong < 0, "rank of node %" PRId64 " of %" PRId64 " (%s, %s%s%s) on %s", wrong, l->n,
          hd_type_name(q->type), check_layout_name(q->layout),
          q->method == HD_LIST_WYLLIE ? ", Wyllie" : "", q->from_head ? ", from head" : "",
          target->name);
    CHECK(check_gaps(out), "wrote between elements on %s", target->name);
    CHECK(count == l->count, "%" PRId64 " lists instead of %" PRId64 " on %s", count, l->count,
          target->name);
    if (q->method == HD_LIST_WYLLIE) { // ceil(log2 n) steps of n
        int64_t jumps = 0;
        while (((int64_t)1 << jumps) < l->n) jumps++;
        CHECK(steps == jumps && work == jumps * l->n, "%" PRId64 " steps, work %" PRId64, steps,
              work);
    } else if (l->n > 0) {
        CHECK(steps >= 1 && steps <= 3 * l->n && work >= l->n && work <= 3 * l->n,
              "%" PRId64 " steps, work %" PRId64 " for %" PRId64, steps, work, l->n);
    }
    check_drop(&next), check_drop(&other);
}

static const hd_type integer_types[] = {HD_I32, HD_I64, HD_U32, HD_U64,
                                        HD_I16, HD_U16, HD_I8,  HD_U8};

static bool holds(hd_type type, int64_t n)
{
    const int bits = 8 * (int)hd_type_size(type) - check_is_signed(type);
    return bits >= 63 || n - 1 < (int64_t)1 << bits;
}

static hd_type type_for(int turn, int64_t n)
{
    const hd_type type = integer_types[turn % 8];
    // In an unsigned type all bits set must not be a node: -1 would not be an end then.
    return holds(type, n + 1) ? type : integer_types[turn % 4];
}

static void test_ranks(void)
{
    static const int64_t means[] = {0, 1, 2, 10, 300};
    int turn = 0;
    for (int k = 0; check_size(k, 2039) >= 0; k++)
        for (int m = 0; m < 5; m++, turn++) {
            const int64_t n = check_size(k, 2039);
            lists l = make_lists(n, means[m], turn % 3, check_seed() + (uint64_t)turn);
            for (int t = 0; t < target_count; t++) {
                if (n > 65 && t != 0 && t != 1 + turn % (target_count - 1)) continue;
                for (int way = 0; way < 4; way++) {
                    question q = {.type = type_for(turn + way, n),
                                  .method = way & 1 ? HD_LIST_WYLLIE : HD_LIST_EFFICIENT};
                    q.out_type = type_for(turn / 3 + way, n);
                    q.from_head = way & 2;
                    // One dimension only.
                    q.layout = (check_layout)((turn + way) % 3);
                    q.in_place = q.type == q.out_type && turn % 2;
                    ask(&l, &q, &targets[t]);
                }
            }
            drop_lists(&l);
        }
}

static void test_large(void)
{
    static const int64_t means[] = {0, 3, 1000, 100000};
    const int64_t n = check_small() ? 30011 : 300007;
    for (int m = 0; m < 4; m++) {
        lists l = make_lists(n, means[m], m == 1 ? 1 : 0, check_seed() + 77);
        for (int t = 0; t < target_count; t++) {
            ask(&l, &(question){.type = HD_I32, .out_type = HD_I32, .from_head = m % 2},
                &targets[t]);
            if (t % 3 == m % 3)
                ask(&l,
                    &(question){.type = HD_U32,
                                .out_type = HD_I64,
                                .method = HD_LIST_WYLLIE,
                                .from_head = m % 2},
                    &targets[t]);
        }
        drop_lists(&l);
    }
}

// ---- Marking ------------------------------------------------------------------------------------

// The first list alone is given by its head; all other places hold rubbish.
static void test_marking(void)
{
    for (int turn = 0; turn < 12; turn++) {
        const int64_t n = turn < 6 ? 40 + turn : 5000;
        lists l = make_lists(n, n / 4, 0, check_seed() + (uint64_t)turn);
        uint64_t state = check_seed();
        int32_t *next = check_memory((size_t)n * 4), *out = check_memory((size_t)n * 4);
        int64_t wrong = -1, count = 0;
        const int16_t head[] = {(int16_t)l.order[0], (int16_t)l.order[0]}; // twice will do
        for (int64_t i = 0; i < n; i++)
            next[i] = l.list_of[i] == 0 ? (int32_t)l.next[i] : (int32_t)(check_next(&state) >> 20);
        if (turn % 2) // rubbish that leads into the list
            for (int64_t i = 0; i < n; i++)
                if (l.list_of[i] == 1) next[i] = (int32_t)l.order[0];
        for (int t = 0; t < target_count; t++) {
            const hd_list_options options = {.heads = HD_REF(HD_VIEW(head, 2)),
                                             .lists = HD_REF(HD_VIEW(&count, 1)),
                                             .method = t % 2 ? HD_LIST_EFFICIENT : HD_LIST_WYLLIE};
            CHECK_OK(targets[t].ctx,
                     hd_list_rank(targets[t].ctx, HD_VIEW(next, n), HD_VIEW(out, n), &options));
            for (int64_t i = 0; i < n; i++)
                if (out[i] != (l.list_of[i] == 0 ? l.rank[i] : -1)) wrong = i;
            CHECK(wrong < 0 && count == 1, "marked node %" PRId64 " of %" PRId64 " on %s", wrong, n,
                  targets[t].name);
        }
        free(next), free(out);
        drop_lists(&l);
    }
}

// ---- Scans --------------------------------------------------------------------------------------

// Composition of x -> a x + b modulo 2^32: associative, not commutative.
typedef struct affine {
    uint32_t a, b;
} affine;
HD_MONOID(then, affine, HD_NO_SOURCE, HD_ASSOCIATIVE, HD_BRACES(1, 0), {
    return (affine){b.a * a.a, b.a * a.b + b.b};
})

static void test_user_scan(void)
{
    for (int turn = 0; turn < 8; turn++) {
        const int64_t n = turn < 4 ? 70 : 20011;
        lists l = make_lists(n, turn % 2 ? 0 : 37, 0, check_seed() + (uint64_t)turn);
        affine *x = check_memory((size_t)n * sizeof *x),
               *want = check_memory((size_t)n * sizeof *x),
               *got = check_memory((size_t)n * sizeof *x);
        uint64_t state = check_seed();
        for (int64_t i = 0; i < n; i++)
            x[i] = (affine){(uint32_t)check_next(&state), (uint32_t)check_next(&state)};
        const bool exclusive = turn & 2;
        for (int64_t k = 0; k < l.count; k++) {
            affine so_far = {1, 0};
            for (int64_t j = l.cut[k]; j < l.cut[k + 1]; j++) {
                const affine b = x[l.order[j]], a = so_far;
                so_far = (affine){b.a * a.a, b.a * a.b + b.b};
                want[l.order[j]] = exclusive ? a : so_far;
            }
        }
        for (int t = 0; t < target_count; t++) {
            const hd_list_options options = {
                .exclusive = exclusive, .method = t % 3 == 1 ? HD_LIST_WYLLIE : HD_LIST_EFFICIENT};
            memcpy(got, x, (size_t)n * sizeof *x); // in place
            const hd_view v = HD_VIEW_OF(HD_STRUCT(affine), got, n);
            CHECK_OK(targets[t].ctx,
                     hd_list_scan(targets[t].ctx, HD_VIEW(l.next, n), v, then, v, &options));
            CHECK(memcmp(got, want, (size_t)n * sizeof *x) == 0, "scan of %" PRId64 " on %s", n,
                  targets[t].name);
        }
        free(x), free(want), free(got);
        drop_lists(&l);
    }
}

// Floats: the bits of hd_scan over the values in the lists' order, lists by their first nodes.
static void test_float_scan(void)
{
    for (int turn = 0; turn < 6; turn++) {
        const int64_t n = turn < 2 ? 100 : 30001;
        lists l = make_lists(n, turn % 2 ? 0 : 90, 0, check_seed() + (uint64_t)turn);
        float *x = check_memory((size_t)n * 4), *sorted = check_memory((size_t)n * 4),
              *got = check_memory((size_t)n * 4), *want = check_memory((size_t)n * 4);
        int64_t *offsets = check_memory((size_t)(l.count + 1) * 8), at = 0, lists_seen = 0;
        check_fill(HD_F32, x, n, CHECK_ORDINARY, check_seed() + (uint64_t)turn);
        for (int64_t i = 0; i < n; i++) {
            if (l.place[i] != 0) continue;
            offsets[lists_seen++] = at;
            for (int64_t j = l.cut[l.list_of[i]]; j < l.cut[l.list_of[i] + 1]; j++)
                sorted[at++] = x[l.order[j]];
        }
        const hd_scan_options how = {.segments = HD_REF(HD_VIEW(offsets, lists_seen)),
                                     .backward = turn >= 4};
        CHECK_OK(targets[0].ctx,
                 hd_scan(targets[0].ctx, HD_VIEW(sorted, n), HD_SUM, HD_VIEW(sorted, n), &how));
        for (int64_t i = 0; i < n; i++) want[i] = 0;
        at = 0;
        for (int64_t i = 0; i < n; i++)
            if (l.place[i] == 0)
                for (int64_t j = l.cut[l.list_of[i]]; j < l.cut[l.list_of[i] + 1]; j++)
                    want[l.order[j]] = sorted[at++];
        for (int t = 0; t < target_count; t++) {
            const hd_list_options options = {.backward = turn >= 4};
            CHECK_OK(targets[t].ctx, hd_list_scan(targets[t].ctx, HD_VIEW(l.next, n), HD_VIEW(x, n),
                                                  HD_SUM, HD_VIEW(got, n), &options));
            CHECK_SAME(HD_F32, got, want, n, "sums of %" PRId64 " along lists on %s", n,
                       targets[t].name);
        }
        free(x), free(sorted), free(got), free(want), free(offsets);
        drop_lists(&l);
    }
}

// ---- Forests ------------------------------------------------------------------------------------

static void test_forests(void)
{
    for (int turn = 0; turn < 30; turn++) {
        const int64_t n = turn < 20 ? 1 + turn * 7 : check_small() ? 3001 : 100003;
        const int depth_kind = turn % 3;
        uint64_t state = check_seed() + (uint64_t)turn;
        int32_t *parent = check_memory((size_t)n * 4), *root = check_memory((size_t)n * 4),
                *deep = check_memory((size_t)n * 4), *want = check_memory((size_t)n * 4),
                *want_deep = check_memory((size_t)n * 4), *name = check_memory((size_t)n * 4);
        for (int64_t i = 0; i < n; i++) name[i] = (int32_t)i;
        for (int64_t i = n - 1; i > 0; i--) {
            const int64_t j = check_below(&state, i + 1);
            const int32_t kept = name[i];
            name[i] = name[j], name[j] = kept;
        }
        // Node name[i] hangs below one made before it: any (shallow), the last (a path), one near.
        for (int64_t i = 0; i < n; i++) {
            const bool is_root = i == 0 || check_below(&state, 50) == 0;
            const int64_t above = is_root           ? i
                                  : depth_kind == 0 ? check_below(&state, i)
                                  : depth_kind == 1 ? i - 1
                                                    : i - 1 - check_below(&state, i < 9 ? i : 9);
            parent[name[i]] = is_root ? (check_below(&state, 2) ? name[i] : -1) : name[above];
            want[name[i]] = is_root ? name[i] : want[name[above]];
            want_deep[name[i]] = is_root ? 0 : want_deep[name[above]] + 1;
        }
        for (int t = 0; t < target_count; t++) {
            int64_t steps = -1, work = -1;
            const hd_forest_options options = {.depth = HD_REF(HD_VIEW(deep, n)),
                                               .steps = HD_REF(HD_VIEW(&steps, 1)),
                                               .work = HD_REF(HD_VIEW(&work, 1))};
            CHECK_OK(targets[t].ctx, hd_forest_roots(targets[t].ctx, HD_VIEW(parent, n),
                                                     HD_VIEW(root, n), &options));
            CHECK_SAME(HD_I32, root, want, n, "roots of %" PRId64 " on %s", n, targets[t].name);
            CHECK_SAME(HD_I32, deep, want_deep, n, "depths of %" PRId64 " on %s", n,
                       targets[t].name);
            if (t > 0) {
                int64_t deepest = 0, jumps = 0;
                for (int64_t i = 0; i < n; i++)
                    deepest = want_deep[i] > deepest ? want_deep[i] : deepest;
                while (((int64_t)1 << jumps) < deepest) jumps++;
                CHECK(steps == jumps + 1 && work == steps * n,
                      "%" PRId64 " steps for depth %" PRId64, steps, deepest);
            }
        }
        free(parent), free(root), free(deep), free(want), free(want_deep), free(name);
    }
}

// ---- What is no list ----------------------------------------------------------------------------

static void expect(int line, hd_context *ctx, const char *where, hd_status expected, hd_status got,
                   const char *word)
{
    if (got != expected)
        check_failed(__FILE__, line, "status", "%s instead of %s on %s: %s", hd_status_name(got),
                     hd_status_name(expected), where, hd_error(ctx));
    if (!strstr(hd_error(ctx), word))
        check_failed(__FILE__, line, "text", "no '%s' in '%s' on %s", word, hd_error(ctx), where);
}
#define EXPECT(status, word, call) expect(__LINE__, ctx, where, status, call, word)

static void test_bad_lists(hd_context *ctx, const char *where)
{
    enum { N = 20000 };
    static int32_t next[N], out[N];
    for (int m = 0; m < 2; m++)
        for (int big = 0; big < 2; big++) {
            const int32_t n = big ? N : 20;
            const hd_view links = HD_VIEW(next, n), to = HD_VIEW(out, n);
            const hd_list_options o = {.method = m ? HD_LIST_WYLLIE : HD_LIST_EFFICIENT};
            for (int32_t i = 0; i < n; i++) next[i] = i + 1 < n ? i + 1 : -1;
            next[9] = n, next[12] = -7;
            EXPECT(HD_ERROR_VALUE, "node 9 links to", hd_list_rank(ctx, links, to, &o));
            next[9] = 10;
            EXPECT(HD_ERROR_VALUE, "node 12 links to -7", hd_list_rank(ctx, links, to, &o));
            next[12] = 13;
            next[17] = 4, next[15] = 6; // 4: 3 and 17; 6: 5 and 15
            EXPECT(HD_ERROR_VALUE, "nodes 3 and 17 both link to node 4",
                   hd_list_rank(ctx, links, to, &o));
            next[15] = 16, next[17] = 18;
            next[n - 1] = 0; // all one circle
            EXPECT(HD_ERROR_VALUE, "node 0 is on a circle", hd_list_rank(ctx, links, to, &o));
            next[n - 1] = n - 1;
            next[7] = 6, next[5] = 8; // a small circle of 6 and 7 beside the list
            EXPECT(HD_ERROR_VALUE, "node 6 is on a circle", hd_list_rank(ctx, links, to, &o));
            next[7] = 7, next[6] = 6;
            CHECK_OK(ctx, hd_list_rank(ctx, links, to, &o));
            // In place: the links are still there when the fault is named.
            next[n - 1] = n - 2;
            EXPECT(HD_ERROR_VALUE, "both link to node", hd_list_rank(ctx, links, links, &o));
        }
    // Many ways to be wrong, at random: always an error, always the same one.
    uint64_t state = check_seed();
    for (int turn = 0; turn < 60; turn++) {
        const int32_t n = turn % 2 ? 50 : 3000;
        for (int32_t i = 0; i < n; i++) next[i] = (int32_t)check_below(&state, n + (turn % 3 == 0));
        hd_context *reference = targets[0].ctx;
        const hd_status want = hd_list_rank(reference, HD_VIEW(next, n), HD_VIEW(out, n), NULL);
        char text[300];
        strncpy(text, hd_error(reference), sizeof text - 1), text[sizeof text - 1] = 0;
        const hd_list_options o = {.method = turn % 4 < 2 ? HD_LIST_WYLLIE : HD_LIST_EFFICIENT};
        const hd_status got = hd_list_rank(ctx, HD_VIEW(next, n), HD_VIEW(out, n), &o);
        CHECK(got == want && strcmp(text, hd_error(ctx)) == 0, "'%s' instead of '%s' on %s",
              hd_error(ctx), text, where);
    }
}

static void test_bad_forests(hd_context *ctx, const char *where)
{
    int32_t parent[64], root[64];
    for (int32_t i = 0; i < 64; i++) parent[i] = i > 0 ? i - 1 : 0;
    const hd_view v = HD_VIEW(parent, 64), out = HD_VIEW(root, 64);
    parent[40] = 64;
    EXPECT(HD_ERROR_VALUE, "node 40 links to 64", hd_forest_roots(ctx, v, out, NULL));
    parent[40] = 39, parent[20] = 23; // 20 -> 23 -> 22 -> 21 -> 20, a circle of four
    EXPECT(HD_ERROR_VALUE, "node 20 is on a circle", hd_forest_roots(ctx, v, out, NULL));
    parent[20] = 22; // of three
    EXPECT(HD_ERROR_VALUE, "node 20 is on a circle", hd_forest_roots(ctx, v, out, NULL));
    parent[20] = 19;
    CHECK_OK(ctx, hd_forest_roots(ctx, v, v, NULL));
    CHECK(parent[63] == 0, "in place");
}

static void test_arguments(hd_context *ctx, const char *where)
{
    int32_t next[8] = {1, 2, 3, 3, 5, 6, 7, 7}, out[8];
    float f[8] = {0};
    int8_t small[300] = {0};
    const hd_view v = HD_VIEW(next, 8), to = HD_VIEW(out, 8), values = HD_VIEW(f, 8);
    EXPECT(HD_ERROR_TYPE, "next", hd_list_rank(ctx, values, to, NULL));
    EXPECT(HD_ERROR_TYPE, "out is f32", hd_list_rank(ctx, v, values, NULL));
    EXPECT(HD_ERROR_TYPE, "holds 299",
           hd_list_rank(ctx, hd_progression(1, 1, 300), HD_VIEW(small, 300), NULL));
    EXPECT(HD_ERROR_SHAPE, "out has shape (7); expected (",
           hd_list_rank(ctx, v, HD_VIEW(out, 7), NULL));
    EXPECT(HD_ERROR_SHAPE, "one dimension",
           hd_list_rank(ctx, hd_view_nd(HD_I32, next, 2, (int64_t[]){2, 4}, NULL), to, NULL));
    EXPECT(HD_ERROR_ALIAS, "overlaps the links",
           hd_list_rank(ctx, HD_VIEW(next, 7), HD_VIEW(next + 1, 7), NULL));
    EXPECT(HD_ERROR_ARGUMENT, "method",
           hd_list_rank(ctx, v, to, &(hd_list_options){.method = (hd_list_method)9}));
    const int64_t heads[] = {0, 8};
    EXPECT(HD_ERROR_VALUE, "heads[1] is 8",
           hd_list_rank(ctx, v, to, &(hd_list_options){.heads = HD_REF(HD_VIEW(heads, 2))}));
    EXPECT(HD_ERROR_TYPE, "heads",
           hd_list_rank(ctx, v, to, &(hd_list_options){.heads = HD_REF(values)}));
    EXPECT(HD_ERROR_SHAPE, "values", hd_list_scan(ctx, v, HD_VIEW(f, 7), HD_SUM, values, NULL));
    EXPECT(HD_ERROR_ARGUMENT, "operator", hd_list_scan(ctx, v, values, NULL, values, NULL));
    EXPECT(HD_ERROR_OPERATOR, "argmax", hd_list_scan(ctx, v, values, HD_ARGMAX, to, NULL));
    EXPECT(HD_ERROR_TYPE, "xor", hd_list_scan(ctx, v, values, HD_XOR, values, NULL));
    EXPECT(HD_ERROR_ALIAS, "out overlaps next",
           hd_list_scan(ctx, v, values, HD_SUM, HD_VIEW((float *)next, 8), NULL));
    EXPECT(HD_ERROR_TYPE, "parent", hd_forest_roots(ctx, values, to, NULL));
    EXPECT(HD_ERROR_SHAPE, "depth",
           hd_forest_roots(ctx, v, to, &(hd_forest_options){.depth = HD_REF(HD_VIEW(out, 3))}));
    EXPECT(HD_ERROR_ALIAS, "out overlaps depth",
           hd_forest_roots(ctx, v, to, &(hd_forest_options){.depth = HD_REF(to)}));
    CHECK(hd_list_rank(NULL, v, to, NULL) == HD_ERROR_ARGUMENT, "no context");
    // u8: 255 is -1 where it is no node, and a node where it is one.
    uint8_t bytes[256], ranks[256];
    for (int i = 0; i < 256; i++) bytes[i] = (uint8_t)(i < 255 ? i + 1 : 255);
    CHECK_OK(ctx, hd_list_rank(ctx, HD_VIEW(bytes, 256), HD_VIEW(ranks, 256), NULL));
    CHECK(ranks[0] == 255 && ranks[255] == 0, "256 nodes of u8");
    bytes[9] = 255;
    CHECK_OK(ctx, hd_list_rank(ctx, HD_VIEW(bytes, 10), HD_VIEW(ranks, 10), NULL));
    CHECK(ranks[0] == 9, "10 nodes of u8");
}

// ---- Memory -------------------------------------------------------------------------------------

static int64_t calls, fail_at, alive;

static void *allocate(void *user, size_t bytes, size_t alignment)
{
    void *memory = NULL;
    (void)user;
    if (calls++ == fail_at || posix_memalign(&memory, alignment, bytes)) return NULL;
    memset(memory, 0xCD, bytes);
    alive++;
    return memory;
}

static void release(void *user, void *memory, size_t bytes)
{
    (void)user, (void)bytes;
    alive--;
    free(memory);
}

static void test_memory(hd_backend backend)
{
    enum { N = 3000 };
    static int32_t next[N], out[N];
    static float x[N];
    const int32_t head = 0;
    for (int32_t i = 0; i < N; i++) next[i] = i + 1 < N ? i + 1 : i;
    for (int what = 0; what < 5; what++)
        for (fail_at = 0;; fail_at++) {
            hd_context *ctx = NULL;
            const hd_context_options options = {
                .backend = backend, .threads = 2, .allocator = {allocate, release, NULL}};
            calls = alive = 0;
            CHECK_OK(ctx, hd_open(&ctx, &options));
            const hd_list_options o = {.method = what == 1 ? HD_LIST_WYLLIE : HD_LIST_EFFICIENT,
                                       .heads =
                                           HD_REF(what == 2 ? HD_VIEW(&head, 1) : (hd_view){0})};
            const hd_view links = HD_VIEW(next, N), to = HD_VIEW(out, N), values = HD_VIEW(x, N);
            const hd_status status = what == 3
                                         ? hd_list_scan(ctx, links, values, HD_SUM, values, &o)
                                     : what == 4 ? hd_forest_roots(ctx, links, to, NULL)
                                                 : hd_list_rank(ctx, links, to, &o);
            const bool failed = fail_at < calls;
            CHECK(status == (failed ? HD_ERROR_MEMORY : HD_OK),
                  "call %d, allocation %" PRId64 ": %s", what, fail_at, hd_status_name(status));
            hd_close(ctx);
            CHECK(alive == 0, "call %d, allocation %" PRId64 ": %" PRId64 " blocks left", what,
                  fail_at, alive);
            if (!failed) break;
        }
}

int main(void)
{
    target_count = check_targets(&targets);
    test_ranks();
    test_large();
    test_marking();
    test_user_scan();
    test_float_scan();
    test_forests();
    for (int t = 0; t < target_count; t++) {
        test_bad_lists(targets[t].ctx, targets[t].name);
        test_bad_forests(targets[t].ctx, targets[t].name);
        test_arguments(targets[t].ctx, targets[t].name);
    }
    test_memory(HD_SERIAL);
    test_memory(HD_CPU);
    return check_finish();
}
