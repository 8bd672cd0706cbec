// SPDX-License-Identifier: Apache-2.0
// Means of boxes of narrow integers on a device, from a table of 32 bits.
#ifndef HEDDLE_ALGORITHMS_IMAGE_BOX_MEANS_H
#define HEDDLE_ALGORITHMS_IMAGE_BOX_MEANS_H

#include "box_sums.h"

// Whether the sum of a box fits into 32 bits, and most of the image is not at its borders.
bool hd__box_means_fit(const hd__boxes *b, hd_view in, hd_view out);
hd_status hd__box_means_run(hd__boxes *b, hd_view in, hd_view out);

#endif
