// SPDX-License-Identifier: Apache-2.0
// Calls that most programs make of a GPU: sums, products, least and greatest of the usual types as
// a reduction and as a scan, to their own type and to the usual one; copies; compaction by flags.
// Then others of few types.
#include "precompiled_calls.h"

#include <stdio.h>

typedef enum kind {
    COPY,
    COMPACT,
    REDUCE,
    SCAN,
    EXCLUSIVE,
    SEGMENTS,
    LONG_SEGMENTS,
    UNIQUE,
    RUN_LENGTHS,
    PARTITION,
    GATHER,
    SCATTER,
    SCATTER_UNIQUE,
    SORT,
    SORT_VALUES,
    SEARCH,
    HISTOGRAM,
    TRANSPOSE,
    CONVOLVE_3,
    CONVOLVE_5,
    LARGE_REDUCE, // of the host's, out of core
    LARGE_SCAN,
    LARGE_EXCLUSIVE,
    KINDS
} kind;

typedef enum fold { SUM, MIN, MAX, PRODUCT, FOLDS, MEAN = FOLDS, ARGMIN, ARGMAX } fold;

static const hd_type types[] = {HD_I32, HD_I64, HD_U32, HD_U64, HD_F32, HD_F64, HD_U8};
static const hd_type few_types[] = {HD_I32, HD_F32, HD_F64};
enum {
    TYPES = sizeof types / sizeof *types,
    FEW = sizeof few_types / sizeof *few_types,
    MOST = 256,
    ELEMENTS = 2049, // one segment of them is a long one
    ROWS = 32,       // of elements in two dimensions, as large images have them
    COLUMNS = 64,
    SIDE = 45, // of a matrix that is not narrow
    BINS = 256
};

typedef struct call {
    kind kind;
    hd_type type, out;
    fold op;
    hd_type with; // of flags, offsets, indices or lengths
} call;

static const hd_operator *operator_of(fold op)
{
    switch (op) {
    case SUM: return HD_SUM;
    case MIN: return HD_MIN;
    case MAX: return HD_MAX;
    case MEAN: return HD_MEAN;
    case ARGMIN: return HD_ARGMIN;
    case ARGMAX: return HD_ARGMAX;
    default: return HD_PRODUCT;
    }
}

// ---- The list -----------------------------------------------------------------------------------

// To its own type (only where that is asked for) and to the usual one.
static int32_t add_folds(call *list, int32_t n, kind kind, hd_type type, fold op, bool own)
{
    const hd_type usual = hd_default_output(operator_of(op), type);
    if (own && usual != type) list[n++] = (call){kind, type, type, op, HD_I64};
    list[n++] = (call){kind, type, usual, op, HD_I64};
    return n;
}

// A sum is the one that is often scanned exclusively.
static int32_t add_common(call *list)
{
    int32_t n = 0;
    for (int t = 0; t < TYPES; t++) list[n++] = (call){COPY, types[t], types[t], SUM, HD_U8};
    for (int t = 0; t < TYPES; t++) list[n++] = (call){COMPACT, types[t], types[t], SUM, HD_U8};
    for (int kind = REDUCE; kind <= EXCLUSIVE; kind++)
        for (int t = 0; t < TYPES; t++)
            for (int op = SUM; op < (kind == EXCLUSIVE ? MIN : FOLDS); op++)
                n = add_folds(list, n, (enum kind)kind, types[t], (enum fold)op, true);
    return n;
}

static int32_t add_others(call *list, int32_t n)
{
    for (int t = 0; t < FEW; t++) {
        const hd_type type = few_types[t];
        n = add_folds(list, n, SEGMENTS, type, SUM, true);
        n = add_folds(list, n, LONG_SEGMENTS, type, SUM, true);
        for (int op = MEAN; op <= ARGMAX; op++)
            n = add_folds(list, n, REDUCE, type, (enum fold)op, false);
        for (int kind = LARGE_REDUCE; kind < KINDS; kind++)
            n = add_folds(list, n, (enum kind)kind, type, SUM, false);
        for (int kind = UNIQUE; kind <= SCATTER_UNIQUE; kind++) {
            if (kind >= GATHER) list[n++] = (call){(enum kind)kind, type, type, SUM, HD_I32};
            list[n++] =
                (call){(enum kind)kind, type, type, SUM, kind == PARTITION ? HD_U8 : HD_I64};
        }
    }
    return n;
}

