// SPDX-License-Identifier: Apache-2.0
//
// Sorts of rows and segments: what is sorted on its own has a number, by which indices that are in
// the order of their keys are sorted once more.
#pragma once
#include "device/offsets.cuh"

struct hk_slices {
    int64_t n;
    int64_t length;  // of a row; 0: there are segments
    int64_t offsets; // how many
    uint32_t *order; // indices
    uint32_t *out;   // numbers of segments; or indices within rows
    uint32_t *fault;
};

// Offsets up to and at i: 0 before the first segment.
HK_FN uint32_t hk_segment_of(const hk_view *offsets, int64_t count, int64_t i)
{
    int64_t low = 0, high = count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (hk_bound(offsets, middle) <= i)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint32_t)low;
}
