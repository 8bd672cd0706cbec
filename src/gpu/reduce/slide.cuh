// SPDX-License-Identifier: Apache-2.0
//
// What the kernels of windows share. A window's perfect nodes of 2^k elements are those of
// 2^(k - 1) combined two by two; the left fold of those that the set bits of the width name is the
// window's tree.
#pragma once
#include "device/node.cuh"

#define HK_SLIDE_BITS 48 // of a width

struct hk_slide_how {
    int64_t rows, length, width;
    int64_t count; // windows of a row
    int64_t tiles; // of a row
    int64_t tile;  // windows of one
    int64_t top;   // the highest bit of the width
    int64_t half;  // slide_levels: elements of a node that two are combined of
    const hk_node *from;
    hk_node *to;
    const hk_node *level[HK_SLIDE_BITS]; // slide_levels: nodes of 2^k elements, from the first on
};
