// SPDX-License-Identifier: Apache-2.0
//
// Options of other versions, of every call: sizes that no version had, fields that this one does
// not know, and reserved fields are refused with a text that names them.
#include <heddle_model.h>
#include <string.h>
#include <heddle_teaching.h>

#include "tests/support/check.h"

static hd_context *ctx;
static hd_model *model;

// Each byte of the field in turn.
#define FIELD(structure, field, error, call)                                                       \
    for (size_t k = 0; k < sizeof((structure *)0)->field; k++) {                                   \
        structure o;                                                                               \
        memset(&o, 0, sizeof o);                                                                   \
        ((unsigned char *)&o.field)[k] = 1;                                                        \
        const hd_status status = (call);                                                           \
        CHECK(status == HD_ERROR_ARGUMENT && strstr((error), #structure "." #field) != NULL,       \
              "%s: byte %zu: status %d: %s", #call, k, (int)status, (error));                      \
    }
#define RESERVED(structure, field, call) FIELD(structure, field, hd_error(ctx), call)

// Options of a size that is too small or absurd, and of a later version that has eight bytes more:
// zeros are passed over, so that the call is as one with the size of this version, or with none.
#define OF_SIZE(structure, error, call)                                                            \
    {                                                                                              \
        structure o[2];                                                                            \
        memset(o, 0, sizeof o);                                                                    \
        const hd_status plain = (call);                                                            \
        o->size = sizeof *o;                                                                       \
        CHECK((call) == plain, "%s: of its size: %s", #call, (error));                             \
        o->size = sizeof *o + 8;                                                                   \
        CHECK((call) == plain, "%s: with eight zeros more: %s", #call, (error));                   \
        ((unsigned char *)(o + 1))[3] = 1;                                                         \
        CHECK((call) == HD_ERROR_ARGUMENT && strstr((error), #structure " of a newer version"),    \
              "%s: a byte of a newer version: %s", #call, (error));                                \
        const size_t wrong[] = {1, sizeof *o - 1, SIZE_MAX};                                       \
        for (int k = 0; k < 3; k++) {                                                              \
            o->size = wrong[k];                                                                    \
            CHECK((call) == HD_ERROR_ARGUMENT && strstr((error), #structure ".size"),              \
                  "%s: size %zu: %s", #call, wrong[k], (error));                                   \
        }                                                                                          \
    }
#define SIZES(structure, call) OF_SIZE(structure, hd_error(ctx), call)

// What a caller carries on its stack: views are pointed to, and no option may make these large.
static void test_sizes(void)
{
    const struct {
        const char *name;
        size_t bytes, most;
    } row[] = {{"hd_reduce_options", sizeof(hd_reduce_options), 160},
               {"hd_scan_options", sizeof(hd_scan_options), 160},
               {"hd_histogram_options", sizeof(hd_histogram_options), 192},
               {"hd_partition_options", sizeof(hd_partition_options), 128},
               {"hd_compact_options", sizeof(hd_compact_options), 96},
               {"hd_stencil_options", sizeof(hd_stencil_options), 96},
               {"hd_sort_options", sizeof(hd_sort_options), 64}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++)
        CHECK(row[k].bytes <= row[k].most, "%s has %zu bytes; expected %zu or fewer", row[k].name,
              row[k].bytes, row[k].most);
}

static void test_calls(void)
{
    float x[4] = {1, 2, 3, 4}, y[4];
    int32_t i[4] = {0, 1, 2, 3}, j[4];
    int64_t n;
    hd_maximum_result most;
    const hd_view a = HD_VIEW(x, 4), b = HD_VIEW(y, 4), p = HD_VIEW(i, 4), q = HD_VIEW(j, 4);
    const double nothing = 0;
    const hd_view one = HD_VIEW(y, 1), zero = HD_VIEW(&nothing, 1);
    SIZES(hd_map_options, hd_map(ctx, a, NULL, b, o))
    RESERVED(hd_reduce_options, reserved_32, hd_reduce(ctx, a, HD_SUM, one, &o))
    RESERVED(hd_reduce_options, reserved_flags, hd_reduce(ctx, a, HD_SUM, one, &o))
    SIZES(hd_reduce_options, hd_reduce(ctx, a, HD_SUM, one, o))
    RESERVED(hd_slide_options, reserved_32, hd_slide(ctx, a, HD_SUM, 1, b, &o))
    SIZES(hd_slide_options, hd_slide(ctx, a, HD_SUM, 1, b, o))
    RESERVED(hd_scan_options, reserved_flags, hd_scan(ctx, a, HD_SUM, b, &o))
    SIZES(hd_scan_options, hd_scan(ctx, a, HD_SUM, b, o))
    RESERVED(hd_gather_options, reserved_flags, hd_gather(ctx, a, p, b, &o))
    SIZES(hd_gather_options, hd_gather(ctx, a, p, b, o))
    RESERVED(hd_scatter_options, reserved_flags, hd_scatter(ctx, a, p, b, &o))
    RESERVED(hd_scatter_options, reserved_32, hd_scatter(ctx, a, p, b, &o))
    SIZES(hd_scatter_options, hd_scatter(ctx, a, p, b, o))
    RESERVED(hd_find_options, reserved_flags, hd_find(ctx, a, HD_VIEW(&n, 1), &o))
    SIZES(hd_find_options, hd_find(ctx, a, HD_VIEW(&n, 1), o))
    RESERVED(hd_mismatch_options, reserved_flags, hd_mismatch(ctx, a, a, HD_VIEW(&n, 1), &o))
    SIZES(hd_mismatch_options, hd_mismatch(ctx, a, a, HD_VIEW(&n, 1), o))
    RESERVED(hd_is_sorted_options, reserved_flags, hd_is_sorted(ctx, a, HD_VIEW(&n, 1), &o))
    SIZES(hd_is_sorted_options, hd_is_sorted(ctx, a, HD_VIEW(&n, 1), o))
    RESERVED(hd_reverse_options, reserved_32, hd_reverse(ctx, a, b, &o))
    SIZES(hd_reverse_options, hd_reverse(ctx, a, b, o))
    RESERVED(hd_rotate_options, reserved_32, hd_rotate(ctx, a, 1, b, &o))
    SIZES(hd_rotate_options, hd_rotate(ctx, a, 1, b, o))
    RESERVED(hd_random_options, reserved_32, hd_random(ctx, b, &o))
    SIZES(hd_random_options, hd_random(ctx, b, o))
    SIZES(hd_reduce_many_options, hd_reduce_many(ctx, a, HD_OPERATORS(HD_SUM), HD_VIEWS(one), o))
    SIZES(hd_map_many_options, hd_map_many(ctx, a, HD_FUNCTIONS(NULL), HD_VIEWS(b), o))
    RESERVED(hd_difference_options, reserved_int, hd_difference(ctx, a, b, &o))
    SIZES(hd_difference_options, hd_difference(ctx, a, b, o))
    SIZES(hd_shuffle_options, hd_shuffle(ctx, a, b, o))
    SIZES(hd_stencil_options, hd_stencil(ctx, a, HD_EMPTY, a, b, o))
    RESERVED(hd_convolve_options, reserved_flags, hd_convolve(ctx, a, a, b, &o))
    SIZES(hd_convolve_options, hd_convolve(ctx, a, a, b, o))
    RESERVED(hd_blur_options, reserved_32, hd_blur(ctx, a, 1, b, &o))
    SIZES(hd_blur_options, hd_blur(ctx, a, 1, b, o))
    SIZES(hd_transpose_options, hd_transpose(ctx, a, b, o))
    SIZES(hd_zip_options, hd_zip(ctx, HD_VIEWS(a), b, o))
    SIZES(hd_zip_options, hd_unzip(ctx, a, HD_VIEWS(b), o))
    RESERVED(hd_compact_options, reserved_flags, hd_compact(ctx, a, b, HD_VIEW(&n, 1), &o))
    SIZES(hd_compact_options, hd_compact(ctx, a, b, HD_VIEW(&n, 1), o))
    RESERVED(hd_partition_options, reserved_flags, hd_partition(ctx, a, b, HD_EMPTY, &o))
    SIZES(hd_partition_options, hd_partition(ctx, a, b, HD_EMPTY, o))
    SIZES(hd_unique_options, hd_unique(ctx, a, b, HD_VIEW(&n, 1), o))
    SIZES(hd_run_lengths_options, hd_run_lengths(ctx, a, b, q, HD_VIEW(&n, 1), o))
    SIZES(hd_expand_options, hd_expand(ctx, a, p, b, HD_VIEW(&n, 1), o))
    SIZES(hd_histogram_options, hd_histogram(ctx, p, q, o))
    RESERVED(hd_sort_options, reserved_flags, hd_sort(ctx, a, b, HD_NO_VALUES, &o))
    SIZES(hd_sort_options, hd_sort(ctx, a, b, HD_NO_VALUES, o))
    RESERVED(hd_merge_options, reserved_flags, hd_merge(ctx, a, a, b, HD_NO_VALUES, &o))
    SIZES(hd_merge_options, hd_merge(ctx, a, a, b, HD_NO_VALUES, o))
    RESERVED(hd_search_options, reserved_flags, hd_search(ctx, a, a, q, &o))
    SIZES(hd_search_options, hd_search(ctx, a, a, q, o))
    RESERVED(hd_top_k_options, reserved_flags, hd_top_k(ctx, a, 4, b, HD_NO_VALUES, &o))
    SIZES(hd_top_k_options, hd_top_k(ctx, a, 4, b, HD_NO_VALUES, o))
    RESERVED(hd_set_options, reserved_flags, hd_set_union(ctx, a, a, b, HD_VIEW(&n, 1), &o))
    SIZES(hd_set_options, hd_set_union(ctx, a, a, b, HD_VIEW(&n, 1), o))
    SIZES(hd_set_options, hd_set_intersection(ctx, a, a, b, HD_VIEW(&n, 1), o))
    SIZES(hd_set_options, hd_set_difference(ctx, a, a, b, HD_VIEW(&n, 1), o))
    SIZES(hd_set_options, hd_set_symmetric_difference(ctx, a, a, b, HD_VIEW(&n, 1), o))
    RESERVED(hd_nth_options, reserved_flags, hd_nth(ctx, a, p, b, &o))
    SIZES(hd_nth_options, hd_nth(ctx, a, p, b, o))
    RESERVED(hd_quantiles_options, reserved_flags, hd_quantiles(ctx, a, zero, one, &o))
    SIZES(hd_quantiles_options, hd_quantiles(ctx, a, zero, one, o))
    RESERVED(hd_maximum_options, reserved_room, hd_maximum(ctx, a, &most, &o))
    SIZES(hd_maximum_options, hd_maximum(ctx, a, &most, o))
    RESERVED(hd_list_options, reserved_flag, hd_list_rank(ctx, p, q, &o))
    SIZES(hd_list_options, hd_list_rank(ctx, p, q, o))
    RESERVED(hd_list_options, reserved_flag, hd_list_scan(ctx, p, a, HD_SUM, b, &o))
    SIZES(hd_list_options, hd_list_scan(ctx, p, a, HD_SUM, b, o))
    SIZES(hd_forest_options, hd_forest_roots(ctx, p, q, o))
    SIZES(hd_steps_options, hd_quicksort(ctx, a, b, o))
    SIZES(hd_steps_options, hd_split_sort(ctx, a, b, o))
    SIZES(hd_check_options, hd_check_operator(ctx, HD_MAX, a, o))
    hd_view odd = a;
    odd.read_only = 7;
    CHECK(hd_scan(ctx, odd, HD_SUM, b, NULL) == HD_ERROR_ARGUMENT &&
              strstr(hd_error(ctx), "hd_view.read_only is 7") != NULL,
          "%s", hd_error(ctx));
}

static hd_status open_context(const hd_context_options *o)
{
    hd_close(ctx);
    ctx = NULL;
    return hd_open(&ctx, o);
}

static hd_status open_model(const hd_model_options *o)
{
    hd_model_close(model);
    model = NULL;
    return hd_model_open(&model, o);
}

static void test_opening(void)
{
    hd_model_module *module;
    RESERVED(hd_context_options, reserved_flags, open_context(&o))
    SIZES(hd_context_options, open_context(o))
    FIELD(hd_model_options, reserved_number, hd_model_error(model), open_model(&o))
    OF_SIZE(hd_model_options, hd_model_error(model), open_model(o))
    CHECK(open_model(NULL) == HD_OK, "%s", hd_model_error(model));
    FIELD(hd_model_load_options, reserved_flags, hd_model_error(model),
          hd_model_load_text(model, "", 0, &o, &module))
    OF_SIZE(hd_model_load_options, hd_model_error(model),
            hd_model_load_text(model, "", 0, o, &module))
}

int main(void)
{
    CHECK(open_context(NULL) == HD_OK, "%s", hd_error(ctx));
    test_sizes();
    test_calls();
    test_opening();
    hd_close(ctx);
    hd_model_close(model);
    return check_finish();
}
