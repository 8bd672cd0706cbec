// SPDX-License-Identifier: Apache-2.0
// The list of all cases, put together from the files of each family.
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "families.h"

bool bits_make(bits_list *list)
{
    memset(list, 0, sizeof *list);
    list->failed = hd_open(&list->serial, &(hd_context_options){.backend = HD_SERIAL}) != HD_OK;
    if (list->failed) return false;
    bits_moves(list);
    bits_rearranges(list);
    bits_neighbourhoods(list);
    bits_reduces(list);
    bits_scans(list);
    bits_users(list);
    bits_selects(list);
    bits_histograms(list);
    bits_sorts(list);
    bits_orders(list);
    bits_links(list);
    bits_compositions(list);
    bits_ranks(list);
    return !list->failed;
}

void bits_drop(bits_list *list)
{
    hd_close(list->serial);
    free(list->at);
    memset(list, 0, sizeof *list);
}

static bool grow(bits_list *list)
{
    const int64_t room = list->room == 0 ? 1024 : 2 * list->room;
    bits_case *at = realloc(list->at, (size_t)room * sizeof *at);
    if (at == NULL) return false;
    list->at = at;
    list->room = room;
    return true;
}

// A call that the library refuses whatever the data are is no case: an operator that does not take
// the type, an init where there is none.
static bool exists(const bits_list *list, const bits_case *what)
{
    char result[BITS_RESULT];
    const hd_status status = bits_run(list->serial, what, what->sizes[0], result);
    return status != HD_ERROR_TYPE && status != HD_ERROR_ARGUMENT && status != HD_ERROR_OPERATOR;
}

void bits_add(bits_list *list, bits_case what, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what.name, sizeof what.name, format, arguments);
    va_end(arguments);
    if (list->failed || !exists(list, &what)) return;
    list->failed = list->count == list->room && !grow(list);
    if (!list->failed) list->at[list->count++] = what;
}

bool bits_with_options(const hd_operator *op, hd_type type)
{
    const bool usual = type == HD_I32 || type == HD_F32 || type == HD_F64;
    return usual || (op == HD_SUM && (bits_is_float(type) || type == HD_U8 || type == HD_I64));
}
