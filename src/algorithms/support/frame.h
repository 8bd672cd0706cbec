// SPDX-License-Identifier: Apache-2.0
// What every algorithm does around its work: errors with the call's name, options of several
// versions, checks of views, scratch on the host or on the device, rows without gaps.
//
//     hd_status hd_polynomial(hd_context *ctx, hd_view c, hd_view x, hd_view out, const ... *options)
//     {
//         hd__frame f;
//         hd_polynomial_options o = {0};
//         hd_status status = hd__frame_open(&f, ctx, "hd_polynomial", c);
//         if (!status) status = hd__frame_options(&f, options, sizeof o, &o);
//         if (!status) status = evaluate(&f, c, x, out, &o);
//         return hd__frame_close(&f, status);
//     }
#ifndef HEDDLE_ALGORITHMS_SUPPORT_FRAME_H
#define HEDDLE_ALGORITHMS_SUPPORT_FRAME_H

#include <heddle.h>

enum { HD__FRAME_ROWS = 64 };

typedef struct hd__frame {
    hd_context *ctx;
    const char *name; // of the public call
    bool on_device;   // where scratch is, and what the rows below are copied to
    hd_view row[HD__FRAME_ROWS];
    int rows;
} hd__frame;

// Begins a call whose scratch lives where `like` does. close is due in any case: it gives scratch
// back and returns the status; the error text stays, and begins with the call's name.
hd_status hd__frame_open(hd__frame *f, hd_context *ctx, const char *name, hd_view like);
hd_status hd__frame_close(hd__frame *f, hd_status status);

// An error of this call: what, expected, got.
hd_status hd__frame_fail(hd__frame *f, hd_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// The caller's options, which begin with their size, in the layout that this version knows:
// taken has known bytes and is all zero where the caller set nothing. options may be NULL.
hd_status hd__frame_options(hd__frame *f, const void *options, size_t known, void *taken);

// Looks at a view as the patterns do, without reading an element: its address, strides and memory
// space; out: that it may be written. what is its name in the text of an error.
hd_status hd__frame_check(hd__frame *f, const char *what, hd_view v);
hd_status hd__frame_check_out(hd__frame *f, const char *what, hd_view v);
// Outputs may overlap neither inputs nor each other.
hd_status hd__frame_check_apart(hd__frame *f, const char *what, hd_view v, const char *other,
                                hd_view w);

// A row of n elements of scratch, not cleared, until close; drop gives one back earlier.
hd_status hd__frame_row(hd__frame *f, hd_type type, int64_t n, hd_view *row);
hd_status hd__frame_drop(hd__frame *f, hd_view *row);
// The elements of v, in row-major order and of the type, as a row without gaps: v itself where it
// is one already, else a copy in scratch.
hd_status hd__frame_dense(hd__frame *f, hd_view v, hd_type type, hd_view *row);
// A row's elements begin .. begin + n - 1, as a row.
hd_view hd__frame_part(hd_view row, int64_t begin, int64_t n);
// out = in, converted to out's type; the shapes agree in their number of elements.
hd_status hd__frame_copy(hd__frame *f, hd_view in, hd_view out);
// Where the context computes on memory of the host: a call of nothing tells.
hd_status hd__frame_backend(hd__frame *f, hd_backend *ran);
// Element i of a row, on the host when the call returns.
hd_status hd__frame_read(hd__frame *f, hd_view row, int64_t i, void *value);

#endif
