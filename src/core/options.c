// SPDX-License-Identifier: Apache-2.0
// The layouts of all options, and how those of a caller are taken.
#include "options.h"
#include "view.h"
#include "heddle_teaching.h"

#include <stdio.h>
#include <string.h>

// No version will have more: what says so was never set.
enum { MAX_BYTES = 4096 };

static const hd_view no_view;

// What a newer version added must not be set, as it would be ignored.
static bool check_rest(const hd__options_layout *layout, const unsigned char *options, size_t size,
                       char *why, size_t room)
{
    for (size_t k = layout->size; k < size; k++)
        if (options[k] != 0) {
            snprintf(why, room, "%s of a newer version: its byte %zu is set; this one has %u",
                     layout->name, k, (unsigned)layout->size);
            return false;
        }
    return true;
}

static bool check_reserved(const hd__options_layout *layout, const unsigned char *taken, char *why,
                           size_t room)
{
    for (const hd__reserved_member *r = layout->reserved; r->name != NULL; r++)
        for (size_t k = 0; k < r->bytes; k++)
            if (taken[r->at + k] != 0) {
                snprintf(why, room, "%s is reserved: its byte %zu is %d; expected zeros", r->name,
                         k, (int)taken[r->at + k]);
                return false;
            }
    return true;
}

static bool copy(const hd__options_layout *layout, const void *options, void *taken, char *why,
                 size_t room)
{
    size_t given, size = layout->size;
    memcpy(&given, options, sizeof given);
    if (given == 0) given = layout->first_size;
    if (given < layout->first_size || given > MAX_BYTES) {
        snprintf(why, room, "%s.size is %zu; expected 0, or sizeof(%s): %zu", layout->name, given,
                 layout->name, size);
        return false;
    }
    const size_t known = given < size ? given : size;
    memcpy(taken, options, known);
    memset((char *)taken + known, 0, size - known);
    memcpy(taken, &size, sizeof size);
    return check_rest(layout, options, given, why, room) &&
           check_reserved(layout, taken, why, room);
}

bool hd__read_options(const hd__options_layout *layout, const void *options, void *taken, char *why,
                      size_t room)
{
    const hd_view *const none = &no_view;
    const hd_view *view;
    if (options == NULL)
        memset(taken, 0, layout->size);
    else if (!copy(layout, options, taken, why, room))
        return false;
    for (const uint16_t *at = layout->view; *at != 0; at++) {
        memcpy(&view, (char *)taken + *at, sizeof view);
        if (view == NULL) memcpy((char *)taken + *at, &none, sizeof none);
    }
    return true;
}

// Views of one element without dimensions become rows of one, in the context.
static void make_1d_views(hd_context *ctx, const hd__options_layout *layout, void *taken)
{
    const hd_view *view;
    for (int k = 0; layout->view[k] != 0; k++) {
        memcpy(&view, (char *)taken + layout->view[k], sizeof view);
        if (view->ndim != 0 || view->type == HD_NONE) continue;
        ctx->option_views[k] = *view;
        hd__at_least_1d(&ctx->option_views[k]);
        view = &ctx->option_views[k];
        memcpy((char *)taken + layout->view[k], &view, sizeof view);
    }
}

hd_status hd__take_options(hd_context *ctx, const char *call, const hd__options_layout *layout,
                           const void *options, void *taken)
{
    char why[160];
    if (!hd__read_options(layout, options, taken, why, sizeof why))
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: %s", call, why);
    if (options != NULL) make_1d_views(ctx, layout, taken);
    return HD_OK;
}

// ---- Layouts ------------------------------------------------------------------------------------

#define LAYOUT             HD__LAYOUT
#define SIZES              HD__LAYOUT_SIZES
#define VIEW(name, member) offsetof(name##_options, member)
#define RESERVED           HD__LAYOUT_RESERVED

LAYOUT(hd_context) = {SIZES(hd_context), {0}, {RESERVED(hd_context, reserved_flags)}};
LAYOUT(hd_check) = {SIZES(hd_check), {0}, {{0}}};
LAYOUT(hd_map) = {SIZES(hd_map), {0}, {{0}}};
LAYOUT(hd_map_many) = {SIZES(hd_map_many), {0}, {{0}}};
LAYOUT(hd_gather) = {
    SIZES(hd_gather), {VIEW(hd_gather, bad)}, {RESERVED(hd_gather, reserved_flags)}};
LAYOUT(hd_scatter) = {SIZES(hd_scatter),
                      {VIEW(hd_scatter, bad)},
                      {RESERVED(hd_scatter, reserved_flags), RESERVED(hd_scatter, reserved_32)}};
