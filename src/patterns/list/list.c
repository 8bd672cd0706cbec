// SPDX-License-Identifier: Apache-2.0
// hd_list_rank, hd_list_scan and hd_forest_roots: check their arguments, mark the nodes of given
// heads, and hand jobs to a backend. A scan is ranking, moving, hd_scan, and moving back.
#include "list.h"
#include "core/arguments.h"
#include "core/convert.h"

#include <stdio.h>

HD__BRINGS(list)
HD__BRINGS(permute)
HD__BRINGS(forest)
HD__BRINGS_PASS(list)
HD__BRINGS_PASS(forest)

// ---- Checks -------------------------------------------------------------------------------------

static hd_status check_links(hd_context *ctx, const char *call, const char *what, const hd_view *v)
{
    HD_TRY(hd__check_input_as(ctx, v, "%s: %s", call, what));
    if (!hd__is_integer(v->type))
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: %s: links are %s; expected an integer type", call,
                        what, hd_type_name(v->type));
    if (v->ndim != 1)
        return hd__fail(ctx, HD_ERROR_SHAPE, "%s: %s: expected one dimension, got %d", call, what,
                        (int)v->ndim);
    return HD_OK;
}

static hd_status check_row(hd_context *ctx, const char *call, const char *what, const hd_view *v,
                           int64_t n)
{
    if (v->ndim == 1 && v->shape[0] == n) return HD_OK;
    char got[HD__SHAPE_TEXT];
    return hd__fail(ctx, HD_ERROR_SHAPE, "%s: %s has shape %s; expected (%lld), as the links", call,
                    what, hd__shape_text(v, got), (long long)n);
}

// An output of numbers up to n - 1.
static hd_status check_numbers(hd_context *ctx, const char *call, const char *what,
                               const hd_view *v, const hd_view *links)
{
    const int64_t n = links->shape[0];
    HD_TRY(hd__check_output_as(ctx, v, "%s: %s", call, what));
    const int bits = 8 * (int)hd__size_of(v->type) - (hd__kind_of(v->type) == HD__SIGNED);
    if (!hd__is_integer(v->type) || (bits < 63 && n - 1 >= (int64_t)1 << bits))
        return hd__fail(ctx, HD_ERROR_TYPE,
                        "%s: %s is %s; expected an integer type that holds %lld", call, what,
                        hd_type_name(v->type), (long long)n - 1);
    HD_TRY(check_row(ctx, call, what, v, n));
    if (hd__overlaps(v, links) == HD__CROSSING)
        return hd__fail(ctx, HD_ERROR_ALIAS,
                        "%s: %s overlaps the links without being the same view", call, what);
    return HD_OK;
}

static hd_status check_method(hd_context *ctx, const char *call, const hd_list_options *o)
{
    if (o->method == HD_LIST_EFFICIENT || o->method == HD_LIST_WYLLIE) return HD_OK;
    return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: method %d does not exist", call, (int)o->method);
}

static hd_status check_counts(hd_context *ctx, const char *call, const hd_list_options *o,
                              const hd__named_view *views, int count)
{
    const hd__named_view numbers[] = {{"steps", o->steps}, {"work", o->work}, {"lists", o->lists}};
    return hd__check_numbers(ctx, call, numbers, 3, views, count);
}

// ---- Marking ------------------------------------------------------------------------------------

// Marks what can be reached from the heads: a walk from each until it meets marked nodes or an end.
// A bad link ends it too; the backend will name it.
static hd_status mark_from(hd_context *ctx, const char *call, const hd_view *next,
                           const hd_view *heads, uint8_t *marks)
{
    const int64_t n = next->shape[0], count = heads->shape[0];
    memset(marks, 0, (size_t)n);
    for (int64_t k = 0; k < count; k++) {
        _Alignas(8) unsigned char raw[8];
        int64_t at, link;
        hd__gather(heads, k, 1, raw);
        hd__convert(HD_I64, &at, heads->type, raw, 1);
        HD_TRY(hd__check_head(ctx, call, k, at, n));
        while (!marks[at]) {
            marks[at] = 1;
            hd__read_links(next, at, 1, &link);
            if (link != HD__BAD_LINK) at = link;
        }
    }
    return HD_OK;
}

