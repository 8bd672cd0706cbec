// SPDX-License-Identifier: Apache-2.0
// One value to all: what is there is copied behind itself, and doubles in each step.
#include <heddle_teaching.h>

#include "../support/frame.h"

static hd_status tell(hd__frame *f, const hd_view *v, int64_t number)
{
    if (v == NULL || v->type == HD_NONE) return HD_OK;
    return hd_map(f->ctx, HD_VIEW(&number, 1), NULL, *v, NULL);
}

static hd_status check(hd__frame *f, hd_view value, hd_view out)
{
    hd_status status = hd__frame_check(f, "value", value);
    if (status == HD_OK) status = hd__frame_check_out(f, "out", out);
    if (status != HD_OK) return status;
    if (value.type != out.type)
        return hd__frame_fail(f, HD_ERROR_TYPE, "value is %s and out is %s; expected one type",
                              hd_type_name(value.type), hd_type_name(out.type));
    if (hd_count(value) != 1 || out.ndim != 1)
        return hd__frame_fail(f, HD_ERROR_SHAPE, "expected one value, and one row for it");
    return hd__frame_check_apart(f, "out", out, "value", value);
}

static hd_status spread(hd__frame *f, hd_view value, hd_view out, int64_t *steps)
{
    const int64_t n = hd_count(out);
    hd_status status = HD_OK;
    if (n == 0) return HD_OK;
    value.ndim = 1, value.shape[0] = 1, value.stride[0] = 1;
    status = hd_map(f->ctx, value, NULL, hd_slice(out, 0, 0, 1, 1), NULL);
    *steps = 1;
    for (int64_t there = 1; there < n && status == HD_OK; ++*steps) {
        const int64_t more = n - there < there ? n - there : there;
        status = hd_map(f->ctx, hd_slice(out, 0, 0, more, 1), NULL,
                        hd_slice(out, 0, there, more, 1), NULL);
        there += more;
    }
    return status;
}

hd_status hd_broadcast(hd_context *ctx, hd_view value, hd_view out, const hd_steps_options *options)
{
    hd__frame f;
    hd_steps_options o = {0};
    int64_t steps = 0;
    hd_status status = hd__frame_open(&f, ctx, "hd_broadcast", out);
    if (status == HD_OK) status = hd__frame_options(&f, options, sizeof o, &o);
    if (status == HD_OK) status = check(&f, value, out);
    if (status == HD_OK) status = spread(&f, value, out, &steps);
    if (status == HD_OK) status = tell(&f, o.steps, steps);
    if (status == HD_OK) status = tell(&f, o.scans, 0);
    return hd__frame_close(&f, status);
}