// Values and elements of images have four bytes; elements of eight are transposed, too.
static int32_t add_patterns(call *list, int32_t n)
{
    for (int t = 0; t < FEW; t++) {
        const hd_type type = few_types[t];
        list[n++] = (call){SORT, type, type, SUM, HD_I32};
        if (hd_type_size(type) == 4) list[n++] = (call){SORT_VALUES, type, type, SUM, HD_I32};
        list[n++] = (call){SEARCH, type, HD_I64, SUM, type};
        if (type != HD_F64) list[n++] = (call){HISTOGRAM, type, HD_I64, SUM, HD_I32};
        if (type != HD_I32) list[n++] = (call){TRANSPOSE, type, type, SUM, HD_I32};
    }
    list[n++] = (call){SORT, HD_U32, HD_U32, SUM, HD_I32};
    list[n++] = (call){HISTOGRAM, HD_U8, HD_I64, SUM, HD_I32};
    list[n++] = (call){CONVOLVE_3, HD_F32, HD_F32, SUM, HD_I32};
    list[n++] = (call){CONVOLVE_5, HD_F32, HD_F32, SUM, HD_I32};
    return n;
}

static int32_t fill(call list[MOST])
{
    return add_patterns(list, add_others(list, add_common(list)));
}

int32_t hd__gpu_precompiled_calls(void)
{
    call list[MOST];
    return fill(list);
}

hd__gpu_precompiled_form hd__gpu_precompiled_call_form(int32_t k)
{
    call list[MOST];
    return k >= add_common(list)   ? HD__GPU_PRECOMPILED_CODE
           : list[k].op == PRODUCT ? HD__GPU_PRECOMPILED_PTX
                                   : HD__GPU_PRECOMPILED_BOTH;
}

bool hd__gpu_precompiled_call_is_sum(int32_t k)
{
    call list[MOST];
    if (k < 0 || k >= fill(list) || list[k].op != SUM) return false;
    if (list[k].kind >= SORT && list[k].kind <= CONVOLVE_5) return false;
    for (int t = 0; t < FEW; t++)
        if (list[k].type == few_types[t]) return true;
    return false;
}

bool hd__gpu_precompiled_call_is_scan(int32_t k)
{
    call list[MOST];
    return k >= 0 && k < fill(list) && (list[k].kind == SCAN || list[k].kind == EXCLUSIVE);
}

bool hd__gpu_precompiled_call_is_large(int32_t k)
{
    call list[MOST];
    return k >= 0 && k < fill(list) && list[k].kind >= LARGE_REDUCE;
}

bool hd__gpu_precompiled_call_is_sort(int32_t k)
{
    call list[MOST];
    return k >= 0 && k < fill(list) && (list[k].kind == SORT || list[k].kind == SORT_VALUES);
}

const char *hd__gpu_precompiled_sorts(int rows)
{
    switch (rows) {
    case 8: return " sort_small=1 sort_few=0 sort_rest=1 sort_count_few=1";
    case 4: return " sort_small=1";
    case 2: return " sort_small=1 sort_few=1";
    default: return "";
    }
}

// ---- Making one ---------------------------------------------------------------------------------

// A view of the device, of zeros.
static hd_status make_zeros(hd_context *ctx, hd_type type, int64_t n, hd_view *v)
{
    static const unsigned char zeros[16];
    const hd_status status = hd_alloc_device(ctx, type, 1, &n, v);
    return status != HD_OK ? status : hd_map(ctx, hd_constant_of(type, zeros, n), NULL, *v, NULL);
}

static hd_view plane(hd_view v, int64_t rows, int64_t columns)
{
    const int64_t shape[] = {rows, columns};
    hd_view p = hd_view_nd(v.type, v.data, 2, shape, NULL);
    p.space = v.space;
    p.device = v.device;
    return p;
}

// A mask that is not separable.
static hd_status convolve(hd_context *ctx, int64_t side, hd_view in, hd_view out)
{
    float mask[25];
    const int64_t shape[] = {side, side};
    for (int64_t k = 0; k < side * side; k++) mask[k] = (float)(k * k * k % 11 + 1);
    return hd_convolve(ctx, plane(in, ROWS, COLUMNS), hd_view_nd(HD_F32, mask, 2, shape, NULL),
                       plane(out, ROWS, COLUMNS), NULL);
}

static hd_status run_pattern(hd_context *ctx, const call *c, hd_view in, hd_view with, hd_view out)
{
    const hd_histogram_options even = {.even = c->type == HD_F32, .upper = c->type == HD_F32};
    switch (c->kind) {
    case SORT: return hd_sort(ctx, in, out, HD_NO_VALUES, NULL);
    case SORT_VALUES: return hd_sort(ctx, in, out, HD_VALUES(with, with), NULL);
    case SEARCH: return hd_search(ctx, in, with, out, NULL);
    case HISTOGRAM: return hd_histogram(ctx, in, hd_slice(out, 0, 0, BINS, 1), &even);
    case TRANSPOSE: return hd_transpose(ctx, plane(in, SIDE, SIDE), plane(out, SIDE, SIDE), NULL);
    default: return convolve(ctx, c->kind == CONVOLVE_3 ? 3 : 5, in, out);
    }
}