// *marks stays NULL where no heads are given, and where a device has them: its backend marks then.
static hd_status mark(hd_context *ctx, hd__list_job *job, const hd_list_options *o, uint8_t **marks)
{
    const hd_view *next = &job->next;
    *marks = NULL;
    if (hd__is_empty(o->heads)) return HD_OK;
    HD_TRY(check_links(ctx, job->call, "heads", o->heads));
    if (next->space == HD_DEVICE || o->heads->space == HD_DEVICE) {
        job->heads = *o->heads;
        return HD_OK;
    }
    if (next->shape[0] == 0) return HD_OK;
    *marks = hd__allocate(ctx, (size_t)next->shape[0]);
    if (*marks == NULL) return HD_ERROR_MEMORY;
    return mark_from(ctx, job->call, next, o->heads, *marks);
}

// ---- Ranks --------------------------------------------------------------------------------------

// *nodes, where it is asked for, receives how many nodes there are.
static hd_status rank(hd_context *ctx, hd__list_job *job, const hd_list_options *o, int64_t *nodes)
{
    hd__list_counts counts = {0, 0, 0, 0};
    const int64_t n = job->next.shape[0];
    uint8_t *marks;
    job->method = o->method;
    job->counts = &counts;
    hd_status status = mark(ctx, job, o, &marks);
    job->marks = marks;
    const hd__subject subject = {o->method == HD_LIST_WYLLIE ? "by jumping" : "", n,
                                 job->next.type};
    if (status == HD_OK && n > 0) status = hd__dispatch(ctx, HD__LIST_PATTERN, job, &subject);
    hd__release(ctx, marks, (size_t)n);
    if (status != HD_OK) return status;
    hd__give_number(o->lists, counts.lists);
    hd__give_number(o->steps, counts.steps);
    hd__give_number(o->work, counts.work);
    if (nodes != NULL) *nodes = counts.nodes;
    return HD_OK;
}

hd_status hd_list_rank(hd_context *ctx, hd_view next, hd_view out, const hd_list_options *options)
{
    hd_list_options o[1];
    static const char call[] = "hd_list_rank";
    HD__BEGIN_ANYWHERE(ctx);
    HD_TRY(HD__TAKE_OPTIONS(ctx, call, hd_list_options, options, o));
    HD__AT_LEAST_1D(&next, &out);
    HD_TRY(check_links(ctx, call, "next", &next));
    HD_TRY(check_numbers(ctx, call, "out", &out, &next));
    HD_TRY(check_method(ctx, call, o));
    if (o->exclusive || o->backward || o->init != NULL)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: %s is for hd_list_scan", call,
                        o->exclusive  ? "exclusive"
                        : o->backward ? "backward"
                                      : "init");
    HD_TRY(hd__check_apart_of(ctx, call, "out", &out, "heads", o->heads));
    const hd__named_view all[] = {{"next", &next}, {"out", &out}, {"heads", o->heads}};
    HD_TRY(check_counts(ctx, call, o, all, 3));
    hd__list_job job = {.call = call, .next = next, .out = out};
    job.what = o->from_head ? HD__LIST_PLACES : HD__LIST_RANKS;
    return rank(ctx, &job, o, NULL);
}

// ---- Scans --------------------------------------------------------------------------------------

typedef struct scanning {
    hd_view values, out;
    const hd_operator *op;
    const hd_list_options *o;
    int64_t n, lists;
    int64_t *destination, *offsets; // in one block of memory with
    unsigned char *sorted, *result; // the values and the results in the lists' order
    size_t bytes;
} scanning;

static hd_status allocate(hd_context *ctx, scanning *s)
{
    const size_t n = (size_t)s->n, destinations = hd__padded(n * sizeof(int64_t));
    const size_t offsets = hd__padded((n + 1) * sizeof(int64_t));
    const size_t sorted = hd__padded(n * hd__size_of(s->values.type));
    s->bytes = destinations + offsets + sorted + n * hd__size_of(s->out.type);
    unsigned char *memory = hd__allocate(ctx, s->bytes);
    if (memory == NULL) return HD_ERROR_MEMORY;
    s->destination = (int64_t *)memory;
    s->offsets = (int64_t *)(memory + destinations);
    s->sorted = memory + destinations + offsets;
    s->result = s->sorted + sorted;
    return HD_OK;
}

static hd_status permute(hd_context *ctx, const scanning *s, hd_view in, hd_view out, bool gathers)
{
    const hd__permute_job job = {s->destination, in, out, gathers};
    const hd__subject subject = {"", s->n, in.type};
    return hd__dispatch(ctx, HD__PERMUTE_PATTERN, &job, &subject);
}

