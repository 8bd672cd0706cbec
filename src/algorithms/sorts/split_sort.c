// SPDX-License-Identifier: Apache-2.0
// Radix sort by scans. For each bit: zeros[i] = how many keys before i have it not, one exclusive
// scan; a key without it goes to zeros[i], one with it behind all zeros, after the ones before it.
#include "order_keys.h"

HD_FUNCTION(lacks_bit, int64_t, HD_NO_SOURCE, (uint64_t, key, uint64_t, bit),
            { return (key & bit) == 0; })

static hd_status split(hd__order_keys *o, uint64_t bit)
{
    int64_t *zeros = o->count[0], *to = o->count[1];
    const int64_t n = o->n;
    const hd_status status =
        hd_scan(o->ctx, HD_VIEW(o->key, n), HD_SUM, HD_VIEW(zeros, n),
                &(hd_scan_options){
                    .exclusive = true, .map = lacks_bit, .with = HD_VIEWS(hd_constant(bit, n))});
    if (status != HD_OK) return status;
    const int64_t all_zeros = zeros[n - 1] + ((o->key[n - 1] & bit) == 0);
    for (int64_t i = 0; i < n; i++)
        to[i] = (o->key[i] & bit) == 0 ? zeros[i] : all_zeros + i - zeros[i];
    return hd__order_keys_permute(o, to);
}

hd_status hd_split_sort(hd_context *ctx, hd_view keys, hd_view out, const hd_steps_options *options)
{
    hd__order_keys o;
    const hd__order_call call = {"hd_split_sort", keys, out, options};
    hd_status status = hd__order_keys_open(&o, ctx, &call, 0);
    int64_t steps = 0;
    for (; status == HD_OK && o.n > 0 && steps < o.bits; steps++)
        status = split(&o, (uint64_t)1 << steps);
    if (status == HD_OK) status = hd__order_keys_write(&o);
    status = hd__order_keys_close(&o, status);
    if (status != HD_OK || options == NULL) return status;
    if (options->steps != NULL) *(int64_t *)options->steps->data = steps;
    if (options->scans != NULL) *(int64_t *)options->scans->data = steps;
    return HD_OK;
}