LAYOUT(hd_find) = {SIZES(hd_find), {0}, {RESERVED(hd_find, reserved_flags)}};
LAYOUT(hd_mismatch) = {SIZES(hd_mismatch), {0}, {RESERVED(hd_mismatch, reserved_flags)}};
LAYOUT(hd_is_sorted) = {SIZES(hd_is_sorted), {0}, {RESERVED(hd_is_sorted, reserved_flags)}};
LAYOUT(hd_random) = {SIZES(hd_random), {0}, {RESERVED(hd_random, reserved_32)}};
LAYOUT(hd_reverse) = {SIZES(hd_reverse), {0}, {RESERVED(hd_reverse, reserved_32)}};
LAYOUT(hd_rotate) = {SIZES(hd_rotate), {0}, {RESERVED(hd_rotate, reserved_32)}};
LAYOUT(hd_difference) = {SIZES(hd_difference), {0}, {RESERVED(hd_difference, reserved_int)}};
LAYOUT(hd_shuffle) = {SIZES(hd_shuffle), {0}, {{0}}};
LAYOUT(hd_stencil) = {SIZES(hd_stencil), {0}, {{0}}};
LAYOUT(hd_convolve) = {SIZES(hd_convolve), {0}, {RESERVED(hd_convolve, reserved_flags)}};
LAYOUT(hd_blur) = {SIZES(hd_blur), {0}, {RESERVED(hd_blur, reserved_32)}};
LAYOUT(hd_transpose) = {SIZES(hd_transpose), {0}, {{0}}};
LAYOUT(hd_zip) = {SIZES(hd_zip), {0}, {{0}}};
LAYOUT(hd_reduce) = {SIZES(hd_reduce),
                     {VIEW(hd_reduce, runs), VIEW(hd_reduce, segments), VIEW(hd_reduce, keys),
                      VIEW(hd_reduce, keys_out), VIEW(hd_reduce, values), VIEW(hd_reduce, residual),
                      VIEW(hd_reduce, bound), VIEW(hd_reduce, flags)},
                     {RESERVED(hd_reduce, reserved_32), RESERVED(hd_reduce, reserved_flags)}};
LAYOUT(hd_reduce_many) = {SIZES(hd_reduce_many), {VIEW(hd_reduce_many, segments)}, {{0}}};
LAYOUT(hd_scan) = {SIZES(hd_scan),
                   {VIEW(hd_scan, segments), VIEW(hd_scan, keys), VIEW(hd_scan, values),
                    VIEW(hd_scan, residual), VIEW(hd_scan, bound)},
                   {RESERVED(hd_scan, reserved_flags)}};
LAYOUT(hd_compact) = {SIZES(hd_compact),
                      {VIEW(hd_compact, flags), VIEW(hd_compact, indices)},
                      {RESERVED(hd_compact, reserved_flags)}};
LAYOUT(hd_partition) = {SIZES(hd_partition),
                        {VIEW(hd_partition, flags), VIEW(hd_partition, buckets),
                         VIEW(hd_partition, offsets), VIEW(hd_partition, indices)},
                        {RESERVED(hd_partition, reserved_flags)}};
LAYOUT(hd_unique) = {SIZES(hd_unique), {VIEW(hd_unique, indices)}, {{0}}};
LAYOUT(hd_run_lengths) = {SIZES(hd_run_lengths), {VIEW(hd_run_lengths, indices)}, {{0}}};
LAYOUT(hd_expand) = {SIZES(hd_expand), {0}, {{0}}};
LAYOUT(hd_histogram) = {SIZES(hd_histogram),
                        {VIEW(hd_histogram, edges), VIEW(hd_histogram, weights),
                         VIEW(hd_histogram, second), VIEW(hd_histogram, second_edges),
                         VIEW(hd_histogram, outside), VIEW(hd_histogram, segments)},
                        {RESERVED(hd_histogram, reserved_32)}};
LAYOUT(hd_sort) = {SIZES(hd_sort),
                   {VIEW(hd_sort, indices), VIEW(hd_sort, segments)},
                   {RESERVED(hd_sort, reserved_flags)}};
LAYOUT(hd_merge) = {
    SIZES(hd_merge), {VIEW(hd_merge, indices)}, {RESERVED(hd_merge, reserved_flags)}};
LAYOUT(hd_search) = {SIZES(hd_search), {0}, {RESERVED(hd_search, reserved_flags)}};
LAYOUT(hd_top_k) = {SIZES(hd_top_k),
                    {VIEW(hd_top_k, indices), VIEW(hd_top_k, segments)},
                    {RESERVED(hd_top_k, reserved_flags)}};
LAYOUT(hd_nth) = {SIZES(hd_nth),
                  {VIEW(hd_nth, indices), VIEW(hd_nth, segments)},
                  {RESERVED(hd_nth, reserved_flags)}};
LAYOUT(hd_quantiles) = {
    SIZES(hd_quantiles), {VIEW(hd_quantiles, segments)}, {RESERVED(hd_quantiles, reserved_flags)}};
LAYOUT(hd_set) = {SIZES(hd_set), {VIEW(hd_set, indices)}, {RESERVED(hd_set, reserved_flags)}};
LAYOUT(hd_slide) = {SIZES(hd_slide), {0}, {RESERVED(hd_slide, reserved_32)}};
LAYOUT(hd_maximum) = {SIZES(hd_maximum), {0}, {RESERVED(hd_maximum, reserved_room)}};
LAYOUT(hd_list) = {
    SIZES(hd_list),
    {VIEW(hd_list, heads), VIEW(hd_list, steps), VIEW(hd_list, work), VIEW(hd_list, lists)},
    {RESERVED(hd_list, reserved_flag)}};
LAYOUT(hd_forest) = {SIZES(hd_forest),
                     {VIEW(hd_forest, depth), VIEW(hd_forest, steps), VIEW(hd_forest, work)},
                     {{0}}};
