// SPDX-License-Identifier: Apache-2.0
//
// Reserved fields of every structure of options, of every call, and of views: a byte that is not
// zero is refused with a text that names the field.
#include <heddle_model.h>
#include <string.h>

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

static void test_calls(void)
{
    float x[4] = {1, 2, 3, 4}, y[4];
    int32_t i[4] = {0, 1, 2, 3}, j[4];
    int64_t n;
    hd_maximum_result most;
    const hd_view a = HD_VIEW(x, 4), b = HD_VIEW(y, 4), p = HD_VIEW(i, 4), q = HD_VIEW(j, 4);
    const hd_view one = HD_VIEW(y, 1);
    RESERVED(hd_map_options, reserved, hd_map(ctx, a, NULL, b, &o))
    RESERVED(hd_reduce_options, reserved_32, hd_reduce(ctx, a, HD_SUM, one, &o))
    RESERVED(hd_reduce_options, reserved, hd_reduce(ctx, a, HD_SUM, one, &o))
    RESERVED(hd_scan_options, reserved_flags, hd_scan(ctx, a, HD_SUM, b, &o))
    RESERVED(hd_scan_options, reserved, hd_scan(ctx, a, HD_SUM, b, &o))
    RESERVED(hd_gather_options, reserved_flags, hd_gather(ctx, a, p, b, &o))
    RESERVED(hd_gather_options, reserved, hd_gather(ctx, a, p, b, &o))
    RESERVED(hd_scatter_options, reserved_flags, hd_scatter(ctx, a, p, b, &o))
    RESERVED(hd_scatter_options, reserved_32, hd_scatter(ctx, a, p, b, &o))
    RESERVED(hd_scatter_options, reserved, hd_scatter(ctx, a, p, b, &o))
    RESERVED(hd_find_options, reserved_flags, hd_find(ctx, a, &n, &o))
    RESERVED(hd_find_options, reserved, hd_find(ctx, a, &n, &o))
    RESERVED(hd_difference_options, reserved_int, hd_difference(ctx, a, b, &o))
    RESERVED(hd_difference_options, reserved, hd_difference(ctx, a, b, &o))
    RESERVED(hd_shuffle_options, reserved, hd_shuffle(ctx, a, b, &o))
    RESERVED(hd_stencil_options, reserved, hd_stencil(ctx, a, HD_EMPTY, a, b, &o))
    RESERVED(hd_convolve_options, reserved_flags, hd_convolve(ctx, a, a, b, &o))
    RESERVED(hd_convolve_options, reserved, hd_convolve(ctx, a, a, b, &o))
    RESERVED(hd_blur_options, reserved_32, hd_blur(ctx, a, 1, b, &o))
    RESERVED(hd_blur_options, reserved, hd_blur(ctx, a, 1, b, &o))
    RESERVED(hd_transpose_options, reserved, hd_transpose(ctx, a, b, &o))
    RESERVED(hd_zip_options, reserved, hd_zip(ctx, HD_VIEWS(a), b, &o))
    RESERVED(hd_zip_options, reserved, hd_unzip(ctx, a, HD_VIEWS(b), &o))
    RESERVED(hd_compact_options, reserved_flags, hd_compact(ctx, a, b, &n, &o))
    RESERVED(hd_compact_options, reserved, hd_compact(ctx, a, b, &n, &o))
    RESERVED(hd_partition_options, reserved_flags, hd_partition(ctx, a, b, HD_EMPTY, &o))
    RESERVED(hd_partition_options, reserved, hd_partition(ctx, a, b, HD_EMPTY, &o))
    RESERVED(hd_unique_options, reserved, hd_unique(ctx, a, b, &n, &o))
    RESERVED(hd_run_lengths_options, reserved, hd_run_lengths(ctx, a, b, q, &n, &o))
    RESERVED(hd_expand_options, reserved, hd_expand(ctx, a, p, b, &n, &o))
    RESERVED(hd_histogram_options, reserved_flags, hd_histogram(ctx, p, q, &o))
    RESERVED(hd_histogram_options, reserved, hd_histogram(ctx, p, q, &o))
    RESERVED(hd_sort_options, reserved_flags, hd_sort(ctx, a, b, HD_NO_VALUES, &o))
    RESERVED(hd_sort_options, reserved, hd_sort(ctx, a, b, HD_NO_VALUES, &o))
    RESERVED(hd_sort_options, reserved_flags, hd_argsort(ctx, a, q, &o))
    RESERVED(hd_sort_options, reserved, hd_argsort(ctx, a, q, &o))
    RESERVED(hd_sort_by_options, reserved, hd_sort_by(ctx, a, NULL, b, HD_NO_VALUES, &o))
    RESERVED(hd_merge_options, reserved_flags, hd_merge(ctx, a, a, b, &o))
    RESERVED(hd_merge_options, reserved, hd_merge(ctx, a, a, b, &o))
    RESERVED(hd_search_options, reserved_flags, hd_search(ctx, a, a, q, &o))
    RESERVED(hd_search_options, reserved, hd_search(ctx, a, a, q, &o))
    RESERVED(hd_top_k_options, reserved_flags, hd_top_k(ctx, a, 4, b, q, &o))
    RESERVED(hd_top_k_options, reserved, hd_top_k(ctx, a, 4, b, q, &o))
    RESERVED(hd_maximum_options, reserved_room, hd_maximum(ctx, a, &most, &o))
    RESERVED(hd_maximum_options, reserved, hd_maximum(ctx, a, &most, &o))
    RESERVED(hd_list_options, reserved_flag, hd_list_rank(ctx, p, q, &o))
    RESERVED(hd_list_options, reserved, hd_list_rank(ctx, p, q, &o))
    RESERVED(hd_list_options, reserved_flag, hd_list_scan(ctx, p, a, HD_SUM, b, &o))
    RESERVED(hd_list_options, reserved, hd_list_scan(ctx, p, a, HD_SUM, b, &o))
    RESERVED(hd_forest_options, reserved, hd_forest_roots(ctx, p, q, &o))
    RESERVED(hd_steps_options, reserved, hd_quicksort(ctx, a, b, &o))
    RESERVED(hd_steps_options, reserved, hd_split_sort(ctx, a, b, &o))
    RESERVED(hd_check_options, reserved, hd_check_operator(ctx, HD_MAX, a, &o))
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
    RESERVED(hd_context_options, reserved_32, open_context(&o))
    RESERVED(hd_context_options, reserved, open_context(&o))
    FIELD(hd_model_options, reserved_number, hd_model_error(model), open_model(&o))
    FIELD(hd_model_options, reserved, hd_model_error(model), open_model(&o))
    CHECK(open_model(NULL) == HD_OK, "%s", hd_model_error(model));
    FIELD(hd_model_load_options, reserved, hd_model_error(model),
          hd_model_load_text(model, "", 0, &o, &module))
}

int main(void)
{
    CHECK(open_context(NULL) == HD_OK, "%s", hd_error(ctx));
    test_calls();
    test_opening();
    hd_close(ctx);
    hd_model_close(model);
    return check_finish();
}