static hd_status scan_in_order(hd_context *ctx, scanning *s, hd_view next)
{
    static const char call[] = "hd_list_scan";
    int64_t lists = 0;
    hd__list_job job = {.call = call, .next = next, .offsets = s->offsets};
    job.what = HD__LIST_ORDER;
    job.out = HD_VIEW(s->destination, s->n);
    hd_list_options o = *s->o;
    o.lists = HD_REF(HD_VIEW(&lists, 1));
    HD_TRY(rank(ctx, &job, &o, NULL));
    hd__give_number(s->o->lists, lists);
    const int64_t nodes = s->offsets[lists];
    const hd_view sorted = hd_view_of(s->values.type, s->sorted, nodes);
    const hd_view result = hd_view_of(s->out.type, s->result, nodes);
    HD_TRY(permute(ctx, s, s->values, sorted, false));
    const hd_scan_options how = {.exclusive = o.exclusive,
                                 .backward = o.backward,
                                 .init = o.init,
                                 .segments = HD_REF(HD_VIEW(s->offsets, lists))};
    HD_TRY(hd_scan(ctx, sorted, s->op, result, &how));
    return permute(ctx, s, result, s->out, true);
}

// ---- Scans on a device --------------------------------------------------------------------------

// Whether a GPU runs the call.
static bool runs_there(const hd_context *ctx)
{
    return ctx->on_device || (ctx->backend != HD_AUTO && ctx->first->allocate != NULL);
}

// Arrays of the device: indices of nodes in the order of lists, where lists begin, the values and
// the results in that order; with heads also which node comes at each place.
enum { DESTINATIONS, BEGINS, SORTED, RESULTS, NODES, ARRAYS };

// What is no node has the destination -1, of which a scatter does nothing.
static hd_status sort_values(hd_context *ctx, const scanning *s, hd_view array[ARRAYS],
                             int64_t nodes)
{
    const hd_scatter_options unique = {.unique = true};
    if (hd__is_empty(s->o->heads))
        return hd_scatter(ctx, s->values, array[DESTINATIONS], array[SORTED], &unique);
    for (int k = SORTED; k <= NODES; k++) array[k] = hd_slice(array[k], 0, 0, nodes, 1);
    if (nodes == 0) return HD_OK;
    HD_TRY(hd_scatter(ctx, hd_iota(s->n), array[DESTINATIONS], array[NODES], &unique));
    return hd_gather(ctx, s->values, array[NODES], array[SORTED], NULL);
}

static hd_status scan_there(hd_context *ctx, const scanning *s, hd_view next, hd_view array[ARRAYS])
{
    int64_t lists = 0, nodes = s->n;
    hd__list_job job = {.call = "hd_list_scan", .next = next, .out = array[DESTINATIONS]};
    job.offsets_to = array[BEGINS];
    job.what = HD__LIST_ORDER;
    hd_list_options o = *s->o;
    o.lists = HD_REF(HD_VIEW(&lists, 1));
    HD_TRY(rank(ctx, &job, &o, &nodes));
    hd__give_number(s->o->lists, lists);
    HD_TRY(sort_values(ctx, s, array, nodes));
    const hd_scan_options how = {.exclusive = o.exclusive,
                                 .backward = o.backward,
                                 .init = o.init,
                                 .segments = HD_REF(hd_slice(array[BEGINS], 0, 0, lists, 1))};
    if (nodes == 0) return HD_OK;
    HD_TRY(hd_scan(ctx, array[SORTED], s->op, array[RESULTS], &how));
    if (hd__is_empty(s->o->heads))
        return hd_gather(ctx, array[RESULTS], array[DESTINATIONS], s->out, NULL);
    return hd_scatter(ctx, array[RESULTS], array[NODES], s->out,
                      &(hd_scatter_options){.unique = true});
}

static hd_status scan_on_device(hd_context *ctx, const scanning *s, hd_view next)
{
    const hd_type types[ARRAYS] = {HD_I64, HD_I64, s->values.type, s->out.type, HD_I64};
    const int count = hd__is_empty(s->o->heads) ? NODES : ARRAYS;
    hd_view array[ARRAYS] = {HD_EMPTY, HD_EMPTY, HD_EMPTY, HD_EMPTY, HD_EMPTY}, all[ARRAYS];
    hd_status status = HD_OK;
    const bool there = ctx->on_device;
    for (int k = 0; k < count && status == HD_OK; k++)
        status = hd_alloc_device(ctx, types[k], 1, &s->n, &array[k]);
    memcpy(all, array, sizeof all);
    ctx->takes_device = true;
    ctx->on_device = there;
    if (status == HD_OK) status = scan_there(ctx, s, next, array);
    char error[sizeof ctx->error];
    memcpy(error, ctx->error, sizeof error);
    for (int k = 0; k < ARRAYS; k++)
        if (!hd__is_empty(&all[k])) (void)!hd_free(ctx, &all[k]);
    memcpy(ctx->error, error, sizeof error);
    return status;
}