static hd_status run(hd_context *ctx, const call *c, hd_view in, hd_view with, hd_view out)
{
    const hd_operator *op = operator_of(c->op);
    int64_t count, two[2];
    if (c->kind >= SORT && c->kind <= CONVOLVE_5) return run_pattern(ctx, c, in, with, out);
    switch (c->kind) {
    case COPY: return hd_map(ctx, in, NULL, out, NULL);
    case COMPACT:
        return hd_compact(ctx, in, out, HD_VIEW(&count, 1),
                          &(hd_compact_options){.flags = HD_REF(with)});
    case REDUCE:
    case LARGE_REDUCE: return hd_reduce(ctx, in, op, hd_slice(out, 0, 0, 1, 1), NULL);
    case SCAN:
    case LARGE_SCAN: return hd_scan(ctx, in, op, out, NULL);
    case EXCLUSIVE:
    case LARGE_EXCLUSIVE: return hd_scan(ctx, in, op, out, &(hd_scan_options){.exclusive = true});
    case SEGMENTS:
        return hd_reduce(ctx, in, op, hd_slice(out, 0, 0, ELEMENTS - 1, 1),
                         &(hd_reduce_options){.segments = HD_REF(with)});
    case LONG_SEGMENTS:
        return hd_reduce(ctx, in, op, hd_slice(out, 0, 0, 1, 1),
                         &(hd_reduce_options){.segments = HD_REF(hd_slice(with, 0, 0, 2, 1))});
    case UNIQUE: return hd_unique(ctx, in, out, HD_VIEW(&count, 1), NULL);
    case RUN_LENGTHS: return hd_run_lengths(ctx, in, out, with, HD_VIEW(&count, 1), NULL);
    case PARTITION:
        return hd_partition(ctx, in, out, HD_VIEW(two, 2),
                            &(hd_partition_options){.flags = HD_REF(with)});
    case GATHER: return hd_gather(ctx, in, with, out, NULL);
    case SCATTER: return hd_scatter(ctx, in, with, out, NULL);
    default: return hd_scatter(ctx, in, with, out, &(hd_scatter_options){.unique = true});
    }
}

static void describe(const call *c, char *text, size_t room)
{
    static const char *const words[] = {"copy",
                                        "compact",
                                        "reduce",
                                        "scan",
                                        "exclusive scan",
                                        "segments",
                                        "long segments",
                                        "unique",
                                        "run lengths",
                                        "partition",
                                        "gather",
                                        "scatter",
                                        "unique scatter",
                                        "sort",
                                        "sort with values",
                                        "search",
                                        "histogram",
                                        "transposition",
                                        "convolution 3 x 3",
                                        "convolution 5 x 5",
                                        "reduce out of core",
                                        "scan out of core",
                                        "exclusive scan out of core"};
    const bool folds = (c->kind >= REDUCE && c->kind <= LONG_SEGMENTS) || c->kind >= LARGE_REDUCE;
    snprintf(text, room, "%s of %s%s%s to %s", words[c->kind], hd_type_name(c->type),
             folds ? " by " : "", folds ? hd_operator_name(operator_of(c->op)) : "",
             hd_type_name(c->out));
}

hd_status hd__gpu_precompiled_call(hd_context *ctx, int32_t k, const char **name)
{
    static char text[80];
    call list[MOST];
    hd_view view[3] = {HD_EMPTY, HD_EMPTY, HD_EMPTY}; // in, with, out
    if (k < 0 || k >= fill(list)) return HD_ERROR_ARGUMENT;
    const call *c = &list[k];
    describe(c, text, sizeof text);
    *name = text;
    const hd_type of[3] = {c->type, c->with, c->out};
    hd_status status = HD_OK;
    if (c->kind >= LARGE_REDUCE) {
        static const double from[ELEMENTS];
        static double to[ELEMENTS];
        return run(ctx, c, hd_view_of(c->type, from, ELEMENTS), HD_EMPTY,
                   hd_view_of(c->out, to, ELEMENTS));
    }
    for (int j = 0; j < 3 && status == HD_OK; j++)
        status = make_zeros(ctx, of[j], ELEMENTS, &view[j]);
    if (status == HD_OK && c->kind == COPY) { // elements of the host, which are copied and staged
        static const double host[ELEMENTS];
        status = hd_map(ctx, hd_view_of(c->type, host, ELEMENTS), NULL, view[0], NULL);
    }
    if (status == HD_OK) status = run(ctx, c, view[0], view[1], view[2]);
    if (status == HD_OK) status = hd_sync(ctx);
    // The first error's text stays: freeing would clear it.
    for (int j = 0; j < 3 && status == HD_OK; j++) status = hd_free(ctx, &view[j]);
    return status;
}
