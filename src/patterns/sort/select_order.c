// SPDX-License-Identifier: Apache-2.0
// The order that a call works in, of numbers where there is no comparison. Calls that only take a
// comparison do without this file and the orders of numbers.
#include "comparisons.h"

hd_status hd__select_order(hd_context *ctx, const char *call, const hd_comparison *requested,
                           hd_type type, bool descending, const hd_comparison **order,
                           bool *backwards)
{
    *backwards = requested != NULL && descending;
    if (requested == NULL) {
        if (!hd__is_number(type))
            return hd__fail(ctx, HD_ERROR_TYPE, "%s: elements of type %s need a comparison", call,
                            hd_type_name(type));
        *order = hd__number_order(type, descending);
        return HD_OK;
    }
    *order = requested;
    return hd__check_comparison(ctx, call, requested, type);
}
