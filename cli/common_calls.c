// SPDX-License-Identifier: Apache-2.0
// Calls that most programs make of a GPU: sums, products, least and greatest of the usual types as a
// reduction and as a scan, to their own type and to the usual one; copies; and compaction by flags.
#include "common_calls.h"

#include <stdio.h>

typedef enum kind { COPY, COMPACT, REDUCE, SCAN, EXCLUSIVE, KINDS } kind;

static const hd_type types[] = {HD_I32, HD_I64, HD_U32, HD_U64, HD_F32, HD_F64, HD_U8};
enum {
    TYPES = sizeof types / sizeof *types,
    OPERATORS = 4,
    PRODUCT = 3,
    MOST = 128,
    ELEMENTS = 33
};

typedef struct call {
    kind kind;
    hd_type type, out;
    int op;
} call;

static const hd_operator *operator_number(int k)
{
    switch (k) {
    case 0: return HD_SUM;
    case 1: return HD_MIN;
    case 2: return HD_MAX;
    default: return HD_PRODUCT;
    }
}

// All of them, or only their number (list NULL). A sum is the one that is often scanned exclusively.
static int32_t fill(call *list)
{
    int32_t n = 0;
    for (int kind = COPY; kind <= COMPACT; kind++)
        for (int t = 0; t < TYPES; t++) {
            if (list != NULL) list[n] = (call){(enum kind)kind, types[t], types[t], 0};
            n++;
        }
    for (int kind = REDUCE; kind < KINDS; kind++)
        for (int t = 0; t < TYPES; t++)
            for (int op = 0; op < (kind == EXCLUSIVE ? 1 : OPERATORS); op++)
                for (int usual = 0; usual < 2; usual++) {
                    const hd_type out =
                        usual ? hd_default_output(operator_number(op), types[t]) : types[t];
                    if (usual && out == types[t]) continue;
                    if (list != NULL) list[n] = (call){(enum kind)kind, types[t], out, op};
                    n++;
                }
    return n;
}

int32_t common_calls(void)
{
    return fill(NULL);
}

bool common_call_is_rare(int32_t k)
{
    call list[MOST];
    return k >= 0 && k < fill(list) && list[k].op == PRODUCT;
}

static hd_status compact(hd_context *ctx, hd_view in, hd_view out)
{
    const int64_t n = ELEMENTS;
    int64_t count;
    hd_view flags = HD_NOTHING;
    hd_status status = hd_alloc_device(ctx, HD_U8, 1, &n, &flags);
    if (status == HD_OK)
        status =
            hd_map(ctx, hd_constant_of(HD_U8, (const unsigned char[1]){1}, n), NULL, flags, NULL);
    if (status == HD_OK)
        status = hd_compact(ctx, in, out, &count, &(hd_compact_options){.flags = flags});
    return status == HD_OK ? hd_free(ctx, &flags) : status;
}

static hd_status run(hd_context *ctx, const call *c, hd_view in, hd_view out)
{
    const hd_operator *op = operator_number(c->op);
    switch (c->kind) {
    case COPY: return hd_map(ctx, in, NULL, out, NULL);
    case COMPACT: return compact(ctx, in, out);
    case REDUCE: return hd_reduce(ctx, in, op, hd_slice(out, 0, 0, 1, 1), NULL);
    case SCAN: return hd_scan(ctx, in, op, out, NULL);
    default: return hd_scan(ctx, in, op, out, &(hd_scan_options){.exclusive = true});
    }
}

hd_status common_call(hd_context *ctx, int32_t k, const char **name)
{
    static const char *const words[] = {"copy", "compact", "reduce", "scan", "exclusive scan"};
    static char text[80];
    call list[MOST];
    hd_view in = HD_NOTHING, out = HD_NOTHING;
    const int64_t n = ELEMENTS;
    if (fill(NULL) > MOST || k < 0 || k >= fill(list)) return HD_ERROR_ARGUMENT;
    const call *c = &list[k];
    const bool folds = c->kind >= REDUCE;
    snprintf(text, sizeof text, "%s of %s%s%s to %s", words[c->kind], hd_type_name(c->type),
             folds ? " by " : "", folds ? hd_operator_name(operator_number(c->op)) : "",
             hd_type_name(c->out));
    *name = text;
    const unsigned char zeros[16] = {0};
    hd_status status = hd_alloc_device(ctx, c->type, 1, &n, &in);
    if (status == HD_OK) status = hd_alloc_device(ctx, c->out, 1, &n, &out);
    if (status == HD_OK && c->kind != COPY)
        status = hd_map(ctx, hd_constant_of(c->type, zeros, n), NULL, in, NULL);
    if (status == HD_OK && c->kind == COPY) { // elements of the host, which are copied and staged
        static const double host[ELEMENTS];
        status = hd_map(ctx, hd_view_of(c->type, host, n), NULL, in, NULL);
    }
    if (status == HD_OK) status = run(ctx, c, in, out);
    if (status == HD_OK) status = hd_sync(ctx);
    // The first error's text stays: freeing would clear it.
    if (status != HD_OK) return status;
    status = hd_free(ctx, &in);
    return status == HD_OK ? hd_free(ctx, &out) : status;
}
