// SPDX-License-Identifier: Apache-2.0
// Colours to gray, by the weights of ITU-R BT.601.
#include "gray.h"

HD_FUNCTION(luma, uint16_t, HD_NO_SOURCE, (uint16_t, r, uint16_t, g, uint16_t, b),
            { return (uint16_t)((299u * r + 587u * g + 114u * b + 500u) / 1000u); })

// A channel of an image, as u16 without gaps.
static int channel(workspace *w, hd_view in, int64_t k, hd_view *out)
{
    hd_view one = hd_slice(in, 2, k, 1, 1);
    one.ndim = 2;
    EXIT_TRY(workspace_alloc(w, HD_U16, 2, in.shape, out));
    return workspace_call(w, hd_map(w->ctx, one, NULL, *out, NULL));
}

int gray_image(workspace *w, hd_view in, hd_view *gray)
{
    *gray = in;
    if (in.ndim != 3) return EXIT_DONE;
    if (in.type != HD_U8 && in.type != HD_U16)
        return fail(EXIT_USAGE, w->command,
                    "an image with channels of %s: expected u8 or u16, or two axes",
                    hd_type_name(in.type));
    hd_view r, g, b;
    EXIT_TRY(channel(w, in, 0, &r));
    *gray = r;
    if (in.shape[2] < 3) return EXIT_DONE;
    EXIT_TRY(channel(w, in, 1, &g));
    EXIT_TRY(channel(w, in, 2, &b));
    const hd_map_options with = {.with = HD_VIEWS(g, b)};
    return workspace_call(w, hd_map(w->ctx, r, luma, r, &with));
}
