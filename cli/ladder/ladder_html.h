// SPDX-License-Identifier: Apache-2.0
// Pages of heddle ladder: a ladder that was played, or one method step by step. All return an exit
// code, having printed what went wrong; the file appears whole or not at all.
#ifndef HEDDLE_CLI_LADDER_LADDER_HTML_H
#define HEDDLE_CLI_LADDER_LADDER_HTML_H

#include "ladder/draw/drawing.h"
#include "ladder/draw/grid.h"
#include "ladder.h"
#include "ladder_shmoo.h"

int ladder_html(const ladder_results *t, const char *file);
int ladder_draw_html(const drawing *d, const char *file);
int ladder_shmoo_html(const shmoo *s, const char *file);
int ladder_grid_html(const grid_drawing *g, const char *file);

#endif
