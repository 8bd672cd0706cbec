// SPDX-License-Identifier: Apache-2.0
// Grids of ladder/draw/grid.h, as text and as pictures.
#ifndef HEDDLE_CLI_LADDER_LADDER_GRIDS_H
#define HEDDLE_CLI_LADDER_LADDER_GRIDS_H

#include <stdio.h>

#include "ladder/draw/grid.h"

void grid_print(const grid_drawing *g);

// Buttons, or the arrow keys, choose the step; number tells the pictures of a page apart.
void picture_grid(FILE *out, const grid_drawing *g, int32_t number);

#endif
