// SPDX-License-Identifier: Apache-2.0
// hd_transpose: axes in another order. hd_unzip, hd_zip: arrays of structures to structures of
// arrays and back.
#ifndef HEDDLE_TRANSPOSE_H
#define HEDDLE_TRANSPOSE_H

#include "../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_transpose_options {
    size_t size;         // sizeof(hd_transpose_options), or 0: its size in version 0.1
    const int32_t *axes; // as many as in has: axis k of out is axis axes[k] of in. NULL: the last
                         // two are swapped, the ones before them count matrices
} hd_transpose_options;

// out[..., j, i] = in[..., i, j], for elements of any type; with .axes
// out[i(axes[0]), i(axes[1]), ...] = in[i(0), i(1), ...].
//
//     hd_transpose(ctx, matrix, turned, NULL);                          // rows become columns
//     hd_transpose(ctx, image, planes,                                  // height, width, channel
//                  &(hd_transpose_options){.axes = (int32_t[]){2, 0, 1}}); // to channel, h, w
//
// A view of fewer than two dimensions is copied. (A transposed view needs no call: exchange shape
// and stride of its axes. This call moves the elements.)
//
//   Aliasing    out may be in itself (the same address and strides) where the last two axes are
//               swapped and are as long as each other; any other overlap is an error.
//   Exactness   elements are copied bit for bit.
//   Cost        reads and writes each element once, in blocks that fit the first cache; in place
//               it needs no memory but those blocks.
//   Returns     HD_ERROR_SHAPE if out has not in's shape in the new order, HD_ERROR_TYPE if not
//               its type, HD_ERROR_ARGUMENT if axes name one twice or one that is not there.
HD_API HD__CHECKED hd_status hd_transpose(hd_context *ctx, hd_view in, hd_view out,
                                          const hd_transpose_options *options);

// The most fields of one structure.
#define HD_MAX_FIELDS 64

typedef struct hd_zip_options {
    size_t size; // sizeof(hd_zip_options), or 0: its size in version 0.1
    // Of each field in the structure, in bytes; NULL: as C lays out a structure of these types
    // (numbers only)
    const int64_t *field_offsets;
} hd_zip_options;

// hd_unzip takes structures apart, hd_zip puts them together: with f(k) the k-th field,
// fields.view[k][i] = structures[i].f(k), and the other way round.
//
//     typedef struct { float x, y, z; } point;
//     hd_view points = HD_VIEW_OF(HD_STRUCT(point), p, n);
//     hd_unzip(ctx, points, HD_VIEWS(HD_VIEW(x, n), HD_VIEW(y, n), HD_VIEW(z, n)), NULL);
//     hd_zip(ctx, HD_VIEWS(HD_VIEW(x, n), HD_VIEW(y, n), HD_VIEW(z, n)), points, NULL);
//
// Fields may be fewer than the structure has: hd_unzip then leaves the others out, hd_zip leaves
// them, and any padding, as they are. Each field has the shape of the structures.
//
//   Aliasing    no output may overlap an input or another output; fields of one hd_unzip may be
//               the same part of the structure, those of one hd_zip may not overlap there.
//   Exactness   fields are copied bit for bit, at any alignment.
//   Cost        reads and writes each field once. hd_zip also reads the structures where fields
//               do not fill them.
//   Returns     HD_ERROR_SHAPE if a field has not the structures' shape, HD_ERROR_ARGUMENT if one
//               does not fit into the structure, or there are none or more than HD_MAX_FIELDS.
HD_API HD__CHECKED hd_status hd_unzip(hd_context *ctx, hd_view structures, hd_views fields,
                                      const hd_zip_options *options);
HD_API HD__CHECKED hd_status hd_zip(hd_context *ctx, hd_views fields, hd_view structures,
                                    const hd_zip_options *options);

#ifdef __cplusplus
}
#endif

#endif
