// SPDX-License-Identifier: Apache-2.0
// hd_matmul: products of dense matrices, in one of two stated orders.
#include <heddle_algorithms.h>

#include "product.h"

static hd_status check(hd__frame *f, const hd_matmul_options *o)
{
    if (o->method != HD_MATMUL_CHAIN && o->method != HD_MATMUL_TREE)
        return hd__frame_fail(f, HD_ERROR_ARGUMENT, "there is no method %d", o->method);
    if (o->method == HD_MATMUL_TREE && (o->add || o->negate))
        return hd__frame_fail(f, HD_ERROR_ARGUMENT,
                              ".add and .negate: expected HD_MATMUL_CHAIN, got HD_MATMUL_TREE");
    if (o->reserved_flags[0] || o->reserved_flags[1])
        return hd__frame_fail(f, HD_ERROR_ARGUMENT, "reserved_flags are set; expected zeros");
    return HD_OK;
}

static hd_status multiply(hd__frame *f, hd_view a, hd_view b, hd_view out,
                          const hd_matmul_options *o)
{
    if (o->method == HD_MATMUL_TREE) return hd__product_tree(f, a, b, out);
    if (o->add)
        return hd__product(f, a, b, out, o->negate ? HD__PRODUCT_SUBTRACT : HD__PRODUCT_ADD);
    return hd__product(f, a, b, out, o->negate ? HD__PRODUCT_NEGATIVE : HD__PRODUCT_SET);
}

hd_status hd_matmul(hd_context *ctx, hd_view a, hd_view b, hd_view out,
                    const hd_matmul_options *options)
{
    hd__frame f;
    hd_matmul_options o = {0};
    hd_status status = hd__frame_open(&f, ctx, "hd_matmul", out);
    if (!status) status = hd__frame_options(&f, options, sizeof o, &o);
    if (!status) status = check(&f, &o);
    if (!status) status = hd__product_check(&f, a, b, out);
    if (!status) status = multiply(&f, a, b, out, &o);
    return hd__frame_close(&f, status);
}
