// SPDX-License-Identifier: Apache-2.0
// Options as callers give them, of whatever version their headers were, become the library's own.
#ifndef HEDDLE_CORE_OPTIONS_H
#define HEDDLE_CORE_OPTIONS_H

#include "context.h"

// What the library has to know of a structure of options: its size, that in version 0.1, where its
// pointers to views are, and which members are reserved.
typedef struct hd__reserved_member {
    const char *name; // "hd_reduce_options.reserved_32"; NULL ends the list
    uint16_t at, bytes;
} hd__reserved_member;

enum { HD__MAX_RESERVED = 2 };

typedef struct hd__options_layout {
    const char *name;
    uint16_t size, first_size;
    uint16_t view[HD__MAX_OPTION_VIEWS + 1]; // offsets; 0 ends the list, as no view comes first
    hd__reserved_member reserved[HD__MAX_RESERVED + 1];
} hd__options_layout;

// Copies options, which may be NULL and begin with their size, to `taken`, a structure of the
// layout's size: members that the caller's version had not are zero, members that this one has not
// must be zero, and so must reserved ones. Views that are not given point to an empty one, so that
// no pointer to a view is NULL. HD_ERROR_ARGUMENT otherwise.
hd_status hd__take_options(hd_context *ctx, const char *call, const hd__options_layout *layout,
                           const void *options, void *taken);

// The same where there is no context: whether it went well; else `why` has the text.
HD__EXPORTED bool hd__read_options(const hd__options_layout *layout, const void *options,
                                   void *taken, char *why, size_t room);

// HD__TAKE_OPTIONS(ctx, call, hd_scan_options, options, o), where o is an array of one of them.
#define HD__TAKE_OPTIONS(ctx, call, type, options, o)                                              \
    hd__take_options((ctx), (call), &hd__layout_##type, (const type *){options}, (type *){o})

// HD__LAYOUT(hd_find) = {HD__LAYOUT_SIZES(hd_find), {0}, {HD__LAYOUT_RESERVED(hd_find, ...)}};
// A member that a later version adds comes last, and the size in version 0.1 stays what it was.
#define HD__LAYOUT(name) const hd__options_layout hd__layout_##name##_options
#define HD__LAYOUT_SIZES(name)                                                                     \
    HD__LAYOUT_TEXT(name##_options), sizeof(name##_options), sizeof(name##_options)
#define HD__LAYOUT_TEXT(...) #__VA_ARGS__
#define HD__LAYOUT_RESERVED(name, member)                                                          \
    {                                                                                              \
        HD__LAYOUT_TEXT(name##_options.member), offsetof(name##_options, member),                  \
            sizeof(((name##_options *)0)->member)                                                  \
    }

#define HD__OPTIONS_LAYOUT(type) extern const hd__options_layout hd__layout_##type
HD__OPTIONS_LAYOUT(hd_context_options);
HD__OPTIONS_LAYOUT(hd_check_options);
HD__OPTIONS_LAYOUT(hd_map_options);
HD__OPTIONS_LAYOUT(hd_map_many_options);
HD__OPTIONS_LAYOUT(hd_gather_options);
HD__OPTIONS_LAYOUT(hd_scatter_options);
HD__OPTIONS_LAYOUT(hd_find_options);
HD__OPTIONS_LAYOUT(hd_mismatch_options);
HD__OPTIONS_LAYOUT(hd_is_sorted_options);
HD__OPTIONS_LAYOUT(hd_random_options);
HD__OPTIONS_LAYOUT(hd_reverse_options);
HD__OPTIONS_LAYOUT(hd_rotate_options);
HD__OPTIONS_LAYOUT(hd_difference_options);
HD__OPTIONS_LAYOUT(hd_shuffle_options);
HD__OPTIONS_LAYOUT(hd_stencil_options);
HD__OPTIONS_LAYOUT(hd_convolve_options);
HD__OPTIONS_LAYOUT(hd_blur_options);
HD__OPTIONS_LAYOUT(hd_transpose_options);
HD__OPTIONS_LAYOUT(hd_zip_options);
HD__OPTIONS_LAYOUT(hd_reduce_options);
HD__OPTIONS_LAYOUT(hd_reduce_many_options);
HD__OPTIONS_LAYOUT(hd_scan_options);
HD__OPTIONS_LAYOUT(hd_compact_options);
HD__OPTIONS_LAYOUT(hd_partition_options);
HD__OPTIONS_LAYOUT(hd_unique_options);
HD__OPTIONS_LAYOUT(hd_run_lengths_options);
HD__OPTIONS_LAYOUT(hd_expand_options);
HD__OPTIONS_LAYOUT(hd_histogram_options);
HD__OPTIONS_LAYOUT(hd_sort_options);
HD__OPTIONS_LAYOUT(hd_merge_options);
HD__OPTIONS_LAYOUT(hd_search_options);
HD__OPTIONS_LAYOUT(hd_top_k_options);
HD__OPTIONS_LAYOUT(hd_nth_options);
HD__OPTIONS_LAYOUT(hd_quantiles_options);
HD__OPTIONS_LAYOUT(hd_set_options);
HD__OPTIONS_LAYOUT(hd_slide_options);
HD__OPTIONS_LAYOUT(hd_maximum_options);
HD__OPTIONS_LAYOUT(hd_list_options);
HD__OPTIONS_LAYOUT(hd_forest_options);
#undef HD__OPTIONS_LAYOUT

#endif
