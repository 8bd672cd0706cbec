// SPDX-License-Identifier: Apache-2.0
// Elements on their way in: from views of any layout, through the user's function, into nodes
// that lie one after another. And outputs on their way out, into a view of any layout.
#ifndef HEDDLE_CORE_READER_H
#define HEDDLE_CORE_READER_H

#include "core/operators/fold.h"
#include "view.h"

typedef struct hd__reader {
    const hd__fold *fold;
    const hd_function *map; // or NULL
    int64_t n;              // elements
    int64_t first;          // index of element 0, for arg operators: elements a carry has seen
    int32_t inputs;
    bool direct;                 // nodes lie in view[0] as they are: nothing is copied
    hd_view view[HD_MAX_INPUTS]; // only `inputs` of them are filled
} hd__reader;

// Bytes of scratch that reads of up to `tile` elements need (0 if direct).
size_t hd__reader_bytes(const hd__reader *r, int64_t tile);

// The nodes of elements start .. start + n - 1 in row-major order: in place if direct, else in
// scratch. The pointer holds until the scratch is used again.
const void *hd__read(const hd__reader *r, int64_t start, int64_t n, void *scratch);

// The same but for the last step: the numbers that built-in nodes are made of, in place or in
// scratch.
const void *hd__read_numbers(const hd__reader *r, int64_t start, int64_t n, void *scratch);

// The elements themselves, as the function gives them, without a fold: in place if there is no
// function and view 0 is contiguous, else in scratch.
static inline hd_type hd__element_type(const hd__reader *r)
{
    return r->map != NULL ? r->map->result : r->view[0].type;
}
size_t hd__elements_bytes(const hd__reader *r, int64_t tile);
const void *hd__read_elements(const hd__reader *r, int64_t start, int64_t n, void *scratch);

// Their sum, where the map has a loop for that; n as hd_function.sum says.
int64_t hd__sum_elements(const hd__reader *r, int64_t start, int64_t n, void *scratch);

// Copies between a view of any layout (its row-major order) and elements after each other.
void hd__gather(const hd_view *v, int64_t start, int64_t n, void *to);
void hd__scatter(const hd_view *v, int64_t start, int64_t n, const void *from);

// Row `row` (in row-major order of the other axes) of a view along an axis: one dimension.
hd_view hd__row_of(const hd_view *v, int32_t axis, int64_t row);

// The reader of one row along an axis of a reader whose views keep their dimensions.
void hd__row_reader(const hd__reader *r, int32_t axis, int64_t row, hd__reader *out);

#endif
