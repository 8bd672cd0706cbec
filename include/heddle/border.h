// SPDX-License-Identifier: Apache-2.0
// What lies beyond the edges of an array, and channels: shared by hd_convolve, hd_blur and
// hd_stencil.
#ifndef HEDDLE_BORDER_H
#define HEDDLE_BORDER_H

#include "../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

// The row a b c d goes on to both sides as shown. Every border is defined for arrays of any size,
// of one element too: replicate, reflect and symmetric then repeat it, and any border may be wider
// than the array.
typedef enum hd_border {
    HD_BORDER_DEFAULT = 0, // zero for hd_convolve and hd_stencil, reflect for hd_blur
    HD_BORDER_ZERO,        //  0 0 0 | a b c d | 0 0 0
    HD_BORDER_REPLICATE,   //  a a a | a b c d | d d d
    HD_BORDER_REFLECT,     //  d c b | a b c d | c b a     (the edge once: "reflect 101")
    HD_BORDER_SYMMETRIC,   //  c b a | a b c d | d c b     (the edge twice)
    HD_BORDER_WRAP,        //  b c d | a b c d | a b c
    HD_BORDER_CONSTANT,    //  x x x | a b c d | x x x     x is the option .constant
    HD_BORDER_KEEP,        //  hd_stencil: points whose neighbourhood leaves the array are copied
    HD_BORDER_COUNT
} hd_border;

// What an array with more axes than the neighbourhood is. It has to be said: an image of colours
// and a stack of images have as many.
typedef enum hd_channels {
    HD_CHANNELS_UNSAID = 0, // refused where in has more axes than the neighbourhood
    HD_CHANNELS_NONE,       // the axes before those of the neighbourhood are batches
    HD_CHANNELS_LAST        // the last axis is channels, none of which has neighbours in another;
                            // axes before those of the neighbourhood are batches
} hd_channels;

#ifdef __cplusplus
}
#endif

#endif