static hd_status check_scan(hd_context *ctx, const scanning *s, const hd_view *next)
{
    static const char call[] = "hd_list_scan";
    HD_TRY(check_links(ctx, call, "next", next));
    HD_TRY(hd__check_input(ctx, "hd_list_scan: values", &s->values));
    HD_TRY(hd__check_output(ctx, "hd_list_scan: out", &s->out));
    HD_TRY(check_row(ctx, call, "values", &s->values, next->shape[0]));
    HD_TRY(check_row(ctx, call, "out", &s->out, next->shape[0]));
    HD_TRY(check_method(ctx, call, s->o));
    if (s->o->from_head)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: from_head is for hd_list_rank", call);
    if (s->op == NULL) return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: the operator is NULL", call);
    if (s->op == HD_ARGMIN || s->op == HD_ARGMAX)
        return hd__fail(ctx, HD_ERROR_OPERATOR,
                        "%s: operator %s gives indices of an array; a list has none", call,
                        hd_operator_name(s->op));
    HD_TRY(hd__check_apart_of(ctx, call, "out", &s->out, "next", next));
    HD_TRY(hd__check_apart_of(ctx, call, "out", &s->out, "heads", s->o->heads));
    if (hd__overlaps(&s->values, &s->out) == HD__CROSSING)
        return hd__fail(ctx, HD_ERROR_ALIAS, "%s: out overlaps values without being the same view",
                        call);
    const hd__named_view all[] = {
        {"next", next}, {"values", &s->values}, {"out", &s->out}, {"heads", s->o->heads}};
    return check_counts(ctx, call, s->o, all, 4);
}

hd_status hd_list_scan(hd_context *ctx, hd_view next, hd_view values, const hd_operator *op,
                       hd_view out, const hd_list_options *options)
{
    HD__BEGIN_ANYWHERE(ctx);
    hd_list_options o[1];
    HD_TRY(HD__TAKE_OPTIONS(ctx, "hd_list_scan", hd_list_options, options, o));
    HD__AT_LEAST_1D(&next, &values, &out);
    scanning s = {.values = values, .out = out, .op = op, .o = o};
    HD_TRY(check_scan(ctx, &s, &next));
    s.n = next.shape[0];
    if (s.n == 0) { // the scan of nothing still has something to say about types
        const hd_scan_options how = {.exclusive = s.o->exclusive, .init = s.o->init};
        return hd_scan(ctx, values, op, out, &how);
    }
    if (runs_there(ctx)) return scan_on_device(ctx, &s, next);
    HD_TRY(allocate(ctx, &s));
    const hd_status status = scan_in_order(ctx, &s, next);
    hd__release(ctx, s.destination, s.bytes);
    return status;
}

// ---- Forests ------------------------------------------------------------------------------------

hd_status hd_forest_roots(hd_context *ctx, hd_view parent, hd_view out,
                          const hd_forest_options *options)
{
    hd_forest_options o[1];
    static const char call[] = "hd_forest_roots";
    hd__list_counts counts = {0, 0, 0, 0};
    HD__BEGIN_ANYWHERE(ctx);
    HD_TRY(HD__TAKE_OPTIONS(ctx, call, hd_forest_options, options, o));
    HD__AT_LEAST_1D(&parent, &out);
    HD_TRY(check_links(ctx, call, "parent", &parent));
    HD_TRY(check_numbers(ctx, call, "out", &out, &parent));
    if (!hd__is_empty(o->depth)) {
        HD_TRY(check_numbers(ctx, call, "depth", o->depth, &parent));
        HD_TRY(hd__check_apart_of(ctx, call, "out", &out, "depth", o->depth));
    }
    const hd__named_view counted[] = {{"steps", o->steps}, {"work", o->work}};
    const hd__named_view all[] = {{"parent", &parent}, {"out", &out}, {"depth", o->depth}};
    HD_TRY(hd__check_numbers(ctx, call, counted, 2, all, 3));
    const int64_t n = parent.shape[0];
    const hd__forest_job job = {parent, out, *o->depth, &counts};
    const hd__subject subject = {"", n, parent.type};
    if (n > 0) HD_TRY(hd__dispatch(ctx, HD__FOREST_PATTERN, &job, &subject));
    hd__give_number(o->steps, counts.steps);
    hd__give_number(o->work, counts.work);
    return HD_OK;
}
