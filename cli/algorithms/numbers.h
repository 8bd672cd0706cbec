// SPDX-License-Identifier: Apache-2.0
//
// Coefficients on a command line: numbers with commas between them, or the name of a file.
#ifndef HEDDLE_CLI_ALGORITHMS_NUMBERS_H
#define HEDDLE_CLI_ALGORITHMS_NUMBERS_H

#include "cli/run/workspace.h"

// "0.5,-1" becomes a row of f64 that the workspace owns; anything else is a file's name, whose
// array is loaded. NULL gives an unset view. Returns an exit code, having printed what went wrong.
int numbers_load(workspace *w, const char *text, const io_read_options *how, hd_view *view);

// An array of numbers that are neither f32 nor f64, such as a text of whole ones, becomes f64.
int numbers_real(workspace *w, hd_view *view);

#endif
