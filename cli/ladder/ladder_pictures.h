// SPDX-License-Identifier: Apache-2.0
// Pictures of ladders: methods step by step, bars of the steps, the roofline.
#ifndef HEDDLE_CLI_LADDER_LADDER_PICTURES_H
#define HEDDLE_CLI_LADDER_LADDER_PICTURES_H

#include <stdio.h>

#include "ladder/draw/drawing.h"
#include "ladder.h"

// A method step by step; buttons, or the arrow keys, move through the steps. number tells the
// pictures of a page apart.
void picture_drawing(FILE *out, const drawing *d, int32_t number);

// The predicted times of the steps as bars, the lecture's figures beside them.
void picture_bars(FILE *out, const ladder_results *t);

// Each step on the roofline of the modelled chip.
void picture_roofline(FILE *out, const ladder_results *t);

#endif
